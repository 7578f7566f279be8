# SPDX-License-Identifier: GPL-3.0-or-later
"""Advancing a plant through one frame in linearly implicit steps of at most a given length.

One step of the two-step backward differentiation formula (BDF2) with variable steps, r = h / h_before:

    u_new = (1+r)^2/(1+2r) u - r^2/(1+2r) u_before + g a         g = h (1+r)/(1+2r)
    q_new = q exp(xi),  xi = r^2/(1+2r) xi_before + g u_new

With r = 0 this is backward Euler, which starts every run. The acceleration is predicted to be what it was and
corrected by a solve at the predicted end point, which is a Newton step but for velocity products and the change of
the articulated inertia. Where what it leaves could matter it is repeated from the corrected end point.

The correction g^2 da is 4/9 h^3 times the third derivative of the motion, and the local error of BDF2 is half of that
(of backward Euler after a start from a = 0 as well): half the way by which a solve moves the centres of mass is the
error of the step. Where it is too large the step is halved.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._jit import inlined, kernel
from ._lanes import LANES, get3, get4, get9, put3, put4
from ._linalg import ZERO, add, cross, dot, mat_t_vec, mat_vec, quat_unit, scale
from .base_motion import base_arrived, base_at, base_of, path_to
from .forward_dynamics import solve
from .guards import COARSE, OK, TURN_LIMIT, UNBOUNDED, bound_energy, is_passive, limit_turns
from .kinematics import turned
from .loads import World, world_at
from .model import Floats, Ints
from .rows import (
    COM,
    CORRECTION,
    INCREMENT,
    MOVED,
    ROTATION,
    STATE_A,
    STATE_Q,
    STATE_U,
    TURN,
    TURNED,
    U_BEFORE,
    X_R,
    X_T,
    A,
    Q,
    U,
    largest,
)

#: A step takes at most so many solves.
MOST_SOLVES = 6

#: The articulated inertias serve for several solves (a modified Newton method): until bodies have turned by STALE (rad)
#: since they were computed or the step's length changes, at most MOST_USES times, never for the third solve of a step
#: and never into the next frame; where springs jump (limits) or change (keyed stiffness) only once.
STALE = 0.01
MOST_USES = 8


#: A sum of squares of turns (rad) and moves (per s2) in a step beyond which nothing can be meant by them.
ABSURD = 1e40


class Report(NamedTuple):
    """How a frame went.

    status: OK; COARSE when the shortest steps were still too long for the tolerances; LIMITED when they were so much
    too long that the motion had to be slowed down; STOPPED when even that was not finite and the plant was brought to
    rest where it was. steps: steps taken; rejected: steps thrown away and halved; solves: O(n) solves for all of them.
    """

    status: int
    steps: int
    rejected: int
    solves: int


class Stepping(NamedTuple):
    """max_step (s): longest step; two_step: BDF2, else backward Euler; halvings: how often a step may be halved;
    tolerance: local error of a step over the plant's size; newton_tolerance (1/s): what unfinished solves may leave in
    a second, over the plant's size."""

    max_step: float
    two_step: bool
    halvings: int
    tolerance: float
    newton_tolerance: float


@inlined
def weights(last_step, h, two_step):
    """Weights of u and u_before and of the derivative, all positive, in the formula above for a step of h."""
    r = h / last_step if two_step and last_step > 0.0 else 0.0
    share = 1.0 / (1.0 + 2.0 * r)
    return (1.0 + r) * (1.0 + r) * share, r * r * share, h * (1.0 + r) * share


@inlined
def predict(data, now, past, g):
    """Fill Q, U, A and TURN with the prediction for the end of a step with these weights."""
    for b in range(len(data)):
        for lane in range(LANES):
            a = get3(data, b, STATE_A + lane)
            u, before = get3(data, b, STATE_U + lane), get3(data, b, U_BEFORE + lane)
            increment = get3(data, b, INCREMENT + lane)
            u = (
                now * u[0] - past * before[0] + g * a[0],
                now * u[1] - past * before[1] + g * a[1],
                now * u[2] - past * before[2] + g * a[2],
            )
            turn = add(scale(past, increment), scale(g, u))
            put3(data, b, A + lane, a)
            put3(data, b, U + lane, u)
            put3(data, b, TURN + lane, turn)
            put4(data, b, Q + lane, turned(get4(data, b, STATE_Q + lane), turn))


