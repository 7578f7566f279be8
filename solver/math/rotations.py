# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations of whole arrays: quaternions (..., 4) in the order w x y z, vectors (..., 3)."""

import numpy as np

from ..base.arrays import Floats

_CONJUGATE = np.array([1.0, -1.0, -1.0, -1.0])


def multiply(a: Floats, b: Floats) -> Floats:
    """Hamilton product."""
    aw, ax, ay, az = (a[..., k] for k in range(4))
    bw, bx, by, bz = (b[..., k] for k in range(4))
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    result[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    result[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    result[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    result[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return result


def conjugate(q: Floats) -> Floats:
    """Inverse of unit quaternions."""
    return q * _CONJUGATE


def rotate(q: Floats, v: Floats) -> Floats:
    """Vectors given in the frames q, in the frame that q is given in."""
    w, xyz = q[..., :1], q[..., 1:]
    t = 2.0 * _cross(xyz, v)
    return v + w * t + _cross(xyz, t)


def unrotate(q: Floats, v: Floats) -> Floats:
    """Vectors given where q is given, in the frames q."""
    return rotate(conjugate(q), v)


def _cross(a: Floats, b: Floats) -> Floats:
    """Like np.cross, which takes several times as long for the few vectors of a plant."""
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    result[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    result[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    result[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return result


def matrices(q: Floats) -> Floats:
    """(..., 3, 3); the columns are the frames' axes."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrices(matrices: Floats) -> Floats:
    """Unit quaternions of rotation matrices (n, 3, 3): the largest of four equivalent forms, for accuracy."""
    m = matrices
    xx, yy, zz = m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]
    yz, zx, xy = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    sxy, szx, syz = m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1]
    forms = np.stack(
        [
            np.stack([1.0 + xx + yy + zz, yz, zx, xy], axis=-1),
            np.stack([yz, 1.0 + xx - yy - zz, sxy, szx], axis=-1),
            np.stack([zx, sxy, 1.0 - xx + yy - zz, syz], axis=-1),
            np.stack([xy, szx, syz, 1.0 - xx - yy + zz], axis=-1),
        ],
        axis=1,
    )
    best = np.argmax(np.einsum("nii->ni", forms), axis=1)
    q = forms[np.arange(len(m)), best]
    return q / np.linalg.norm(q, axis=1, keepdims=True)


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
