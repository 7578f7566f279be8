# SPDX-License-Identifier: GPL-3.0-or-later
"""Accelerations against recursive Newton-Euler and composite rigid bodies of our own, and those against Pinocchio."""

import numpy as np
import pytest

from tests.oracles.models import (
    GivenLoads,
    Joints,
    accelerations,
    random_bodies,
    random_joints,
    random_loads,
    still_base,
)
from tests.oracles.rnea_crba import SpatialTree, spring_torques

pin = pytest.importorskip("pinocchio")

from tests.oracles.pinocchio_model import Reference, relative  # noqa: E402

each_tree = pytest.mark.parametrize(("seed", "n"), [(0, 1), (1, 2), (2, 7), (3, 20), (4, 40)])


class Case:
    def __init__(self, seed, n):
        rng = np.random.default_rng(300 + seed)
        self.n = n
        self.bodies, self.joints, self.loads = random_bodies(rng, n), random_joints(rng, n), random_loads(rng, n)
        self.tree = SpatialTree(self.bodies, self.joints.q)
        self.applied = spring_torques(self.bodies, self.joints, self.loads.stiffness_scale[0])

    def required(self, a):
        external = self.tree.external(self.bodies, self.loads)
        return self.tree.inverse_dynamics(self.joints.u, a, self.loads.gravity, external)

    def ours(self):
        return accelerations(self.bodies, self.joints, still_base(), self.loads)


@each_tree
def test_inverse_dynamics_of_our_accelerations_are_the_torques_we_applied(seed, n):
    case = Case(seed, n)
    found = case.required(case.ours())
    scale = max(np.abs(case.applied).max(), np.abs(case.required(np.zeros((n, 3)))).max())
    assert np.abs(found - case.applied).max() < 1e-10 * scale


@each_tree
def test_mass_matrix_and_bias_solve_for_our_accelerations(seed, n):
    case = Case(seed, n)
    bias = case.required(np.zeros((n, 3)))
    solved = np.linalg.solve(case.tree.mass_matrix(), (case.applied - bias).ravel())
    assert relative(case.ours().ravel(), solved) < 1e-9


@each_tree
def test_mass_matrix_is_symmetric_positive_and_gives_the_kinetic_energy(seed, n):
    case = Case(seed, n)
    M = case.tree.mass_matrix()
    assert np.abs(M - M.T).max() < 1e-12 * np.abs(M).max()
    assert np.linalg.eigvalsh(M).min() > 0.0
    u = case.joints.u.ravel()
    assert case.tree.kinetic_energy(case.joints.u) == pytest.approx(0.5 * u @ M @ u, rel=1e-12)


@each_tree
def test_unit_torques_give_the_columns_of_the_inverse(seed, n):
    """Our forward dynamics is linear in the torques, with the inverse of the other algorithm's mass matrix."""
    case = Case(seed, n)
    rng = np.random.default_rng(seed)
    bare = case.bodies._replace(stiffness=np.zeros((n, 3)), damping=np.zeros(n))
    at_rest = Joints(case.joints.q, np.zeros((n, 3)))
    loads = GivenLoads(n, 0)
    k = int(rng.integers(n))
    loads.torque[k] = rng.normal(size=3)
    J = _angular_jacobian(case.tree, k)
    found = accelerations(bare, at_rest, still_base(), loads).ravel()
    assert relative(found, np.linalg.solve(case.tree.mass_matrix(), J.T @ loads.torque[k])) < 1e-9


def _angular_jacobian(tree, body):
    """(3, 3n): world angular velocity of a body by the joints' rates."""
    J = np.zeros((3, 3 * len(tree.parent)))
    while body >= 0:
        J[:, 3 * body : 3 * body + 3] = tree.world[body]
        body = tree.parent[body]
    return J


@each_tree
def test_both_algorithms_against_pinocchio(seed, n):
    case = Case(seed, n)
    reference = Reference(case.bodies, case.joints, None, case.loads)
    M, missing = reference.mass_and_bias(np.zeros((n, 3)))
    assert relative(case.tree.mass_matrix(), M) < 1e-12
    assert relative((case.applied - case.required(np.zeros((n, 3)))).ravel(), missing) < 1e-10
