# SPDX-License-Identifier: GPL-3.0-or-later
"""Polynomials through the ends of an interval."""

from ..machine.jit import inlined
from .vectors import add, scale, sub


@inlined
def cubic(start, end, start_rate, end_rate, s, duration):
    """Vector at the share s of a duration, between given ends with given rates of change there (Hermite), and its time
    derivative."""
    step = sub(end, start)
    c, d = duration * s * (1.0 - s) ** 2, duration * s * s * (s - 1.0)
    value = add(add(start, scale(s * s * (3.0 - 2.0 * s), step)), add(scale(c, start_rate), scale(d, end_rate)))
    c, d = (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)
    slope = add(scale(6.0 * s * (1.0 - s) / duration, step), add(scale(c, start_rate), scale(d, end_rate)))
    return value, slope


@inlined
def quintic(s):
    """Of the polynomial of order five with x(0) = 0 and given x(1), x'(0), x'(1), x''(0), x''(1): what each of these,
    in this order, counts with at s, and in the first and the second derivative there."""
    s2 = s * s  # and products: powers of Python's are the C library's, in the last digit
    s3, s4, s5 = s2 * s, s2 * s2, s * (s2 * s2)
    x1, v0, v1 = 10.0 * s3 - 15.0 * s4 + 6.0 * s5, s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5, -4.0 * s3 + 7.0 * s4 - 3.0 * s5
    a0, a1 = 0.5 * (s2 - 3.0 * s3 + 3.0 * s4 - s5), 0.5 * (s3 - 2.0 * s4 + s5)
    dx1, dv0, dv1 = (
        30.0 * s2 - 60.0 * s3 + 30.0 * s4,
        1.0 - 18.0 * s2 + 32.0 * s3 - 15.0 * s4,
        -12.0 * s2 + 28.0 * s3 - 15.0 * s4,
    )
    da0, da1 = 0.5 * (2.0 * s - 9.0 * s2 + 12.0 * s3 - 5.0 * s4), 0.5 * (3.0 * s2 - 8.0 * s3 + 5.0 * s4)
    ex1, ev0, ev1 = (
        60.0 * s - 180.0 * s2 + 120.0 * s3,
        -36.0 * s + 96.0 * s2 - 60.0 * s3,
        -24.0 * s + 84.0 * s2 - 60.0 * s3,
    )
    ea0, ea1 = 0.5 * (2.0 - 18.0 * s + 36.0 * s2 - 20.0 * s3), 0.5 * (6.0 * s - 24.0 * s2 + 20.0 * s3)
    return (x1, v0, v1, a0, a1), (dx1, dv0, dv1, da0, da1), (ex1, ev0, ev1, ea0, ea1)
