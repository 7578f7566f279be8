# SPDX-License-Identifier: GPL-3.0-or-later
"""Symmetric 3x3 matrices as tuples of scalars, for use inside kernels: sym = (xx, xy, xz, yy, yz, zz)."""

import math

from ..machine.jit import inlined
from .matrices import mat_mul


@inlined
def sym_vec(s, a):
    return (
        s[0] * a[0] + s[1] * a[1] + s[2] * a[2],
        s[1] * a[0] + s[3] * a[1] + s[4] * a[2],
        s[2] * a[0] + s[4] * a[1] + s[5] * a[2],
    )


@inlined
def sym_mat(s, m):
    """Symmetric times general."""
    return (
        s[0] * m[0] + s[1] * m[3] + s[2] * m[6],
        s[0] * m[1] + s[1] * m[4] + s[2] * m[7],
        s[0] * m[2] + s[1] * m[5] + s[2] * m[8],
        s[1] * m[0] + s[3] * m[3] + s[4] * m[6],
        s[1] * m[1] + s[3] * m[4] + s[4] * m[7],
        s[1] * m[2] + s[3] * m[5] + s[4] * m[8],
        s[2] * m[0] + s[4] * m[3] + s[5] * m[6],
        s[2] * m[1] + s[4] * m[4] + s[5] * m[7],
        s[2] * m[2] + s[4] * m[5] + s[5] * m[8],
    )


@inlined
def sym_add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])


@inlined
def sym_along(a, f):
    """f a a^T."""
    x, y, z = a
    return (f * x * x, f * x * y, f * x * z, f * y * y, f * y * z, f * z * z)


@inlined
def sym_scale(f, s):
    """f s."""
    return (f * s[0], f * s[1], f * s[2], f * s[3], f * s[4], f * s[5])


@inlined
def sym_rotate(r, s):
    """R S R^T."""
    t = mat_mul(r, (s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]))
    return (
        t[0] * r[0] + t[1] * r[1] + t[2] * r[2],
        t[0] * r[3] + t[1] * r[4] + t[2] * r[5],
        t[0] * r[6] + t[1] * r[7] + t[2] * r[8],
        t[3] * r[3] + t[4] * r[4] + t[5] * r[5],
        t[3] * r[6] + t[4] * r[7] + t[5] * r[8],
        t[6] * r[6] + t[7] * r[7] + t[8] * r[8],
    )


@inlined
def sym_inverse(s):
    """Inverse of a symmetric positive definite matrix by cofactors."""
    c0 = s[3] * s[5] - s[4] * s[4]
    c1 = s[2] * s[4] - s[1] * s[5]
    c2 = s[1] * s[4] - s[2] * s[3]
    d = 1.0 / (s[0] * c0 + s[1] * c1 + s[2] * c2)
    return (
        d * c0,
        d * c1,
        d * c2,
        d * (s[0] * s[5] - s[2] * s[2]),
        d * (s[1] * s[2] - s[0] * s[4]),
        d * (s[0] * s[3] - s[1] * s[1]),
    )


@inlined
def sym_root(s):
    """Cholesky's lower triangle (xx, xy, xz, yy, yz, zz) of a positive definite matrix."""
    xx = math.sqrt(s[0])
    xy, xz = s[1] / xx, s[2] / xx
    yy = math.sqrt(s[3] - xy * xy)
    yz = (s[4] - xy * xz) / yy
    return xx, xy, xz, yy, yz, math.sqrt(s[5] - xz * xz - yz * yz)


@inlined
def solved(root, a):
    """S^-1 a with S's root."""
    xx, xy, xz, yy, yz, zz = root
    x = a[0] / xx
    y = (a[1] - xy * x) / yy
    z = (a[2] - xz * x - yz * y) / (zz * zz)
    y = (y - yz * z) / yy
    return (x - xy * y - xz * z) / xx, y, z
