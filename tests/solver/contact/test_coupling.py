# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves with points between bodies against dense ones with Pinocchio's mass matrix and Jacobians."""

import numpy as np
import pytest

from tests.oracles.models import random_base, random_bodies, random_joints, random_loads
from tests.oracles.touching.paired_solve import coupled, random_points, responses

pytest.importorskip("pinocchio")

from tests.oracles.pinocchio_model import Reference, relative


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("pairs", "size", "most"), [(1, 1e5, 3), (10, 1.0, 12), (10, 1e3, 32), (30, 1.0, 15)])
def test_coupled_solves_are_the_dense_ones(seed, pairs, size, most):
    """One point however stiff, and several, of which stiff ones take more passes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    bodies, joints, base = random_bodies(rng, n), random_joints(rng, n), random_base(rng)
    loads = random_loads(rng, n)
    reference = Reference(bodies, joints, base, loads)
    points = random_points(rng, reference.places(), pairs, size)
    found, turned, _ = coupled(bodies, joints, base, loads, points)
    roughly, _, passes = coupled(bodies, joints, base, loads, points, 1e-6)
    M, missing = reference.mass_and_bias(np.zeros((n, 3)))
    for i, G in enumerate(points.resistance()):
        J = reference.jacobian(points.one[i], points.arm[i]) - reference.jacobian(points.other[i], points.arm_b[i])
        M += J.T @ G @ J
        missing += J.T @ points.force[i]
    expected = np.linalg.solve(M, missing)
    own, nearly = np.einsum("nji,knj->kni", turned.reshape(n, 3, 3), [found, roughly]).reshape(2, -1)
    assert relative(own, expected) < 1e-15 * np.linalg.cond(M)
    assert relative(nearly, expected) < 1e-6
    assert passes <= most


@pytest.mark.parametrize("seed", range(10))
def test_what_bodies_do_to_each_other_is_the_dense_operator(seed):
    """Arnold's operator of all pairs of a random tree."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 20))
    bodies, joints, base = random_bodies(rng, n), random_joints(rng, n), random_base(rng)
    loads = random_loads(rng, n)
    one, other = np.triu_indices(n, 1)
    reference = Reference(bodies, joints, base, loads)
    places = reference.places()
    points = random_points(rng, places, len(one), 1.0)._replace(one=one, other=other)
    found = responses(bodies, joints, base, loads, points)
    M, _ = reference.mass_and_bias(np.zeros((n, 3)))
    for a, b, W in zip(one, other, found, strict=True):
        J = reference.spatial_jacobian(a, np.zeros(3)) - reference.spatial_jacobian(b, places[a] - places[b])
        assert relative(W, J @ np.linalg.solve(M, J.T)) < 1e-12
