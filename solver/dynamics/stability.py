# SPDX-License-Identifier: GPL-3.0-or-later
"""What keeps a plant's motion finite, and passive where nothing drives it, when steps are too long for it."""

import math

from ..data import columns as col
from ..data.lanes import LANES, copy, get3, get4, put3, put4
from ..forces.air import air_energy, air_power
from ..forces.interval import world_at
from ..forces.laws import potential
from ..forces.loads import AIR_DENSITY, gravity_of
from ..joints.following import followed_energy, guide
from ..joints.limits import beyond
from ..joints.loose import go_loose, keep_rates
from ..joints.springs import from_pose, rotation_vector
from ..machine.jit import inlined, subroutine
from ..math.memory import load3
from ..math.quaternions import quat_conj, quat_mul
from ..math.vectors import ZERO, dot, scale
from .bystanders import energy_of_bystanders, forget_bystanders, mark_bystanders, slow_others
from .energy import energy_at
from .kinematics import at_present, turned
from .moving_base import UNSEEN, is_seen_from, is_untouched, seen_from, work_between
from .multistep import slow_past
from .trees import may_be_thrown, see_trees_before, share_among_trees

#: How a frame went.
OK, COARSE, LIMITED, STOPPED = 0, 1, 2, 3

#: A step that ended where it began, or a frame of such. Among steps that moved it is LIMITED.
RESTED = 4

#: Energy (J) that nothing reaches, where it is not known what it may be.
UNBOUNDED = 1e300

#: A body may turn by this much (rad) in a step before the step is halved: velocity products are evaluated at
#: predicted velocities, which holds only for small turns.
TURN_LIMIT = 0.25

#: Where it would turn by this much (rad) its solves have broken down: points there tell nothing.
BROKEN_DOWN = 10.0

#: The step's rates while Q and U are others; a solve has no use for this field once it has been added.
RATES = col.X_R

#: A step that ends with more energy in springs and weight than there was is tried so often with half its turns.
SHARES = 8

#: A plant slowed down to this share of its rates still moves as it should.
UNNOTICED = 0.99


@inlined
def crosses_limit(data):
    """Whether a joint is beyond one of its limits at one end of the step, but not at both."""
    crossed = 0.0
    for b in range(len(data)):
        for lane in range(LANES):
            bend_limit, twist_limit = data[b, col.BEND_LIMIT + lane], data[b, col.TWIST_LIMIT + lane]
            before = quat_mul(quat_conj(get4(data, b, col.POSE + lane)), get4(data, b, col.STATE_Q + lane))
            phi, _, _ = rotation_vector(before)
            _, bend_before, twist_before = beyond(phi, bend_limit, twist_limit)
            phi, _, _ = rotation_vector(from_pose(data, b, lane))
            _, bend_after, twist_after = beyond(phi, bend_limit, twist_limit)
            crossed += abs((1.0 if bend_before > 0.0 else 0.0) - (1.0 if bend_after > 0.0 else 0.0))
            crossed += abs((1.0 if twist_before > 0.0 else 0.0) - (1.0 if twist_after > 0.0 else 0.0))
    return crossed > 0.0


@inlined
def limit_turns(data, parent, stands, world, turn, gentle):
    """End a step that was not gentle, that is too long, or whose solves did not finish.

    Joints that turn too far are slowed down, and such a step must not feed energy: what the sum has grown by is taken
    from the motion, and no loose tree may take all of it (see trees.py). Where there is not so much motion the plant
    goes a part of the way only, or rests where it was: then it is RESTED, and where the step is not finite STOPPED.
    Joints that follow a pose that moves may feed what they like.
    """
    if math.isnan(turn):
        _stop(data, world.loose)
        return STOPPED
    copy(data, col.U, RATES, 3)
    keep_rates(world.loose)
    if not gentle and may_be_thrown(world):
        at_present(data, world.loose)
        energy_at(data, parent, stands, world.loose, world.now)
        see_trees_before(data, parent)
        _go(data, world.loose, 1.0)
        energy_at(data, parent, stands, world.loose, world.now)
        share_among_trees(data, parent, world.loose, RATES)
    if world.is_led or world.bears:
        _go(data, world.loose, 1.0)
        return COARSE if gentle else LIMITED
    before, any_stand_by = _energy_before(data, parent, stands, world), mark_bystanders(data, parent, world)
    if any_stand_by:
        left = _slow_down(data, parent, stands, world, before)
        if left > 0.0:
            return COARSE if gentle and left > UNNOTICED else LIMITED
    forget_bystanders(data)
    left = _slow_down(data, parent, stands, world, before)
    if left > 0.0:
        return COARSE if gentle and left > UNNOTICED else LIMITED
    _stop(data, world.loose)
    return RESTED


