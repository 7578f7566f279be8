# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium before the first frame, so that no run-up is needed.

sink, find_equilibrium    move the plant to where its loads hold it
hold, hold_shape          move the springs' rest instead, so that the drawn shape is the equilibrium

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

from ._jit import inlined, kernel
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
    sub,
)
from ._matrices import hat, mat_add, mat_inverse, mat_scale
from .model import Bodies, Floats
from .spring_energy import spring_gradient, spring_of, spring_tangent
from .tangent import StillWorld, balance, factorise, mass_product, new_tangent, solve

#: Farthest turn of a body in one step towards equilibrium, and in the push off an unstable equilibrium, rad.
_TRUST, _PUSH = 0.3, 0.1
#: A step that turns no body farther (rad) than the first is tried without the shift; where it then falls, it is pushed
#: off when it goes slower than the second.
_SLOW, _STILL = 1e-3, 1e-6
#: A last step that turns no body farther (rad) than this is the end.
_CLOSE = 1e-9
#: Smallest shift s, in units of (load moment / inertia) of the plant. What falls slower than this allows, a thousand
#: times slower than a pendulum of its size, counts as standing; so do the free turns of a joint without a spring.
_LEAST = 1e-6
#: A body that turns farther than this (rad) has not bent but fallen.
FELL = 2.0 * math.pi / 3.0

#: With a larger residual nothing can be said to be stable.
BALANCED = 1e-6

#: Pushes off unstable equilibria before giving up.
_MOST_PUSHES = 20


class Equilibrium(NamedTuple):
    """How a start went.

    residual: largest unbalanced joint moment over the largest moment of the loads at any joint or, if that is more,
        over the weight's at full lever, a thousandth of all loads' at full lever, or a billion times (one over the
        tolerance) what rounding makes of very stiff handles; in a wind field with the air where the plant stands now
    iterations: factorisations of the tangent; turn: rad, how far the body that turned farthest did
    stable: whether the residual is small (1e-6) and the plant stays there when touched (with twists, torques or wind:
            does not topple; flutter is not looked for), and in a wind field whether it is still there to the tolerance
    fell: whether the plant toppled: left an equilibrium that is not stable, or turned a body by more than 120 degrees.
            Other equilibria are likely then; this is the one it sinks to from the given pose
    rod: of a start that is not balanced the rod with the largest unbalanced moment, -1 where it is not known
    """

    residual: float
    iterations: int
    stable: bool = True
    fell: bool = False
    turn: float = 0.0
    rod: int = -1

    @property
    def balanced(self) -> bool:
        """Whether the residual is small (1e-6)."""
        return self.residual <= BALANCED


def find_equilibrium(
    bodies: Bodies, q: Floats, world: StillWorld, tolerance: float, most_iterations: int
) -> Equilibrium:
    """Move the joint rotations q (n, 4) to equilibrium, in place.

    Where no finite pose was found the residual is not finite and q is of no use.
    """
    steps, work = np.zeros((4, *q.shape)), new_tangent(len(q))
    residual, iterations, stable, fell, turn = sink(bodies, q, world, work, steps, tolerance, most_iterations)
    balanced = residual <= max(tolerance, BALANCED)
    return Equilibrium(float(residual), int(iterations), bool(stable) and balanced, bool(fell), float(turn))


def hold_shape(bodies: Bodies, q: Floats, world: StillWorld) -> tuple[int, Equilibrium]:
    """Change the springs' rest (bodies.rest) and q so that the present pose is in equilibrium.

    Returns the index of a joint too soft to hold its moment, or -1; where there is one nothing has been changed.
    """
    soft, residual, stable = hold(bodies, q, world, new_tangent(len(q)))
    return int(soft), Equilibrium(float(residual), 1, bool(stable), not stable, 0.0)


@kernel
def load_scales(bodies, work):
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


@kernel
def _imbalance(work):
    """Largest unbalanced moment at a joint, N m, and what it is measured by: the largest moment of the loads, or a
    thousandth of what they would have at full lever if that is more, as for a plumb stem."""
    worst, largest, full = 0.0, 0.0, 0.0
    finite = True
    for i in range(len(work.gradient)):
        g, m = load3(work.gradient, i), load3(work.moment, i)
        worst, largest = max(worst, dot(g, g)), max(largest, dot(m, m))
        full = max(full, work.reach[i, 1])
        finite = finite and math.isfinite(dot(g, g))
    return (math.sqrt(worst) if finite else math.inf), max(math.sqrt(largest), 1e-3 * full)


@kernel
def _rounding(world):
    """Moment (N m) that the handles' springs have by the rounding of positions alone."""
    loads, noise, base = world.loads, 0.0, load3(world.base, 0)
    for j in range(len(loads.pull_body)):
        target = load3(loads.pull_target, j)
        away = sub(target, base)
        lever = math.sqrt(dot(away, away))
        noise = max(noise, 4e-16 * loads.pull_stiffness[j] * (math.sqrt(dot(target, target)) + lever) * lever)
    return noise


@kernel
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


@kernel
def _take(q, step, share):
    for i in range(len(q)):
        store4(q, i, quat_unit(quat_mul(load4(q, i), quat_exp(scale(share, load3(step, i))))))


