# SPDX-License-Identifier: GPL-3.0-or-later
"""The formula that a step is made with: its weights, the prediction, the correction and the past.

    u_new = u + past (u - u_before) - older (u_before - u_before_that) + g a
    q_new = q exp(xi),  xi = past xi_before - older xi_before_that + g u_new

After two steps of its own length h this is the mean of the backward differentiation formulas of order two and three
with the weights 1 - b and b, of second order:

    past = (1/2 + 2b/3) / c,  older = (b/3) / c,  g = h / c,  c = 3/2 + b/3

With b = 1/2 oscillations would lose energy with the sixth power of the step only, and it is the largest b that is
A-stable; 0.48 keeps a little of BDF2's damping of order four, makes half its error, and damps stiff modes as it does
(known in fluid dynamics as BDF2OPT: Vatsa, Carpenter and Lockard, AIAA 2010-0122). After a step of another length it is
BDF2 with variable steps, r = h / h_before:

    past = r^2/(1+2r),  older = 0,  g = h (1+r)/(1+2r)

and with r = 0 backward Euler, which starts every run.
"""

import math

from ..data import columns as col
from ..data.lanes import LANES, get3, get4, get9, put3, put4
from ..data.rows import all_below, largest
from ..joints.loose import (
    accept_loose,
    correct_loose,
    forget_loose,
    gained_of_loose,
    predict_loose,
    slow_loose,
)
from ..machine.jit import inlined
from ..math.matrices import mat_t_vec, mat_vec
from ..math.quaternions import quat_unit
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .bystanders import slow_others
from .kinematics import turned

#: Weight b of the formula of order three.
BLEND = 0.48

#: Steps are of one length when they differ by less than this share.
_SAME = 1e-9

#: A body's sum of squares of its turn (rad) and move (per s2) in a step beyond which nothing can be meant by them.
ABSURD = 1e40


@inlined
def weights(last_steps, h, multistep):
    """(past, older, g) as above, and the error over what g^2 times the change of the acceleration moves, for a step h.

    last_steps (2,) s: lengths of the last step and of the one before, 0 where there is none. The acceleration changes
    by h times the third derivative of the motion, of which the local errors are (1 - b) h^3 / (3 c), 2/9 h^3 with equal
    steps of BDF2 and, after a start from a = 0, half of what backward Euler is moved by.
    """
    last, before = last_steps[0], last_steps[1]
    if multistep and abs(last - h) < _SAME * h and abs(before - h) < _SAME * h:
        c = 1.5 + BLEND / 3.0
        return (0.5 + 2.0 / 3.0 * BLEND) / c, BLEND / 3.0 / c, h / c, (1.0 - BLEND) * c / 3.0
    r = h / last if multistep and last > 0.0 else 0.0
    return r * r / (1.0 + 2.0 * r), 0.0, h * (1.0 + r) / (1.0 + 2.0 * r), 0.5


@inlined
def predict(data, loose, past, older, g, trend):
    """Fill Q, U, A and TURN with the prediction for the end of a step.

    trend: 0 where accelerations are taken to stay as they are, 1 where they are to change as much as in the last step.
    """
    predict_loose(loose, past, older, g, trend)
    for b in range(len(data)):
        for lane in range(LANES):
            a = add(get3(data, b, col.STATE_A + lane), scale(trend, get3(data, b, col.A_GAIN + lane)))
            gain, older_gain = get3(data, b, col.GAIN + lane), get3(data, b, col.OLDER_GAIN + lane)
            increment, older_increment = get3(data, b, col.INCREMENT + lane), get3(data, b, col.OLDER_INCREMENT + lane)
            u = add(get3(data, b, col.STATE_U + lane), sub(scale(past, gain), scale(older, older_gain)))
            u = add(u, scale(g, a))
            turn = add(sub(scale(past, increment), scale(older, older_increment)), scale(g, u))
            put3(data, b, col.A + lane, a)
            put3(data, b, col.U + lane, u)
            put3(data, b, col.TURN + lane, turn)
            put4(data, b, col.Q + lane, turned(get4(data, b, col.STATE_Q + lane), turn))


@inlined
def correct(data, loose, g):
    """Add the correction to the prediction.

    Returns the largest turn of a joint in this step (rad) and how far the correction moved a centre of mass (m) that
    counts in full, NaN when anything is not finite or absurd.
    """
    correct_loose(loose, g)
    for b in range(len(data)):
        for lane in range(LANES):
            R = get9(data, b, col.ROTATION + lane)
            da = mat_t_vec(R, get3(data, b, col.CORRECTION + lane))
            turn = add(get3(data, b, col.TURN + lane), scale(g * g, da))
            put3(data, b, col.TURN + lane, turn)
            put3(data, b, col.U + lane, add(get3(data, b, col.U + lane), scale(g, da)))
            put3(data, b, col.A + lane, add(get3(data, b, col.A + lane), da))
            put4(data, b, col.Q + lane, turned(get4(data, b, col.STATE_Q + lane), turn))
            moved2 = _moved(
                R, get3(data, b, col.COM + lane), get3(data, b, col.X_R + lane), get3(data, b, col.X_T + lane)
            )
            data[b, col.TURNED + lane] = dot(turn, turn)
            data[b, col.MOVED + lane] = data[b, col.COUNTS + lane] * moved2
    if not all_below(data, col.TURNED, col.MOVED, ABSURD):
        return math.nan, math.nan
    return math.sqrt(largest(data, col.TURNED)), math.sqrt(largest(data, col.MOVED)) * g * g


