# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium before the first frame, so that no run-up is needed.

A plant that cannot carry itself has many equilibria. The one that is looked for is the one that the plant sinks to
from the pose it is given, released at rest in a thick fluid: steps of (H + s M) a = -gradient, H being the exact
tangent stiffness and M the mass matrix with stiff hinges added, follow that fall when s is large and are Newton's when
it is small. s is kept such that H + s M is positive definite and no body turns far in one step (Levenberg 1944; Kelley
and Keyes 1998 on pseudo-transient continuation). The hinges resist as the inertia does that each carries, at full
lever: against that of its axis alone a thin stem would twist so fast that s had to be enormous.

Where this ends in an equilibrium that is not stable, as for a slender stem drawn upright, the plant is pushed off
along the direction in which it falls fastest, to a side that a rule chooses and not rounding.
"""

import math

from ..base.arrays import Floats2, Floats3, Ints1
from ..contact.finding import find_at_rest
from ..forces.leaning import find_leaning, leans
from ..machine.jit import inlined, kernel, subroutine
from ..math.matrices import mat_t_vec
from ..math.memory import load3, load4, load9, store3, store4
from ..math.quaternions import quat_exp, quat_mul, quat_unit
from ..math.vectors import add, cross, dot, scale
from ..model.model import Bodies
from .coupling import factorise_coupled, solve_coupled
from .crossing import has_gone_through, keep_corners
from .imbalance import imbalance
from .kept_points import keep_points, put_points_back, stay_on_points
from .landing import FARTHEST, land
from .nearing import is_alone, step_over_room
from .tangent import StillWorld, Tangent, balance, mass_product

#: Farthest turn of a body in the push off an unstable equilibrium, rad.
_PUSH = 0.1

#: A step that turns no body farther (rad) than the first is tried without the shift; where it then falls, it is pushed
#: off when it goes slower than the second.
_SLOW, _STILL = 1e-3, 1e-6

#: A last step that turns no body farther (rad) than this is the end.
_CLOSE = 1e-9

#: A step without the shift that turns no body farther (rad) is below what poses can hold: there is nothing to gain, and
#: whether it would lower energy or imbalance only rounding says.
_EXACT = 1e-15

#: Shift s, in units of (load moment / inertia) of the plant, at which stability is judged. What falls slower than this
#: allows, a thousand times slower than a pendulum of its size, counts as standing; so do the free turns of a joint
#: without a spring.
LEAST = 1e-6

#: Among obstacles, where steps are short because contacts are stiff, it is judged where no larger share of a moment is
#: unbalanced: what is falls less than that.
_NEARLY = 0.1 * LEAST

#: Share of it that the shift of a step may go down to where the plant stands: springs so soft that they matter only by
#: their residual would else take thousands of steps.
_SOFTEST = 1e-6

#: Settled, so many steps in a row may gain nothing before the search ends: of slow ones, and of those that turn a body
#: farther than _SLOW, as soft springs do which the residual hardly sees.
_IDLE_SLOW, _IDLE = 3, 30

#: Points that may touch are found anew after so much of the room that steps have among obstacles.
_ANEW = 0.05

#: Direction (world axes) to which a plant is pushed that could fall to any.
_SIDE = (0.83, 0.53, 0.17)

#: Steps that follow one at most, while each leaves no larger share of the imbalance than this.
_MOST_MORE, _FASTER = 6, 0.3

#: Pushes off unstable equilibria before giving up: one to which they always lead back is where air lets the plant be.
_MOST_PUSHES = 20


@subroutine
def _along(work, step):
    """Change of the energy per share of a step, whose turns (n, 3 of 4) are in the bodies' frames."""
    total = 0.0
    for i in range(len(step)):
        total += dot(mat_t_vec(load9(work.rotation, i), load3(work.gradient, i)), load3(step, i))
    return total


@inlined
def _good(slope, end_slope, gap, worst, enough):
    """Whether a step goes on downhill, or does not overshoot by much, or lowers the imbalance."""
    return gap <= max(0.9 * worst, enough) or (math.isfinite(gap) and end_slope <= 0.6 * abs(slope))


@subroutine
def _take(q, step, share):
    for i in range(len(q)):
        store4(q, i, quat_unit(quat_mul(load4(q, i), quat_exp(scale(share, load3(step, i))))))


@inlined
def _copy(of, to):
    for i in range(len(of)):
        store4(to, i, load4(of, i))


@subroutine
def _to_bodies(work, turns):
    for i in range(len(turns)):
        store3(turns, i, mat_t_vec(load9(work.rotation, i), load3(turns, i)))


