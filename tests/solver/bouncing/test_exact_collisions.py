# SPDX-License-Identifier: GPL-3.0-or-later
"""Random collisions against closed forms and against an integration of high order."""

import numpy as np
import pytest

pytest.importorskip("scipy")

from tests.oracles.touching.impulses import collide, in_plane, in_space, random_ones


def test_ten_thousand_in_a_plane():
    """Slips, stops, sticks, slips again and turns round, in straight pieces."""
    K, v, friction, bounce = random_ones(10_000, 1)
    K[:, 0, 1] = K[:, 1, 0] = K[:, 1, 2] = K[:, 2, 1] = v[:, 1] = 0.0
    p, how = collide(K, v, friction, bounce)
    stuck, reversed_ones = 0, 0
    for k in range(len(K)):
        expected = in_plane(K[k], v[k], friction[k], bounce[k])
        assert (expected is None) <= (how[k] > 0), "only what has no answer jams"
        if expected is not None and how[k] == 0:
            assert np.abs(p[k] - expected).max() < 1e-9 * max(1.0, np.abs(expected).max())
        after = v[k] + K[k] @ p[k]
        assert after[2] >= -1e-9
        assert v[k] @ p[k] + 0.5 * p[k] @ K[k] @ p[k] <= 1e-9
        stuck, reversed_ones = stuck + (abs(after[0]) < 1e-9), reversed_ones + (after[0] * v[k, 0] < -1e-9)
    assert (how == 0).mean() > 0.99
    assert stuck > 1000
    assert reversed_ones > 300


@pytest.mark.parametrize("seed", range(20))
def test_in_space(seed):
    K, v, friction, bounce = (column[:5] for column in random_ones(5, 100 + seed))
    p, how = collide(K, v, friction, bounce)
    for k in np.flatnonzero(how == 0):
        expected = in_space(K[k], v[k], friction[k], bounce[k])
        assert expected is not None
        assert np.abs(p[k] - expected).max() < 1e-9 * max(1.0, np.abs(expected).max())


def without_friction(bounce: float) -> float:
    """How far (N s) impulses are from their closed form at most."""
    K, v, friction, _ = random_ones(10_000, 3)
    p, _ = collide(K, v, 0.0 * friction, np.full(len(v), bounce))
    expected = np.zeros_like(p)
    expected[:, 2] = -(1.0 + bounce) * v[:, 2] / K[:, 2, 2]
    return float(np.abs(p - expected).max())


@pytest.mark.parametrize(
    "bounce",
    [0.0, 0.5, 0.99, 1.0],
)
def test_ten_thousand_without_friction(bounce):
    assert without_friction(bounce) < 1e-9
