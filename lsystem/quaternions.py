# SPDX-License-Identifier: GPL-3.0-or-later
"""Unit quaternions (w, x, y, z) as tuples of floats, for the turtle's one-at-a-time steps."""

import math
from functools import lru_cache

Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """The rotation that does ``b`` first, then ``a``; normalised, so that long products do not drift."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    w = aw * bw - ax * bx - ay * by - az * bz
    x = aw * bx + ax * bw + ay * bz - az * by
    y = aw * by - ax * bz + ay * bw + az * bx
    z = aw * bz + ax * by - ay * bx + az * bw
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * scale, x * scale, y * scale, z * scale


@lru_cache(maxsize=4096)
def about_axis(axis: int, degrees: float) -> Quaternion:
    """The rotation about the local x (0), y (1) or z (2) axis."""
    half = math.radians(math.fmod(degrees, 720.0)) / 2.0
    sine = math.sin(half)
    return (
        math.cos(half),
        sine if axis == 0 else 0.0,
        sine if axis == 1 else 0.0,
        sine if axis == 2 else 0.0,
    )


def rotate(q: Quaternion, v: Vector) -> Vector:
    """The vector ``v`` turned by ``q``."""
    w, x, y, z = q
    vx, vy, vz = v
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    return vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx


def heading(q: Quaternion) -> Vector:
    """The direction of the local y axis: where the turtle goes."""
    w, x, y, z = q
    return 2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)


def shortest_arc(direction: Vector) -> Quaternion:
    """The rotation by the least angle that takes the local y axis to a unit vector."""
    x, y, z = direction
    if y < -1.0 + 1e-12:
        return 0.0, 0.0, 0.0, 1.0
    # (1 + d . y, y x d), normalised
    w, qx, qz = 1.0 + y, z, -x
    scale = 1.0 / math.sqrt(w * w + qx * qx + qz * qz)
    return w * scale, qx * scale, 0.0, qz * scale
