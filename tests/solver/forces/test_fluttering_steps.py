# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of leaves that flutter count for less: motion stays what it is, and without air nothing changes."""

import numpy as np
import pytest

from solver import GustyWind, Sample, Settings, Simulation, discretize
from tests.oracles.models import binary_tree

EXACT = Settings(tolerance=3e-6, newton_tolerance=1.5e-6)
TIPS = np.setdiff1d(np.arange(45), np.asarray(binary_tree(3, 4).parent))


def leafy(lift: float = 3.0) -> Simulation:
    """A tree of 45 rods whose last ones are leaves on soft stalks."""
    leaf = np.isin(np.arange(45), TIPS)
    return discretize(binary_tree(
        3, 4, young=np.where(leaf, 2e7, 3e8), damping_time=0.01, blade_area=np.where(leaf, 2e-3, 0.0),
        stiffness_factor=np.where(leaf, 0.05, 1.0), blade_lift=lift, blade_lift_along=0.4 * (lift > 0.0),
        blade_air_mass=0.5 * (lift > 0.0),
    ))  # fmt: skip


def sways(settings: Settings, lift: float = 3.0) -> tuple[float, float, float, int]:
    """Root mean squares of how leaves move against their twigs and of their twigs (m), the mean way of a leaf's tip
    against its twig in a frame (m), and the solves, of 12 s in gusts of 8 m/s."""
    plant, solves = Simulation(leafy(lift), settings), 0
    sample = Sample(wind=GustyWind((8.0, 0.0, 0.0), 0.3, 3.0, seed=0, eddies=0.3))
    plant.start(sample, "settled")
    leaves, twigs = [], []
    for _ in range(288):
        solves += plant.advance(sample, 1 / 24).solves
        leaves.append(plant.rod_tails()[TIPS] - plant.rod_heads()[TIPS])
        twigs.append(plant.rod_heads()[TIPS])
    both = [np.sqrt(((one - one.mean(axis=0)) ** 2).sum(axis=2).mean()) for one in map(np.array, (leaves, twigs))]
    return (*both, float(np.linalg.norm(np.diff(leaves, axis=0), axis=2).mean()), solves)


def test_leaves_and_twigs_move_as_much_as_with_a_tenth_of_the_errors():
    found, exact = sways(Settings()), sways(EXACT)
    print(f"found {found}, exact {exact}")
    assert found[:3] == pytest.approx(exact[:3], rel=0.05)
    assert found[3] < 0.75 * exact[3]


def test_without_air_what_would_rise_moves_to_the_bit_as_what_does_not():
    tails = []
    for lift in (0.0, 3.0):
        plant = Simulation(leafy(lift))
        plant.start(Sample(), initial=np.full((plant.model.body_count, 3), 0.05))
        for _ in range(24):
            plant.advance(Sample(), 1 / 24)
        tails.append(plant.rod_tails())
    assert np.array_equal(*tails)