@subroutine
def _slow_down(data, parent, stands, world, before):
    """Go a part of the step's way, and so slowly, but bystanders all of it, that there is no more energy (J) than
    before. Returns the share of the rates that is left, 0 where it cannot be done."""
    share = 1.0
    for _ in range(SHARES):
        _go(data, world.loose, share)
        kinetic, resting, _ = _energies(data, parent, stands, world, is_seen_from(stands, world.loose))
        aside = energy_of_bystanders(data, len(parent))
        room = before - resting - aside
        if room > 0.0:
            slower = math.sqrt(min(1.0, room / max(kinetic - aside, room)))
            slow_others(data, col.U, slower)
            go_loose(data, world.loose, share, slower)
            return share * slower
        share *= 0.5
    return 0.0


@inlined
def quickest(data, n, is_lost):
    """The joint of n that turns farthest in the step; where the step is lost, that turned fastest before it."""
    joint, most = 0, -1.0
    for i in range(n):
        b, lane = i >> 3, i & 7
        turn = get3(data, b, (col.STATE_U if is_lost else col.TURN) + lane)
        if dot(turn, turn) > most:
            joint, most = i, dot(turn, turn)
    return joint


@inlined
def gains_energy(data, parent, stands, world):
    """Whether a step would end with more energy in springs and weight than there was in all, which nothing gave it."""
    if world.is_led or world.bears:
        return False
    copy(data, col.U, RATES, 3)
    keep_rates(world.loose)
    before = _energy_before(data, parent, stands, world)
    _go(data, world.loose, 1.0)
    _, resting, _ = _energies(data, parent, stands, world, False)
    copy(data, RATES, col.U, 3)
    return not resting < before


@inlined
def _energy_before(data, parent, stands, world):
    """Energy (J) at the step's beginning, in the world at its end."""
    at_present(data, world.loose)
    kinetic, resting, _ = _energies(data, parent, stands, world, is_seen_from(stands, world.loose))
    return kinetic + resting


@subroutine
def _energies(data, parent, stands, world, from_base):
    """Energy of motion, and that of springs, handles and weight (J), at Q and U; of weight that may be let fall and
    raised again none, see bound_energy.

    from_base: of motion and weight as they are seen from the base, and, third, what else is.
    """
    kinetic, elastic, gravitational = energy_at(data, parent, stands, world.loose, world.now)
    resting, seen, gravity = elastic + gravitational + potential(data, world), UNSEEN, gravity_of(world.now)
    if world.bears:
        resting, gravity = resting - gravitational, ZERO
    if not from_base:
        kinetic += air_energy(data, world.now[AIR_DENSITY])
    else:
        kinetic, mass, seen = seen_from(data, len(parent), stands.now[0])
        resting += mass * dot(gravity, load3(stands.now[0], 0))
    if world.follows:
        resting += followed_energy(data, len(parent), gravity)
    return kinetic, resting, seen


@inlined
def _go(data, loose, share):
    """Let Q and U be what they are after this share of the step's turns, of bystanders all, each by at most TURN_LIMIT,
    with RATES."""
    go_loose(data, loose, share, 1.0)
    for b in range(len(data)):
        for lane in range(LANES):
            own = 1.0 if data[b, col.MOVED + lane] == 1.0 else share
            turn = scale(own, get3(data, b, col.TURN + lane))
            size = math.sqrt(dot(turn, turn))
            shorter = TURN_LIMIT / (size if size > TURN_LIMIT else TURN_LIMIT)
            put4(data, b, col.Q + lane, turned(get4(data, b, col.STATE_Q + lane), scale(shorter, turn)))
            put3(data, b, col.U + lane, scale(own * shorter, get3(data, b, RATES + lane)))


