# SPDX-License-Identifier: GPL-3.0-or-later
"""Stones of 14 corners that fall onto each other: what is beside a thin rim is not taken to be inside."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from solver import Collider, Sample, Simulation, solid

FRAME = 1.0 / 24.0


def stone(rng: np.random.Generator):
    """Corners (14, 3) m and triangles, which look out, of one that is about 8 cm wide."""
    points = rng.normal(size=(14, 3))
    points *= 0.05 * rng.uniform(0.6, 1.2) / np.linalg.norm(points, axis=1)[:, None]
    found = ConvexHull(points)
    a = points[found.simplices]
    looks_in = np.einsum("ij,ij->i", np.cross(a[:, 1] - a[:, 0], a[:, 2] - a[:, 0]), found.equations[:, :3]) < 0.0
    return points, np.where(looks_in[:, None], found.simplices[:, ::-1], found.simplices)


def column(seed: int, noise=0.0) -> tuple[Simulation, Sample]:
    """Three, one over the other, above the ground."""
    rng = np.random.default_rng([seed, 7])
    stones, places, turns = [], [], []
    for k in range(3):
        vertices, triangles = stone(rng)
        stones.append(solid("hull", vertices=vertices, triangles=triangles, density=2500.0, friction=0.6))
        places.append((rng.uniform(-0.01, 0.01) + noise, rng.uniform(-0.01, 0.01), 0.065 + 0.125 * k))
        turns.append(rng.normal(size=4))
    turns = np.array(turns) / np.linalg.norm(turns, axis=1)[:, None]
    plants = Simulation(stones, together=True)
    ground = Collider("plane", friction=0.6)
    sample = Sample(places, base_orientation=turns, cut=[1.0] * 3, touches_others=True, colliders=[ground])
    plants.start(sample)
    return plants, sample


@pytest.mark.parametrize("noise", [0.0, 1e-15])
@pytest.mark.parametrize("seed", [2, 9, 16, 38, 39, 45])
def test_a_column_of_stones_falls_to_pieces_without_gain(seed, noise):
    plants, sample = column(seed, noise)
    energy = sum(plants.energy())
    for _ in range(10):
        plants.advance(sample, FRAME)
        before, energy = energy, sum(plants.energy())
        assert energy < before + 1e-3 * abs(before)
        assert plants.contacts().gap.min(initial=0.0) > -3e-4  # a hundredth of what is thinnest


def test_behind_a_face_a_stone_is_solid_as_far_as_is_told():
    """Behind each place of a plate, by what its shape tells, there is stone, or no more than a radius is told."""
    for seed in range(20):
        vertices, triangles = stone(np.random.default_rng([seed, 3]))
        shapes = solid("hull", vertices=vertices, triangles=triangles).shapes
        planes = ConvexHull(vertices).equations
        deep = np.linalg.norm(shapes.inside, axis=1)
        assert (deep > 0.0).sum() >= 3 * len(triangles) - 6
        for k in np.flatnonzero(deep > 1.001 * shapes.radius[:, 0]):
            for t, s in ((0.0, -1.0), (0.0, 1.0), (1.0, -1.0), (1.0, 1.0), (0.5, 0.0)):
                on = shapes.start[k] + t * (shapes.end[k] - shapes.start[k]) + s * shapes.side[k]
                assert (planes[:, :3] @ (on + shapes.inside[k]) + planes[:, 3]).max() < 1e-9
