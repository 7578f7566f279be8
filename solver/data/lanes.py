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