@kernel
def _to_bodies(work, turns):
    for i in range(len(turns)):
        store3(turns, i, mat_t_vec(load9(work.rotation, i), load3(turns, i)))


@kernel
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
        uneven = 1.0 + 0.1 * math.sin(2.4 * i + 0.5)
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
def sink(bodies, q, world, work, steps, tolerance, most_iterations):
    """Move the joint rotations q (n, 4) to the equilibrium that the plant sinks to. steps (4, n, 4) is scratch.

    Returns the fields of Equilibrium, with an infinite residual where the pose stops being finite.
    """
    n = len(q)
    step, before, drawn, pull = steps[0], steps[1], steps[2], steps[3]
    balance(bodies, q, world, work, False)
    for i in range(n):
        store4(drawn, i, load4(work.orientation, i))
    _, unit, lever = load_scales(bodies, work)
    least = max(_LEAST * unit, 1e-250)
    gravity = world.loads.gravity
    weight = math.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2) * lever
    least_moment = max(weight, _rounding(world) / tolerance)
    worst, largest = _imbalance(work)
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
        if settled and stable and (better >= 3 or (shift == least and turn <= _CLOSE)):
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
            worst, now = _imbalance(work)
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
        gap, now = _imbalance(work)
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
                gap, now = _imbalance(work)
                good = _good(slope, _along(work, step), gap, worst, tolerance * largest)
        if not good:
            for i in range(n):
                store4(q, i, load4(before, i))
            balance(bodies, q, world, work, False)
            shift *= 4.0
            continue
        worst, largest, stable, tested = gap, max(now, least_moment), False, False
        shift = max(0.2 * shift, least)
    if math.isfinite(worst) and not stable:
        stable = factorise(bodies, work, least) == 0
    turn = 0.0
    for i in range(n):
        apart = quat_log(quat_mul(quat_conj(load4(drawn, i)), load4(work.orientation, i)))
        turn = max(turn, math.sqrt(dot(apart, apart)))
    residual = worst / largest if largest > 0.0 else (0.0 if worst == 0.0 else math.inf)
    return residual, iterations, stable, pushes > 0 or turn > FELL, turn


@kernel
def hold(bodies, q, world, work):
    """Set the springs' rest (bodies.rest) and q so that the present pose carries the loads.

    Returns (joint, residual, stable): the index of a joint too soft to hold its moment, or -1; then nothing has been
    changed. The plant falls out of a shape kept in an equilibrium that is not stable.
    """
    balance(bodies, q, world, work, False)
    full, unit, _ = load_scales(bodies, work)
    n = len(q)
    for i in range(n):
        moment = mat_t_vec(load9(work.rotation, i), load3(work.moment, i))
        spring = spring_of(bodies, i, world.loads.stiffness_scale[0])
        phi, gap = _spring_under(moment, spring, 1e-14 * full)
        if not (gap <= 1e-12 * full and dot(phi, phi) < 9.0):
            return i, math.inf, False
        store3(work.turn, i, phi)
    for i in range(n):
        sprung = quat_exp(load3(work.turn, i))
        drawn = quat_mul(load4(bodies.rest, i), load4(q, i))
        store4(bodies.rest, i, quat_unit(quat_mul(drawn, quat_conj(sprung))))
        store4(q, i, sprung)
    balance(bodies, q, world, work, False)
    worst, largest = _imbalance(work)
    stable = factorise(bodies, work, max(_LEAST * unit, 1e-250)) == 0
    return -1, (worst / largest if worst > 0.0 else 0.0), stable


@inlined
def _spring_under(moment, spring, negligible):
    """Return the rotation vector at which a spring balances the moment of the loads, and what it lacks (N m).

    Newton's method, with the load in parts where the spring turns far, so that the nearest of several is found.
    """
    phi = (0.0, 0.0, 0.0)
    size = math.sqrt(dot(moment, moment))
    if size <= negligible:
        return phi, 0.0
    soft = min(spring[0], spring[1], spring[2])
    parts = 1 + int(min(8.0 * size / soft, 60.0)) if soft > 0.0 else 60
    q = (1.0, 0.0, 0.0, 0.0)
    gap = size
    for part in range(1, parts + 1):
        for _ in range(30):
            gradient = spring_gradient(q, spring)
            lack = add(gradient, scale(part / parts, moment))
            gap = math.sqrt(dot(lack, lack))
            if gap <= 1e-15 * size or not dot(phi, phi) < 9.0:
                break
            tangent = mat_add(spring_tangent(q, spring), mat_scale(0.5, hat(gradient)))
            floor = 1e-13 * (abs(tangent[0]) + abs(tangent[4]) + abs(tangent[8]))
            tangent = mat_add(tangent, (floor, 0.0, 0.0, 0.0, floor, 0.0, 0.0, 0.0, floor))
            turn = scale(-1.0, mat_vec(mat_inverse(tangent), lack))
            far = math.sqrt(dot(turn, turn))
            if not far < 1e3:
                return phi, math.inf
            q = quat_unit(quat_mul(q, quat_exp(scale(min(1.0, 0.5 / max(far, 1e-300)), turn))))
            phi = quat_log(q)
            if far < 1e-16:
                break
    return phi, gap
