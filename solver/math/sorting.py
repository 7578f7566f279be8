# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of two whole numbers in their order."""

from ..machine.jit import inlined


@inlined
def is_before(rows, i, a, b):
    """Whether row i comes before one of a and b."""
    return rows[i, 0] < a or (rows[i, 0] == a and rows[i, 1] < b)


@inlined
def sort_rows(rows, n):
    """Put the first n rows in order, by a heap."""
    for top in range(n // 2 - 1, -1, -1):
        _sift(rows, top, n)
    for last in range(n - 1, 0, -1):
        a, b = rows[0, 0], rows[0, 1]
        rows[0, 0], rows[0, 1] = rows[last, 0], rows[last, 1]
        rows[last, 0], rows[last, 1] = a, b
        _sift(rows, 0, last)


@inlined
def _sift(rows, i, n):
    a, b = rows[i, 0], rows[i, 1]
    while 2 * i + 1 < n:
        child = 2 * i + 1
        if child + 1 < n and is_before(rows, child, rows[child + 1, 0], rows[child + 1, 1]):
            child += 1
        if not (a < rows[child, 0] or (a == rows[child, 0] and b < rows[child, 1])):
            break
        rows[i, 0], rows[i, 1] = rows[child, 0], rows[child, 1]
        i = child
    rows[i, 0], rows[i, 1] = a, b
