# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a collider inside a frame: cubic in position and in rotation vector as that of a base, see base_motion.py,
so that what lies on it is not pushed anew at each frame.

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
