# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft plants that come to rest on meshes: on the seams of a level one, and over the rim of their own pot."""

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import from_matrices
from tests.surveys.random_things import turned
from tests.surveys.settled_trees import sheet

#: The pot (r, z in m) that a plant stands in, with a thick wall, and the soil in it.
POT = [(0.0, -0.12), (0.06, -0.12), (0.08, 0.02), (0.07, 0.02), (0.06, -0.02), (0.0, -0.02)]
SOIL = [(0.0, -0.03), (0.06, -0.03), (0.062, -0.005), (0.0, 0.0)]
SIDES = 32


def around(profile, name) -> Collider:
    """A one-sided mesh of a profile turned about z."""
    vertices, triangles = turned(profile, SIDES)
    return Collider("mesh", (), name, vertices=vertices, triangles=triangles, one_sided=True, margin=0.001)


def frame(way) -> np.ndarray:
    y = np.asarray(way) / np.linalg.norm(way)
    x = np.cross(y, (0.0, 0.0, 1.0))
    x /= np.linalg.norm(x)
    return from_matrices(np.column_stack([x, y, np.cross(x, y)])[None])[0]


def wilted(young: float, shoots: int = 5, n: int = 8, disturbed: float = 0.0):
    """Shoots from the middle of a pot, so soft that they hang over its rim and lie on soil and ground, the thicker they
    are the less; disturbed: by so much, in shares."""
    rng = np.random.default_rng(3)
    parent, head, frames, length, radius = [], [], [], [], []
    for shoot in range(shoots):
        angle = 2.0 * np.pi * (shoot + 0.13 * rng.random()) / shoots
        way = np.array([0.35 * np.cos(angle), 0.35 * np.sin(angle), 1.0])
        at, each = np.array([0.01 * np.cos(angle), 0.01 * np.sin(angle), -0.01]), 0.03 + 0.004 * shoot
        for i in range(n):
            parent.append(len(parent) - 1 if i else -1)
            head.append(at)
            frames.append(frame(way))
            length.append(each)
            radius.append(0.0025 - 0.0001 * i)
            at = at + each * way / np.linalg.norm(way)
    rods = Rods(
        parent=parent, head=np.array(head) * (1.0 + disturbed), frame=frames, length=length, radius_base=radius,
        radius_tip=[r - 0.0001 for r in radius], young=young * (1.0 + disturbed), density=700.0, friction=0.5,
        damping_time=0.05,
    )  # fmt: skip
    return discretize(rods, "gauss2")


def world(soil: bool) -> Sample:
    ground = Collider("plane", position=(0.0, 0.0, -0.12), margin=0.001)
    return Sample(colliders=[ground, around(POT, "pot"), *([around(SOIL, "soil")] if soil else [])])


@pytest.mark.parametrize("soil", [False, True])
@pytest.mark.parametrize("young", [1e5, 3e5, 1e6, 3e6])
def test_a_wilted_plant_settles_over_the_rim_of_its_pot(young, soil):
    plant, sample = Simulation(wilted(young), Settings(threads=1)), world(soil)
    found = plant.start(sample, "settled")
    assert found is not None
    assert found.balanced
    assert found.stable
    touched = plant.contacts()
    assert (touched.collider == 1).sum() > 2
    assert (-touched.gap).max() < 0.01 * 0.0017
    before = plant.rod_tails()
    for _ in range(24):
        plant.advance(sample, 1 / 24)
    assert np.abs(plant.rod_tails() - before).max() < 1e-3 * np.ptp(before, axis=0).max()


def test_where_it_settles_does_not_hang_on_rounding():
    tails = []
    for disturbed in (0.0, 1e-15):
        plant = Simulation(wilted(1e6, disturbed=disturbed), Settings(threads=1))
        found = plant.start(world(True), "settled")
        assert found is not None
        assert found.balanced
        tails.append(plant.rod_tails())
    assert np.abs(tails[1] - tails[0]).max() < 1e-5


@pytest.mark.parametrize("young", [1e5, 1e6, 1e7])
@pytest.mark.parametrize("cells", [1, 8, 32])
def test_on_a_level_mesh_shoots_lie_as_on_a_plane(cells, young):
    """However it is cut into triangles: their edges are none of the surface."""
    ends = []
    for ground in (Collider("plane", position=(0.0, 0.0, -0.02)), sheet(-0.02, cells)):
        plant = Simulation(wilted(young), Settings(threads=1))
        found = plant.start(Sample(colliders=[ground]), "settled")
        assert found is not None
        assert found.balanced
        ends.append(plant.rod_tails())
    assert np.abs(ends[1] - ends[0]).max() < 1e-4
