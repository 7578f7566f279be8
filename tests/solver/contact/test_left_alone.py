# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn deep into a solid is left alone until it parts, whether the solid is a box or a closed mesh."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Collider, Sample, Settings, Simulation, discretize, left_alone, solid
from solver.math.rotations import exponential
from tests.oracles.models import beam

FRAME = 1.0 / 24.0
CORNERS = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], dtype=float)
FACES = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
    (1, 5, 7), (1, 7, 3),
]  # fmt: skip


def cubes(place: tuple[float, float, float]) -> dict[str, Collider]:
    """One of 0.2 m: as a box, and as a mesh of either kind."""
    size = 0.1
    return {
        "box": Collider("box", (size, size, size), position=place),
        "one-sided": Collider("mesh", position=place, vertices=size * CORNERS, triangles=FACES, one_sided=True),
        "two-sided": Collider("mesh", position=place, vertices=size * CORNERS, triangles=FACES),
    }


@pytest.mark.parametrize("kind", ["box", "one-sided", "two-sided"])
@pytest.mark.parametrize("place", [(0.35, 0.0, -0.02), (0.35, 0.0, 0.05), (0.45, 0.0, -0.05), (0.45, 0.0, 0.0)])
def test_a_stem_that_is_drawn_through_a_cube_is_not_thrown_out_of_it(kind, place):
    model = discretize(beam(8, 0.6, 0.005, young=3e6, damping_time=0.005))
    weight = 9.81 * float(model.bodies.mass.sum())
    plant, sample = Simulation(model), Sample(colliders=[cubes(place)[kind]])
    plant.start(sample)
    ends = {int((place[0] + way) // 0.075) for way in (-0.1, 0.1)}
    through = {rod for rod in ends if rod < model.rod_count}
    assert through <= set(left_alone(model, plant.snapshot())[:, 0].tolist())
    before, most = sum(plant.energy()), 0.0
    for _ in range(60):
        plant.advance(sample, FRAME)
        most = max(most, sum(plant.energy()) - before)
        assert np.abs(plant.contacts().force).max(initial=0.0) < 30.0 * weight
    assert most <= 1e-6 * weight


def calm_through(plate: Collider) -> None:
    """A soft beam that falls, drawn through a plate, is not wedged there: nothing gives it energy."""
    model = discretize(beam(2, 0.6, 0.01635, young=3.84e6, damping_time=0.0023, friction=0.3))
    weight = 9.81 * float(model.bodies.mass.sum())
    plant, sample = Simulation(model, Settings(max_step=1 / 120)), Sample(colliders=[plate])
    plant.start(sample)
    before = sum(plant.energy())
    for _ in range(36):
        plant.advance(sample, FRAME)
        assert np.abs(plant.contacts().force).max(initial=0.0) < 100.0 * weight
        assert sum(plant.energy()) <= before + 1e-4 * weight


def test_a_beam_that_is_drawn_through_the_middle_of_a_plate_is_left_alone():
    """Far from the edges, and it slides on from one half of a rod to the other."""
    turned = (0.81488067, -0.41145252, 0.36553155, -0.18183236)
    calm_through(
        Collider("box", (0.123, 0.277, 0.025), position=(0.4814, 0.0412, -0.2377), orientation=turned, friction=0.88)
    )


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("aslant", [0.0, 0.6, 1.1])
def test_so_is_it_whatever_the_plates_place(share, aslant):
    turned = exponential(np.array([0.0, 0.5 * np.pi - aslant, 0.0]))  # its normal along the beam, but for that
    calm_through(
        Collider("box", (0.25, 0.25, 0.025), position=(0.3 + 0.3 * share, 0.0, -0.03), orientation=turned, friction=0.5)
    )


@pytest.mark.parametrize("kind", ["box", "one-sided", "two-sided"])
@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.4, 0.3, 0.2), (0.9, -0.5, 0.1)])
def test_a_loose_box_that_is_drawn_into_a_cube_is_left_alone_as_a_whole(kind, turn):
    """Some of its plates are wholly outside when it begins to fall, and come down on the cube beside the others."""
    model = solid("box", (0.05, 0.04, 0.03))
    cube = cubes((0.0, 0.0, 0.0))[kind]
    place, orientation = (0.1, 0.0, 0.09), exponential(np.array(turn))
    sample = Sample(place, orientation, colliders=[cube], cut=[1.0])
    plant = Simulation(model)
    plant.start(sample)
    before, frames = sum(plant.energy()), 4  # until it has fallen by 0.14 m, still inside
    for frame in range(1, frames + 1):
        plant.advance(sample, FRAME)
        assert sum(plant.energy()) <= before + 1e-9
        assert len(plant.contacts().rod) == 0
        assert plant.placed().position[0, 2] == pytest.approx(0.09 - 0.5 * 9.81 * (frame * FRAME) ** 2, abs=1e-3)


