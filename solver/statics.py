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
from typing import NamedTuple

import numpy as np

from ._arrays import Floats, Floats2, Floats3
from ._jit import inlined, kernel, subroutine
from ._linalg import (
    ZERO,
    add,
    cross,
    dot,
    load3,
    load4,
    load6,
    load9,
    mat_t_vec,
    mat_vec,
    quat_exp,
    quat_mul,
    quat_unit,
    scale,
    store3,
    store4,
    sub,
)
from .model import Bodies
from .rotation import conjugate, logarithm, multiply
from .tangent import StillWorld, Tangent, balance, factorise, mass_product, new_tangent, solve

#: Farthest turn of a body in one step towards equilibrium, and in the push off an unstable equilibrium, rad.
_TRUST, _PUSH = 0.3, 0.1

#: A step that turns no body farther (rad) than the first is tried without the shift; where it then falls, it is pushed
#: off when it goes slower than the second.
_SLOW, _STILL = 1e-3, 1e-6

#: A last step that turns no body farther (rad) than this is the end.
_CLOSE = 1e-9

#: A step without the shift that turns no body farther (rad) is below what poses can hold: there is nothing to gain, and
#: whether it would lower energy or imbalance only rounding says.
_EXACT = 1e-15

#: Smallest shift s, in units of (load moment / inertia) of the plant. What falls slower than this allows, a thousand
#: times slower than a pendulum of its size, counts as standing; so do the free turns of a joint without a spring.
LEAST = 1e-6

#: A body that turns farther than this (rad) has not bent but fallen.
FELL = 2.0 * math.pi / 3.0

#: Rounding of an angle (rad) and, as a share, of a position; and how much larger than its moment is what unbalanced
#: moments are measured by, where nothing larger is.
_ROUNDING, _ROUNDED = 4e-16, 1e9

#: With a larger residual a plant is not in balance, and nothing can be said to be stable.
BALANCED = 1e-8

#: Handles are at first at most so much stiffer than the plant, and then each time so much stiffer than before.
_FIRST_HANDLE, _STIFFER = 1e4, 100.0

#: Pushes off unstable equilibria before giving up.
_MOST_PUSHES = 20


class Equilibrium(NamedTuple):
    """How a start went.

    residual: largest share that a joint's unbalanced moment has in the moment of the loads outboard of the joint or,
            if that is more, in their weight's at full lever, a thousandth of all of them at full lever, or a billion
            times what rounding makes of stiff springs and handles; in a wind field with the air that is where the
            plant stands now
    iterations: factorisations of the tangent
    stable: whether the residual is small (1e-8) and the plant stays there when touched (with twists, torques or wind:
            does not topple; flutter is not looked for), and in a wind field whether it is still there to the tolerance
    fell: whether the plant toppled: left an equilibrium that is not stable, or turned a body by more than 120 degrees.
            Other equilibria are likely then; this is the one it sinks to from the given pose
    turn: rad, how far the body that turned farthest did
    rod: the one at whose joint most moment is unbalanced, -1 in balance; here still the index of the body, which
            Simulation.start makes the rod's
    """

    residual: float
    iterations: int
    stable: bool = True
    fell: bool = False
    turn: float = 0.0
    rod: int = -1

    @property
    def balanced(self) -> bool:
        """Whether the forces are in balance: the residual is at most 1e-8."""
        return self.residual <= BALANCED


def find_equilibrium(
    bodies: Bodies, q: Floats, world: StillWorld, tolerance: float, most_iterations: int
) -> Equilibrium:
    """Move the joint rotations q (n, 4) to equilibrium, in place.

    Where no finite pose was found the residual is not finite and q is of no use.
    """
    steps, work = np.zeros((3, *q.shape)), new_tangent(len(q))
    wanted = world.loads.pull_stiffness
    balance(bodies, q, _with_handles(world, np.zeros(len(wanted))), work, False)
    drawn, given = work.orientation.copy(), _handles_to_begin_with(bodies, world, work)
    _, unit = load_scales(bodies, work)
    if unit == 0.0:  # there are handles only
        balance(bodies, q, _with_handles(world, np.minimum(wanted, given)), work, False)
        _, unit = load_scales(bodies, work)
    iterations, fell, held = 0, False, False
    while True:
        softer = _with_handles(world, np.minimum(wanted, given))
        left = max(0, most_iterations - iterations)
        residual, more, stable, fallen, worst = sink(
            bodies, q, softer, work, steps, unit, tolerance, left, 0 if held else _MOST_PUSHES
        )  # fmt: skip
        iterations, fell = iterations + more, fell or fallen
        held = held or (stable and residual <= BALANCED)  # stiffer handles hold it all the more
        if not math.isfinite(residual) or (given >= wanted).all():
            break
        given = _STIFFER * given
    turn = farthest_turn(drawn, work)
    balanced = residual <= BALANCED
    return Equilibrium(
        residual, iterations, (stable or held) and balanced, fell or turn > FELL, turn, -1 if balanced else worst
    )  # fmt: skip