@inlined
def _moved(R, center, x_r, x_t):
    """Square of how far a turn x_r and a shift x_t of a body's joint move its centre of mass.

    A turn counts as if the centre moved by it in any direction, so that twists count too.
    """
    moved = add(x_t, cross(x_r, mat_vec(R, center)))
    return dot(moved, moved) + dot(center, center) * dot(x_r, x_r)


@inlined
def accept(data, loose, last_steps, h):
    """Make the corrected end of a step of h the present."""
    accept_loose(loose)
    last_steps[1], last_steps[0] = last_steps[0], h
    for b in range(len(data)):
        for lane in range(LANES):
            put4(data, b, col.STATE_Q + lane, quat_unit(get4(data, b, col.Q + lane)))
            put3(data, b, col.OLDER_INCREMENT + lane, get3(data, b, col.INCREMENT + lane))
            put3(data, b, col.OLDER_GAIN + lane, get3(data, b, col.GAIN + lane))
            put3(data, b, col.INCREMENT + lane, get3(data, b, col.TURN + lane))
            put3(data, b, col.GAIN + lane, sub(get3(data, b, col.U + lane), get3(data, b, col.STATE_U + lane)))
            put3(data, b, col.STATE_U + lane, get3(data, b, col.U + lane))
            put3(data, b, col.A_GAIN + lane, sub(get3(data, b, col.A + lane), get3(data, b, col.STATE_A + lane)))
            put3(data, b, col.STATE_A + lane, get3(data, b, col.A + lane))


@inlined
def forget_past(data, loose, last_steps):
    """Let the next step be a one-step, backward Euler one from a = 0."""
    forget_loose(loose)
    last_steps[0] = last_steps[1] = 0.0
    for b in range(len(data)):
        for lane in range(LANES):
            for field in (col.INCREMENT, col.OLDER_INCREMENT, col.GAIN, col.OLDER_GAIN, col.STATE_A, col.A_GAIN):
                put3(data, b, field + lane, ZERO)


@inlined
def slow(data, field, share):
    """Let a field of vectors be this share of what it was."""
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, field + lane, scale(share, get3(data, b, field + lane)))


@inlined
def slow_past(data, loose, share):
    """Let what is remembered of the last steps have been slower, as the present has been made, but of bystanders."""
    slow_loose(data, loose, share)
    for field in (col.INCREMENT, col.OLDER_INCREMENT, col.GAIN, col.OLDER_GAIN):
        slow_others(data, field, share)


@inlined
def whole_change(data, parent, loose, g, is_first):
    """How far (m) the whole change of the acceleration moves a centre of mass that counts in full, the part that was
    predicted included.

    is_first: after the first correction of a step that was predicted with a trend of 1; else after any.
    """
    for b in range(len(data)):
        for lane in range(LANES):
            R = get9(data, b, col.ROTATION + lane)
            if is_first:
                x_r = add(get3(data, b, col.CORRECTION + lane), mat_vec(R, get3(data, b, col.A_GAIN + lane)))
            else:
                x_r = mat_vec(R, sub(get3(data, b, col.A + lane), get3(data, b, col.STATE_A + lane)))
            put3(data, b, col.PA_R + lane, x_r)
    for i in range(len(parent)):
        b, lane = i >> 3, i & 7
        k, x_r = parent[i], get3(data, b, col.PA_R + lane)
        x_t = ZERO
        if k >= 0:
            bp, lp = k >> 3, k & 7
            xp_r = get3(data, bp, col.PA_R + lp)
            x_r = add(xp_r, x_r)
            x_t = add(get3(data, bp, col.PA_T + lp), cross(xp_r, get3(data, b, col.ARM + lane)))
        elif k < -1:
            x_t = gained_of_loose(loose, -2 - k, is_first)
        put3(data, b, col.PA_R + lane, x_r)
        put3(data, b, col.PA_T + lane, x_t)
    for b in range(len(data)):
        for lane in range(LANES):
            R, center = get9(data, b, col.ROTATION + lane), get3(data, b, col.COM + lane)
            moved2 = _moved(R, center, get3(data, b, col.PA_R + lane), get3(data, b, col.PA_T + lane))
            data[b, col.MOVED + lane] = data[b, col.COUNTS + lane] * moved2
    return math.sqrt(largest(data, col.MOVED)) * g * g
