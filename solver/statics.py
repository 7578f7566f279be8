# SPDX-License-Identifier: GPL-3.0-or-later
"""Equilibrium before the first frame, so that no run-up is needed.

settle        moves the plant to where its loads hold it
keep_shape    moves the springs' rest instead, so that the drawn shape is the equilibrium
"""

import math
from typing import NamedTuple

from ._jit import inlined, kernel
from ._linalg import (
    ZERO,
    add,
    cross,
    dot,
    load3,
    load4,
    load9,
    mat_t_vec,
    quat_conj,
    quat_exp,
    quat_mul,
    quat_unit,
    scale,
    store3,
    store4,
    sub,
)
from .forward_dynamics import acceleration_pass, add_pulls, inward_pass, outward_pass, spring_torque
from .integrate import forget_past

#: Longest turn of a joint in one iteration of settle, rad.
_TRUST = 0.2

#: Change of the pseudo time step of settle from one iteration to the next.
_LONGER, _SHORTER = 1.5, 0.5


class Equilibrium(NamedTuple):
    """residual: largest unbalanced joint moment over the largest moment of weight at any joint; iterations."""

    residual: float
    iterations: int


@inlined
def _at_rest(state, work):
    for i in range(len(state.u)):
        store4(work.q, i, load4(state.q, i))
        store3(work.u, i, ZERO)
        store3(work.a, i, ZERO)


@inlined
def _stand_still(state):
    for i in range(len(state.u)):
        store3(state.u, i, ZERO)
    forget_past(state)


@inlined
def load_moments(bodies, work, base, loads):
    """Leave in work.pA_r the moment (world axes) every joint must supply at rest: recursive Newton-Euler, no motion."""
    outward_pass(bodies, work, base, loads)
    add_pulls(work, loads, 0.0, 0.0)
    for i in range(len(bodies.parent) - 1, -1, -1):
        k = bodies.parent[i]
        if k >= 0:
            moment, force = load3(work.pA_r, i), load3(work.pA_t, i)
            store3(work.pA_r, k, add(load3(work.pA_r, k), add(moment, cross(load3(work.offset, i), force))))
            store3(work.pA_t, k, add(load3(work.pA_t, k), force))


@inlined
def _imbalance(bodies, work, stiffness_scale):
    """Largest unbalanced joint moment and largest load moment, both squared."""
    worst, largest = 0.0, 0.0
    for i in range(len(bodies.parent)):
        moment = mat_t_vec(load9(work.rotation, i), load3(work.pA_r, i))
        spring = spring_torque(load4(work.q, i), scale(stiffness_scale, load3(bodies.stiffness, i)))
        gap = sub(spring, moment)
        worst = max(worst, dot(gap, gap))
        largest = max(largest, dot(moment, moment))
    return worst, largest


@kernel
def settle(bodies, state, work, base, loads, tolerance, most_iterations):
    """Pseudo-transient continuation: implicit steps from rest, longer while they go on in one direction.

    Each step solves (M + h^2 K) dq = h^2 residual in O(n); for long steps this is Newton's method on the springs.
    base (6, 4) as in forward_dynamics. Returns (residual, iterations); state is at rest at the last pose. Where no
    finite pose was found the residual is not finite and the state is of no use.
    """
    scale_now = loads.stiffness_scale[0]
    h = 1e-2
    _stand_still(state)
    before = math.inf
    for i in range(len(bodies.parent)):
        store3(work.turn, i, ZERO)
    scale2 = 1e-300
    iterations = 0
    while True:
        _at_rest(state, work)
        load_moments(bodies, work, base, loads)
        worst, largest = _imbalance(bodies, work, scale_now)
        scale2 = max(scale2, largest)
        residual = math.sqrt(worst / scale2)
        if residual <= tolerance or iterations >= most_iterations or not math.isfinite(residual):
            break
        outward_pass(bodies, work, base, loads)
        add_pulls(work, loads, 0.0, h * h)
        inward_pass(bodies, work, scale_now, 0.0, h * h)
        acceleration_pass(bodies, work)
        longest, total, along = 0.0, 0.0, 0.0
        for i in range(len(bodies.parent)):
            correction = load3(work.correction, i)
            square = dot(correction, correction)
            total += square
            longest = max(longest, square)
            along += dot(correction, load3(work.turn, i))
        if not math.isfinite(total):
            residual = math.inf
            break
        longest = math.sqrt(longest) * h * h
        share = h * h * min(1.0, _TRUST / longest) if longest > 0.0 else 0.0
        for i in range(len(bodies.parent)):
            turn = scale(share, load3(work.correction, i))
            store3(work.turn, i, turn)
            store4(state.q, i, quat_unit(quat_mul(load4(state.q, i), quat_exp(turn))))
        iterations += 1
        # Longer steps while they go on in one direction or halve the imbalance; shorter when they turn back.
        onwards = along >= 0.0 or residual < 0.5 * before
        h = min(_LONGER * h, 1e6) if onwards else max(_SHORTER * h, 1e-4)
        before = residual
    return residual, iterations


@kernel
def keep_shape(bodies, state, work, base, loads):
    """Set the springs' rest (bodies.rest) and state.q so that the present pose carries the loads.

    The rotation vector phi of a spring that gives the moment m solves K phi = J_r(phi)^T m, found by fixed-point
    iteration. Returns the index of a joint too soft to hold its moment, or -1; then nothing has been changed.
    """
    _at_rest(state, work)
    load_moments(bodies, work, base, loads)
    n = len(bodies.parent)
    for i in range(n):
        moment = mat_t_vec(load9(work.rotation, i), load3(work.pA_r, i))
        K = scale(loads.stiffness_scale[0], load3(bodies.stiffness, i))
        phi = (0.0, 0.0, 0.0)
        change = math.inf
        for _ in range(200):
            along = _right_jacobian_transposed(phi, moment)
            new = (-_divide(along[0], K[0]), -_divide(along[1], K[1]), -_divide(along[2], K[2]))
            difference = sub(new, phi)
            change = dot(difference, difference)
            phi = new
            if change < 1e-28 or not dot(phi, phi) < 9.0:
                break
        if not (change < 1e-24 and dot(phi, phi) < 9.0):
            return i
        store3(work.turn, i, scale(-1.0, phi))
    for i in range(n):
        phi = scale(-1.0, load3(work.turn, i))
        drawn = quat_mul(load4(bodies.rest, i), load4(state.q, i))
        sprung = quat_exp(phi)
        store4(bodies.rest, i, quat_unit(quat_mul(drawn, quat_conj(sprung))))
        store4(state.q, i, sprung)
    _stand_still(state)
    return -1


@inlined
def _divide(a, b):
    """Return a / b, and 0 where a free direction carries nothing."""
    return 0.0 if a == 0.0 else a / b


@inlined
def _right_jacobian_transposed(phi, m):
    """J_r(phi)^T m = m + (1 - cos t)/t^2 phi x m + (t - sin t)/t^3 phi x (phi x m)."""
    angle2 = dot(phi, phi)
    turned = cross(phi, m)
    if angle2 < 1e-6:
        a, b = 0.5 - angle2 / 24.0, 1.0 / 6.0 - angle2 / 120.0
    else:
        t = math.sqrt(angle2)
        a, b = (1.0 - math.cos(t)) / angle2, (t - math.sin(t)) / (angle2 * t)
    return add(m, add(scale(a, turned), scale(b, cross(phi, turned))))