@inlined
def correct(data, g):
    """Add the correction to the prediction.

    Returns the largest turn of a joint in this step (rad) and how far the correction moved a centre of mass (m), NaN
    when anything is not finite or absurd.
    """
    total = 0.0
    for b in range(len(data)):
        for lane in range(LANES):
            R = get9(data, b, ROTATION + lane)
            da = mat_t_vec(R, get3(data, b, CORRECTION + lane))
            turn = add(get3(data, b, TURN + lane), scale(g * g, da))
            put3(data, b, TURN + lane, turn)
            put3(data, b, U + lane, add(get3(data, b, U + lane), scale(g, da)))
            put3(data, b, A + lane, add(get3(data, b, A + lane), da))
            put4(data, b, Q + lane, turned(get4(data, b, STATE_Q + lane), turn))
            center, x_r = get3(data, b, COM + lane), get3(data, b, X_R + lane)
            moved = add(get3(data, b, X_T + lane), cross(x_r, mat_vec(R, center)))
            # A turn counts as if the centre moved by it in any direction, so that twists count too.
            moved2 = dot(moved, moved) + dot(center, center) * dot(x_r, x_r)
            data[b, TURNED + lane] = dot(turn, turn)
            data[b, MOVED + lane] = moved2
            total += dot(turn, turn) + moved2
    if not total < ABSURD:
        return math.nan, math.nan
    return math.sqrt(largest(data, TURNED)), math.sqrt(largest(data, MOVED)) * g * g


@inlined
def accept(data):
    """Make the corrected end of the step the present."""
    for b in range(len(data)):
        for lane in range(LANES):
            put4(data, b, STATE_Q + lane, quat_unit(get4(data, b, Q + lane)))
            put3(data, b, INCREMENT + lane, get3(data, b, TURN + lane))
            put3(data, b, U_BEFORE + lane, get3(data, b, STATE_U + lane))
            put3(data, b, STATE_U + lane, get3(data, b, U + lane))
            put3(data, b, STATE_A + lane, get3(data, b, A + lane))


@inlined
def forget_past(data):
    """Let the next step be a one-step, backward Euler one."""
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, INCREMENT + lane, ZERO)
            put3(data, b, U_BEFORE + lane, ZERO)
            put3(data, b, STATE_A + lane, ZERO)


@inlined
def advance_plant(data, slots, parent, last_step, size, limited, base, world, loaded, duration, stepping):
    """Advance one plant by duration (s) along the base's path while loads change from one end to the other.

    The frame is cut into equal steps of at most max_step, each halved up to `halvings` times. last_step (1,) s is
    part of the state, 0 without a past. Returns the fields of Report.
    """
    finest = stepping.halvings
    whole = max(1, math.ceil(duration / stepping.max_step - 1e-9))
    ticks = whole << finest  # whole ticks, so that ends are exact
    allowed = stepping.tolerance * size
    level = 0
    while level < finest and last_step[0] > 0.0 and duration / (whole << level) > 1.5 * last_step[0]:
        level += 1  # go on with steps as long as the last ones
    tick, accepted, rejected, solves, status = 0, 0, 0, 0, OK
    # Springs that jump (at limits) or change (keyed stiffness) leave no factors to be used again.
    most_uses = 1 if limited or world.before[3] != world.after[3] else MOST_USES
    uses, turned_since, factored_g = most_uses, 0.0, 0.0
    most_solves, rate = MOST_SOLVES, -1.0
    while tick < ticks:
        length = 1 << (finest - level)
        h = duration * length / ticks
        s = (tick + length) / ticks
        now, past, g = weights(last_step[0], h, stepping.two_step)
        predict(data, now, past, g)
        base_at(base, s, duration, now, past, g)
        world_at(world, s)
        turn, moved, fastest, error, before, converges, done = 0.0, 0.0, 0.0, 0.0, math.inf, True, False
        for k in range(most_solves):
            factor = uses >= most_uses or turned_since > STALE or g != factored_g or k == 2
            if factor:
                uses, turned_since, factored_g = 0, 0.0, g
            fastest = solve(data, slots, parent, base.now, world, s, loaded, g, g * g, factor)
            uses += 1
            turn, moved = correct(data, g)
            solves += 1
            if k == 0:
                error = 0.5 * moved
            if k == 1:
                rate = moved / max(before, 1e-300)
            # A solve leaves of what it moved about the angles by which its operator is off, the turn of joints and of
            # bodies in the step and that since the operator was computed, and what it left of the frame's last repeated
            # one: geometric stiffness is not in the operator. The first step of a frame repeats it to find out.
            left = moved * (turn + h * fastest + turned_since + max(rate, 0.0))
            done = rate >= 0.0 and left <= stepping.newton_tolerance * h * size
            converges = done or moved < before
            if done or not converges or (level < finest and error > allowed):
                break
            before = moved
        gentle = converges and turn <= TURN_LIMIT and fastest * h <= TURN_LIMIT
        accurate = done and error <= allowed
        if not (gentle and accurate) and level < finest:
            rejected += 1
            level += 1
            if math.isnan(turn) or level == finest:
                forget_past(data)
                last_step[0] = 0.0
            continue
        if not converges and most_solves > 1:
            most_solves = 1  # the first solve of such a step at least points the right way
            continue
        if not gentle:
            status = max(status, limit_turns(data, parent, base.now, world, turn))
        elif not accurate:
            status = max(status, COARSE)
        accept(data)
        most_solves = MOST_SOLVES
        turned_since += h * fastest
        last_step[0] = h
        base_arrived(base)
        if not gentle:  # what was limited is no past to go on from
            forget_past(data)
            last_step[0] = 0.0
        accepted += 1
        tick += length
        # Longer steps again where one would start on its own grid, the error leaves room and bodies are slow enough.
        calm = gentle and 10.0 * error < allowed and 2.5 * max(fastest * h, turn) < TURN_LIMIT
        if level > 0 and tick % (2 * length) == 0 and calm:
            level -= 1
    return status, accepted, rejected, solves


