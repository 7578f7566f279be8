# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments of joints for a motion: against Newton-Euler in 6D vectors, Pinocchio, forward dynamics and closed forms."""

import numpy as np
import pytest

from solver import EARTH_GRAVITY, BaseMotion, Rods, SolverError, discretize, inverse_dynamics
from tests.oracles.models import (
    ALONG_X,
    accelerations,
    beam,
    random_base,
    random_bodies,
    random_joints,
    random_loads,
    random_quaternions,
    still_base,
)
from tests.oracles.rnea_crba import SpatialTree, spring_torques

each_tree = pytest.mark.parametrize(("seed", "n"), [(0, 1), (1, 2), (2, 7), (3, 20), (4, 40)])


def unpulled(rng, n):
    loads = random_loads(rng, n)
    loads.twist[:] = 0.0
    return loads


def off(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


@each_tree
def test_moments_are_those_of_newton_and_euler_in_body_frames(seed, n):
    rng = np.random.default_rng(900 + seed)
    bodies, joints, loads = random_bodies(rng, n), random_joints(rng, n), unpulled(rng, n)
    a, tree = rng.normal(size=(n, 3)) * 20.0, SpatialTree(bodies, joints.q)
    expected = tree.inverse_dynamics(joints.u, a, loads.gravity, tree.external(bodies, loads))
    found = inverse_dynamics(
        bodies, joints.q, joints.u, a, gravity=loads.gravity, force=loads.force, torque=loads.torque
    )
    assert off(found.moment, expected) < 1e-12


@each_tree
def test_they_are_pinocchios_on_a_base_that_moves(seed, n):
    pin = pytest.importorskip("pinocchio")
    from tests.oracles.pinocchio_model import Reference

    rng = np.random.default_rng(950 + seed)
    bodies, joints, loads, base = random_bodies(rng, n), random_joints(rng, n), unpulled(rng, n), random_base(rng)
    a = rng.normal(size=(n, 3)) * 20.0
    reference = Reference(bodies, joints, base, loads)
    full = reference.a_base.copy()
    full[reference.v_index] = a.ravel()
    needed = pin.rnea(reference.model, reference.data, reference.q, reference.v, full, reference.external())
    moves = BaseMotion(base[0, :3], base[1], *base[2:, :3])
    found = inverse_dynamics(bodies, joints.q, joints.u, a, moves, loads.gravity, loads.force, loads.torque)
    assert off(found.moment, needed[reference.v_index].reshape(n, 3)) < 1e-9


@each_tree
def test_forward_dynamics_is_undone(seed, n):
    rng = np.random.default_rng(970 + seed)
    bodies, joints, loads = random_bodies(rng, n), random_joints(rng, n), unpulled(rng, n)
    a = accelerations(bodies, joints, still_base(), loads)
    found = inverse_dynamics(
        bodies, joints.q, joints.u, a, gravity=loads.gravity, force=loads.force, torque=loads.torque
    ).moment
    applied = spring_torques(bodies, joints, loads.stiffness_scale[0])
    still = inverse_dynamics(bodies, joints.q, joints.u, np.zeros((n, 3)), gravity=loads.gravity).moment
    assert np.abs(found - applied).max() < 1e-10 * max(np.abs(applied).max(), np.abs(still).max())


def test_a_level_beam_at_rest_holds_its_weight():
    """The first joint bears what is beyond it: its weight, at half its length."""
    model = discretize(beam(10, 1.0, 0.01))
    n = model.body_count
    still, none = np.tile((1.0, 0.0, 0.0, 0.0), (n, 1)), np.zeros((n, 3))
    found = inverse_dynamics(model.bodies, still, none, none)
    beyond = 1.0 - float(model.bodies.offset[0].max())
    weight = EARTH_GRAVITY[2] * -923.0 * np.pi * 0.01**2 * beyond
    assert found.force[0] == pytest.approx((0.0, 0.0, weight), rel=1e-6, abs=1e-9)
    assert np.linalg.norm(found.moment[0]) == pytest.approx(0.5 * weight * beyond, rel=1e-6)


def test_a_base_that_falls_carries_nothing():
    model = discretize(beam(5))
    n = model.body_count
    still, none = np.tile((1.0, 0.0, 0.0, 0.0), (n, 1)), np.zeros((n, 3))
    falls = BaseMotion(velocity=(1.0, 2.0, 3.0), acceleration=(0.0, 0.0, -9.81))
    found = inverse_dynamics(model.bodies, still, none, none, falls, gravity=(0.0, 0.0, -9.81))
    assert np.abs(found.moment).max() < 1e-14
    assert np.abs(found.force).max() < 1e-13


def test_a_rod_that_spins_about_a_tilted_axis_needs_the_gyroscopic_moment():
    """w x I w of a thin rod at an angle t to the axis: m L^2 / 3 w^2 sin t cos t. Kavafoglu's equations lack it."""
    spin, tilt, length = 7.0, 0.6, 0.5
    rod = discretize(Rods(
        parent=[-1], head=[(0.0, 0.0, 0.0)], frame=[ALONG_X], length=length, radius_base=1e-3, radius_tip=1e-3,
        young=1e9, density=800.0,
    ), "base", segments=1)  # fmt: skip
    turned = BaseMotion(orientation=(np.cos(tilt / 2), 0.0, np.sin(tilt / 2), 0.0), omega=(0.0, 0.0, spin))
    one, none = [(1.0, 0.0, 0.0, 0.0)], np.zeros((1, 3))
    found = inverse_dynamics(rod.bodies, one, none, none, turned, gravity=(0.0, 0.0, 0.0))
    mass = float(rod.bodies.mass[0])
    expected = mass * length**2 / 3.0 * spin**2 * np.sin(tilt) * np.cos(tilt)
    assert np.linalg.norm(found.moment[0]) == pytest.approx(expected, rel=1e-4)


def test_what_is_no_motion_is_refused():
    bodies = random_bodies(np.random.default_rng(1), 3)
    q, none = random_quaternions(np.random.default_rng(2), 3), np.zeros((3, 3))
    with pytest.raises(SolverError, match="rates"):
        inverse_dynamics(bodies, q, none[:2], none)
    with pytest.raises(SolverError, match="accelerations"):
        inverse_dynamics(bodies, q, none, none + np.nan)
    with pytest.raises(SolverError, match="forces"):
        inverse_dynamics(bodies, q, none, none, force=np.zeros(5))


def test_inputs_that_differ_by_rounding_need_the_same():
    rng = np.random.default_rng(5)
    bodies, joints = random_bodies(rng, 30), random_joints(rng, 30)
    a = rng.normal(size=(30, 3))
    found = inverse_dynamics(bodies, joints.q, joints.u, a).moment
    near = inverse_dynamics(bodies, joints.q, joints.u * (1.0 + 1e-15), a + 1e-15).moment
    assert off(near, found) < 1e-12
