# SPDX-License-Identifier: GPL-3.0-or-later
"""Twigs of a milligram that a blade of 75 g hits: friction must not throw them, nor their spin push them on."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Rods, Sample, Simulation, discretize
from solver.math.rotations import rotate

FRAME, STILL, UP = 1.0 / 24.0, (1.0, 0.0, 0.0, 0.0), (0.5**0.5, 0.5**0.5, 0.0, 0.0)
FIRST, LAST, WAY = 2, 5, 0.6  # the blade goes so far (m) between these frames


def twig(length: float):
    return discretize(
        Rods(
            parent=[-1, 0, 1], head=[(0.0, k * length / 3.0, 0.0) for k in range(3)], frame=[STILL] * 3,
            length=length / 3.0, radius_base=0.025 * length, radius_tip=0.025 * length, young=1e9, density=500.0,
            damping_time=0.02,
        ),
        "gauss2", segments=1,
    )  # fmt: skip


def blade(stiffness: float | None):
    given = {} if stiffness is None else {"stiffness": np.full((1, 3), stiffness)}
    return discretize(
        Rods(
            parent=[-1], head=[(0.0, 0.0, -0.15)], frame=[UP], length=0.3, radius_base=0.004, radius_tip=0.004,
            young=1e10, density=5000.0, blade_area=0.09, **given,
        ),
        "base", segments=1,
    )  # fmt: skip


def swat(seed: int, largest: float, stiffness: float | None, noise=0.0):
    """The plants, and a sample for each frame; size and place of the twig by the seed."""
    length = 2.0 * 10.0 ** np.random.default_rng([seed, 5]).uniform(-2.3, largest)
    rng = np.random.default_rng([seed, 99])
    turned = rng.normal(size=4)
    at = np.array((rng.uniform(-0.05, 0.05), 0.0, rng.uniform(-0.05, 0.05))) + noise

    def sample(frame: int) -> Sample:
        y = -0.3 + WAY * min(max((frame - FIRST) / (LAST - FIRST), 0.0), 1.0)
        return Sample(
            [(0.0, y, 0.0), at], base_orientation=[STILL, turned / np.linalg.norm(turned)], touches_others=True,
            cut=[0.0, 1.0, 0.0, 0.0], gravity=(0.0, 0.0, 0.0),
        )  # fmt: skip

    plants = Simulation([blade(stiffness), twig(length)], together=True)
    plants.start(sample(0))
    return plants, sample


def mean_velocity(plants) -> np.ndarray:
    """Of the twig's mass (m/s)."""
    placed, bodies = plants.placed(), plants.model.bodies
    velocity = placed.velocity + np.cross(placed.omega, rotate(placed.orientation, bodies.com))
    return bodies.mass[1:] @ velocity[1:] / bodies.mass[1:].sum()


@pytest.mark.parametrize("noise", [0.0, 1e-15])
@pytest.mark.parametrize(
    ("seed", "largest", "stiffness"), [(33, -1.3, None), (164, -1.9, None), (38, -1.3, 1e5), (7, -1.9, None)]
)
def test_what_is_light_leaves_no_faster_than_twice_what_hits_it(seed, largest, stiffness, noise):
    plants, sample = swat(seed, largest, stiffness, noise)
    fastest = 0.0
    for frame in range(1, 8):
        plants.advance(sample(frame), FRAME)
        placed = plants.placed()
        tip = placed.velocity[0] + np.cross(placed.omega[0], rotate(placed.orientation[0], np.array((0.0, 0.3, 0.0))))
        fastest = max(fastest, float(np.linalg.norm(tip)), float(np.linalg.norm(placed.velocity[0])))
        assert np.linalg.norm(mean_velocity(plants)) < 2.0 * max(fastest, WAY / FRAME / (LAST - FIRST))


def test_a_bent_twig_that_spins_too_fast_for_the_steps_flies_straight_on():
    plants, sample = swat(33, -1.3, None)
    for frame in range(1, 6):
        plants.advance(sample(frame), FRAME)
    assert np.linalg.norm(plants.placed().omega[1]) > 5000.0
    apart = replace(sample(6), touches_others=False)
    before = mean_velocity(plants)
    for _ in range(4):
        plants.advance(apart, FRAME)
    np.testing.assert_allclose(mean_velocity(plants), before, atol=2e-3 * np.linalg.norm(before))
