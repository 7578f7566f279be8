# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes off touches with all of its length, from its base on, though its first joint is farther up."""

from itertools import product

import numpy as np
import pytest

from solver import COARSE, Collider, Rods, Sample, Settings, Simulation, discretize
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import ALONG_Z, beam

FPS = 24.0
GROUND = [Collider("plane")]
RADIUS = 0.01


def boom(layout: str) -> tuple[Rods, Simulation]:
    """A stem from the ground and, from its top, a level branch of three rods that stands on two legs once it is off."""
    stem, branch = beam(2, 0.3, RADIUS, frame=ALONG_Z), beam(3, 0.3, RADIUS, damping_time=0.05)
    names = ("frame", "length", "radius_base", "radius_tip", "young", "density", "damping_time")
    columns = {name: np.concatenate([stem.array(name), branch.array(name), branch.array(name)[:2]]) for name in names}
    head = np.concatenate([stem.array("head"), branch.array("head") + np.array([0.0, 0.0, 0.3]), [(0.2, 0.0, 0.3)] * 2])
    for leg, angle in ((5, -0.8), (6, np.pi + 0.8)):
        columns["frame"][leg] = (np.cos(angle / 2), np.sin(angle / 2), 0.0, 0.0)
    rods = Rods(parent=[-1, 0, 1, 2, 3, 3, 3], head=head, **columns)
    return rods, Simulation(discretize(rods, layout), Settings(threads=1))


def off(rods: Rods, *which: int) -> Sample:
    cut = np.zeros(len(rods))
    cut[list(which)] = 1.0
    return Sample(colliders=GROUND, cut=cut)


def lowest(plant: Simulation, rods: list[int]) -> np.ndarray:
    """Height (m) of the lowest line of each rod, from its base to its tip."""
    heads, tails = plant.rod_heads()[rods], plant.rod_tails()[rods]
    share = np.linspace(0.0, 1.0, 21)[None, :, None]
    return (heads[:, None] + share * (tails - heads)[:, None])[..., 2] - RADIUS


@pytest.mark.parametrize("layout", ["gauss2", "double_root", "mid", "prbm3r"])
def test_a_cut_branch_lies_on_the_ground_along_all_of_its_length(layout):
    rods, plant = boom(layout)
    plant.start(Sample(colliders=GROUND))
    for _ in range(96):
        assert plant.advance(off(rods, 2), 1.0 / FPS).status <= COARSE
    heights = lowest(plant, [2, 3, 4, 5, 6])
    assert -0.01 * RADIUS < heights.min() < 0.0
    assert np.abs(heights[0, 0]) < 0.01 * RADIUS, "it stands on its cut end"


def test_a_plant_that_is_let_go_does_not_sink_into_the_ground():
    """It stands on its end, round as that is for what it touches, and falls over when it is pushed."""
    rods, plant = boom("gauss2")
    plant.start(Sample(colliders=GROUND))
    least = np.inf
    for _ in range(72):
        assert plant.advance(off(rods, 0), 1.0 / FPS).status <= COARSE
        heads, tails = plant.rod_heads(), plant.rod_tails()
        least = min(least, heads[:, 2].min(), tails[:, 2].min())
    assert least > -0.02 * RADIUS


def low_down(kind: str) -> Collider:
    """A thing of 8 mm, 1 cm above the ground."""
    half, place = np.full(3, 0.004), (0.002, 0.0, 0.01)
    if kind == "box":
        return Collider("box", half, "low", place)
    corners, faces = np.array(list(product((-1.0, 1.0), repeat=3))) * half, []
    for a, b, c, d in [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]:
        faces += [(a, b, c), (a, c, d)]
    return Collider("mesh", (), "low", place, vertices=corners, triangles=faces, one_sided=kind == "one-sided")


@pytest.mark.parametrize("kind", ["box", "one-sided", "two-sided"])
def test_what_is_inside_only_with_what_touches_since_it_came_off_is_not_thrown_out(kind):
    plant = Simulation(discretize(beam(3, 0.3, 0.003, frame=ALONG_Z)), Settings(threads=1))
    weightless = {"colliders": [low_down(kind)], "gravity": (0.0, 0.0, 0.0)}
    plant.start(Sample(**weightless))
    before = plant.rod_tails()
    for _ in range(6):
        plant.advance(Sample(cut=[1.0, 0.0, 0.0], **weightless), 1.0 / FPS)
        assert len(plant.contacts().rod) == 0
    assert plant.rod_tails() == pytest.approx(before, abs=1e-9)


def test_it_goes_on_alike_from_a_snapshot():
    rods, plant = boom("gauss2")
    plant.start(Sample(colliders=GROUND))
    for _ in range(14):
        plant.advance(off(rods, 2), 1.0 / FPS)
    other = boom("gauss2")[1]
    other.start(Sample(colliders=GROUND))
    other.restore(snapshot_from_arrays(other, snapshot_arrays(plant.snapshot())))
    for one in (plant, other):
        for _ in range(10):
            one.advance(off(rods, 2), 1.0 / FPS)
    assert np.array_equal(plant.rod_tails(), other.rod_tails())


def test_what_is_whole_touches_as_before():
    """The part of a rod below its first joint is of the body that carries it, as long as that holds."""
    rods, plant = boom("gauss2")
    shapes = discretize(rods).shapes
    assert shapes.start[:, 1].min() >= -1e-12
    plant.start(Sample(colliders=GROUND))
    plant.advance(off(rods, 2), 1.0 / FPS)
    plant.advance(off(rods, 2), 1.0 / FPS)
    assert np.array_equal(plant.model.shapes.start, shapes.start)
