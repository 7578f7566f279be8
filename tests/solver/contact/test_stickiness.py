# SPDX-License-Identifier: GPL-3.0-or-later
"""What is sticky holds until it is drawn off more strongly."""

from dataclasses import replace

import numpy as np
import pytest

from solver import LIMITED, Collider, Sample, Settings, Simulation, solid

G, FRAME = 9.81, 1.0 / 24.0
RADIUS = 0.01
WEIGHT = 500.0 * 4.0 / 3.0 * np.pi * RADIUS**3 * G
CEILING = Collider("plane", position=(0.0, 0.0, 1.0), orientation=(0.0, 1.0, 0.0, 0.0), friction=0.5)


def hung(stickiness, frames=48, gravity=(0.0, 0.0, -G), collider=CEILING) -> Simulation:
    plant = Simulation(solid("ball", [RADIUS], stickiness=stickiness))
    sample = Sample(base_position=(0.0, 0.0, 1.0 - RADIUS), cut=[1.0], colliders=[collider], gravity=gravity)
    plant.start(sample)
    for _ in range(frames):
        plant.advance(sample, FRAME)
    return plant


@pytest.mark.parametrize(("share", "holds"), [(0.0, False), (0.9, False), (1.1, True), (30.0, True)])
def test_a_burr_hangs_where_it_holds_more_than_its_weight(share, holds):
    plant = hung(share * WEIGHT)
    fallen = 1.0 - RADIUS - plant.rod_heads()[0, 2]
    assert (fallen < 0.1 * RADIUS) == holds
    if holds:
        assert plant.contacts().force[:, 2].sum() == pytest.approx(WEIGHT, rel=1e-4)
        assert plant.energy().kinetic < 1e-12


def test_the_colliders_stickiness_holds_too():
    plant = hung(0.0, collider=replace(CEILING, stickiness=2.0 * WEIGHT))
    assert plant.rod_heads()[0, 2] == pytest.approx(1.0 - RADIUS, abs=0.1 * RADIUS)


@pytest.mark.parametrize(("share", "holds"), [(0.6, True), (0.4, False)])
def test_friction_counts_what_is_held(share, holds):
    """On a wall, by four corners: friction 0.5 holds the weight where they hold together more than twice of it."""
    half = 0.01
    weight = 500.0 * 8.0 * half**3 * G
    wall = Collider("plane", position=(0.0, 0.0, 1.0), orientation=(0.0, 1.0, 0.0, 0.0), friction=0.5)
    plant = Simulation(solid("box", [half] * 3, stickiness=share * weight))
    sample = Sample((0.0, 0.0, 1.0 - half), gravity=(G, 0.0, 0.0), cut=[1.0], colliders=[wall])  # the ceiling as a wall
    plant.start(sample)
    for _ in range(24):
        plant.advance(sample, FRAME)
    assert (abs(plant.rod_heads()[0, 0]) < 0.1 * half) == holds


def test_what_is_thrown_at_something_sticky_stays_there():
    plant = Simulation(solid("ball", [RADIUS], stickiness=0.0))
    wall = Collider("plane", orientation=(np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0), stickiness=20.0 * WEIGHT, friction=1.0)
    thrown = Sample(base_position=(0.2, 0.0, 0.0), cut=[0.0], colliders=[wall])
    plant.start(thrown)
    plant.advance(replace(thrown, base_position=(0.1, 0.0, 0.0)), FRAME)
    free = replace(thrown, base_position=(0.05, 0.0, 0.0), cut=[1.0])
    for _ in range(24):
        plant.advance(free, FRAME)
    assert plant.rod_heads()[0, 0] == pytest.approx(RADIUS, abs=0.1 * RADIUS)


@pytest.mark.parametrize("off", [0.0, 1e-15])
def test_what_turns_too_fast_for_all_steps_takes_nothing_off(off):
    """A burr at a ceiling, and a block on a slope, beside a fan that turns by 2.8 rad a step."""
    slope, frame, fan = np.radians(20.0) + off, 1.0 / 60.0, 170.0
    tilted, up = (np.cos(slope / 2), 0, np.sin(slope / 2), 0), np.array((np.sin(slope), 0.0, np.cos(slope)))
    models = [solid("box", (0.05, 0.05, 0.05), friction=0.5), solid("ball", [0.03], stickiness=5.0),
              solid("box", (0.3, 0.02, 0.02))]  # fmt: skip
    things = [Collider("plane", (), "slope", orientation=tilted, friction=0.5),
              Collider("box", (1, 1, 0.05), "ceiling", position=(0, 5, 1.05), stickiness=5.0)]  # fmt: skip
    plants = Simulation(models, Settings(halvings=0), together=True)

    def world(k: int) -> Sample:
        places = [0.06 * up, (0.0, 5.0, 0.85 + 0.02 * min(k, 3)), (0.0, 8.0, 1.0)]
        half = 0.5 * fan * frame * k
        return Sample(
            places, [tilted, (1, 0, 0, 0), (np.cos(half), 0, 0, np.sin(half))], colliders=things,
            cut=[float(k >= 3), float(k >= 3), 0.0], touches_others=True,
        )  # fmt: skip

    plants.start(world(0))
    stood = np.zeros(3)
    for k in range(1, 241):
        assert plants.advance(world(k), frame).status == LIMITED or k < 4
        stood = plants.placed().position[0] if k == 120 else stood
    assert np.linalg.norm(plants.placed().position[0] - stood) < 1e-5
    assert plants.placed().position[1, 2] == pytest.approx(0.97, abs=1e-3)
