# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a collider inside a frame: cubic in position and in rotation vector as that of a base, see base_motion.py,
so that what lies on it is not pushed anew at each frame. So go the vertices of a mesh that deforms.

What is where it was a frame ago has stood there: who stops it suddenly does not want it to go on and come back.
"""

import numpy as np

from ..base.arrays import Floats
from ..math.quaternions import quat_exp, quat_mat
from ..math.rates import inverse_right_jacobian
from ..math.rotations import conjugate, logarithm, multiply

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
    for j in np.flatnonzero(farthest >= STANDS).tolist():
        v, w = shift[j] / duration, turn[j] / duration
        start, end, spin, end_spin = v, v, w, w
        if motion[j, IS_KNOWN] > 0.0:
            R = np.reshape(quat_mat(quat_exp(tuple(turn[j]))), (3, 3))
            start, spin = motion[j, END : END + 3], motion[j, END_TURN : END_TURN + 3]
            end = 1.5 * v - 0.5 * motion[j, MEAN : MEAN + 3]
            end_spin = 1.5 * w - 0.5 * motion[j, MEAN_TURN : MEAN_TURN + 3] @ R
        rates[j] = *start, *end, *spin, *inverse_right_jacobian(tuple(turn[j]), tuple(end_spin))
        moved[j, :IS_KNOWN] = *v, *w, *end, *end_spin
    return shift, turn, rates, moved


def vertices_between(
    before: Floats, after: Floats, flow: Floats, is_known: bool, duration: float
) -> tuple[Floats, Floats]:
    """How vertices (v, 3) m of a mesh go in a frame of so long (s), with the flow (v, 6) of the frame before if that
    is known: bends (v, 6) m, and flow (v, 6)."""
    step = after - before
    mean = step / duration
    if is_known:
        start, end = flow[:, FLOW_END:], 1.5 * mean - 0.5 * flow[:, :FLOW_END]
    else:
        start = end = mean
    moves = np.abs(step).max(axis=1, initial=0.0, keepdims=True) >= STANDS
    bends = np.where(moves, duration * np.concatenate([start, end], axis=1) - np.tile(step, 2), 0.0)
    return bends, np.where(moves, np.concatenate([mean, end], axis=1), 0.0)


def largest_way(step: Floats, bends: Floats) -> float:
    """How far (m) what goes such steps (v, 3) with these bends (v, 6) would go at most at its largest speed."""
    bent = np.linalg.norm(bends.reshape(-1, 2, 3), axis=2).max(axis=1, initial=0.0)
    return float((np.linalg.norm(step, axis=1) + bent).max(initial=0.0))
