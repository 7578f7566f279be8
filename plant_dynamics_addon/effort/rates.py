# SPDX-License-Identifier: GPL-3.0-or-later
"""Velocities and accelerations from frames, by central differences. Needs no Blender.

Rotations are differenced by the vectors that turn a frame into the next, so that no angles are in the way. All are of
second order in a frame's time, but for the ends of a motion of four frames or fewer. At the first and at the last frame
the acceleration goes on as it changed between the frames beside it, but no more than twice as it did between the next
ones, and not against that: else much would be made of a key that eases in.
"""

import numpy as np

from ...solver import rotations

#: Fewer frames have no acceleration.
LEAST_FRAMES = 3


def turning(q: np.ndarray, frame_time: float) -> tuple[np.ndarray, np.ndarray]:
    """Rates (rad/s) and accelerations (rad/s2), both (k, n, 3) and in the turned axes, of rotations (k, n, 4)."""
    ahead = turns(q)  # by the same vector, backwards, the next frame is turned into this one
    a = _with_ends((ahead[1:] - ahead[:-1]) / frame_time**2)
    u = np.empty_like(a)
    u[1:-1] = (ahead[1:] + ahead[:-1]) / (2.0 * frame_time)
    u[0] = ahead[0] / frame_time - 0.5 * frame_time * a[0]
    u[-1] = ahead[-1] / frame_time + 0.5 * frame_time * a[-1]
    return u, a


def turns(q: np.ndarray) -> np.ndarray:
    """(k - 1, n, 3) rad: by what each of the rotations (k, n, 4) is turned until the next, the shorter way."""
    return np.asarray(rotations.logarithm(rotations.multiply(rotations.conjugate(q[:-1]), q[1:])))


def accelerations(x: np.ndarray, frame_time: float) -> np.ndarray:
    """(k, n, 3) m/s2 of places (k, n, 3) m."""
    return _with_ends(np.diff(x, 2, axis=0) / frame_time**2)


def _with_ends(inner: np.ndarray) -> np.ndarray:
    """What is known between the first and the last frame, gone on with to these."""
    changes = np.diff(inner, axis=0)
    if len(changes) < 2:
        return np.concatenate([inner[:1], inner, inner[-1:]])
    before, after = _limited(changes[0], changes[1]), _limited(changes[-1], changes[-2])
    return np.concatenate([inner[:1] - before, inner, inner[-1:] + after])


def _limited(change: np.ndarray, beside: np.ndarray) -> np.ndarray:
    """A change that is of the same sign as the one beside it and at most twice as large, else what is."""
    return np.where(change * beside > 0.0, np.sign(change) * np.minimum(np.abs(change), 2.0 * np.abs(beside)), 0.0)
