# SPDX-License-Identifier: GPL-3.0-or-later
"""Accelerations against Lagrange's equations that SymPy has differentiated, and what those cost."""

import numpy as np
import pytest
import sympy

from solver.math.rotations import matrices, multiply
from tests.forms import IS_FULL
from tests.oracles.guenter_lee import Mechanism, SymbolicBody
from tests.oracles.mechanisms import EulerJoints, ball_jointed, revolute_chain, torus_chain
from tests.oracles.models import Joints, accelerations, random_bodies, random_loads, still_base
from tests.oracles.rnea_crba import SpatialTree, spring_torques

#: Additions and multiplications the authors print for a chain of six revolute joints (table 1), best and worst.
THEIR_INVERSE, THEIR_FORWARD = ((328, 365), (509, 971)), ((818, 943), (1875, 2389))


def random_angles(rng, n):
    """Angles that keep away from where Euler angles are singular, which ours are not."""
    return EulerJoints(rng.uniform(-1.2, 1.2, (n, 3)), rng.normal(size=(n, 3)) * 3.0)


def world_rotations(bodies, q):
    R = np.zeros((len(q), 3, 3))
    for i, local in enumerate(matrices(multiply(bodies.rest, q))):
        R[i] = local if bodies.parent[i] < 0 else R[bodies.parent[i]] @ local
    return R


@pytest.mark.parametrize(("seed", "n"), [(0, 1), (1, 3), *([(2, 4)] if IS_FULL else [])])
def test_both_dynamics_of_random_trees(seed, n):
    rng = np.random.default_rng(seed)
    bodies, euler, loads = random_bodies(rng, n), random_angles(rng, n), random_loads(rng, n)
    joints = Joints(euler.quaternions(), euler.angular_velocity())
    ours = accelerations(bodies, joints, still_base(), loads)

    force = loads.force + bodies.mass[:, None] * loads.gravity
    R = world_rotations(bodies, joints.q)
    torque = np.einsum("nji,nj->ni", R, loads.torque) + loads.twist[:, None] * np.array([0.0, 1.0, 0.0])
    springs = spring_torques(bodies, joints, loads.stiffness_scale[0])
    Q = np.einsum("nji,nj->ni", euler.axes(), springs)  # virtual work of the same torques

    mechanism = Mechanism(ball_jointed(bodies))
    second = mechanism.forward_dynamics()(euler.angles, euler.rates, Q, force, torque).reshape(n, 3)
    assert np.abs(euler.angular_acceleration(second) - ours).max() < 1e-9 * np.abs(ours).max()
    back = mechanism.inverse_dynamics()(euler.angles, euler.rates, second, force, torque)
    assert np.abs(back - Q.ravel()).max() < 1e-9 * np.abs(Q).max()


def test_their_mass_matrix_is_the_composite_rigid_bodies():
    rng = np.random.default_rng(7)
    n = 3
    bodies, euler = random_bodies(rng, n), random_angles(rng, n)
    zero = np.zeros((n, 3))
    M, _ = Mechanism(ball_jointed(bodies)).equations_of_motion()(euler.angles, zero, zero, zero)
    E = np.zeros((3 * n, 3 * n))
    for i, axes in enumerate(euler.axes()):
        E[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = axes
    expected = E.T @ SpatialTree(bodies, euler.quaternions()).mass_matrix() @ E
    assert np.abs(M - expected).max() < 1e-10 * np.abs(expected).max()


def test_a_bead_on_a_wire():
    """A joint that no articulated-body algorithm knows: y = x^2, (1 + 4 x^2) x'' + 4 x x'^2 + 2 g x = 0."""
    x = sympy.Symbol("x")
    on_wire = sympy.eye(4)
    on_wire[0, 3], on_wire[1, 3] = x, x**2
    bead = SymbolicBody(-1, np.eye(4), (x,), on_wire, 0.3, np.zeros(3), np.eye(3) * 1e-3)
    at, speed = 0.4, 1.7
    weight = np.array([0.0, -0.3 * 9.81, 0.0])
    found = Mechanism([bead]).forward_dynamics()([at], [speed], [0.0], weight, np.zeros(3))
    expected = -(4 * at * speed**2 + 2 * 9.81 * at) / (1 + 4 * at**2)
    assert found[0] == pytest.approx(expected, rel=1e-12)


def test_what_is_not_linear_has_no_coefficient():
    mechanism = Mechanism(revolute_chain(1))
    with pytest.raises(ValueError, match="not linear"):
        mechanism.program.coefficient(mechanism.acceleration[0] ** 2, mechanism.acceleration[0])


#: Chains of two joints to a body in the full form only.
CHAINS = [(revolute_chain, (4, 5, 6, 8)), *([(torus_chain, (2, 3, 4, 5))] if IS_FULL else [])]


@pytest.mark.slow
@pytest.mark.parametrize(("chain", "sizes"), CHAINS)
def test_operations_of_inverse_dynamics_are_linear_and_of_forward_dynamics_quadratic(chain, sizes):
    """Their figures 6 and 7: a best fit line, a best fit quadratic curve."""
    counts = []
    for n in sizes:
        mechanism = Mechanism(chain(n))
        counts.append((mechanism.inverse_operations().arithmetic, mechanism.forward_operations().arithmetic))
    inverse, forward = np.array(counts, dtype=float).T
    n = np.array(sizes, dtype=float)
    line, parabola = np.polyfit(n, inverse, 1), np.polyfit(n, forward, 2)
    assert np.abs(np.polyval(line, n) - inverse).max() < 0.002 * inverse.max()
    assert np.abs(np.polyval(parabola, n) - forward).max() < 0.002 * forward.max()
    assert parabola[0] > 0.0
    assert np.abs(np.polyval(np.polyfit(n, forward, 1), n) - forward).max() > 0.01 * forward.max()  # no line is enough


def test_six_revolute_joints_cost_what_they_print():
    mechanism = Mechanism(revolute_chain(6))
    for found, (best, worst) in (
        (mechanism.inverse_operations(), THEIR_INVERSE),
        (mechanism.forward_operations(), THEIR_FORWARD),
    ):
        assert sum(best) < found.arithmetic < sum(worst)
