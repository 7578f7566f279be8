# SPDX-License-Identifier: GPL-3.0-or-later
"""What is sticky holds until it is drawn off more strongly."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Collider, Sample, Simulation, solid

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
