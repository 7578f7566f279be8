# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations of whole arrays: quaternions (..., 4) in the order w x y z, vectors (..., 3)."""

import numpy as np

from .model import Floats


def multiply(a: Floats, b: Floats) -> Floats:
    """Hamilton product."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(q: Floats) -> Floats:
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(q: Floats, v: Floats) -> Floats:
    """Vectors given in the frames q, in the frame that q is given in."""
    w, xyz = q[..., :1], q[..., 1:]
    t = 2.0 * np.cross(xyz, v)
    return v + w * t + np.cross(xyz, t)


def unrotate(q: Floats, v: Floats) -> Floats:
    return rotate(conjugate(q), v)


def matrices(q: Floats) -> Floats:
    """(..., 3, 3); the columns are the frames' axes."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def exponential(phi: Floats) -> Floats:
    """Quaternions of rotation vectors (..., 3) in rad."""
    half = 0.5 * np.linalg.norm(phi, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * phi], axis=-1)


def logarithm(q: Floats) -> Floats:
    """Rotation vectors (..., 3), at most pi long, of unit quaternions."""
    q = np.where(q[..., :1] < 0.0, -q, q)
    s = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(s, q[..., :1])
    return np.where(s > 1e-12, angle / np.maximum(s, 1e-300), 2.0) * q[..., 1:]
