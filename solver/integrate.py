# SPDX-License-Identifier: GPL-3.0-or-later
"""Advancing a plant through one frame in linearly implicit steps of at most a given length.

One step of the two-step backward differentiation formula (BDF2) with variable steps, r = h / h_before:

    u_new = (1+r)^2/(1+2r) u - r^2/(1+2r) u_before + g a         g = h (1+r)/(1+2r)
    q_new = q exp(xi),  xi = r^2/(1+2r) xi_before + g u_new

With r = 0 this is backward Euler, which starts every run. The acceleration is predicted to be what it was and
corrected by one solve at the predicted end point.
"""

import math
from typing import NamedTuple

from ._jit import inlined, kernel
from ._linalg import add, dot, load3, load4, quat_exp, quat_mul, quat_unit, scale, store3, store4
from .base_motion import base_at
from .forward_dynamics import solve_correction
from .loads import interpolate_loads

#: How a frame went.
OK, LIMITED, STOPPED = 0, 1, 2

#: A body may turn by this much (rad) in a step before the step is halved: velocity products are evaluated at
#: predicted velocities, which holds only for small turns.
TURN_LIMIT = 0.25


class Report(NamedTuple):
    """status: OK; LIMITED when steps were at their shortest and fast bodies had to be slowed down; STOPPED when even
    that was not finite and the plant was brought to rest where it was. steps: solves accepted; rejected: solves
    thrown away."""

    status: int
    steps: int
    rejected: int


@inlined
def predict(state, work, h, two_step):
    """Fill work.q, work.u, work.a with the prediction for the end of a step of h; return g."""
    r = h / state.last_step[0] if two_step and state.last_step[0] > 0.0 else 0.0
    weight = 1.0 / (1.0 + 2.0 * r)
    now, past = (1.0 + r) * (1.0 + r) * weight, r * r * weight
    g = h * (1.0 + r) * weight
    for i in range(len(state.u)):
        a = load3(state.a, i)
        u = add(add(scale(now, load3(state.u, i)), scale(-past, load3(state.u_before, i))), scale(g, a))
        turn = add(scale(past, load3(state.increment, i)), scale(g, u))
        store3(work.a, i, a)
        store3(work.u, i, u)
        store3(work.turn, i, turn)
        store4(work.q, i, quat_unit(quat_mul(load4(state.q, i), quat_exp(turn))))
    return g


@inlined
def correct(work, g):
    """Add the correction to the prediction. Returns the largest turn of a joint, NaN when anything is not finite."""
    largest = 0.0
    total = 0.0
    for i in range(len(work.u)):
        da = load3(work.correction, i)
        turn = add(load3(work.turn, i), scale(g * g, da))
        store3(work.turn, i, turn)
        store3(work.u, i, add(load3(work.u, i), scale(g, da)))
        store3(work.a, i, add(load3(work.a, i), da))
        turn2 = dot(turn, turn)
        total += turn2
        largest = max(largest, turn2)
    return math.sqrt(largest) if math.isfinite(total) else math.nan


@inlined
def accept(state, work, h):
    for i in range(len(state.u)):
        turn = load3(work.turn, i)
        store4(state.q, i, quat_unit(quat_mul(load4(state.q, i), quat_exp(turn))))
        store3(state.increment, i, turn)
        store3(state.u_before, i, load3(state.u, i))
        store3(state.u, i, load3(work.u, i))
        store3(state.a, i, load3(work.a, i))
    state.last_step[0] = h


@inlined
def forget_past(state):
    state.last_step[0] = 0.0
    state.increment[:] = 0.0
    state.u_before[:] = 0.0
    state.a[:] = 0.0


@kernel
def advance_frame(bodies, state, work, track, before, after, now, base, max_step, two_step, finest):
    """Advance state by track.duration. before, after: Loads at both ends; now, base: scratch for them in between.

    The frame is cut into equal steps of at most max_step, each halved up to `finest` times where bodies turn fast.
    Returns (status, accepted solves, rejected solves).
    """
    duration = track.duration[0]
    coarse = max(1, math.ceil(duration / max_step - 1e-9))
    ticks = coarse << finest  # time runs in whole ticks, so that ends of steps are exact
    tick, level, accepted, rejected, status = 0, finest, 0, 0, OK
    level = 0
    while tick < ticks:
        length = 1 << (finest - level)
        h = duration * length / ticks
        g = predict(state, work, h, two_step)
        s = (tick + length) / ticks
        base_at(track, s, base)
        interpolate_loads(before, after, s, now)
        fastest = solve_correction(bodies, work, base, now, g, g * g)
        turn = correct(work, g)
        fine = turn <= TURN_LIMIT and fastest * h <= TURN_LIMIT
        if not fine and level < finest:
            rejected += 1
            level += 1
            if math.isnan(turn) or level == finest:
                state.last_step[0] = 0.0
                state.a[:] = 0.0
            continue
        if not fine:
            status = max(status, _limit(state, work, turn, h))
        accept(state, work, h)
        if not fine:
            forget_past(state)
        accepted += 1
        tick += length
        # Longer steps again where one would start on its own grid and the bodies have slowed down enough.
        if level > 0 and tick % (2 * length) == 0 and fine and 2.5 * max(fastest * h, turn) < TURN_LIMIT:
            level -= 1
    return status, accepted, rejected


@inlined
def _limit(state, work, turn, h):
    """Shorten turns that are too long for the shortest step, or stop the plant where it is."""
    if math.isnan(turn):
        work.u[:] = 0.0
        work.turn[:] = 0.0
        work.a[:] = 0.0
        return STOPPED
    if turn > TURN_LIMIT:
        shorter = TURN_LIMIT / turn
        for i in range(len(work.u)):
            store3(work.turn, i, scale(shorter, load3(work.turn, i)))
            store3(work.u, i, scale(shorter, load3(work.u, i)))
    return LIMITED
