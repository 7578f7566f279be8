# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of quaternions (n, 4), w x y z, as pose channels have them."""

import numpy as np


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton product."""
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(q: np.ndarray) -> np.ndarray:
    """The opposite rotations."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def from_matrices(matrices: np.ndarray) -> np.ndarray:
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


def from_axis_angles(values: np.ndarray) -> np.ndarray:
    """Quaternions of turns by an angle (rad) about an axis, (n, 4): angle, x, y, z."""
    axis = values[:, 1:] / np.maximum(np.linalg.norm(values[:, 1:], axis=1, keepdims=True), 1e-9)
    half = 0.5 * values[:, :1]
    return np.concatenate([np.cos(half), np.sin(half) * axis], axis=1)


def from_eulers(angles: np.ndarray, order: str) -> np.ndarray:
    """Quaternions of turns by angles (n, 3) rad about fixed axes, one after the other in this order, such as "XYZ"."""
    total = np.tile([1.0, 0.0, 0.0, 0.0], (len(angles), 1))
    for letter in order:
        axis, turn = "XYZ".index(letter), np.zeros_like(total)
        turn[:, 0], turn[:, 1 + axis] = np.cos(0.5 * angles[:, axis]), np.sin(0.5 * angles[:, axis])
        total = multiply(turn, total)
    return total


def powers(q: np.ndarray, exponent: float) -> np.ndarray:
    """The same rotations (n, 4), the shorter way, by this share of their angles."""
    vectors = exponent * rotation_vectors(q)
    return from_axis_angles(np.concatenate([np.linalg.norm(vectors, axis=1, keepdims=True), vectors], axis=1))


def continuous(q: np.ndarray) -> np.ndarray:
    """The same rotations (frames, n, 4) with signs chosen so that no quaternion jumps from one frame to the next."""
    flips = np.einsum("fnk,fnk->fn", q[1:], q[:-1]) < 0.0
    sign = np.concatenate([np.ones((1, q.shape[1])), np.where(flips, -1.0, 1.0)])
    return q * np.cumprod(sign, axis=0)[:, :, None]


def between(q: np.ndarray, r: np.ndarray, share: float) -> np.ndarray:
    """From rotations (n, 4) this share of the way to others, as linear keyframes go: each component by itself, so that
    quaternions are a little shorter there, which Blender's poses do not mind."""
    sign = np.where(np.einsum("nk,nk->n", q, r) < 0.0, -1.0, 1.0)
    return (1.0 - share) * q + share * sign[:, None] * r


def rotation_vectors(q: np.ndarray) -> np.ndarray:
    """(n, 3) rad, at most pi long."""
    q = np.where(q[:, :1] < 0.0, -q, q)
    sine = np.linalg.norm(q[:, 1:], axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[:, :1])
    return np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 2.0) * q[:, 1:]