def _with_handles(world: StillWorld, stiffness: Floats) -> StillWorld:
    return world._replace(loads=world.loads._replace(pull_stiffness=stiffness))


def farthest_turn(drawn: Floats, work: Tangent) -> float:
    """Turn (rad) of the body that turned farthest from the orientations drawn (n, 4)."""
    turned = logarithm(multiply(conjugate(drawn), work.orientation))
    return float(np.linalg.norm(turned, axis=1).max())


def _handles_to_begin_with(bodies: Bodies, world: StillWorld, work: Tangent) -> Floats:
    """Stiffness (N/m) of handles with which the search is as quick as without them; work has the balance so.

    A stiffer one lets the plant turn but little at once: the way to where it holds leads along a narrow curved valley.
    Close to there it may be made stiffer.
    """
    springs = float(world.loads.stiffness_scale[0]) * bodies.stiffness.max(axis=1)
    lengths = np.linalg.norm(bodies.offset, axis=1)
    stiffness = np.zeros(len(world.loads.pull_body))
    for j, (body, point) in enumerate(zip(world.loads.pull_body, world.loads.pull_point, strict=True)):
        path, moment, k = float(np.linalg.norm(point)), 0.0, int(body)
        while k >= 0:
            path, moment = path + lengths[k], max(moment, springs[k], work.reach[k, 1])
            k = int(bodies.parent[k])
        stiffness[j] = _FIRST_HANDLE * moment / path**2 if path > 0.0 and moment > 0.0 else np.inf
    return stiffness


@kernel
def load_scales(bodies: Bodies, work: Tangent) -> tuple[float, float]:
    """Moment of the loads at full lever (N m), and the same over the inertia at full lever (1/s2), at the joint where
    it is largest. Sets each joint's heft to that inertia, and its span."""
    moment, unit, hung = 0.0, 0.0, work.hung_r
    n = len(bodies.parent)
    for i in range(n):
        inertia, first = load6(work.inertia, i), load3(work.first, i)
        store3(hung, i, (bodies.mass[i], math.sqrt(dot(first, first)), 0.5 * (inertia[0] + inertia[3] + inertia[5])))
    for i in range(n - 1, -1, -1):
        k, (m, first, second) = bodies.parent[i], load3(hung, i)
        if k >= 0:
            offset = load3(work.offset, i)
            r = math.sqrt(dot(offset, offset))
            store3(hung, k, add(load3(hung, k), (m, first + r * m, second + r * (2.0 * first + r * m))))
        work.heft[i] = second
        work.span[i] = first
        if work.reach[i, 1] > moment:
            moment = work.reach[i, 1]
            unit = moment / second
    return moment, unit


@subroutine
def imbalance(bodies, world, work):
    """Largest share that a joint's unbalanced moment has in what it is measured by, and the joint.

    It is measured by the moment of the joint's own loads or, if that is more, a thousandth of what they would have at
    full lever (as for a plumb stem), what their weight would, and what rounding makes a billionth of.
    """
    gravity = world.loads.gravity
    weight = math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    _find_noise(bodies, world, work)
    worst, joint = 0.0, 0
    for i in range(len(work.gradient)):
        g, m, across = load3(work.gradient, i), load3(work.moment, i), load3(work.noise_across, i)
        own = max(math.sqrt(dot(m, m)), 1e-3 * work.reach[i, 1], weight * work.span[i], _ROUNDED * work.noise[i])
        side = math.sqrt(dot(across, across))
        axis = scale(1.0 / (side if side > 0.0 else 1.0), across)
        along = dot(g, axis)
        rest = sub(g, scale(along, axis))
        share = _share(along, own) + _share(math.sqrt(dot(rest, rest)), max(own, _ROUNDED * (side + work.noise[i])))
        if not share <= worst:
            worst, joint = (share if math.isfinite(share) else math.inf), i
    return worst, joint


