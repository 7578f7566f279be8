# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors (x, y, z) as tuples of scalars, for use inside kernels. Tuples live in registers: nothing allocates."""

import math

from ..machine.jit import inlined

ZERO = (0.0, 0.0, 0.0)


@inlined
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@inlined
def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@inlined
def scale(s, a):
    return (s * a[0], s * a[1], s * a[2])


@inlined
def times(a, b):
    """Component by component."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


@inlined
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@inlined
def across_of(n):
    """A unit vector across the unit vector n."""
    x, y, z = n
    if x * x > 0.5:
        return scale(1.0 / math.sqrt(x * x + z * z), (-z, 0.0, x))
    return scale(1.0 / math.sqrt(y * y + z * z), (0.0, -z, y))
