# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a collider inside a frame: cubic in position and in rotation vector as that of a base, see base_motion.py,
so that what lies on it is not pushed anew at each frame. So go the vertices of a mesh that deforms.

What is where it was a frame ago has stood there: who stops it suddenly does not want it to go on and come back. Nor
does who lets it turn round or puts it elsewhere: see _rates.
"""

import numpy as np

from ..base.arrays import Bools, Floats
from ..math.rates import inverse_right_jacobian
from ..math.rotations import conjugate, exponential, logarithm, multiply, rotate

#: Columns of motion: mean velocity (m/s, world axes) and angular velocity (rad/s, its own axes) over the last frame,
#: the same at its end, and whether there has been one.
MEAN, MEAN_TURN, END, END_TURN, IS_KNOWN, MOTION = 0, 3, 6, 9, 12, 13

#: Columns of rates: velocity at the frame's start and end, and rates of the rotation vector there, in the axes that it
#: has at the start.
RATES_START, RATES_END, TURNS_START, TURNS_END, RATES = 0, 3, 6, 9, 12

#: Columns of a vertex's flow: mean velocity (m/s, its collider's axes) over the last frame, and at its end.
FLOW_MEAN, FLOW_END, FLOW = 0, 3, 6

#: Columns of a vertex's bend: what its velocities at the frame's start and end are more than the mean one, times the
#: frame's duration (m).
BEND_START, BEND_END, BEND = 0, 3, 6

#: What goes less far (m, rad) in a frame stands: by rounding what is turned seems to go.
STANDS = 1e-9


def way_between(
    before: Floats, after: Floats, motion: Floats, duration: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """How colliders go in a frame of so long (s) between poses (c, 7), with motion (c, 13) of the frame before: shift
    (c, 3) m, turn (c, 3) rad in their axes at its start, rates (c, 12), and motion (c, 13)."""
    shift = np.ascontiguousarray(after[:, :3] - before[:, :3])
    turn = np.ascontiguousarray(logarithm(multiply(conjugate(before[:, 3:]), after[:, 3:])))
    rates, moved = np.zeros((len(after), RATES)), np.zeros((len(after), MOTION))
    moved[:, IS_KNOWN] = 1.0
    farthest = np.abs(np.concatenate([shift, turn], axis=1)).max(axis=1, initial=0.0)
    goes = np.flatnonzero(farthest >= STANDS)
    is_known = motion[goes, IS_KNOWN] > 0.0
    v, w, was = shift[goes] / duration, turn[goes] / duration, motion[goes]
    starts, ends = _rates(v, was[:, MEAN : MEAN + 3], was[:, END : END + 3], is_known)
    spins, spun = _rates(w, was[:, MEAN_TURN : MEAN_TURN + 3], was[:, END_TURN : END_TURN + 3], is_known)
    spun = rotate(conjugate(exponential(turn[goes])), spun)  # in the axes at the end
    moved[goes, :IS_KNOWN] = np.concatenate([v, w, ends, spun], axis=1)
    for j, spin in zip(goes.tolist(), spun, strict=True):
        rates[j, TURNS_END : TURNS_END + 3] = inverse_right_jacobian(tuple(turn[j]), tuple(spin))
    rates[goes, :TURNS_END] = np.concatenate([starts, ends, spins], axis=1)
    return shift, turn, rates, moved


def _rates(mean: Floats, before: Floats, end_before: Floats, is_known: Bools) -> tuple[Floats, Floats]:
    """Rates (k, 3) at the start and at the end of a frame with mean rates (k, 3); before, end_before: those of the
    frame before, where known (k,).

    The start's is what it was, and the end's the backward difference through three poses, where the change goes on as
    the one before, as far as the two agree. Else neither differs from the mean rate by more than that itself: so the
    way leads from here to there without going back, and what comes fast and turns round, stops, or is put elsewhere,
    does not go past where it is at frames (Fritsch, Carlson 1980: rates up to three times the mean leave it monotone).
    """
    change, change_before = mean - before, 2.0 * (end_before - before)
    larger = np.maximum(_length_of(change), _length_of(change_before))
    agree = np.maximum(_dot(change, change_before), 0.0) / np.where(larger > 0.0, larger, 1.0)
    most = np.maximum(_length_of(mean), agree) * is_known
    return mean + _within(end_before - mean, most), mean + _within(0.5 * change, most)


def _within(vectors: Floats, most: Floats) -> Floats:
    """Vectors (k, 3), those that are longer than this (k,) shortened to it."""
    length = _length_of(vectors)
    return vectors * np.where(length > most, most / np.where(length > 0.0, length, 1.0), 1.0)[:, None]


def vertices_between(
    before: Floats, after: Floats, flow: Floats, is_known: bool, duration: float
) -> tuple[Floats, Floats]:
    """How vertices (v, 3) m of a mesh go in a frame of so long (s), with the flow (v, 6) of the frame before if that
    is known: bends (v, 6) m, and flow (v, 6)."""
    step = after - before
    mean = step / duration
    start, end = _rates(mean, flow[:, :FLOW_END], flow[:, FLOW_END:], np.full(len(mean), is_known))
    moves = np.abs(step).max(axis=1, initial=0.0, keepdims=True) >= STANDS
    bends = np.where(moves, duration * np.concatenate([start, end], axis=1) - np.tile(step, 2), 0.0)
    return bends, np.where(moves, np.concatenate([mean, end], axis=1), 0.0)


def largest_way(step: Floats, bends: Floats) -> float:
    """How far (m) what goes such steps (v, 3) with these bends (v, 6) would go at most at its largest speed."""
    bent = np.maximum(_length_of(bends[:, :BEND_END]), _length_of(bends[:, BEND_END:]))
    return float((_length_of(step) + bent).max(initial=0.0))


def _length_of(vectors: Floats) -> Floats:
    """Of vectors (k, 3)."""
    return np.sqrt(_dot(vectors, vectors))


def _dot(one: Floats, other: Floats) -> Floats:
    """Products of vectors (k, 3), in a fraction of the time that sums along so short an axis take."""
    return one[:, 0] * other[:, 0] + one[:, 1] * other[:, 1] + one[:, 2] * other[:, 2]
