# SPDX-License-Identifier: GPL-3.0-or-later
"""Ties in one solve, against dense equations with Pinocchio's mass matrix and Jacobians."""

import numpy as np
import pytest

from solver.guides.ties import DAMPING, NUMBERS, STIFFNESS, Ties
from tests.oracles.models import (
    accelerations,
    random_bodies,
    random_frames,
    random_joints,
    random_loads,
    still_base,
)

pin = pytest.importorskip("pinocchio")

from tests.oracles.pinocchio_model import Reference, relative  # noqa: E402

C1, C2 = 0.02, 0.03


def _random_ties(rng: np.random.Generator, n: int, count: int, hardest: float) -> Ties:
    body = np.array([rng.choice(n, 2, replace=False) for _ in range(count)])
    numbers = np.zeros((count, NUMBERS))
    numbers[:, STIFFNESS] = 10.0 ** rng.uniform(0.0, hardest, count)
    numbers[:, DAMPING] = rng.uniform(0.0, 5.0, count)
    return Ties(body, rng.normal(size=(count, 6)), numbers, np.zeros((count, 3)), np.full(count, 2 * n + 2))


def _with_ties(reference: Reference, ties: Ties, A: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same with what springs and dampers between bodies resist, and with their forces."""
    places, A, missing = reference.places(), A.copy(), missing.copy()
    for j, ends in enumerate(ties.body):
        arms = [
            reference.data.oMi[reference.ids[body]].rotation @ ties.point[j, 3 * end : 3 * end + 3]
            for end, body in enumerate(ends)
        ]
        way = places[ends[1]] + arms[1] - places[ends[0]] - arms[0]
        J = reference.jacobian(ends[0], arms[0]) - reference.jacobian(ends[1], arms[1])
        k, d = ties.numbers[j, STIFFNESS], ties.numbers[j, DAMPING]
        A += (C1 * d + C2 * k) * J.T @ J
        missing += J.T @ (k * way - d * J @ reference.v[reference.v_index])
    return A, missing


def _dense(reference: Reference, bodies, joints, loads, free: int) -> tuple[np.ndarray, np.ndarray]:
    """The equations of an implicit step without ties, and of so many numbers of free frames."""
    M, missing = reference.mass_and_bias(np.zeros(3 * len(bodies.parent) + free))
    reference.places()  # finds the Jacobians that the tension is made of
    return M + reference.implicit_joints(C1, C2) + C2 * reference.tension(), missing


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("hardest", "allowed"), [(3.0, 1e-9), (9.0, 1e-7)])
def test_ties_of_a_tree(seed: int, hardest: float, allowed: float) -> None:
    """Hard ones lose digits to the dense equations, which have them as large numbers."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 40))
    bodies, joints, loads = random_bodies(rng, n), random_joints(rng, n), random_loads(rng, n)
    ties = _random_ties(rng, n, int(rng.integers(1, min(n // 2, 6) + 1)), hardest)
    reference = Reference(bodies, joints, still_base(), loads)
    A, missing = _with_ties(reference, ties, *_dense(reference, bodies, joints, loads, 0))
    found = accelerations(bodies, joints, still_base(), loads, C1, C2, ties=ties)
    assert relative(found.ravel(), np.linalg.solve(A, missing)) < allowed


@pytest.mark.parametrize("seed", range(12))
def test_ties_of_loose_bodies(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    n = int(rng.integers(4, 40))
    bodies, frames = random_frames(rng, random_bodies(rng, n), int(rng.integers(1, 4)))
    joints, loads = random_joints(rng, n), random_loads(rng, n)
    ties = _random_ties(rng, n, int(rng.integers(1, 6)), 3.0)
    reference = Reference(bodies, joints, None, loads, frames)
    A, missing = _with_ties(reference, ties, *_dense(reference, bodies, joints, loads, 3 * len(frames)))
    found = accelerations(bodies, joints, still_base(), loads, C1, C2, frames=frames, ties=ties)
    assert relative(found.ravel(), np.linalg.solve(A, missing)) < 1e-8


def test_many_ties_that_share_bodies() -> None:
    """More than the tree has degrees of freedom, so that what they do to each other has no inverse."""
    rng = np.random.default_rng(7)
    bodies, joints, loads = random_bodies(rng, 5), random_joints(rng, 5), random_loads(rng, 5)
    ties = _random_ties(rng, 5, 12, 2.0)
    reference = Reference(bodies, joints, still_base(), loads)
    A, missing = _with_ties(reference, ties, *_dense(reference, bodies, joints, loads, 0))
    found = accelerations(bodies, joints, still_base(), loads, C1, C2, ties=ties)
    assert relative(found.ravel(), np.linalg.solve(A, missing)) < 1e-9
