# SPDX-License-Identifier: GPL-3.0-or-later
"""Advancing a plant through one frame in linearly implicit steps of at most a given length.

One step of the two-step backward differentiation formula (BDF2) with variable steps, r = h / h_before:

    u_new = (1+r)^2/(1+2r) u - r^2/(1+2r) u_before + g a         g = h (1+r)/(1+2r)
    q_new = q exp(xi),  xi = r^2/(1+2r) xi_before + g u_new

With r = 0 this is backward Euler, which starts every run. The acceleration is predicted to be what it was and
corrected by a solve at the predicted end point, which is a Newton step but for velocity products and the change of
the articulated inertia. In gentle motion one is enough; where it moves a joint noticeably it is repeated from the
corrected end point, because velocity products at predicted velocities feed energy into fast turning bodies.
"""

import math
from typing import NamedTuple

from ._jit import inlined, kernel
from ._linalg import ZERO, add, dot, load3, load4, quat_exp, quat_mul, quat_unit, scale, store3, store4
from .base_motion import base_arrived, base_at, path_to
from .forward_dynamics import solve_correction
from .loads import loads_at

#: How a frame went.
OK, LIMITED, STOPPED = 0, 1, 2

#: A body may turn by this much (rad) in a step before the step is halved: velocity products are evaluated at
#: predicted velocities, which holds only for small turns.
TURN_LIMIT = 0.25

#: A solve that moves no joint by more than this (rad) is the step's last, and so is the last of MOST_SOLVES.
CONVERGED = 1e-5
MOST_SOLVES = 6


class Report(NamedTuple):
    """status: OK; LIMITED when steps were at their shortest and fast bodies had to be slowed down; STOPPED when even
    that was not finite and the plant was brought to rest where it was. steps: steps taken; rejected: steps thrown away
    and halved; solves: O(n) solves for all of them."""

    status: int
    steps: int
    rejected: int
    solves: int


@inlined
def weights(last_step, h, two_step):
    """Weights of u and u_before and of the derivative, all positive, in the formula above for a step of h."""
    r = h / last_step if two_step and last_step > 0.0 else 0.0
    share = 1.0 / (1.0 + 2.0 * r)
    return (1.0 + r) * (1.0 + r) * share, r * r * share, h * (1.0 + r) * share


@inlined
def predict(state, work, now, past, g):
    """Fill work.q, work.u, work.a with the prediction for the end of a step with these weights."""
    for i in range(len(state.u)):
        a = load3(state.a, i)
        u = add(add(scale(now, load3(state.u, i)), scale(-past, load3(state.u_before, i))), scale(g, a))
        turn = add(scale(past, load3(state.increment, i)), scale(g, u))
        store3(work.a, i, a)
        store3(work.u, i, u)
        store3(work.turn, i, turn)
        store4(work.q, i, quat_unit(quat_mul(load4(state.q, i), quat_exp(turn))))


@inlined
def correct(state, work, g):
    """Add the correction to the prediction.

    Returns the largest turn of a joint in this step and how far the correction moved one (rad), NaN when anything is
    not finite.
    """
    turn2, change2, total = 0.0, 0.0, 0.0
    for i in range(len(work.u)):
        da = load3(work.correction, i)
        turn = add(load3(work.turn, i), scale(g * g, da))
        store3(work.turn, i, turn)
        store3(work.u, i, add(load3(work.u, i), scale(g, da)))
        store3(work.a, i, add(load3(work.a, i), da))
        store4(work.q, i, quat_unit(quat_mul(load4(state.q, i), quat_exp(turn))))
        turn2 = max(turn2, dot(turn, turn))
        change2 = max(change2, dot(da, da))
        total += dot(turn, turn)
    if not math.isfinite(total):
        return math.nan, math.nan
    return math.sqrt(turn2), math.sqrt(change2) * g * g


@inlined
def accept(state, work, h):
    """Make the corrected end of the step the present."""
    for i in range(len(state.u)):
        store4(state.q, i, load4(work.q, i))
        store3(state.increment, i, load3(work.turn, i))
        store3(state.u_before, i, load3(state.u, i))
        store3(state.u, i, load3(work.u, i))
        store3(state.a, i, load3(work.a, i))
    state.last_step[0] = h


@inlined
def forget_past(state):
    """Let the next step be a one-step, backward Euler one."""
    state.last_step[0] = 0.0
    for i in range(len(state.u)):
        store3(state.increment, i, ZERO)
        store3(state.u_before, i, ZERO)
        store3(state.a, i, ZERO)


class Stepping(NamedTuple):
    """max_step (s): longest step; two_step: BDF2, else backward Euler; halvings: how often a step may be halved."""

    max_step: float
    two_step: bool
    halvings: int


@kernel
def advance_frame(bodies, state, work, base, loads, position, orientation, duration, stepping):
    """Advance state by duration (s) while the base moves to the given pose and the loads to loads.after.

    The frame is cut into equal steps of at most max_step, each halved up to `halvings` times where bodies turn fast.
    Returns the fields of Report.
    """
    path_to(base, position, orientation, duration)
    finest = stepping.halvings
    ticks = max(1, math.ceil(duration / stepping.max_step - 1e-9)) << finest  # whole ticks, so that ends are exact
    tick, level, accepted, rejected, solves, status = 0, 0, 0, 0, 0, OK
    while tick < ticks:
        length = 1 << (finest - level)
        h = duration * length / ticks
        s = (tick + length) / ticks
        now, past, g = weights(state.last_step[0], h, stepping.two_step)
        predict(state, work, now, past, g)
        base_at(base, s, duration, now, past, g)
        loads_at(loads, s)
        turn, change, fastest = 0.0, math.inf, 0.0
        for _ in range(MOST_SOLVES):
            if change <= CONVERGED or math.isnan(change):
                break
            fastest = solve_correction(bodies, work, base.now, loads.now, g, g * g)
            turn, change = correct(state, work, g)
            solves += 1
        fine = turn <= TURN_LIMIT and fastest * h <= TURN_LIMIT
        if not fine and level < finest:
            rejected += 1
            level += 1
            if math.isnan(turn) or level == finest:
                forget_past(state)
            continue
        if not fine:
            status = max(status, _limit(state, work, turn))
        accept(state, work, h)
        base_arrived(base)
        if not fine:
            forget_past(state)  # what was limited is no past to go on from
        accepted += 1
        tick += length
        # Longer steps again where one would start on its own grid and the bodies have slowed down enough.
        if level > 0 and tick % (2 * length) == 0 and fine and 2.5 * max(fastest * h, turn) < TURN_LIMIT:
            level -= 1
    return status, accepted, rejected, solves


@inlined
def _limit(state, work, turn):
    """Shorten turns that are too long for the shortest step, or stop the plant where it is."""
    if math.isnan(turn):
        for i in range(len(work.u)):
            store4(work.q, i, load4(state.q, i))
            store3(work.u, i, ZERO)
        return STOPPED
    if turn > TURN_LIMIT:
        shorter = TURN_LIMIT / turn
        for i in range(len(work.u)):
            store3(work.u, i, scale(shorter, load3(work.u, i)))
            step = quat_exp(scale(shorter, load3(work.turn, i)))
            store4(work.q, i, quat_unit(quat_mul(load4(state.q, i), step)))
    return LIMITED
