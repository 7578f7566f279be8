# SPDX-License-Identifier: GPL-3.0-or-later
"""A smooth curve through values at even distances that goes nowhere beyond them.

Cubic Hermite pieces whose slopes are kept monotone (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 1984).
"""

import numpy as np

from ..base.arrays import Floats


def spline(x: float | Floats, *values: float | Floats) -> float | Floats:
    """The curve's value at x from 0 to 1; outside it keeps its values at the ends."""
    at, *knots = np.broadcast_arrays(np.asarray(x, dtype=np.float64), *values)
    heights = np.stack(knots)
    rises = np.diff(heights, axis=0)
    slopes = _slopes(rises)
    along = np.clip(at, 0.0, 1.0) * len(rises)
    piece = np.minimum(along.astype(np.int64), len(rises) - 1)
    t = along - piece
    left, right, begin, end = (
        np.take_along_axis(column, (piece + ahead)[None], axis=0)[0]
        for column, ahead in ((heights, 0), (heights, 1), (slopes, 0), (slopes, 1))
    )
    rest = 1.0 - t
    before: Floats = rest * rest * ((1.0 + 2.0 * t) * left + t * begin)
    return before + t * t * ((3.0 - 2.0 * t) * right - rest * end)


def _slopes(rises: Floats) -> Floats:
    """(n, ...) at each value, by the (n - 1, ...) rises to the next: harmonic means within, of three values at ends."""
    slopes = np.zeros((len(rises) + 1, *rises.shape[1:]))
    if len(rises) == 1:
        slopes[:] = rises
        return slopes
    one, other = rises[:-1], rises[1:]
    same = one * other > 0.0
    slopes[1:-1][same] = 2.0 / (1.0 / one[same] + 1.0 / other[same])
    for place, near, next_one in ((0, rises[0], rises[1]), (-1, rises[-1], rises[-2])):
        slope = 0.5 * (3.0 * near - next_one)
        slope = np.where((near * next_one < 0.0) & (np.abs(slope) > 3.0 * np.abs(near)), 3.0 * near, slope)
        slopes[place] = np.where(slope * near > 0.0, slope, 0.0)
    return slopes
