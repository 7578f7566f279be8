# SPDX-License-Identifier: GPL-3.0-or-later
"""Small vectors and matrices as tuples of scalars, for use inside kernels.

vec  = (x, y, z)
quat = (w, x, y, z), unit
mat  = 9 numbers, row by row
sym  = (xx, xy, xz, yy, yz, zz), a symmetric 3x3 matrix

Tuples live in registers: nothing here allocates.
"""

import math

from ..machine.jit import inlined
from .angles import sin_cos, turn_per_sine

ZERO = (0.0, 0.0, 0.0)


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
def mat_vec(m, a):
    return (
        m[0] * a[0] + m[1] * a[1] + m[2] * a[2],
        m[3] * a[0] + m[4] * a[1] + m[5] * a[2],
        m[6] * a[0] + m[7] * a[1] + m[8] * a[2],
    )


@inlined
def mat_t_vec(m, a):
    """Transpose of m times a."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[6] * a[2],
        m[1] * a[0] + m[4] * a[1] + m[7] * a[2],
        m[2] * a[0] + m[5] * a[1] + m[8] * a[2],
    )


@inlined
def mat_mul(a, b):
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


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
def diagonal_rotate(r, d):
    """R diag(d) R^T = d0 1 + (d1 - d0) y y^T + (d2 - d0) z z^T, with y and z the second and third column of R."""
    b = d[1] - d[0]
    c = d[2] - d[0]
    return (
        d[0] + b * r[1] * r[1] + c * r[2] * r[2],
        b * r[1] * r[4] + c * r[2] * r[5],
        b * r[1] * r[7] + c * r[2] * r[8],
        d[0] + b * r[4] * r[4] + c * r[5] * r[5],
        b * r[4] * r[7] + c * r[5] * r[8],
        d[0] + b * r[7] * r[7] + c * r[8] * r[8],
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
def quat_mul(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@inlined
def quat_conj(a):
    return (a[0], -a[1], -a[2], -a[3])


@inlined
def quat_unit(a):
    """One Newton step towards unit length suffices for quaternions that are kept unit, and costs no square root."""
    s = 1.5 - 0.5 * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
    return (s * a[0], s * a[1], s * a[2], s * a[3])


@inlined
def quat_mat(q):
    """Rotation matrix of a unit quaternion; its columns are the frame's axes."""
    w, x, y, z = q
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@inlined
def quat_exp(phi):
    """Unit quaternion of the rotation vector phi (rad)."""
    t2 = 0.25 * dot(phi, phi)
    if t2 < 0.01:  # Taylor series of cos and sin(t)/t, exact to rounding here
        w = 1.0 + t2 * (-1 / 2 + t2 * (1 / 24 + t2 * (-1 / 720 + t2 * (1 / 40320 - t2 / 3628800))))
        s = 1.0 + t2 * (-1 / 6 + t2 * (1 / 120 + t2 * (-1 / 5040 + t2 * (1 / 362880 - t2 / 39916800))))
    else:
        t = math.sqrt(t2)
        s, w = sin_cos(t)
        s /= t
    return (w, 0.5 * s * phi[0], 0.5 * s * phi[1], 0.5 * s * phi[2])


@inlined
def quat_log(q):
    """Rotation vector (rad, at most pi long) of a unit quaternion."""
    f = turn_per_sine(abs(q[0]), q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if q[0] < 0.0:
        f = -f
    return (f * q[1], f * q[2], f * q[3])