@inlined
def _share(part, whole):
    return abs(part) / whole if whole > 0.0 else (0.0 if part == 0.0 else math.inf)


@subroutine
def _find_noise(bodies, world, work):
    """Fill noise and noise_across with the moments (N m) that rounding alone makes at each joint.

    A joint's spring has that of its angle. A handle has that of the positions along the path from the base to its point
    and of its target, at the joints of that path only, and there across the lever only: it does not hide what turns
    about the line to its point. Of several handles this is so for the one that makes most.
    """
    loads = world.loads
    for i in range(len(work.noise)):
        K = load9(work.spring, i)
        work.noise[i] = _ROUNDING * max(abs(K[0]), abs(K[4]), abs(K[8]))
        store3(work.noise_across, i, ZERO)
    for j in range(len(loads.pull_body)):
        target, point, i = load3(loads.pull_target, j), load3(loads.pull_point, j), loads.pull_body[j]
        if i < 0:
            continue
        tip = add(load3(work.position, i), mat_vec(load9(work.rotation, i), point))
        path, k = math.sqrt(dot(point, point)), i
        while k >= 0:
            offset = load3(bodies.offset, k)
            path += math.sqrt(dot(offset, offset))
            k = bodies.parent[k]
        force = _ROUNDING * loads.pull_stiffness[j] * (math.sqrt(dot(target, target)) + path)
        while i >= 0:
            lever, most = scale(force, sub(tip, load3(work.position, i))), load3(work.noise_across, i)
            if dot(lever, lever) > dot(most, most):
                lever, most = most, lever
                store3(work.noise_across, i, most)
            work.noise[i] += math.sqrt(dot(lever, lever))
            i = bodies.parent[i]


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


@subroutine
def _to_bodies(work, turns):
    for i in range(len(turns)):
        store3(turns, i, mat_t_vec(load9(work.rotation, i), load3(turns, i)))


@subroutine
def _falling(bodies, work, step, least):
    """Fill step (n, 3 of 4, world axes) with the direction in which the plant falls fastest, one radian long.

    Inverse iteration from a push to one side and a little of everything. Returns (factorisations, shift), the shift
    being one with which the tangent is positive definite.
    """
    n = len(step)
    shift, tries = least, 1
    while factorise(bodies, work, shift) > 0 and tries < 200:
        shift *= 2.0
        tries += 1
    side = (0.83, 0.53, 0.17)
    for i in range(n):  # uniform acceleration is what a solve needs the moments of
        store3(work.hung_r, i, cross(load3(work.first, i), side))
        store3(work.hung_t, i, scale(bodies.mass[i], side))
    for i in range(n - 1, -1, -1):
        k, moment, force = bodies.parent[i], load3(work.hung_r, i), load3(work.hung_t, i)
        uneven = 0.9 + 0.2 * (0.6180339887498949 * i % 1.0)
        store3(step, i, add(scale(uneven, moment), scale(0.01 * math.sqrt(dot(moment, moment)), side)))
        if k >= 0:
            r = load3(work.offset, i)
            store3(work.hung_r, k, add(load3(work.hung_r, k), add(moment, cross(r, force))))
            store3(work.hung_t, k, add(load3(work.hung_t, k), force))
    for _ in range(30):
        longest = solve(bodies, work, step, step)
        for i in range(n):
            store3(step, i, scale(1.0 / longest, load3(step, i)))
        mass_product(bodies, work, step, step)
    longest = solve(bodies, work, step, step)
    sideways, all_ways, downhill = 0.0, 0.0, 0.0
    for i in range(n):
        moved = add(scale(bodies.mass[i], load3(work.move, i)), cross(load3(work.turn, i), load3(work.first, i)))
        sideways += dot(moved, side)
        all_ways += math.sqrt(dot(moved, moved))
        downhill -= dot(load3(step, i), load3(work.gradient, i))
    sign = 1.0 if sideways >= -1e-6 * all_ways else -1.0
    if abs(downhill) > 1e-6 * longest * work.reach[0, 1]:
        sign = math.copysign(1.0, downhill)
    for i in range(n):
        store3(step, i, scale(sign / longest, load3(step, i)))
    return tries, shift