@inlined
def _stop(data, loose):
    """Let the step end at rest where it began."""
    go_loose(data, loose, 0.0, 0.0)
    for b in range(len(data)):
        for lane in range(LANES):
            put4(data, b, col.Q + lane, get4(data, b, col.STATE_Q + lane))
            put3(data, b, col.U + lane, ZERO)


@inlined
def bound_at_start(data, parent, stands, world, is_posed, is_still, duration):
    """Energy (J) before a plant's first step, which errors of the steps may not add to; UNBOUNDED where something may
    touch it, whose own energy is known from the first step on. is_posed: whether the pose is to be found."""
    if not is_untouched(world):
        return UNBOUNDED
    world_at(data, parent, world, 0.0, duration)
    if is_posed:
        guide(data, world.loose, world.follows, 0.0, duration)
    return bound_energy(data, parent, stands, world, is_still, UNBOUNDED)


@inlined
def bound_energy(data, parent, stands, world, is_still, bound):
    """Take from the kinetic energy what errors of the steps have added to the sum, as it is seen from the base; return
    the sum, or the bound (J) that it was more than. is_still: whether the base stands.

    What follows a pose, bears weight and may give way lets it fall and raises it again: the sum is without weight then,
    and bounded by what there was at first and all that could fall.
    """
    at_present(data, world.loose)
    kinetic, resting, _ = _energies(data, parent, stands, world, not is_still)
    if world.bears and bound >= UNBOUNDED:
        return kinetic + resting + _most_fall(data, parent, gravity_of(world.now))
    if not kinetic + resting > bound:
        return bound if world.bears else kinetic + resting
    _bring_down(data, parent, world, kinetic, kinetic + resting - bound)
    return bound


@inlined
def _length(vector):
    """Length of a vector."""
    return math.sqrt(dot(vector, vector))


@inlined
def _most_fall(data, parent, gravity):
    """Energy (J) that bodies gain which fall from straight above their base to straight below it."""
    falls = 0.0
    for i in range(len(parent)):
        b, lane = i >> 3, i & 7
        reach = _length(get3(data, b, col.OFFSET + lane))
        if parent[i] >= 0:
            reach += data[parent[i] >> 3, RATES + (parent[i] & 7)]
        data[b, RATES + lane] = reach
        falls += 2.0 * data[b, col.MASS + lane] * (reach + _length(get3(data, b, col.COM + lane)))
    return falls * _length(gravity)


@inlined
def bound_with_base(data, slots, parent, stands, world, bound, before, h):
    """The same after a step of h (s) on a base that carries the plant along, with what that and still air add; before:
    what was seen of the plant before it, and the air's power (W), where there is a bound. Returns the bound (J), which
    is not lowered, and what is seen."""
    at_present(data, world.loose)
    kinetic, resting, seen = _energies(data, parent, stands, world, True)
    power = 0.0
    if world.now[AIR_DENSITY] > 0.0:
        power = air_power(data, slots, world.now, world.duration, stands.now[0])
    if bound >= UNBOUNDED:
        return kinetic + resting, (seen, power)
    seen_before, power_before = before
    bound += work_between(seen_before, seen, h, gravity_of(world.now)) + 0.5 * h * max(0.0, power_before + power)
    if not kinetic + resting > bound:
        return bound, (seen, power)
    slower = _bring_down(data, parent, world, kinetic, kinetic + resting - bound)
    P, L, S, inertia, speed, spin = seen
    return bound, ((scale(slower, P), scale(slower, L), S, inertia, speed, spin), slower * power)


@subroutine
def _bring_down(data, parent, world, kinetic, excess):
    """Slow all down, but bystanders if the others have so much, to less kinetic energy by the excess (J), as far as
    there is any; by what share."""
    aside = energy_of_bystanders(data, len(parent)) if mark_bystanders(data, parent, world) else 0.0
    if not excess < kinetic - aside:
        forget_bystanders(data)
        aside = 0.0
    slower = math.sqrt(max(0.0, 1.0 - excess / max(kinetic - aside, excess)))
    slow_others(data, col.STATE_U, slower)
    slow_past(data, world.loose, slower)
    return slower
