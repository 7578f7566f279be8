# SPDX-License-Identifier: GPL-3.0-or-later
"""Unit quaternions (n, 4) w, x, y, z of many frames at once."""

import numpy as np

from .arrays import Floats, Integers

_OPPOSITE = 1e-12


def products(a: Floats, b: Floats) -> Floats:
    """(n, 4) the rotations that do ``b`` first, then ``a``."""
    aw, ax, ay, az = a.T
    bw, bx, by, bz = b.T
    result: Floats = np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=1,
    )
    return result / np.linalg.norm(result, axis=1, keepdims=True)


def shortest_arcs(a: Floats, b: Floats) -> Floats:
    """(n, 4) the rotations by the least angles that take unit vectors (n, 3) to others; half turns about anything
    across where these are opposite."""
    cosine = (a * b).sum(axis=1)
    result = np.concatenate([1.0 + cosine[:, None], np.cross(a, b)], axis=1)
    opposite = np.flatnonzero(cosine < _OPPOSITE - 1.0)
    if len(opposite):
        across = np.cross(a[opposite], np.eye(3)[np.abs(a[opposite]).argmin(axis=1)])
        result[opposite] = np.concatenate([np.zeros((len(opposite), 1)), across], axis=1)
    return result / np.linalg.norm(result, axis=1, keepdims=True)


def about_y(radians: Floats) -> Floats:
    """(n, 4) rotations about the local y axis."""
    zero = np.zeros_like(radians)
    return np.stack([np.cos(0.5 * radians), zero, np.sin(0.5 * radians), zero], axis=1)


def column(q: Floats, axis: int) -> Floats:
    """(n, 3) where the local x (0), y (1) or z (2) axis leads."""
    w, x, y, z = q.T
    if axis == 0:
        parts = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)
    elif axis == 1:
        parts = 2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)
    else:
        parts = 2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)
    return np.stack(parts, axis=1)


def carried_along(turns: Floats, before: Integers) -> Floats:
    """(n, 4) frames that are each the one before it turned in the world by ``turns`` (n, 4).

    before: (n) its number, or -1 where the turn is the frame itself. The way to those is halved again and again.
    """
    frames, before = turns.copy(), before.copy()
    while len(left := np.flatnonzero(before >= 0)):
        frames[left] = products(frames[left], frames[before[left]])
        before[left] = before[before[left]]
    return frames
