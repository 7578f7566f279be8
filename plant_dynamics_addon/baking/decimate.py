# SPDX-License-Identifier: GPL-3.0-or-later
"""Which keys a motion needs, within an error that is proved and not guessed.

A bone's four channels are keyed at the same frames and go straight from key to key; Blender then normalizes the
quaternion. Let S be the curve with all keys and L the one with fewer. Between neighbouring frames both are linear in
time, so |L - S| is largest at a frame. The angle between them, as directions in four dimensions, has a sine of at most
|L - S| / |S|, and the rotations differ by twice that angle. |S| is smallest half way between two frames, where it is
the cosine of half the angle between them. So rotations stay within max_error, at all times, where at every frame
|L - S| <= sin(max_error / 2) cos(angle / 2). That the straight way between distant keys is shorter than one is counted
as an error too, which makes the bound safe and costs few keys.
"""

import numpy as np

#: What rounding to single precision may add to |L - S|: of the keys, and of Blender's evaluation.
_ROUNDING = 1e-6

#: A gap between keys is cut where the error is largest, but not nearer to its ends than this share, so that the number
#: of passes grows with the logarithm of the number of frames whatever the motion.
_MARGIN = 1.0 / 8.0


def needed_keys(frames: np.ndarray, channels: np.ndarray, max_error: float) -> np.ndarray:
    """(frames, bones) True where a key is needed for rotations within max_error (rad) of those with all keys.

    frames (n,): times of the keys; channels (n, bones, 4): unit quaternions, continuous in sign.
    """
    n, bones, _ = channels.shape
    if n <= 2:
        return np.ones((n, bones), dtype=bool)
    q = np.ascontiguousarray(channels.transpose(1, 0, 2))
    closest = np.einsum("bfk,bfk->bf", q[:, 1:], q[:, :-1]).min(axis=1)
    between = np.sqrt(np.clip(0.5 * (1.0 + closest), 0.0, 1.0))
    limit = np.maximum(np.sin(0.5 * max_error) * between - _ROUNDING, 0.0)
    mask = np.zeros((bones, n), dtype=bool)
    mask[:, [0, -1]] = True
    time = frames.astype(np.float64)
    open_bones = np.arange(bones)
    while open_bones.size:
        part = mask[open_bones]
        cut = cuts(time, q[open_bones], part, limit[open_bones])
        mask[open_bones] = part | cut
        open_bones = open_bones[cut.any(axis=1)]
    for odd in (1, 0, 1):
        _thin_out(time, q, mask, limit, odd)
    return mask.T


def _errors(time: np.ndarray, q: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """|L - S| at every frame (bones, n), and the keys before and after each frame, a key's own index for a key."""
    n = mask.shape[1]
    index = np.arange(n)
    before = np.maximum.accumulate(np.where(mask, index, 0), axis=1)
    after = np.minimum.accumulate(np.where(mask, index, n - 1)[:, ::-1], axis=1)[:, ::-1]
    share = (time - time[before]) / np.maximum(time[after] - time[before], 1e-9)
    row = np.arange(len(q))[:, None]
    start = q[row, before]
    difference = start + share[:, :, None] * (q[row, after] - start) - q
    return np.sqrt(np.einsum("bfk,bfk->bf", difference, difference)), before, after


def cuts(time: np.ndarray, q: np.ndarray, mask: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """(bones, n) True at one new key in every gap whose error is too large."""
    n = mask.shape[1]
    error, before, after = _errors(time, q, mask)
    starts = np.flatnonzero(mask)  # gaps in the order of bones and frames; a bone's last key is one of its own
    largest = np.maximum.reduceat(error.ravel(), starts)
    gap = np.cumsum(mask.ravel()) - 1
    cut = np.zeros(mask.size, dtype=bool)
    bad = (largest > limit[starts // n])[gap] & (error.ravel() == largest[gap])
    where = np.flatnonzero(bad)
    where = where[np.unique(gap[where], return_index=True)[1]]
    low, high = before.ravel()[where], after.ravel()[where]
    margin = np.maximum(1, (_MARGIN * (high - low)).astype(np.int64))
    place = np.clip(where % n, low + margin, high - margin)
    cut[where // n * n + place] = True
    return cut.reshape(mask.shape)


def _thin_out(time: np.ndarray, q: np.ndarray, mask: np.ndarray, limit: np.ndarray, odd: int) -> None:
    """Take away every second key but the first and last where the error allows it."""
    number = np.cumsum(mask, axis=1) - 1
    trial = mask & (number % 2 != odd)
    trial[:, [0, -1]] = True
    error, _, _ = _errors(time, q, trial)
    starts = np.flatnonzero(trial)
    largest = np.maximum.reduceat(error.ravel(), starts)
    gap = np.cumsum(trial.ravel()) - 1
    fits = (largest <= limit[starts // mask.shape[1]])[gap].reshape(mask.shape)
    mask &= trial | ~fits
