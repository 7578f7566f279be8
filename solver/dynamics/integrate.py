# SPDX-License-Identifier: GPL-3.0-or-later
"""Advancing a plant through one frame in linearly implicit steps of at most a given length.

The acceleration at a step's end is predicted, to change as it did in the last step where that was as long, and
corrected by a solve at the predicted end point, which is a Newton step but for velocity products and the change of the
articulated inertia. Where what it leaves could matter it is repeated from the corrected end point.

How far the change of the acceleration moves the centres of mass tells the local error of the step (see multistep).
Where it is too large the step is halved.
"""

import math
from typing import NamedTuple

from ..base.arrays import Floats1, Floats2, Ints2
from ..contact.clearance import leaps_over
from ..contact.law import HIT_DEPTH
from ..contact.obstacles import stand_still
from ..contact.pair_forces import finish_pairs
from ..contact.pair_points import parts_any
from ..contact.pairs import CROWDED, NEAR, PASSES, Pairs
from ..contact.touch import Touch
from ..data.rows import Rows
from ..forces.air import count_bodies
from ..forces.contact import all_go_on, finish_contacts
from ..forces.interval import Interval, put_loads_of, world_at, world_of
from ..forces.loads import AIR_DENSITY, STIFFNESS_SCALE
from ..guides.pulls import hold_where_led, holds_rigidly, keep_held
from ..guides.ties import keep_tied
from ..joints.following import guide
from ..joints.loose import Loose
from ..machine.jit import inlined, kernel
from ..world.base_motion import (
    MovingBase,
    are_at_rest,
    base_of,
    bases_arrived,
    bases_at,
    bases_of,
    path_to,
    standing_of,
)
from .forward_dynamics import may_be_left, solve
from .kinematics import Placed, place
from .moving_base import CARRIED, DRIVEN, EVEN, UNSEEN, driven_by, is_still, is_untouched
from .multistep import accept, correct, forget_past, predict, weights, whole_change
from .opening import breaks_joint
from .stability import (
    BROKEN_DOWN,
    COARSE,
    LIMITED,
    OK,
    RESTED,
    STOPPED,
    TURN_LIMIT,
    UNBOUNDED,
    bound_at_start,
    bound_energy,
    bound_with_base,
    crosses_limit,
    gains_energy,
    limit_turns,
    quickest,
)
from .stepping import Frame, Stepping, grid_of, level_of_last_step, most_passes, passes_of_pairs, takes_too_long
from .touching.bouncing import bounce_off
from .touching.keeping import keep_step
from .touching.search import search

#: A step takes at most so many solves.
MOST_SOLVES = 6

#: And this many where it must find out what touches.
MOST_TOUCHING = 8

#: So many of them at first, and on while each moves less than this share of the one before, take what almost sticks to
#: resist as if it did.
BY_SECANT, SECANT_LEADS = 3, 0.5

#: The push that friction is a share of may be wrong by this share of the largest one; it is mended so often.
FRICTION_WRONG, MOST_LESSONS = 0.02, 1

#: What still finds out what touches may be left where it moves bodies by what solves may leave in NEARLY (s), in steps
#: below SHORT less: with friction that turns back and does not go out after half of them. More would throw limp leaves.
NEARLY, SHORT = 0.06, 1.0 / 240.0

#: Steps in which it is not found out are halved so often, and on where it leaves something so many radii inside.
TOUCHING_HALVINGS, LOST_DEPTH = 2, 0.5

#: A hit, or another face of a mesh, changes velocities at once, in a step of any length: the local error may be this
#: share of the size, and HIT_DEPTH of the radius. What moves by less than the other share of the size hits nothing.
HIT_ERROR, NO_HIT = 1e-3, 3e-5

#: Share of the local error that the step after a bounce may have: backward Euler, without a past, loses height by it.
AFTER_BOUNCE = 0.1

#: The articulated inertias serve for several solves (a modified Newton method): until bodies have turned by STALE (rad)
#: since they were computed or the step's length changes, at most MOST_USES times, never for the third solve of a step
#: and never into the next frame; where springs jump (limits) or change (keyed stiffness) only once. Where plants touch
#: each other they do while bodies have turned by no more than STILL (rad).
STALE, STILL, MOST_USES = 0.01, 1e-5, 8

#: What is free and turns by more than this (rad) in one of the shortest steps goes by backward Euler: formulas with a
#: past push it, if it is bent, along the axis that it turns about.
QUICK = 0.1

