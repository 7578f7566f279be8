# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves with points between bodies against dense ones with Pinocchio's mass matrix and Jacobians."""

import numpy as np
import pytest

from tests.oracles.models import random_base, random_bodies, random_joints, random_loads
from tests.oracles.paired_solve import coupled, random_points

pytest.importorskip("pinocchio")

from tests.oracles.pinocchio_model import Reference, relative


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("pairs", "size", "most"), [(1, 1e5, 5), (10, 1e3, 45), (30, 1.0, 15)])
def test_coupled_solves_are_the_dense_ones(seed, pairs, size, most):
    """One pair, which has three directions; some that are stiff; and many soft ones."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    bodies, joints, base = random_bodies(rng, n), random_joints(rng, n), random_base(rng)
    loads, points = random_loads(rng, n), random_points(rng, n, pairs, size)
    found, turned, _ = coupled(bodies, joints, base, loads, points)
    _, _, passes = coupled(bodies, joints, base, loads, points, 1e-6)
    reference = Reference(bodies, joints, base, loads)
    M, missing = reference.mass_and_bias(np.zeros((n, 3)))
    for i, G in enumerate(points.resistance()):
        J = reference.jacobian(points.one[i], points.arm[i]) - reference.jacobian(points.other[i], points.arm_b[i])
        M += J.T @ G @ J
        missing += J.T @ points.force[i]
    own = np.einsum("nji,nj->ni", turned.reshape(n, 3, 3), found)
    assert relative(own.ravel(), np.linalg.solve(M, missing)) < 1e-7
    assert passes <= most
