# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotations as pose channels have them: Blender's other modes as quaternions (n, 4), w x y z, and these in time."""

import numpy as np

from ....solver import rotations


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
        total = rotations.multiply(turn, total)
    return total


def powers(q: np.ndarray, exponent: float) -> np.ndarray:
    """The same rotations (n, 4), the shorter way, by this share of their angles."""
    vectors = exponent * rotations.logarithm(q)
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


def things_between(a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """From one frame (t, 7) this share of the way to the next, as linear keys go."""
    if len(a) != len(b):
        return a
    place = (1.0 - share) * a[:, :3] + share * b[:, :3]
    return np.concatenate([place, between(a[:, 3:], b[:, 3:], share)], axis=1)