@subroutine
def _push_aside(bodies, work, step):
    """Fill step (n, 3 of 4, world axes) with the moments of a push of all bodies to one side, a little uneven."""
    n = len(step)
    for i in range(n):  # uniform acceleration is what a solve needs the moments of
        store3(work.hung_r, i, cross(load3(work.first, i), _SIDE))
        store3(work.hung_t, i, scale(bodies.mass[i], _SIDE))
    for i in range(n - 1, -1, -1):
        k, moment, force = bodies.parent[i], load3(work.hung_r, i), load3(work.hung_t, i)
        uneven = 0.9 + 0.2 * (0.6180339887498949 * i % 1.0)
        store3(step, i, add(scale(uneven, moment), scale(0.01 * math.sqrt(dot(moment, moment)), _SIDE)))
        if k >= 0:
            r = load3(work.offset, i)
            store3(work.hung_r, k, add(load3(work.hung_r, k), add(moment, cross(r, force))))
            store3(work.hung_t, k, add(load3(work.hung_t, k), force))


@subroutine
def _side_of(bodies, work, step, longest):
    """Sign with which the step just solved for, of longest turn (rad), leads downhill, or else to the given side."""
    n = len(step)
    sideways, all_ways, downhill = 0.0, 0.0, 0.0
    for i in range(n):
        moved = add(scale(bodies.mass[i], load3(work.move, i)), cross(load3(work.turn, i), load3(work.first, i)))
        sideways += dot(moved, _SIDE)
        all_ways += math.sqrt(dot(moved, moved))
        downhill -= dot(load3(step, i), load3(work.gradient, i))
    if abs(downhill) > 1e-6 * longest * work.reach[0, 1]:
        return math.copysign(1.0, downhill)
    return 1.0 if sideways >= -1e-6 * all_ways else -1.0


@subroutine
def _falling(bodies, world, work, step, least):
    """Fill step (n, 3 of 4, world axes) with the direction in which the plant falls fastest, one radian long.

    Inverse iteration from a push to one side and a little of everything. Returns (factorisations, shift), the shift
    being one with which the tangent is positive definite.
    """
    n = len(step)
    shift, tries = least, 1
    while factorise_coupled(bodies, world, work, shift) > 0 and tries < 200:
        shift *= 2.0
        tries += 1
    _push_aside(bodies, work, step)
    for _ in range(30):
        longest = solve_coupled(bodies, world, work, step, step)
        for i in range(n):
            store3(step, i, scale(1.0 / longest, load3(step, i)))
        mass_product(bodies, work, step, step)
    longest = solve_coupled(bodies, world, work, step, step)
    sign = _side_of(bodies, work, step, longest)
    for i in range(n):
        store3(step, i, scale(sign / longest, load3(step, i)))
    return tries, shift


@subroutine
def _push_off(bodies, q, world, work, step, least):
    """Turn the plant a little the way it falls. Returns factorisations, shift, the imbalance there and its joint."""
    tries, shift = _falling(bodies, world, work, step, least)
    push, far = _PUSH, step_over_room(world, work)
    if far > 0.0:
        push /= max(1.0, _PUSH * far / _longest(work))
    _to_bodies(work, step)
    _take(q, step, push)
    worst, joint = _meet(bodies, q, world, work)
    return tries, shift, worst, joint


@subroutine
def _longest(work):
    """Turn (rad) of the body that the last solve turns farthest."""
    longest = 0.0
    for i in range(len(work.turn)):
        longest = max(longest, dot(load3(work.turn, i), load3(work.turn, i)))
    return math.sqrt(longest)


@subroutine
def _meet(bodies, q, world, work):
    """Find anew which points may touch where the plant is now. Returns the imbalance there and its joint."""
    balance(bodies, q, world, work, False)
    if len(world.touching.obstacles.kind) > 0:
        keep_points(world.touching)
        find_at_rest(world.touching, work.rotation, work.position)
        stay_on_points(world.touching, work)
    if leans(world.leaning):
        find_leaning(world, work)
    if not is_alone(world):
        balance(bodies, q, world, work, False)
        keep_points(world.touching)
    return imbalance(bodies, world, work)


@subroutine
def _go(bodies, q, world, work, steps, corners, shift, worst, enough):
    """Take the step steps[0], which is in world axes, and more from there where that is not good or leaves more
    imbalance, as steps along a narrow curved valley do: Newton's on gradient + shift M a = 0, a being all of them.

    Returns whether it is good, the imbalance and the joint where it is largest, and factorisations. steps[1] is q from
    before it.
    """
    n, more = len(q), 0
    step, before, pull, again, drag = steps[0], steps[1], steps[2], steps[3], steps[4]
    mass_product(bodies, work, step, pull)
    _to_bodies(work, step)
    _to_bodies(work, pull)
    _copy(q, before)
    slope = _along(work, step)
    _take(q, step, 1.0)
    balance(bodies, q, world, work, False)
    gap, lacks = imbalance(bodies, world, work)
    good = _good(slope, _along(work, step), gap, worst, enough)
    while (not good or gap > max(worst, enough)) and math.isfinite(gap) and more < _MOST_MORE:
        factorise_coupled(bodies, world, work, shift)
        more += 1
        turn, far = land(bodies, q, world, work, shift, pull, True, again)
        if turn > FARTHEST or not far <= 1.0:
            break
        mass_product(bodies, work, again, drag)
        _to_bodies(work, again)
        _to_bodies(work, drag)
        _take(q, again, 1.0)
        for i in range(n):
            store3(step, i, add(load3(step, i), load3(again, i)))
            store3(pull, i, add(load3(pull, i), load3(drag, i)))
        balance(bodies, q, world, work, False)
        before_that = gap
        gap, lacks = imbalance(bodies, world, work)
        good = _good(slope, _along(work, step), gap, worst, enough)
        if gap > _FASTER * before_that:
            break
    if good and has_gone_through(world, work, corners):
        good = False
    return good, gap, lacks, more