#: Among shortened steps the energy is looked at after so many.
LOOKED_AT = 8

#: Share of what solves may else leave where joints have limits: a small twig that stands on them, undamped, in a large
#: plant would go on falling from what is left, ten times farther a frame.
LIMITS_LEAVE = 0.1


@inlined
def _predict_end(data, parent, bases, stand, world, guides, s, duration, formula, trend):
    """Let all be what it is predicted to be, or will be, at the end of a step: the share s of the frame. stand: whether
    the bases are at rest; guides: whether the pose is to be found."""
    past, older, g, _ = formula
    predict(data, world.loose, past, older, g, trend)
    if not stand:
        bases_at(bases, s, duration, past, older, g)
    world_at(data, parent, world, s, duration)
    if guides:
        guide(data, world.loose, world.follows, s, duration)


class _Goal(NamedTuple):
    """What the solves of a step of h (s) are for. to_error: over what g^2 times the change of the acceleration moves.

    changes: whether it was predicted to change; most: so many solves; tolerable (1/s): as newton_tolerance; nearly: how
    much of NEARLY may be left; hopeless: a local error (m) with which the step is thrown away; jumps: whether solves
    have to find out which limits hold. They may move more than the one before; no shorter step would help.
    """

    h: float
    g: float
    to_error: float
    changes: bool
    most: int
    tolerable: float
    nearly: float
    hopeless: float
    jumps: bool


@inlined
def _correct_end(data, slots, parent, stands, world, s, is_applied, size, goal, rate, factors):
    """Correct a prediction by solves until what the last one leaves does not matter.

    rate: what the frame's last repeated solve left of what the one before it moved, -1 where there is none; factors:
    uses that the articulated inertias have left, turn (rad) since and g (s) with which they were computed. Returns
    (largest turn, largest angular velocity, local error, whether done, whether it converges, least radius (m) of what
    has hit something, else inf; by how many radii what will bounce is inside, and what touches; least radius of what
    touches a mesh), rate, factors, solves and, where anything may touch, passes.
    """
    h, g = goal.h, goal.g
    uses_left, turned_since, factored_g, most_uses = factors
    turn, fastest, error, before, converges, done, solves, passes = 0.0, 0.0, 0.0, math.inf, True, False, 0, 0
    near, learns, lessons, by_secant, leaps, last = False, False, 0, True, False, 0.0
    hit, deep, sunk, rough = math.inf, 0.0, 0.0, math.inf
    for k in range(goal.most if goal.most == 1 else MOST_TOUCHING):
        factor = uses_left <= 0 or turned_since > STALE or g != factored_g or k == 2
        if factor:
            uses_left, turned_since, factored_g = most_uses, 0.0, g
        still = turned_since + max(turn, h * fastest) <= STILL
        fastest, anew, sure, coupled, is_lost = solve(
            data, slots, parent, stands, world, s, h, is_applied, g, g * g, k == 0, factor, still, learns, by_secant,
            goal.tolerable, size,
        )  # fmt: skip
        if anew and not factor:
            uses_left, turned_since, factored_g = most_uses, 0.0, g
        uses_left -= 1
        near, share, unknown, led, wrong = _is_near(world.touching.counts, world.pairs.counts), 1.0, 0, 0, 0.0
        go_on = near and all_go_on(data, len(parent), world.touching, sure)
        if near and not (go_on and world.pairs.counts[0, NEAR] == 0):
            shortens, own = k >= BY_SECANT, world.loose
            share, unknown, led, wrong = search(data, own, world.touching, world.pairs, h, g, g * g, shortens, go_on)
        hold_where_led(data, world.pulls, g, g * g)
        turn, moved = correct(data, world.loose, g)
        solves, passes = solves + 1, passes + (1 + coupled if near else 0)
        if goal.hopeless < math.inf and (is_lost or leaps_over(world.touching) or world.pairs.counts[0, PASSES] > 0):
            leaps = True
            break
        if k == 0 and not near:
            error = goal.to_error * (whole_change(data, parent, world.loose, g, True) if goal.changes else moved)
        if (near and k > 0 and before < math.inf) or (not near and k == 1):
            rate = moved / max(before, 1e-300)
        # A solve leaves of what it moved about the angles by which its operator is off, the turn of joints and of
        # bodies in the step and that since the operator was computed, and what it left of the frame's last repeated
        # one: geometric stiffness is not in the operator. The first step of a frame repeats it to find out. What slides
        # by the secant may have to go much farther.
        leaves = 1.0 if led > 0 and before == math.inf else max(rate, 0.0)
        left = moved * (turn + h * fastest + turned_since + leaves)
        learns = near and unknown == 0 and wrong > FRICTION_WRONG and lessons < MOST_LESSONS
        lessons += 1 if learns else 0
        if near and (unknown > 0 or learns or share < 1.0):
            # What finds out what touches tells nothing of the next one.
            leads = by_secant and share == 1.0 and moved < SECANT_LEADS * last
            converges, before, by_secant, last = moved >= 0.0, math.inf, leads or k + 1 < BY_SECANT, moved
            enough = NEARLY if led == 0 or leads or 2 * k >= MOST_TOUCHING else 0.0
            done = moved <= share * enough * goal.nearly * goal.tolerable * size and not learns
        else:
            done = rate >= 0.0 and left <= may_be_left(goal.tolerable, h, fastest, size)
            leads = by_secant and led > 0 and world.pairs.counts[0, NEAR] > 0  # to slip, in longer and longer ways
            converges = done or moved < (math.inf if goal.jumps or leads else before)
            goes_on = k + 1 < BY_SECANT and (before == math.inf or moved < SECANT_LEADS * before)
            before, by_secant = (math.inf if by_secant and led > 0 and not goes_on else moved), by_secant and goes_on
        if done or not converges or error > goal.hopeless or (k + 1 == goal.most and not near):
            break
    if near:
        slow = NO_HIT * size / h
        hit, deep, sunk, rough = finish_contacts(data, world.touching, h, g, g * g, slow)
        other, inside, below = finish_pairs(data, world.touching.shapes, world.pairs, h, g, g * g, slow)
        hit, deep, sunk = min(hit, other), max(deep, inside), max(sunk, below)
        error = goal.to_error * whole_change(data, parent, world.loose, g, False)
    found = (turn, fastest, math.inf if leaps else error, done, converges, hit, deep, sunk, rough)
    return found, rate, (uses_left, turned_since, factored_g, most_uses), solves, passes