@kernel
def sink(
    bodies: Bodies, q: Floats2, world: StillWorld, work: Tangent, steps: Floats3, unit: float,
    tolerance: float, most_iterations: int, most_pushes: int,
) -> tuple[float, int, bool, bool, int]:  # fmt: skip
    """Move the joint rotations q (n, 4) to the equilibrium that the plant sinks to. steps (3, n, 4) is scratch.

    unit (1/s2): moment of the loads over the plant's inertia, both at full lever; see load_scales, which comes before.
    Returns residual, iterations, stable, whether the plant was pushed off an unstable equilibrium, and the joint where
    most is unbalanced; with an infinite residual where the pose stops being finite.
    """
    n = len(q)
    step, before, pull = steps[0], steps[1], steps[2]
    balance(bodies, q, world, work, False)
    least = max(LEAST * unit, 1e-250)
    worst, joint = imbalance(bodies, world, work)
    shift, iterations, pushes, better = least, 0, 0, 0
    stable, tested = False, False  # whether it is stable here, and whether this is known
    lowest = math.inf
    while math.isfinite(worst) and iterations < most_iterations and shift < 1e15 * unit + 1e-200:
        held = factorise(bodies, work, shift) == 0
        iterations += 1
        if shift == least:
            stable, tested = held, True
        if not held:
            shift *= 10.0 if shift < 0.01 * unit else 3.0
            continue
        for i in range(n):
            store3(step, i, scale(-1.0, load3(work.gradient, i)))
        turn = solve(bodies, work, step, step)
        if not turn <= _TRUST:
            longer = turn / _TRUST if math.isfinite(turn) else 10.0
            shift *= min(10.0, 1.5 * longer)
            continue
        settled = worst <= tolerance
        better = 0 if worst < 0.5 * lowest or not settled else better + 1
        lowest = min(lowest, worst)
        if stable and shift == least and turn <= (_CLOSE if settled else _EXACT):
            break
        if settled and stable and better >= 3:
            break
        if shift > least and not tested and (turn < _SLOW or settled):
            # Nearly at rest with a shift: is it needed because the plant would fall from here?
            stable, tested = factorise(bodies, work, least) == 0, True
            iterations += 1
            if stable:
                shift = least
                continue
        if tested and not stable and (turn < _STILL or settled) and pushes < most_pushes:
            pushes += 1
            tries, shift = _falling(bodies, work, step, least)
            iterations += tries
            _to_bodies(work, step)
            _take(q, step, _PUSH)
            balance(bodies, q, world, work, False)
            worst, joint = imbalance(bodies, world, work)
            lowest, stable, tested = math.inf, False, False
            continue
        mass_product(bodies, work, step, pull)
        _to_bodies(work, step)
        _to_bodies(work, pull)
        for i in range(n):
            store4(before, i, load4(q, i))
        slope = _along(work, step)
        _take(q, step, 1.0)
        balance(bodies, q, world, work, False)
        gap, lacks = imbalance(bodies, world, work)
        good = _good(slope, _along(work, step), gap, worst, tolerance)
        if not good and math.isfinite(gap):
            # Once more from there, on what the linear step has left of gradient + shift M a = 0.
            factorise(bodies, work, shift)
            iterations += 1
            for i in range(n):
                drag = mat_vec(load9(work.rotation, i), scale(shift, load3(pull, i)))
                store3(pull, i, scale(-1.0, add(load3(work.gradient, i), drag)))
            more = solve(bodies, work, pull, pull)
            if more <= _TRUST:
                _to_bodies(work, pull)
                _take(q, pull, 1.0)
                for i in range(n):
                    store3(step, i, add(load3(step, i), load3(pull, i)))
                balance(bodies, q, world, work, False)
                gap, lacks = imbalance(bodies, world, work)
                good = _good(slope, _along(work, step), gap, worst, tolerance)
        if not good:
            for i in range(n):
                store4(q, i, load4(before, i))
            balance(bodies, q, world, work, False)
            shift *= 4.0
            continue
        worst, joint, stable, tested = gap, lacks, False, False
        shift = max(0.2 * shift, least)
    if math.isfinite(worst) and not stable:
        stable = factorise(bodies, work, least) == 0
    return worst, iterations, stable, pushes > 0, joint
