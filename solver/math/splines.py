# SPDX-License-Identifier: GPL-3.0-or-later
"""Cubic splines through points, whose second derivatives are continuous, by their slopes there.

The slopes solve m_{i-1} / h_{i-1} + 2 m_i (1 / h_{i-1} + 1 / h_i) + m_{i+1} / h_i = 3 (d_{i-1} / h_{i-1} + d_i / h_i),
with chords h and slopes d of the chords over them (de Boor, A Practical Guide to Splines, 1978, chapter IV); free ends
are straight.
"""

import numpy as np

from ..base.arrays import Floats


def spline_slopes(h: Floats, d: Floats, closed: bool) -> Floats:
    """(p + 1, 3) slopes per chord at the ends of p pieces with chords h (p,) m and slopes of chords d (p, 3)."""
    k = len(h)
    before, after = (np.roll(h, 1), h) if closed else (h[:-1], h[1:])
    d_before, d_after = (np.roll(d, 1, axis=0), d) if closed else (d[:-1], d[1:])
    lower, upper = 1.0 / before, 1.0 / after
    middle = 2.0 * (lower + upper)
    right = 3.0 * (d_before * lower[:, None] + d_after * upper[:, None])
    if closed:
        m = _solve_ring(lower, middle, upper, right)
        return np.concatenate([m, m[:1]])
    middle = np.concatenate([[2.0], middle, [2.0]])
    lower, upper = np.concatenate([[0.0], lower, [1.0]]), np.concatenate([[1.0], upper, [0.0]])
    right = np.concatenate([3.0 * d[:1], right, 3.0 * d[k - 1 :]])
    return _solve_band(lower, middle, upper, right)


def _solve_band(lower: Floats, middle: Floats, upper: Floats, right: Floats) -> Floats:
    """Solution (k, n) of a system with three diagonals (k,), of which lower[0] and upper[-1] are not used (Thomas)."""
    k = len(middle)
    ratio, found = np.zeros(k), np.zeros_like(right)
    ratio[0], found[0] = upper[0] / middle[0], right[0] / middle[0]
    for i in range(1, k):
        pivot = middle[i] - lower[i] * ratio[i - 1]
        ratio[i], found[i] = upper[i] / pivot, (right[i] - lower[i] * found[i - 1]) / pivot
    for i in range(k - 2, -1, -1):
        found[i] -= ratio[i] * found[i + 1]
    return found


def _solve_ring(lower: Floats, middle: Floats, upper: Floats, right: Floats) -> Floats:
    """The same of a ring, whose first and last rows are neighbours (Sherman and Morrison)."""
    corner = -middle[0]
    inner = middle.copy()
    inner[0] -= corner
    inner[-1] -= upper[-1] * lower[0] / corner
    u, v = np.zeros(len(middle)), np.zeros(len(middle))
    u[0], u[-1], v[0], v[-1] = corner, upper[-1], 1.0, lower[0] / corner
    both = _solve_band(lower, inner, upper, np.column_stack([right, u]))
    y, z = both[:, :-1], both[:, -1]
    return np.asarray(y - np.outer(z, v @ y / (1.0 + v @ z)))
