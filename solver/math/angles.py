# SPDX-License-Identifier: GPL-3.0-or-later
"""Angles for kernels from sums, products, quotients and square roots alone, which all processors round alike.

The C library's sin, cos, tan and atan2 differ from system to system in their last digits.
"""

import math

from ..machine.jit import inlined

#: pi/2 in parts of at most 26 bits, so that whole numbers up to 2^27 times one of them are exact.
_QUARTER = 1.5707963109016418, 1.5893254712295857e-08, 6.123233932053594e-17, 6.368317055225283e-25

#: Angles (rad) beyond this have lost too many digits to be meant.
FARTHEST = 1e8


@inlined
def sin_cos(angle):
    """Sine and cosine of an angle (rad), exact to rounding up to FARTHEST, beyond it NaN."""
    if not abs(angle) <= FARTHEST:
        return math.nan, math.nan
    quarters = math.floor(angle * (2.0 / math.pi) + 0.5)
    x = ((angle - quarters * _QUARTER[0]) - quarters * _QUARTER[1]) - quarters * _QUARTER[2] - quarters * _QUARTER[3]
    y = x * x  # at most (pi/4)^2, where Taylor's series are exact to rounding
    s = 1 / 6227020800 + y * (-1 / 1307674368000 + y * (1 / 355687428096000 - y / 121645100408832000))
    s = 1 / 120 + y * (-1 / 5040 + y * (1 / 362880 + y * (-1 / 39916800 + y * s)))
    s = x + x * y * (-1 / 6 + y * s)
    c = -1 / 87178291200 + y * (1 / 20922789888000 - y / 6402373705728000)
    c = -1 / 720 + y * (1 / 40320 + y * (-1 / 3628800 + y * (1 / 479001600 + y * c)))
    c = 1.0 - 0.5 * y + y * y * (1 / 24 + y * c)
    turns = int(quarters) & 3
    if turns == 0:
        return s, c
    if turns == 1:
        return c, -s
    if turns == 2:
        return -s, -c
    return -c, s


@inlined
def turn_per_sine(w, s2):
    """angle / sin(angle/2) of a rotation by at most pi with w = cos(angle/2) >= 0 and s2 = sin^2(angle/2).

    Halving the half angle three times leaves t = tan(angle/16) below 0.2, where the series of the arc tangent is exact
    to rounding; no branch, so that blocks of bodies can be computed at once.
    """
    c1 = math.sqrt(0.5 * (1.0 + w))
    c2 = math.sqrt(0.5 * (1.0 + c1))
    d = 1.0 / (c1 * c2 * (1.0 + c2))
    t2 = 0.0625 * s2 * d * d
    series = 1.0 / 17.0 + t2 * (-1.0 / 19.0 + t2 / 21.0)
    series = 1.0 / 11.0 + t2 * (-1.0 / 13.0 + t2 * (1.0 / 15.0 - t2 * series))
    series = 1.0 / 5.0 + t2 * (-1.0 / 7.0 + t2 * (1.0 / 9.0 - t2 * series))
    return 4.0 * d * (1.0 + t2 * (-1.0 / 3.0 + t2 * series))
