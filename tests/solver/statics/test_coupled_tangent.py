# SPDX-License-Identifier: GPL-3.0-or-later
"""The tangent of plants whose rods are tied, factorised in O(n) and by few rows, against differences of gradients."""

import numpy as np
import pytest

from solver import Guide, Sample, Simulation, discretize
from solver.math.rotations import exponential, multiply
from solver.statics.coupling import factorise_coupled, solve_coupled
from solver.statics.imbalance import load_scale
from solver.statics.tangent import balance, new_tangent
from tests.oracles.models import beam

STEP = 1e-3


def tied_rope(seed: int, turn: float, stiffness: float):
    """Of a rope with two ties, bent at random: bodies, joint rotations and world."""
    rope = Simulation(discretize(beam(6, 0.6, young=1e5, density=900.0, radius=0.004), "base"))
    ties = [Guide(a, by="rod", other_rod=b, stiffness=stiffness) for a, b in ((5, 2), (3, 0))]
    rope.start(Sample(gravity=(0.0, 0.0, -9.81), guides=ties))
    bodies, q, world = rope.at_rest()
    turns = np.random.default_rng(seed).normal(size=(len(q), 3))
    return bodies, exponential(turn * turns), world


@pytest.mark.parametrize("stiffness", [1.0, 1e2, 1e4])
@pytest.mark.parametrize(("seed", "turn"), [(0, 0.05), (1, 0.3), (2, 0.0), (3, 1.0)])
def test_inertia_and_solutions(seed: int, turn: float, stiffness: float) -> None:
    bodies, q, world = tied_rope(seed, turn, stiffness)
    n, work = len(q), new_tangent(len(q))

    def gradient(turns: np.ndarray) -> np.ndarray:
        balance(bodies, multiply(q, exponential(turns.reshape(n, 3))), world, work, False)
        return np.einsum("nji,nj->ni", work.rotation.reshape(-1, 3, 3), work.gradient).ravel()

    def slope(way: np.ndarray) -> np.ndarray:
        near, far = gradient(way) - gradient(-way), gradient(2.0 * way) - gradient(-2.0 * way)
        return (8.0 * near - far) / (12.0 * STEP)

    second = np.stack([slope(one) for one in STEP * np.eye(3 * n)], axis=1)
    second = 0.5 * (second + second.T)
    balance(bodies, q, world, work, False)
    load_scale(bodies, work)
    assert factorise_coupled(bodies, world, work, 0.0) == (np.linalg.eigvalsh(second) < 0.0).sum()
    rotation = work.rotation.reshape(-1, 3, 3)
    wanted = np.random.default_rng(seed).normal(size=(n, 3))
    moments, found = np.einsum("nij,nj->ni", rotation, (second @ wanted.ravel()).reshape(n, 3)), np.zeros((n, 3))
    solve_coupled(bodies, world, work, moments, found)
    assert np.abs(np.einsum("nij,nj->ni", rotation, wanted) - found).max() < 1e-5 * np.abs(wanted).max()
