# SPDX-License-Identifier: GPL-3.0-or-later
"""Cholesky's factors of full matrices, in place."""

import math

from ..machine.jit import inlined, subroutine


@subroutine
def factorise_upper(B, m):
    """Cholesky's factor of the upper triangle of B (m, m), in place; returns whether there is one. Four rows at a time
    are finished and taken from those below, which are then fetched a fourth as often. What is behind the diagonal of a
    row is a view, whose places compilers know not to be negative."""
    for k in range(0, m, 4):
        last = min(k + 4, m)
        for p in range(k, last):
            if not B[p, p] > 0.0:
                return False
            root, row = math.sqrt(B[p, p]), B[p, p:m]
            for j in range(len(row)):
                row[j] /= root
            for i in range(p + 1, last):
                share, row, above = B[p, i], B[i, i:m], B[p, i:m]
                for j in range(len(row)):
                    row[j] -= share * above[j]
        for i in range(last, m):  # there are four, or none below
            row, a, b, c, d = B[i, i:m], B[k, i:m], B[k + 1, i:m], B[k + 2, i:m], B[k + 3, i:m]
            s, t, u, v = a[0], b[0], c[0], d[0]
            for j in range(len(row)):
                row[j] = row[j] - s * a[j] - t * b[j] - u * c[j] - v * d[j]
    return True


@inlined
def _sum_behind(U, y, row, k, m):
    """Row k of U times a row of y, behind the diagonal: four sums at a time, which need not wait for each other."""
    U_k, x = U[k, k + 1 : m], y[row, k + 1 : m]
    a, b, c, d, fours = 0.0, 0.0, 0.0, 0.0, len(x) // 4
    for j in range(0, 4 * fours, 4):
        a += U_k[j] * x[j]
        b += U_k[j + 1] * x[j + 1]
        c += U_k[j + 2] * x[j + 2]
        d += U_k[j + 3] * x[j + 3]
    for j in range(4 * fours, len(x)):
        a += U_k[j] * x[j]
    return (a + b) + (c + d)


@subroutine
def substitute(U, y, row, m):
    """Let a row of y (m,) be what solves U^T U x = y, with the factor U."""
    for k in range(m):
        y[row, k] /= U[k, k]
        share, below, U_k = y[row, k], y[row, k + 1 : m], U[k, k + 1 : m]
        for j in range(len(below)):
            below[j] -= share * U_k[j]
    for k in range(m - 1, -1, -1):
        y[row, k] = (y[row, k] - _sum_behind(U, y, row, k, m)) / U[k, k]