def test_what_appears_around_a_stem_is_left_alone_by_it_though_all_else_is_far():
    plant = Simulation(discretize(beam(4, 0.3, 0.005, damping_time=0.005)))
    far = Collider("plane", name="far", position=(0.0, 0.0, -2.0))
    weightless = Sample(colliders=[far], gravity=(0.0, 0.0, 0.0))
    plant.start(weightless)
    for _ in range(2):
        plant.advance(weightless, FRAME)
    before = plant.rod_tails()
    around = Collider("ball", (0.02,), "around", tuple(before[-1] + (0.005, 0.0, 0.0)))
    for _ in range(3):
        plant.advance(replace(weightless, colliders=[far, around]), FRAME)
        assert len(plant.contacts().rod) == 0
    assert np.array_equal(plant.rod_tails(), before)


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("mode", ["drawn", "settled", "keep_shape"])
@pytest.mark.parametrize("sticks", [False, True])
def test_what_begins_as_drawn_knows_what_it_is_drawn_into_or_sticks_to_whatever_the_others_begin_as(
    together, mode, sticks
):
    """A cube on a table nearer than the table's margin falls through; one below a sticky one hangs on it."""
    table = Collider(
        "box", (0.25, 0.25, 0.25), position=(0.0, 0.0, 0.30001 if sticks else -0.25),
        margin=0.0 if sticks else 0.02, stickiness=20.0 if sticks else 0.0,
    )  # fmt: skip
    models = [discretize(beam(3, 0.2, 0.004)), solid("box", (0.025, 0.025, 0.025))]
    sample = Sample(
        np.array([[-2.0, 0.0, 0.0], [0.0, 0.0, 0.025]]), np.array([[1.0, 0.0, 0.0, 0.0]] * 2), colliders=[table],
        cut=np.append(np.zeros(models[0].rod_count), 1.0), touches_others=together,
    )  # fmt: skip
    plants = Simulation(models, together=together)
    plants.start(sample, [mode, "drawn"])
    for frame in range(1, 4):
        plants.advance(sample, FRAME)
        fallen = 0.0 if sticks else 0.5 * 9.81 * (frame * FRAME) ** 2
        assert plants.placed().position[-1, 2] == pytest.approx(0.025 - fallen, abs=1e-3)


@pytest.mark.parametrize("half", [(0.05, 0.016, 0.03), (0.05, 0.04, 0.06)])
@pytest.mark.parametrize("height", [0.0, 0.012, -0.0155])
@pytest.mark.parametrize("is_first", [False, True])
def test_a_loose_box_that_a_twig_is_drawn_through_falls_off_it(half, height, is_first):
    """It is solid: a twig that is within it, or in one of its faces, is not held there by the others."""
    order = slice(None, None, -1 if is_first else 1)
    twig, box = discretize(beam(6, 0.3, 0.0006, young=1e9, density=1e-3)), solid("box", half)
    bases = np.array([(0.0, 0.0, 0.0), (0.22, 0.003, height)])[order]
    sample = Sample(bases, cut=np.append(np.zeros(6), 1.0)[order], touches_others=True)
    plant = Simulation([twig, box][order], Settings(), together=True)
    plant.start(sample)
    for frame in range(1, 10):
        report = plant.advance(sample, FRAME)
        fallen = 0.5 * 9.81 * (frame * FRAME) ** 2
        assert report.steps < 100
        place = plant.placed().position[0 if is_first else -1]
        assert place[2] == pytest.approx(height - fallen, abs=2e-3 * fallen + 1e-6)