class Frame(NamedTuple):
    """What plants go through in a frame: worlds, bases' ends and scratch.

    size (plants,) m; limited (plants,): whether a joint has limits; loaded: whether any body is under an applied force,
    torque or twist; driven: whether these or wind can add energy; before, after, now (plants, 5) and pulls_* (k, 5) as
    in loads.World; pull_start (plants + 1,): pulls of plant p are start[p] to start[p + 1]; position (plants, 3) m and
    orientation (plants, 4) of the bases at the end; duration (s)
    """

    size: Floats
    limited: NDArray[np.bool_]
    loaded: bool
    driven: bool
    before: Floats
    after: Floats
    now: Floats
    pull_start: Ints
    pull_body: Ints
    pull_point: Floats
    pulls_before: Floats
    pulls_after: Floats
    pulls_now: Floats
    position: Floats
    orientation: Floats
    duration: float


@kernel
def advance_plants(first, last, rows, last_step, energy_bound, bases, frame, stepping, reports):
    """Advance plants first to last - 1 through a frame and fill their rows of reports (plants, 4).

    Plants share nothing that is written, so that ranges of them may be advanced at the same time.
    """
    for p in range(first, last):
        base = base_of(bases, p)
        path_to(base, frame.position[p], frame.orientation[p], frame.duration)
        blocks = slice(rows.first_block[p], rows.first_block[p + 1])
        own = slice(frame.pull_start[p], frame.pull_start[p + 1])
        world = World(
            frame.before[p], frame.after[p], frame.now[p], frame.pull_body[own], frame.pull_point[own],
            frame.pulls_before[own], frame.pulls_after[own], frame.pulls_now[own],
        )  # fmt: skip
        data, parent = rows.data[blocks], rows.parent[rows.first_body[p] : rows.first_body[p + 1]]
        status, steps, rejected, solves = advance_plant(
            data, rows.slots[blocks], parent,
            last_step[p : p + 1], frame.size[p], frame.limited[p], base, world, frame.loaded, frame.duration, stepping,
        )  # fmt: skip
        if not is_passive(base, world, frame.driven):
            energy_bound[p] = UNBOUNDED
        elif frame.limited[p] or len(world.body) > 0 or steps > frame.duration / stepping.max_step + 1.0:
            energy_bound[p] = bound_energy(data, parent, base.now, world, energy_bound[p])
        reports[p, 0] = status
        reports[p, 1] = steps
        reports[p, 2] = rejected
        reports[p, 3] = solves
