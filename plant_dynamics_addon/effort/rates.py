# SPDX-License-Identifier: GPL-3.0-or-later
"""Velocities and accelerations from frames, by central differences. Needs no Blender.

Rotations are differenced by the vectors that turn a frame into the next, so that no angles are in the way. At the first
and at the last frame the differences are one-sided: the acceleration goes on as it changed between the two frames
beside it. All are of second order in a frame's time, but for the ends of a motion of three frames.
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
    if len(inner) == 1:
        return np.repeat(inner, 3, axis=0)
    return np.concatenate([2.0 * inner[:1] - inner[1:2], inner, 2.0 * inner[-1:] - inner[-2:-1]])
