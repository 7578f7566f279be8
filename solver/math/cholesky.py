# SPDX-License-Identifier: GPL-3.0-or-later
"""Cholesky's factors of full matrices, in place."""

import math

from ..machine.jit import inlined, subroutine


@subroutine
def factorise_upper(B, m):
    """Cholesky's factor of the upper triangle of B (m, m), in place; returns whether there is one. Four rows at a time
    are finished and taken from those below, which are then fetched a fourth as often."""
    for k in range(0, m, 4):
        last = min(k + 4, m)
        for p in range(k, last):
            if not B[p, p] > 0.0:
                return False
            root = math.sqrt(B[p, p])
            for j in range(p, m):
                B[p, j] /= root
            for i in range(p + 1, last):
                share = B[p, i]
                for j in range(i, m):
                    B[i, j] -= share * B[p, j]
        for i in range(last, m):  # there are four, or none below
            s, t, u, v = B[k, i], B[k + 1, i], B[k + 2, i], B[k + 3, i]
            for j in range(i, m):
                B[i, j] = B[i, j] - s * B[k, j] - t * B[k + 1, j] - u * B[k + 2, j] - v * B[k + 3, j]
    return True


@inlined
def _sum_behind(U, y, row, k, m):
    """Row k of U times a row of y, behind the diagonal: four sums at a time, which need not wait for each other."""
    a, b, c, d, j = 0.0, 0.0, 0.0, 0.0, k + 1
    while j + 3 < m:
        a += U[k, j] * y[row, j]
        b += U[k, j + 1] * y[row, j + 1]
        c += U[k, j + 2] * y[row, j + 2]
        d += U[k, j + 3] * y[row, j + 3]
        j += 4
    while j < m:
        a += U[k, j] * y[row, j]
        j += 1
    return (a + b) + (c + d)


@subroutine
def substitute(U, y, row, m):
    """Let a row of y (m,) be what solves U^T U x = y, with the factor U."""
    for k in range(m):
        y[row, k] /= U[k, k]
        share = y[row, k]
        for j in range(k + 1, m):
            y[row, j] -= share * U[k, j]
    for k in range(m - 1, -1, -1):
        y[row, k] = (y[row, k] - _sum_behind(U, y, row, k, m)) / U[k, k]