@kernel
def sink(
    bodies: Bodies, q: Floats2, world: StillWorld, work: Tangent, steps: Floats3, corners: Floats2,
    unit: float, tolerance: float, most_iterations: int, is_interrupted: Ints1,
) -> tuple[float, int, bool, bool, int]:  # fmt: skip
    """Move the joint rotations q (n, 4) to the equilibrium that the plant sinks to. steps (5, n, 4) is scratch: the
    step, q from before it, the moments of its drag, a step that follows and those of its drag; so is corners (k, 12),
    see crossing.py.

    unit (1/s2): moment of the loads over the plant's inertia, both at full lever; see load_scale, which comes before.
    is_interrupted (1,): ends when it becomes 1.
    Returns residual, iterations, stable, whether the plant was pushed off an unstable equilibrium, and the joint where
    most is unbalanced; with an infinite residual where the pose stops being finite.
    """
    step, before = steps[0], steps[1]
    least = max(LEAST * unit, 1e-250)
    worst, joint = _meet(bodies, q, world, work)
    keep_corners(world.touching, work, corners)
    is_free, raised = is_alone(world), False
    most_slow = math.inf if is_free else _NEARLY
    used = 0.0  # share of the room among obstacles since points were found
    shift, iterations, pushes, idle = least, 0, 0, 0
    stable, tested = False, False  # whether it is stable here, and whether this is known
    lowest = math.inf
    while math.isfinite(worst) and iterations < most_iterations and shift < 1e15 * unit + 1e-200:
        if is_interrupted[0] != 0:
            break
        held = factorise_coupled(bodies, world, work, shift) == 0
        iterations += 1
        if shift == least or (held and shift < least):
            stable, tested = held, True
        if not held:
            shift = least if shift < least else shift * (10.0 if shift < 0.01 * unit else 3.0)
            raised = True
            continue
        turn, far = land(bodies, q, world, work, shift, steps[2], False, step)
        if not (turn <= FARTHEST and far <= 1.0):
            longer = max(turn / FARTHEST, far) if math.isfinite(turn) else 10.0
            raised = True
            shift *= min(10.0, 1.5 * longer)
            continue
        settled = worst <= tolerance
        idle = 0 if worst < 0.5 * lowest or not settled else idle + 1
        lowest = min(lowest, worst)
        is_exact = shift <= least and turn <= (_CLOSE if settled else _EXACT)
        is_done = stable or pushes == _MOST_PUSHES
        if is_done and (is_exact or idle >= (_IDLE_SLOW if turn <= _SLOW else _IDLE)):
            if used == 0.0:
                break
            worst, joint = _meet(bodies, q, world, work)
            used = 0.0
            continue
        is_slow = worst <= most_slow  # a stiff contact makes steps short wherever it is not in balance
        if shift > least and not tested and ((is_slow and turn < _SLOW) or settled):
            # Nearly at rest with a shift: is it needed because the plant would fall from here?
            stable, tested = factorise_coupled(bodies, world, work, least) == 0, True
            iterations += 1
            if stable:
                shift = least
                continue
        if tested and not stable and ((is_slow and turn < _STILL) or settled) and pushes < _MOST_PUSHES:
            pushes += 1
            more, shift, worst, joint = _push_off(bodies, q, world, work, step, least)
            iterations += more
            lowest, stable, tested = math.inf, False, False
            keep_corners(world.touching, work, corners)
            continue
        good, gap, lacks, more = _go(bodies, q, world, work, steps, corners, shift, worst, tolerance)
        iterations += more
        if not good:
            _copy(before, q)
            put_points_back(world.touching)
            balance(bodies, q, world, work, False)
            shift *= 4.0
            raised = True
            continue
        worst, joint, stable, tested = gap, lacks, False, False
        keep_points(world.touching)
        keep_corners(world.touching, work, corners)
        used += (1 + more) * far
        if used > _ANEW:
            worst, joint = _meet(bodies, q, world, work)
            used = 0.0
        # Among obstacles the room that the step had tells how long the next may be.
        lower = 0.2 if is_free else max(0.7 if raised else 0.2, min(1.0, 1.1 * far))
        raised = False
        shift = max(lower * shift, _SOFTEST * least if shift <= least else least)
    if used > 0.0:
        worst, joint = _meet(bodies, q, world, work)
    if math.isfinite(worst) and not stable:
        stable = factorise_coupled(bodies, world, work, least) == 0
    return worst, iterations, stable, pushes > 0, joint