@inlined
def _is_near(points, pairs):
    """Whether anything may touch, by the counts of points and pairs."""
    return points[0] > 0 or pairs[0, NEAR] > 0


@inlined
def _limited(data, parent, stands, world, turn, gentle):
    """End a step that is too long as limit_turns does; also the joint that was about to turn farthest."""
    joint = quickest(data, len(parent), math.isnan(turn))
    return limit_turns(data, parent, stands, world, turn, gentle), joint


@inlined
def advance_plant(
    data, slots, parent, last_steps, size, limited, breaks, bases, stands, world, is_applied, is_posed, duration,
    stepping, drive, most_energy,
):  # fmt: skip
    """Advance one plant by duration (s) along its bases' paths while loads change from one end to the other.

    The frame is cut into equal steps of at most max_step, each halved up to `halvings` times. last_steps (2,) s is
    part of the state, 0 without a past. drive: what drives the plant, see moving_base.py; most_energy (J): what its
    energy may be, if nothing does. Returns the fields of Report.
    """
    finest, whole = grid_of(duration, stepping)
    ticks, most = whole << finest, most_passes(finest, whole, len(parent))  # whole ticks, so that ends are exact
    allowed, level = stepping.tolerance * size, level_of_last_step(last_steps, duration, finest, whole)
    tick, accepted, rejected, solves, passes, status, joint = 0, 0, 0, 0, 0, OK, -1
    # Springs that jump (at limits) or change (keyed stiffness, lengths) leave no factors to be used again.
    changes = world.before[STIFFNESS_SCALE] != world.after[STIFFNESS_SCALE] or world.stretching.stretches[0]
    most_uses = 1 if limited or changes or holds_rigidly(world.pulls) else MOST_USES
    factors, nearly = (0, 0.0, 0.0, most_uses), min(1.0, duration / (whole * SHORT))
    tolerable = stepping.newton_tolerance * (LIMITS_LEAVE if limited else 1.0)
    most_solves, rate, has_moved, care, stand = MOST_SOLVES, -1.0, False, 1.0, are_at_rest(bases)
    seen, looks, stays = (UNSEEN, 0.0), drive != DRIVEN and is_untouched(world), is_still(bases, size)
    most_energy = UNBOUNDED if drive == CARRIED else most_energy
    is_guided = False  # what follows a pose that stands still is guided there once
    leads = changes or world.follows or is_posed or len(world.pulls.body) > 0
    waits = stand and not leads and stand_still(world.touching.obstacles)
    count_bodies(data, slots, world.after[AIR_DENSITY])
    if looks and drive == CARRIED and bases.frames[0, 0] > 1.0 and (level > 0 or last_steps[0] == 0.0):
        world_at(data, parent, world, 0.0, duration)
        most_energy, seen = bound_with_base(data, slots, parent, stands, world, UNBOUNDED, seen, 0.0)
    while tick < ticks:
        length = 1 << (finest - level)
        is_late = takes_too_long(passes, most, 1.0 if waits else tick / ticks)
        if is_late and waits:  # in slow motion, as nothing leads it on
            status, joint = max(status, LIMITED), quickest(data, len(parent), True)
            break
        deepest = 0 if is_late else finest
        h, s = duration * length / ticks, (tick + length) / ticks
        formula = weights(last_steps, h, stepping.multistep)
        _, older, g, to_error = formula
        # Not in the first step of a frame, which finds out what a solve leaves of a usual correction.
        trend = 1.0 if older > 0.0 and rate >= 0.0 and most_solves > 1 else 0.0
        _predict_end(data, parent, bases, stand, world, is_posed and not is_guided, s, duration, formula, trend)
        is_guided = world.follows and not world.is_led
        hopeless, jumps = (allowed, False) if level < deepest else (math.inf, limited)
        goal = _Goal(h, g, to_error, trend > 0.0, most_solves, tolerable, nearly, hopeless, jumps)
        found_end, rate, factors, more, others = _correct_end(
            data, slots, parent, stands, world, s, is_applied, size, goal, rate, factors
        )
        turn, fastest, error, done, converges, hit, deep, sunk, rough = found_end
        others += passes_of_pairs(more, world.pairs, len(parent))
        solves, passes = solves + more, passes + others
        gentle = converges and turn <= TURN_LIMIT and fastest * h <= TURN_LIMIT
        touched = min(hit, rough)
        bound = care * (allowed if touched == math.inf else max(allowed, min(HIT_ERROR * size, HIT_DEPTH * touched)))
        accurate = done and error <= bound
        near = _is_near(world.touching.counts, world.pairs.counts) or world.touching.counts[1] > 0
        # Where only what touches is not found out, much shorter steps find it no better.
        is_deep = deep > HIT_DEPTH or (not done and sunk > LOST_DEPTH)
        shortest = min(deepest, TOUCHING_HALVINGS) if near and gentle and error <= bound and not is_deep else deepest
        unsure = near and not done and level < deepest
        is_too_long = level < shortest and (is_deep or not (gentle and accurate))
        if is_too_long or (unsure and gains_energy(data, parent, stands, world)):
            rejected += 1
            level += 1
            if math.isnan(turn) or level == finest:
                forget_past(data, world.loose, last_steps)
            continue
        # Formulas with a past give back more than they took where a spring sets in that a step cannot resolve: the step
        # across a limit, or of a hit, and the one after it are backward Euler ones.
        crossed = hit < math.inf or (goal.jumps and crosses_limit(data))
        if crossed and last_steps[0] > 0.0:
            forget_past(data, world.loose, last_steps)
            continue
        jumps = goal.jumps or near
        if jumps and not (done or unsure) and most_solves > 1:
            converges = converges and not gains_energy(data, parent, stands, world)
        if not converges and most_solves > 1:
            most_solves, factors = 1, (0, 0.0, 0.0, most_uses)  # the first solve at least points the right way
            continue
        how, at, strays = OK if accurate and deepest == finest else COARSE, joint, max(turn, fastest * h) > BROKEN_DOWN
        if not gentle or (jumps and not done):
            how, at = _limited(data, parent, stands, world, turn, gentle)
        goes, is_mild = how < STOPPED, how == LIMITED and gentle and level < deepest
        has_moved, how = has_moved or goes, LIMITED if how == RESTED else how
        told = COARSE if is_mild else how
        joint = at if told >= LIMITED and told > status else joint
        status, gentle = max(status, told), how < LIMITED
        keep_held(world.pulls)
        keep_tied(world.ties)
        accept(data, world.loose, last_steps, h)
        if near and goes and not strays:  # else points are where it would have gone to
            keep_step(world.touching, world.pairs, h)
        most_solves, care = MOST_SOLVES, 1.0
        if not stand:
            bases_arrived(bases)
        broke = breaks and breaks_joint(data, parent, stands, world)
        if deep > 0.0:
            bounce_off(data, parent, stands, world)
            care = AFTER_BOUNCE
        is_other, is_guided = broke or deep > 0.0 or how == STOPPED, is_guided and not broke
        factors = (0 if is_other else factors[0]), factors[1] + h * fastest, factors[2], most_uses
        is_quick = world.loose.used[0, 0] > 0 and level == finest and fastest * h > QUICK
        if crossed or is_other or is_quick or not gentle:  # what was limited is no past to go on from
            forget_past(data, world.loose, last_steps)
        accepted, tick = accepted + 1, tick + length
        if looks and drive == CARRIED:
            if level > 0:
                most_energy, seen = bound_with_base(data, slots, parent, stands, world, most_energy, seen, h)
            else:
                most_energy = UNBOUNDED
        elif looks and level > 0 and accepted % LOOKED_AT == 0:
            now = bound_energy(data, parent, stands, world, stays, most_energy)
            most_energy = now if most_energy >= UNBOUNDED else most_energy
        # Longer steps again where one would start on its own grid, the error leaves room and bodies are slow enough.
        calm = gentle and 10.0 * error < bound and 2.5 * max(fastest * h, turn) < TURN_LIMIT
        if level > 0 and tick % (2 * length) == 0 and (calm or deepest == 0):
            level -= 1
    if not has_moved and status != STOPPED:
        status = RESTED
    return status, accepted, rejected, solves, joint


