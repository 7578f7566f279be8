# SPDX-License-Identifier: GPL-3.0-or-later
"""Four numbers side by side as tuples of scalars, which processors add and scale at once."""

from ..machine.jit import inlined


@inlined
def sum4(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3])


@inlined
def less4(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3])


@inlined
def across4(x, a, y, b):
    """One of the components of four cross products: x a - y b."""
    return (x * a[0] - y * b[0], x * a[1] - y * b[1], x * a[2] - y * b[2], x * a[3] - y * b[3])


@inlined
def weigh4(x, a, y, b, z, c):
    """The sum of three fours by their weights."""
    return (
        x * a[0] + y * b[0] + z * c[0],
        x * a[1] + y * b[1] + z * c[1],
        x * a[2] + y * b[2] + z * c[2],
        x * a[3] + y * b[3] + z * c[3],
    )
