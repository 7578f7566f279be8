# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of arrays as tuples of scalars (see vectors.py), read and written."""

from ..machine.jit import inlined


@inlined
def load3(array, i):
    return (array[i, 0], array[i, 1], array[i, 2])


@inlined
def load4(array, i):
    return (array[i, 0], array[i, 1], array[i, 2], array[i, 3])


@inlined
def load6(array, i):
    return (array[i, 0], array[i, 1], array[i, 2], array[i, 3], array[i, 4], array[i, 5])


@inlined
def load9(array, i):
    return (
        array[i, 0], array[i, 1], array[i, 2],
        array[i, 3], array[i, 4], array[i, 5],
        array[i, 6], array[i, 7], array[i, 8],
    )  # fmt: skip


@inlined
def store3(array, i, a):
    array[i, 0] = a[0]
    array[i, 1] = a[1]
    array[i, 2] = a[2]


@inlined
def store4(array, i, a):
    array[i, 0] = a[0]
    array[i, 1] = a[1]
    array[i, 2] = a[2]
    array[i, 3] = a[3]


@inlined
def store6(array, i, a):
    for k in range(6):
        array[i, k] = a[k]


@inlined
def store9(array, i, a):
    for k in range(9):
        array[i, k] = a[k]


@inlined
def take3(array, i, c):
    """Three numbers of a row from column c."""
    return (array[i, c], array[i, c + 1], array[i, c + 2])


@inlined
def take4(array, i, c):
    """Four numbers of a row from column c."""
    return (array[i, c], array[i, c + 1], array[i, c + 2], array[i, c + 3])


@inlined
def take6(array, i, c):
    """Six numbers of a row from column c."""
    return (array[i, c], array[i, c + 1], array[i, c + 2], array[i, c + 3], array[i, c + 4], array[i, c + 5])


@inlined
def take9(array, i, c):
    """Nine numbers of a row from column c."""
    return (
        array[i, c], array[i, c + 1], array[i, c + 2],
        array[i, c + 3], array[i, c + 4], array[i, c + 5],
        array[i, c + 6], array[i, c + 7], array[i, c + 8],
    )  # fmt: skip


@inlined
def keep3(array, i, c, a):
    """Write three numbers of a row from column c."""
    array[i, c] = a[0]
    array[i, c + 1] = a[1]
    array[i, c + 2] = a[2]


@inlined
def keep6(array, i, c, a):
    """Write six numbers of a row from column c."""
    for k in range(6):
        array[i, c + k] = a[k]


@inlined
def keep9(array, i, c, a):
    """Write nine numbers of a row from column c."""
    for k in range(9):
        array[i, c + k] = a[k]


@inlined
def keep4(array, i, c, a):
    """Write four numbers of a row from column c."""
    array[i, c] = a[0]
    array[i, c + 1] = a[1]
    array[i, c + 2] = a[2]
    array[i, c + 3] = a[3]
