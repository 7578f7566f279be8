# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that nothing holds (Arnold's unconstrained joint): each hangs with its spherical joint, without a spring, on a
frame of its own, which goes along without turning and without mass. So six degrees of freedom are the three of the
joint, which all bodies have, and three of a place.

The place goes through time by the same formula as the joints (see multistep.py). A body that hangs on frame f has the
parent -2 - f.
"""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats2, Ints1, Ints2
from ..data import columns as col
from ..data.lanes import get3, get4, get9, put3
from ..machine.jit import inlined
from ..math.matrices import mat_t_vec
from ..math.memory import keep3, load3, load4, take3
from ..math.quaternions import quat_mul
from ..math.vectors import ZERO, add, scale, sub

#: Columns of now: place (m), orientation, velocity (m/s), acceleration without the correction (m/s2).
PLACE, TURNED, VELOCITY, ACCELERATION, NOW = 0, 3, 7, 10, 13

#: Columns of state, as those of model.State.
AT, SPEED, GAINS_SPEED, SHIFTED, GAINED, SHIFTED_BEFORE, GAINED_BEFORE, SLOPE_GAINED, STATE = *range(0, 24, 3), 24

#: Columns of trial: what the step moves it by (m), the last solve's correction (m/s2), its rate while velocity is
#: another (m/s), and what its body sets against an acceleration, inverted (1/kg; 6).
SHIFT, CORRECTION, RATE, YIELDS, TRIAL = 0, 3, 6, 9, 15


class Loose(NamedTuple):
    """Frames of plants on which loose bodies hang; kernels take one plant's.

    first (plants + 1,): frames of plant p are first[p] to first[p + 1], of which used (plants, 1) are in use
    body (m,): which one of the plant's hangs on it
    now (m, 13), state (m, 24), trial (m, 15): see above
    cracked (n,): bodies whose joint has broken: 1, and 2 where nothing holds them any more
    """

    first: Ints1
    used: Ints2
    body: Ints1
    now: Floats2
    state: Floats2
    trial: Floats2
    cracked: Ints1


def frames_for(most: Ints1, bodies: int) -> Loose:
    """Frames for plants with at most so many (plants,) loose bodies, none of which is in use."""
    first = np.concatenate([[0], np.cumsum(most)]).astype(np.int64)
    m = int(first[-1])
    return Loose(
        first, np.zeros((len(most), 1), dtype=np.int64), np.zeros(m, dtype=np.int64), np.zeros((m, NOW)),
        np.zeros((m, STATE)), np.zeros((m, TRIAL)), np.zeros(bodies, dtype=np.int64),
    )  # fmt: skip


@inlined
def loose_of(loose, p, first_body):
    """The frames of plant p."""
    own = slice(loose.first[p], loose.first[p + 1])
    return Loose(
        loose.first[p : p + 2], loose.used[p : p + 1], loose.body[own], loose.now[own], loose.state[own],
        loose.trial[own], loose.cracked[first_body[p] : first_body[p + 1]],
    )  # fmt: skip


@inlined
def orientation_at(frames, f):
    """The quaternion of frame f."""
    return (frames[f, TURNED], frames[f, TURNED + 1], frames[f, TURNED + 2], frames[f, TURNED + 3])


@inlined
def predict_loose(loose, past, older, g, trend):
    """Let frames be what they are predicted to be at a step's end, with weights as of predict in multistep.py."""
    state = loose.state
    for f in range(loose.used[0, 0]):
        a = add(take3(state, f, GAINS_SPEED), scale(trend, take3(state, f, SLOPE_GAINED)))
        v = add(
            take3(state, f, SPEED),
            sub(scale(past, take3(state, f, GAINED)), scale(older, take3(state, f, GAINED_BEFORE))),
        )
        v = add(v, scale(g, a))
        shift = add(
            sub(scale(past, take3(state, f, SHIFTED)), scale(older, take3(state, f, SHIFTED_BEFORE))), scale(g, v)
        )
        keep3(loose.trial, f, SHIFT, shift)
        keep3(loose.now, f, PLACE, add(take3(state, f, AT), shift))
        keep3(loose.now, f, VELOCITY, v)
        keep3(loose.now, f, ACCELERATION, a)


@inlined
def correct_loose(loose, g):
    """Add the last solve's correction."""
    for f in range(loose.used[0, 0]):
        da = take3(loose.trial, f, CORRECTION)
        shift = add(take3(loose.trial, f, SHIFT), scale(g * g, da))
        keep3(loose.trial, f, SHIFT, shift)
        keep3(loose.now, f, PLACE, add(take3(loose.state, f, AT), shift))
        keep3(loose.now, f, VELOCITY, add(take3(loose.now, f, VELOCITY), scale(g, da)))
        keep3(loose.now, f, ACCELERATION, add(take3(loose.now, f, ACCELERATION), da))


@inlined
def gained_of_loose(loose, f, is_first):
    """The whole change of the acceleration (m/s2) of frame f, as whole_change of multistep.py takes it."""
    if is_first:
        return add(take3(loose.trial, f, CORRECTION), take3(loose.state, f, SLOPE_GAINED))
    return sub(take3(loose.now, f, ACCELERATION), take3(loose.state, f, GAINS_SPEED))


