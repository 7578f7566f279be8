# SPDX-License-Identifier: GPL-3.0-or-later
"""Solves with points between bodies against dense ones with Pinocchio's mass matrix and Jacobians."""

import numpy as np
import pytest

from solver.math.rotations import rotate
from tests.forms import IS_FULL
from tests.oracles.models import random_base, random_bodies, random_frames, random_joints, random_loads
from tests.oracles.touching.paired_solve import coupled, heaped, in_order, let_go, random_points, responses

pytest.importorskip("pinocchio")

from tests.oracles.pinocchio_model import Reference, relative

SEEDS = range(10 if IS_FULL else 3)


@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [1e3, 1e6, 1e9])
def test_what_solves_leave_changes_what_points_push_with_by_little(seed, size):
    """Of stiff ones the least motion does: of accelerations alone far more may be left."""
    rng = np.random.default_rng(seed)
    n, pairs = int(rng.integers(3, 60)), 4
    bodies, joints, base = random_bodies(rng, n), random_joints(rng, n), random_base(rng)
    loads = random_loads(rng, n)
    reference = Reference(bodies, joints, base, loads)
    points = random_points(rng, reference.places(), pairs, size)
    push = rng.uniform(100.0, 300.0, pairs)
    found, turned, _ = coupled(bodies, joints, base, loads, points, 1e-6, push)
    x = np.einsum("nji,nj->ni", turned.reshape(n, 3, 3), found).ravel()
    M, missing = reference.mass_and_bias(np.zeros((n, 3)))
    J = np.concatenate([
        reference.jacobian(points.one[i], points.arm[i]) - reference.jacobian(points.other[i], points.arm_b[i])
        for i in range(pairs)
    ])  # fmt: skip
    resists = sum(J[3 * i : 3 * i + 3].T @ (G @ (J[3 * i : 3 * i + 3] @ x)) for i, G in enumerate(points.resistance()))
    unbalanced = M @ x + resists - missing - J.T @ points.force.ravel()
    wrong = np.linalg.lstsq(J.T, unbalanced, rcond=None)[0]
    assert np.linalg.norm(wrong) < 3e-4 * np.linalg.norm(push)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("count", "size", "left_over", "most"), [(60, 1.0, 1e-6, 20), (60, 1.0, 1e-12, 40), (200, 1e2, 1e-6, 70)]
)
def test_solves_of_heaps_are_the_dense_ones(seed, count, size, left_over, most):
    """Loose bodies with many points between them; their inertias in closed form. A solve in which nothing resists tells
    what acts on them."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 40))
    bodies, frames, joints, loads, points = loose_bodies(rng, n, count, size)
    none = np.zeros(count)
    free, turned, _ = heaped(bodies, joints, loads, points._replace(rigid=none, grip=none), frames, 1e-12)
    found, _, passes = heaped(bodies, joints, loads, points, frames, left_over)
    H = free_inertia(bodies, turned)
    A = H.copy()
    for i, G in enumerate(points.resistance()):
        J = between(points, i, n)
        A += J.T @ G @ J
    expected = np.linalg.solve(A, H @ free.ravel())
    wrong = found.ravel() - expected
    assert wrong @ A @ wrong < (10.0 * left_over) ** 2 * (expected @ A @ expected)
    assert passes <= most


@pytest.mark.parametrize("seed", SEEDS)
def test_a_correction_that_is_shortened_is_so_as_a_whole(seed):
    """To where the potential along it is nearly least, where all points between loose bodies come apart: all that acts
    is what does without them then."""
    rng = np.random.default_rng(seed)
    bodies, frames, joints, loads, points = loose_bodies(rng, 12, 20, 0.1)
    points = points._replace(force=4.0 * points.force)
    none = np.zeros(20)
    acting, turned, _ = heaped(bodies, joints, loads, points._replace(force=np.zeros((20, 3)), rigid=none, grip=none),
                               frames, 1e-12)  # fmt: skip
    whole, _, _ = heaped(bodies, joints, loads, points, frames, 1e-12)
    share, left = let_go(bodies, joints, loads, points, frames)
    H, x = free_inertia(bodies, turned), whole.ravel()
    assert share < 1.0
    assert left[:, :6] == pytest.approx(share * whole, rel=1e-9, abs=1e-9 * np.abs(whole).max())
    assert left[:, 6:] == pytest.approx(left[:, 3:6], abs=0.0)
    ways = [between(points, i, 12) @ x for i in range(20)]
    steep = x @ H @ x + sum(y @ G @ y for y, G in zip(ways, points.resistance(), strict=True))
    assert abs(share * (x @ H @ x) - x @ H @ acting.ravel()) <= 0.1001 * steep


def loose_bodies(rng: np.random.Generator, n: int, count: int, size: float):
    """Bodies, each on a frame of its own, these, joints, loads, and so many points that resist up to a size (kg)."""
    bodies, frames = random_frames(rng, random_bodies(rng, n), n)
    joints, loads = random_joints(rng, n), random_loads(rng, n)
    places = np.zeros((n, 3))
    for frame in frames:
        places[frame.body] = frame.place + rotate(frame.orientation, bodies.offset[frame.body])
    return bodies, frames, joints, loads, in_order(random_points(rng, places, count, size))


def free_inertia(bodies, turned: np.ndarray) -> np.ndarray:
    """(6 n, 6 n) of bodies that nothing holds, about their joints in world axes; turned (n, 9): their orientations."""
    n = len(turned)
    H = np.zeros((6 * n, 6 * n))
    for i, R in enumerate(turned.reshape(n, 3, 3)):
        inertia = R @ full(bodies.inertia[i]) @ R.T
        mc = bodies.mass[i] * hat(R @ bodies.com[i])
        H[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = np.block([[inertia, mc], [-mc, bodies.mass[i] * np.eye(3)]])
    return H


def between(points, i: int, n: int) -> np.ndarray:
    """(3, 6 n) accelerations between the bodies at a point, by those of n loose bodies."""
    J, one, other = np.zeros((3, 6 * n)), 6 * points.one[i], 6 * points.other[i]
    J[:, one : one + 6] = np.hstack([-hat(points.arm[i]), np.eye(3)])
    J[:, other : other + 6] = np.hstack([hat(points.arm_b[i]), -np.eye(3)])
    return J


def full(s) -> np.ndarray:
    return np.array([[s[0], s[1], s[2]], [s[1], s[3], s[4]], [s[2], s[4], s[5]]])


def hat(v) -> np.ndarray:
    """The matrix of a cross product."""
    return np.cross(v, -np.eye(3))


@pytest.mark.parametrize("seed", SEEDS)
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
