# SPDX-License-Identifier: GPL-3.0-or-later
"""Moving the springs' rest, so that the drawn shape is the equilibrium: the other start without a run-up."""

import math

from ..base.arrays import Floats, Floats2
from ..forces.loads import STIFFNESS_SCALE
from ..joints.springs import spring_gradient, spring_of, spring_tangent
from ..machine.jit import inlined, kernel
from ..math.matrices import hat, mat_add, mat_inverse, mat_scale, mat_t_vec, mat_vec
from ..math.memory import load3, load4, load9, store3, store4
from ..math.quaternions import quat_conj, quat_exp, quat_log, quat_mul, quat_unit
from ..math.vectors import add, dot, scale
from ..model.model import Bodies
from .bearing import bear_least
from .coupling import factorise_coupled
from .equilibrium import Equilibrium
from .imbalance import imbalance, load_scale
from .sinking import LEAST
from .tangent import StillWorld, Tangent, balance, new_tangent


def hold_shape(bodies: Bodies, q: Floats, world: StillWorld) -> tuple[int, Equilibrium]:
    """Change the springs' rest (bodies.rest) and q so that the present pose is in equilibrium.

    Returns the index of a joint too soft to hold its moment, or -1; where there is one nothing has been changed.
    """
    work = new_tangent(len(q))
    bear_least(bodies, q, world, work)
    soft, residual, stable = hold(bodies, q, world, work)
    return soft, Equilibrium(residual, 1, stable, not stable)


@kernel
def hold(bodies: Bodies, q: Floats2, world: StillWorld, work: Tangent) -> tuple[int, float, bool]:
    """Set the springs' rest (bodies.rest) and q so that the present pose carries the loads.

    Returns (joint, residual, stable): the index of a joint too soft to hold its moment, or -1; then nothing has been
    changed. The plant falls out of a shape kept in an equilibrium that is not stable.
    """
    balance(bodies, q, world, work, False)
    unit = load_scale(bodies, work)
    n = len(q)
    for i in range(n):
        moment = mat_t_vec(load9(work.rotation, i), load3(work.moment, i))
        spring = spring_of(bodies, i, world.loads.shared[0, STIFFNESS_SCALE])
        full = work.reach[i, 1]
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
    residual, _ = imbalance(bodies, world, work)
    stable = factorise_coupled(bodies, world, work, max(LEAST * unit, 1e-250)) == 0
    return -1, residual, stable


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
