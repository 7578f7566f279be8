# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations as tuples of scalars, for use inside kernels: quat = (w, x, y, z), of length 1."""

import math

from ..machine.jit import inlined
from .angles import sin_cos, turn_per_sine
from .vectors import dot


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
