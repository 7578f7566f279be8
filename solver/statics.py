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
    add,
    cross,
    dot,
    load3,
    load4,
    load6,
    load9,
    mat_t_vec,
    mat_vec,
    quat_conj,
    quat_exp,
    quat_log,
    quat_mul,
    quat_unit,
    scale,
    store3,
    store4,
)
from .model import Bodies
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

#: With a larger residual a plant is not in balance, and nothing can be said to be stable.
BALANCED = 1e-8

#: Pushes off unstable equilibria before giving up.
_MOST_PUSHES = 20


class Equilibrium(NamedTuple):
    """How a start went.

    residual: largest unbalanced joint moment over the largest moment of the loads at any joint or, if that is more,
            over the weight's at full lever, a thousandth of all loads' at full lever, or a billion times (one over the
            tolerance) what rounding makes of very stiff handles; in a wind field with the air that is where the plant
            stands now
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
    steps, work = np.zeros((4, *q.shape)), new_tangent(len(q))
    residual, iterations, stable, fell, turn, worst = sink(bodies, q, world, work, steps, tolerance, most_iterations)
    balanced = residual <= BALANCED
    return Equilibrium(residual, iterations, stable and balanced, fell, turn, -1 if balanced else worst)


@kernel
def load_scales(bodies: Bodies, work: Tangent) -> tuple[float, float, float]:
    """Moment of the loads at full lever (N m), and the same over the inertia at full lever (1/s2), at the joint where
    it is largest, and mass times full lever (kg m) where that is. Sets each joint's heft to that inertia."""
    moment, unit, lever, hung = 0.0, 0.0, 0.0, work.hung_r
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
        lever = max(lever, first)
        if work.reach[i, 1] > moment:
            moment = work.reach[i, 1]
            unit = moment / second
    return moment, unit, lever


@subroutine
def imbalance(work):
    """Largest unbalanced moment at a joint, N m; what it is measured by: the largest moment of the loads, or a
    thousandth of what they would have at full lever if that is more, as for a plumb stem; and the joint."""
    worst, largest, full, joint = 0.0, 0.0, 0.0, 0
    for i in range(len(work.gradient)):
        g, m = load3(work.gradient, i), load3(work.moment, i)
        size = dot(g, g)
        if not size <= worst:
            worst, joint = (size if math.isfinite(size) else math.inf), i
        largest = max(largest, dot(m, m))
        full = max(full, work.reach[i, 1])
    return math.sqrt(worst), max(math.sqrt(largest), 1e-3 * full), joint


@subroutine
def _rounding(bodies, world):
    """Moment (N m) that the handles' springs have by the rounding of positions alone: along the path from the base to
    the point they pull, and of the target."""
    loads, noise = world.loads, 0.0
    for j in range(len(loads.pull_body)):
        target, point, i = load3(loads.pull_target, j), load3(loads.pull_point, j), loads.pull_body[j]
        path = math.sqrt(dot(point, point))
        while i >= 0:
            offset = load3(bodies.offset, i)
            path += math.sqrt(dot(offset, offset))
            i = bodies.parent[i]
        noise = max(noise, 4e-16 * loads.pull_stiffness[j] * (math.sqrt(dot(target, target)) + path) * path)
    return noise


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
    bodies: Bodies, q: Floats2, world: StillWorld, work: Tangent, steps: Floats3, tolerance: float,
    most_iterations: int,
) -> tuple[float, int, bool, bool, float, int]:  # fmt: skip
    """Move the joint rotations q (n, 4) to the equilibrium that the plant sinks to. steps (4, n, 4) is scratch.

    Returns the fields of Equilibrium, with an infinite residual where the pose stops being finite.
    """
    n = len(q)
    step, before, drawn, pull = steps[0], steps[1], steps[2], steps[3]
    balance(bodies, q, world, work, False)
    for i in range(n):
        store4(drawn, i, load4(work.orientation, i))
    _, unit, lever = load_scales(bodies, work)
    least = max(LEAST * unit, 1e-250)
    gravity = world.loads.gravity
    weight = math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2) * lever
    least_moment = max(weight, _rounding(bodies, world) / tolerance)
    worst, largest, joint = imbalance(work)
    largest = max(largest, least_moment)
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
        settled = worst <= tolerance * largest
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
        if tested and not stable and (turn < _STILL or settled) and pushes < _MOST_PUSHES:
            pushes += 1
            tries, shift = _falling(bodies, work, step, least)
            iterations += tries
            _to_bodies(work, step)
            _take(q, step, _PUSH)
            balance(bodies, q, world, work, False)
            worst, now, joint = imbalance(work)
            largest, lowest, stable, tested = max(now, least_moment), math.inf, False, False
            continue
        mass_product(bodies, work, step, pull)
        _to_bodies(work, step)
        _to_bodies(work, pull)
        for i in range(n):
            store4(before, i, load4(q, i))
        slope = _along(work, step)
        _take(q, step, 1.0)
        balance(bodies, q, world, work, False)
        gap, now, lacks = imbalance(work)
        good = _good(slope, _along(work, step), gap, worst, tolerance * largest)
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
                gap, now, lacks = imbalance(work)
                good = _good(slope, _along(work, step), gap, worst, tolerance * largest)
        if not good:
            for i in range(n):
                store4(q, i, load4(before, i))
            balance(bodies, q, world, work, False)
            shift *= 4.0
            continue
        worst, joint, largest, stable, tested = gap, lacks, max(now, least_moment), False, False
        shift = max(0.2 * shift, least)
    if math.isfinite(worst) and not stable:
        stable = factorise(bodies, work, least) == 0
    turn = 0.0
    for i in range(n):
        apart = quat_log(quat_mul(quat_conj(load4(drawn, i)), load4(work.orientation, i)))
        turn = max(turn, math.sqrt(dot(apart, apart)))
    residual = worst / largest if largest > 0.0 else (0.0 if worst == 0.0 else math.inf)
    return residual, iterations, stable, pushes > 0 or turn > FELL, turn, joint