@inlined
def accept_loose(loose):
    """Make the corrected end of a step the present."""
    state, now = loose.state, loose.now
    for f in range(loose.used[0, 0]):
        keep3(state, f, AT, take3(now, f, PLACE))
        keep3(state, f, SHIFTED_BEFORE, take3(state, f, SHIFTED))
        keep3(state, f, GAINED_BEFORE, take3(state, f, GAINED))
        keep3(state, f, SHIFTED, take3(loose.trial, f, SHIFT))
        keep3(state, f, GAINED, sub(take3(now, f, VELOCITY), take3(state, f, SPEED)))
        keep3(state, f, SPEED, take3(now, f, VELOCITY))
        keep3(state, f, SLOPE_GAINED, sub(take3(now, f, ACCELERATION), take3(state, f, GAINS_SPEED)))
        keep3(state, f, GAINS_SPEED, take3(now, f, ACCELERATION))


@inlined
def forget_loose(loose):
    """Let frames have no past."""
    for f in range(loose.used[0, 0]):
        for c in range(GAINS_SPEED, STATE):
            loose.state[f, c] = 0.0


@inlined
def is_bystander(data, i):
    """Whether body i is marked as one, see dynamics/bystanders.py."""
    return data[i >> 3, col.MOVED + (i & 7)] == 1.0


@inlined
def slow_loose(data, loose, share):
    """Let the state have been slower, all its past too, but of bystanders."""
    for f in range(loose.used[0, 0]):
        if not is_bystander(data, loose.body[f]):
            keep3(loose.state, f, SPEED, scale(share, take3(loose.state, f, SPEED)))
            for c in range(SHIFTED, SLOPE_GAINED):
                loose.state[f, c] = share * loose.state[f, c]


@inlined
def loose_at_present(loose):
    """Let frames be where they are at the step's beginning."""
    for f in range(loose.used[0, 0]):
        keep3(loose.now, f, PLACE, take3(loose.state, f, AT))
        keep3(loose.now, f, VELOCITY, take3(loose.state, f, SPEED))


@inlined
def keep_rates(loose):
    """Remember velocities while they are others."""
    for f in range(loose.used[0, 0]):
        keep3(loose.trial, f, RATE, take3(loose.now, f, VELOCITY))


@inlined
def share_trial(loose, f, share):
    """Leave to frame f this share of the step's way and of the rates that were kept."""
    keep3(loose.trial, f, SHIFT, scale(share, take3(loose.trial, f, SHIFT)))
    keep3(loose.trial, f, RATE, scale(share, take3(loose.trial, f, RATE)))


@inlined
def go_loose(data, loose, share, slower):
    """Let frames be where this share of the step leads, so much slower than the rates that were kept, but bystanders
    where all of it does."""
    for f in range(loose.used[0, 0]):
        shift, rate, stands_by = ZERO, ZERO, is_bystander(data, loose.body[f])
        if share > 0.0:  # else they may be anything
            shift = scale(1.0 if stands_by else share, take3(loose.trial, f, SHIFT))
            rate = scale(1.0 if stands_by else share * slower, take3(loose.trial, f, RATE))
        keep3(loose.now, f, PLACE, add(take3(loose.state, f, AT), shift))
        keep3(loose.now, f, VELOCITY, rate)


@inlined
def let_go(data, parent, stands, loose, i):
    """Let nothing hold body i any more, which goes on as it moves; bodies' columns are of the present. Returns whether
    there was a frame for it."""
    k, f = parent[i], loose.used[0, 0]
    if k <= -2 or f == len(loose.body):
        return False
    b, lane = i >> 3, i & 7
    base = stands.now[stands.on[i]]
    turned, place = load4(base, 1), load3(base, 0)
    if k >= 0:
        turned, place = _orientation(data, parent, base, loose, k), get3(data, k >> 3, col.POSITION + (k & 7))
    keep3(loose.now, f, PLACE, place)
    for c in range(4):
        loose.now[f, TURNED + c] = turned[c]
    for c in range(STATE):
        loose.state[f, c] = 0.0
    keep3(loose.state, f, AT, place)
    keep3(loose.state, f, SPEED, get3(data, b, col.VELOCITY + lane))
    loose.body[f] = i
    loose.used[0, 0] = f + 1
    loose.cracked[i] = 2
    parent[i] = -2 - f
    put3(data, b, col.STATE_U + lane, mat_t_vec(get9(data, b, col.ROTATION + lane), get3(data, b, col.OMEGA + lane)))
    release(data, i)
    return True


@inlined
def release(data, i):
    """Let the joint of body i have neither spring nor limits."""
    b, lane = i >> 3, i & 7
    put3(data, b, col.STIFFNESS + lane, ZERO)
    data[b, col.DAMPING + lane] = 0.0
    data[b, col.LIMIT_STIFFNESS + lane] = 0.0
    data[b, col.BEND_LIMIT + lane] = math.inf
    data[b, col.TWIST_LIMIT + lane] = math.inf
    data[b, col.STRENGTH + lane] = math.inf


@inlined
def _orientation(data, parent, base, loose, i):
    """The quaternion of body i at present, from its base."""
    Q = (1.0, 0.0, 0.0, 0.0)
    while i >= 0:
        b, lane = i >> 3, i & 7
        Q = quat_mul(quat_mul(get4(data, b, col.REST + lane), get4(data, b, col.STATE_Q + lane)), Q)
        i = parent[i]
    return quat_mul(load4(base, 1) if i == -1 else orientation_at(loose.now, -2 - i), Q)
