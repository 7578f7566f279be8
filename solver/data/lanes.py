# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading and writing one body's vectors and matrices (as in vectors.py) in the blocks of columns.py."""

from ..machine.jit import inlined

#: Bodies in a block.
LANES = 8


@inlined
def get3(data, b, c):
    return (data[b, c], data[b, c + 8], data[b, c + 16])


@inlined
def get4(data, b, c):
    return (data[b, c], data[b, c + 8], data[b, c + 16], data[b, c + 24])


@inlined
def get6(data, b, c):
    return (data[b, c], data[b, c + 8], data[b, c + 16], data[b, c + 24], data[b, c + 32], data[b, c + 40])


@inlined
def get9(data, b, c):
    return (
        data[b, c], data[b, c + 8], data[b, c + 16],
        data[b, c + 24], data[b, c + 32], data[b, c + 40],
        data[b, c + 48], data[b, c + 56], data[b, c + 64],
    )  # fmt: skip


@inlined
def get8(data, b, c):
    """A component of all bodies of a block."""
    return (
        data[b, c], data[b, c + 1], data[b, c + 2], data[b, c + 3],
        data[b, c + 4], data[b, c + 5], data[b, c + 6], data[b, c + 7],
    )  # fmt: skip


@inlined
def larger8(values, most):
    """The larger of each of two; NaN in the first is not."""
    a, b = values, most
    return (
        a[0] if a[0] > b[0] else b[0], a[1] if a[1] > b[1] else b[1], a[2] if a[2] > b[2] else b[2],
        a[3] if a[3] > b[3] else b[3], a[4] if a[4] > b[4] else b[4], a[5] if a[5] > b[5] else b[5],
        a[6] if a[6] > b[6] else b[6], a[7] if a[7] > b[7] else b[7],
    )  # fmt: skip


@inlined
def any_positive(data, b, c):
    """Whether a component is more than zero in any body of a block."""
    a = get8(data, b, c)
    one = a[0] > 0.0 or a[1] > 0.0 or a[2] > 0.0 or a[3] > 0.0
    return one or a[4] > 0.0 or a[5] > 0.0 or a[6] > 0.0 or a[7] > 0.0


@inlined
def put3(data, b, c, a):
    data[b, c] = a[0]
    data[b, c + 8] = a[1]
    data[b, c + 16] = a[2]


@inlined
def put4(data, b, c, a):
    data[b, c] = a[0]
    data[b, c + 8] = a[1]
    data[b, c + 16] = a[2]
    data[b, c + 24] = a[3]


@inlined
def put6(data, b, c, a):
    data[b, c] = a[0]
    data[b, c + 8] = a[1]
    data[b, c + 16] = a[2]
    data[b, c + 24] = a[3]
    data[b, c + 32] = a[4]
    data[b, c + 40] = a[5]


@inlined
def put9(data, b, c, a):
    data[b, c] = a[0]
    data[b, c + 8] = a[1]
    data[b, c + 16] = a[2]
    data[b, c + 24] = a[3]
    data[b, c + 32] = a[4]
    data[b, c + 40] = a[5]
    data[b, c + 48] = a[6]
    data[b, c + 56] = a[7]
    data[b, c + 64] = a[8]


@inlined
def put8(data, b, c, a):
    data[b, c] = a[0]
    data[b, c + 1] = a[1]
    data[b, c + 2] = a[2]
    data[b, c + 3] = a[3]
    data[b, c + 4] = a[4]
    data[b, c + 5] = a[5]
    data[b, c + 6] = a[6]
    data[b, c + 7] = a[7]


@inlined
def copy(data, of, to, width):
    """Let a field be what another one is, both of so many numbers, in all bodies."""
    for b in range(len(data)):
        for c in range(width * LANES):
            data[b, to + c] = data[b, of + c]


@inlined
def add3(data, b, c, a):
    data[b, c] += a[0]
    data[b, c + 8] += a[1]
    data[b, c + 16] += a[2]


@inlined
def add6(data, b, c, a):
    data[b, c] += a[0]
    data[b, c + 8] += a[1]
    data[b, c + 16] += a[2]
    data[b, c + 24] += a[3]
    data[b, c + 32] += a[4]
    data[b, c + 40] += a[5]


@inlined
def add9(data, b, c, a):
    data[b, c] += a[0]
    data[b, c + 8] += a[1]
    data[b, c + 16] += a[2]
    data[b, c + 24] += a[3]
    data[b, c + 32] += a[4]
    data[b, c + 40] += a[5]
    data[b, c + 48] += a[6]
    data[b, c + 56] += a[7]
    data[b, c + 64] += a[8]
