# SPDX-License-Identifier: GPL-3.0-or-later
"""Impulses of collisions against hand-derived ones and a second formulation, and what none may do."""

import numpy as np
import pytest

from solver.contact.collision import impulses
from tests.forms import IS_FULL

SPHERE = np.diag([3.5, 3.5, 1.0])


def collide(K, v, friction, bounce):
    K, v = np.atleast_3d(K).reshape(-1, 9), np.atleast_2d(np.asarray(v, dtype=float))
    p, how = np.empty_like(v), np.zeros(len(v), dtype=np.int64)
    each = (np.broadcast_to(np.asarray(one, dtype=float), len(v)).copy() for one in (friction, bounce))
    impulses(np.ascontiguousarray(K), np.ascontiguousarray(v), *each, p, how)
    return p, how


@pytest.mark.parametrize(
    ("v", "p", "after"),
    [
        ((2.0, 0.0, -1.0), (-0.45, 0.0, 1.5), (0.425, 0.0, 0.5)),
        ((0.5, 0.0, -1.0), (-0.5 / 3.5, 0.0, 1.5), (0.0, 0.0, 0.5)),
        ((0.0, 0.0, -1.0), (0.0, 0.0, 1.5), (0.0, 0.0, 0.5)),
        ((1.0, 1.0, 0.5), (0.0, 0.0, 0.0), (1.0, 1.0, 0.5)),
    ],
)
def test_a_sphere_on_the_ground(v, p, after):
    """Mass and radius 1, friction 0.3, restitution 0.5: it slips throughout, sticks, falls straight, goes away."""
    found, how = collide(SPHERE, v, 0.3, 0.5)
    assert found[0] == pytest.approx(p, abs=1e-9)
    assert SPHERE @ found[0] + v == pytest.approx(after, abs=1e-9)
    assert how[0] == 0


def bodies(count, seed):
    """K of two rigid bodies that meet at a random point, or of one whose lever is long: coupled strongly."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        K = np.zeros((3, 3))
        for _ in range(2):
            spread = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-1.0, 0.5)
            inertia = spread @ spread.T + 1e-3 * np.eye(3)
            x, y, z = rng.normal(size=3)
            hat = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
            K += np.eye(3) / 10.0 ** rng.uniform(-1.0, 1.0) - hat @ np.linalg.inv(inertia) @ hat
        found.append(0.5 * (K + K.T))
    return np.array(found)


def random_collisions(count, seed):
    rng = np.random.default_rng(seed + 1)
    v = rng.normal(size=(count, 3))
    v[:, 2] = -np.abs(v[:, 2])
    return bodies(count, seed), v, rng.uniform(0.0, 1.5, count), rng.uniform(0.0, 1.0, count)


def test_every_collision_has_an_outward_answer_that_adds_no_energy():
    K, v, friction, bounce = random_collisions(10_000 if IS_FULL else 3_000, 0)
    p, how = collide(K, v, friction, bounce)
    after = v + np.einsum("kij,kj->ki", K, p)
    assert np.isfinite(p).all()
    assert after[:, 2].min() >= -1e-9
    energy = np.einsum("ki,ki->k", v, p) + 0.5 * np.einsum("ki,kij,kj->k", p, K, p)
    assert energy.max() <= 1e-9
    plain = how == 0
    assert plain.mean() > 0.9
    slips = np.hypot(p[:, 0], p[:, 1]) - friction * p[:, 2]
    assert slips[plain].max() < 1e-9


def followed(K, v, friction, bounce, steps=200_000):
    """The law by plain steps of the normal impulse, of first order, and of a smooth friction near standstill."""
    v, p, energy, compressing = v.copy(), np.zeros(3), 0.0, True
    dp = -2.0 * v[2] / K[2, 2] / steps * 4.0
    for _ in range(100 * steps):
        speed = np.hypot(v[0], v[1])
        if speed > friction * dp * np.abs(K[:2, :2]).sum():
            d = np.array([-friction * v[0] / speed, -friction * v[1] / speed, 1.0])
        else:
            held = -np.linalg.solve(K[:2, :2], K[:2, 2] + v[:2] / dp)
            size = np.hypot(*held)
            d = np.array([*(held * min(1.0, friction / max(size, 1e-300))), 1.0])
        before = v[2]
        v, p = v + dp * K @ d, p + dp * d
        energy += 0.5 * (before + v[2]) * dp
        if compressing and v[2] >= 0.0:
            compressing, energy = False, bounce**2 * energy
        if not compressing and energy >= 0.0:
            return p
    raise AssertionError("it does not end")


def test_random_collisions_against_plain_steps():
    K, v, friction, bounce = random_collisions(12 if IS_FULL else 6, 5)
    p, how = collide(K, v, friction, bounce)
    for i in np.flatnonzero(how == 0):
        assert p[i] == pytest.approx(followed(K[i], v[i], friction[i], bounce[i], 4000), abs=5e-3 * np.abs(p[i]).max())


def test_what_cannot_be_held_slips_again():
    """Strong coupling pushes what stuck sideways: it leaves along the direction in which friction just opposes it."""
    K = np.array([[2.0, 0.0, 1.2], [0.0, 2.0, 0.0], [1.2, 0.0, 1.5]])
    p, how = collide(K, (0.0, 0.0, -1.0), 0.2, 0.0)
    after = K @ p[0] + (0.0, 0.0, -1.0)
    assert how[0] == 0
    assert after[0] > 0.0
    assert after[2] == pytest.approx(0.0, abs=1e-12)
    assert p[0, 0] == pytest.approx(-0.2 * p[0, 2], rel=1e-12)


def test_a_rod_that_digs_in_stops_and_leaves():
    """Friction presses it harder in than the normal impulse pushes it out, until it sticks."""
    K = np.array([[6.0, 0.0, 4.0], [0.0, 2.0, 0.0], [4.0, 0.0, 3.0]])
    p, how = collide(K, (2.0, 0.0, -0.1), 1.0, 0.5)
    after = K @ p[0] + (2.0, 0.0, -0.1)
    assert how[0] == 0
    # It slips for p = 1, to -1.1 m/s, and sticks then: 1/3 by a unit; and leaves with the work of both.
    taken = 0.5 * (-0.1 - 1.1) * 1.0 - 0.5 * 1.1**2 * 3.0
    assert after == pytest.approx((0.0, 0.0, np.sqrt(-2.0 * 0.25 * taken / 3.0)), abs=1e-9)


def test_the_last_digit_changes_no_collision():
    K, v, friction, bounce = random_collisions(300, 9)
    p, how = collide(K, v, friction, bounce)
    other, how_else = collide(K * (1.0 + 1e-15), v * (1.0 - 1e-15), friction, bounce)
    assert (how == how_else).all()
    assert np.abs(p - other).max() < 1e-9