@kernel
def advance_plants(
    first: int, last: int, rows: Rows, last_steps: Floats2, energy_bound: Floats1, bases: MovingBase,
    interval: Interval, touch: Touch, loose: Loose, pairs: Pairs, frame: Frame, stepping: Stepping, reports: Ints2,
    placed: Placed,
) -> None:  # fmt: skip
    """Advance plants first to last - 1 through a frame with what acts on them in it.

    Fills their rows of reports (plants, 5) and where their bodies are then. Plants share nothing that is written, so
    that ranges of them may be advanced at the same time.
    """
    put_loads_of(first, last, rows, interval)
    for p in range(first, last):
        own, stands = bases_of(bases, rows, p), standing_of(bases, rows, p)
        for k in range(rows.first_base[p], rows.first_base[p + 1]):
            path_to(base_of(bases, k), frame.position[k], frame.orientation[k], frame.duration)
        blocks = slice(rows.first_block[p], rows.first_block[p + 1])
        bodies = slice(rows.first_body[p], rows.first_body[p + 1])
        world = world_of(interval, p, rows.first_body, touch, loose, pairs)
        data, parent = rows.data[blocks], rows.parent[bodies]
        driven = interval.driven[p] or parts_any(world.pairs)
        drive = driven_by(data, len(parent), own, world, driven, frame.size[p], frame.duration)
        is_posed, stays = len(interval.turn) > 0, is_still(own, frame.size[p])
        if drive == EVEN and last_steps[p, 0] == 0.0 and energy_bound[p] >= UNBOUNDED:
            energy_bound[p] = bound_at_start(data, parent, stands, world, is_posed, stays, frame.duration)
        status, steps, rejected, solves, joint = advance_plant(
            data, rows.slots[blocks], parent, last_steps[p], frame.size[p], frame.limited[p], frame.breaks[p],
            own, stands, world, len(interval.after.applied) > 0, is_posed, frame.duration, stepping,
            drive, energy_bound[p],
        )  # fmt: skip
        # What has broken off a plant that follows a pose is no longer borne, which is not in the sum.
        if drive != EVEN or parts_any(world.pairs) or (world.follows and world.loose.used[0, 0] > 0):
            energy_bound[p] = UNBOUNDED
        elif (
            frame.limited[p] or world.follows or len(world.pulls.body) > 0 or touch.counts[p, 1] > 0
            or pairs.counts[p, NEAR] > 0 or steps > frame.duration / stepping.max_step + 1.0
        ):  # fmt: skip
            energy_bound[p] = bound_energy(data, parent, stands, world, stays, energy_bound[p])
        reports[p, 0] = max(status, COARSE) if pairs.counts[p, CROWDED] > 0 else status
        reports[p, 1] = steps
        reports[p, 2] = rejected
        reports[p, 3] = solves
        reports[p, 4] = joint
    place(first, last, rows, bases, loose, placed)
