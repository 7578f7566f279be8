# SPDX-License-Identifier: GPL-3.0-or-later
"""The plant's tangent stiffness at a pose, factorised in O(n) over the tree.

Unknowns are small turns a of the joints, vectors in world axes; a body's turn is its parent's plus its own a, and a
turned parent carries its children's joints along. The gradient of a joint is its spring's plus the moment of all loads
outboard. Block elimination from the tips to the base has the shape of the articulated-body algorithm: instead of
inertias, bodies carry the 6x6 tangent of their wrench, to which a child adds that of its own with the joint
eliminated, shifted to the parent's joint, and the term of its force whose lever turns with the parent.

Where all loads have a potential the system's matrix is the second derivative of the energy along the turns
q_i exp(e_i), symmetric also out of balance. The blocks of rr that this takes follow from [m], the moment outboard:
rr for what is handed inwards, rr + [m] for what a turn of the parent does to the joint's own balance, and
rr + [m]/2 for its own turn. Follower twists, torques and wind make the matrix unsymmetric and nothing else.

A shift adds shift * M, M being the mass matrix and on its diagonal what the joints are given as heft: eigenvalues
below -shift show as blocks that are not positive.
"""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats1, Floats2
from ..contact.touch import Touching
from ..data.wrench import keep_symmetric_part
from ..forces import laws
from ..forces.leaning import LEANS_ON_NOTHING, Leaning
from ..forces.loads import STIFFNESS_SCALE, Loads
from ..joints.springs import spring_gradient, spring_of, spring_tangent
from ..machine.jit import kernel
from ..math.matrices import (
    hat,
    hat_hat,
    mat_add,
    mat_inverse,
    mat_mul,
    mat_of_sym,
    mat_scale,
    mat_sub,
    mat_transpose,
    mat_vec,
    not_positive,
)
from ..math.memory import load3, load4, load6, load9, store3, store4, store6, store9
from ..math.quaternions import quat_mat, quat_mul, quat_unit
from ..math.symmetric import sym_rotate, sym_vec
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.model import Bodies, Panels


class StillWorld(NamedTuple):
    """What a plant at rest stands in.

    loads, of which the air is taken as steady; panels; base (6 b, 4): position and orientation of each of b bases, the
    rest is not used; bodies on base i have the parent -1 - i
    touching: obstacles, and the points near them as find_at_rest found them last; leaning: pairs of bodies likewise
    is_firm: whether contacts have the second spring behind what they give, see contact/law.py
    """

    loads: Loads
    panels: Panels
    base: Floats2
    touching: Touching
    leaning: Leaning = LEANS_ON_NOTHING
    is_firm: bool = True


class Tangent(NamedTuple):
    """What the passes below leave for each other, n bodies, world axes.

    By balance, of a pose:
    orientation (n, 4), rotation (n, 9), position (n, 3) of the inboard joint, offset (n, 3) from the parent's joint
    force, moment (n, 3) of all loads outboard, about the inboard joint, with the sign of a gradient
    gradient (n, 3) N m: unbalanced moment; spring (n, 9) N m/rad: tangent of the joint's spring
    rr, rt, tr, tt (n, 9): tangent of the body's own wrench
    inertia (n, 6) about the inboard joint, first (n, 3) kg m: mass times centre of mass
    reach (n, 2): sum of the sizes of forces outboard (N) and of their moments at full lever (N m)

    By factorise, of a pose and a shift:
    RR, RT, TR, TT (n, 9): rr, rt, tr, tt with all that is outboard; inverse (n, 9) of the joint's block

    By imbalance.py, zero before; what uses the mass matrix counts heft too:
    heft (n,) kg m2: inertia that a joint itself opposes to its turn; span (n,) kg m: mass outboard times its full lever
    noise (n,) N m: moment that rounding makes at the joint; noise_across (n, 3): what it makes besides, across this
    vector

    Scratch of every pass that needs it, of solve and mass_product among them; after these two the bodies' turns (rad)
    and their joints' shifts (m) are in turn and move:
    hung_r, hung_t, turn, move (n, 3); in load_scale, hung_r is sums outboard of mass, first and second moment; in
    held_shape.py, turn is the springs' rotation vectors
    """

    orientation: Floats2
    rotation: Floats2
    position: Floats2
    offset: Floats2
    force: Floats2
    moment: Floats2
    gradient: Floats2
    spring: Floats2
    rr: Floats2
    rt: Floats2
    tr: Floats2
    tt: Floats2
    RR: Floats2
    RT: Floats2
    TR: Floats2
    TT: Floats2
    inverse: Floats2
    inertia: Floats2
    first: Floats2
    reach: Floats2
    heft: Floats1
    span: Floats1
    noise: Floats1
    noise_across: Floats2
    hung_r: Floats2
    hung_t: Floats2
    turn: Floats2
    move: Floats2


def new_tangent(n: int) -> Tangent:
    """One of n bodies, all zero."""
    blocks = ("rotation", "spring", "rr", "rt", "tr", "tt", "RR", "RT", "TR", "TT", "inverse")
    widths = {"orientation": 4, "inertia": 6, "reach": 2} | dict.fromkeys(blocks, 9)
    single = ("heft", "span", "noise")
    return Tangent(*(np.zeros(n if name in single else (n, widths.get(name, 3))) for name in Tangent._fields))


@kernel
def balance(bodies: Bodies, q: Floats2, world: StillWorld, work: Tangent, symmetric: bool) -> None:
    """Place the bodies at the joint rotations q (n, 4) and find gradient and tangents of springs and bodies there."""
    base, stiffness_scale = world.base, world.loads.shared[0, STIFFNESS_SCALE]
    n = len(bodies.parent)
    for i in range(n):
        k = bodies.parent[i]
        if k < 0:
            Qp, pp = load4(base, 6 * (-1 - k) + 1), load3(base, 6 * (-1 - k))
        else:
            Qp, pp = load4(work.orientation, k), load3(work.position, k)
        r = mat_vec(quat_mat(Qp), load3(bodies.offset, i))
        Q = quat_unit(quat_mul(quat_mul(Qp, load4(bodies.rest, i)), load4(q, i)))
        R = quat_mat(Q)
        store4(work.orientation, i, Q)
        store9(work.rotation, i, R)
        store3(work.offset, i, r)
        store3(work.position, i, add(pp, r))
        store6(work.inertia, i, sym_rotate(R, load6(bodies.inertia, i)))
        store3(work.first, i, scale(bodies.mass[i], mat_vec(R, load3(bodies.com, i))))
        laws.still_on_body(bodies, world, work, i)
    laws.still_on_points(world, work)
    if symmetric:
        for i in range(n):
            keep_symmetric_part(work, i)
    for i in range(n - 1, -1, -1):
        R, joint, k = load9(work.rotation, i), load4(q, i), bodies.parent[i]
        spring = spring_of(bodies, i, stiffness_scale)
        moment, force = load3(work.moment, i), load3(work.force, i)
        store3(work.gradient, i, add(mat_vec(R, spring_gradient(joint, spring)), moment))
        turned = mat_mul(R, spring_tangent(joint, spring))
        store9(work.spring, i, mat_mul(turned, mat_transpose(R)))
        if k >= 0:
            r = load3(work.offset, i)
            store3(work.moment, k, add(load3(work.moment, k), add(moment, cross(r, force))))
            store3(work.force, k, add(load3(work.force, k), force))
            work.reach[k, 1] += work.reach[i, 1] + math.sqrt(dot(r, r)) * work.reach[i, 0]
            work.reach[k, 0] += work.reach[i, 0]


def joint_places(bodies: Bodies, q: Floats, world: StillWorld) -> Floats:
    """(n, 3) m, world axes: where the joints are at the rotations q (n, 4)."""
    work = new_tangent(len(q))
    balance(bodies, q, world, work, False)
    return work.position


@kernel
def factorise(bodies: Bodies, work: Tangent, shift: float) -> int:
    """Eliminate joint by joint, tips to base. Returns how many eigenvalues of the joints' blocks are not positive.

    With loads that have a potential the tangent plus shift (1/s2) times the mass matrix has as many; with others, none
    means that no eigenvalue of its symmetric part at any joint is negative.
    """
    n = len(bodies.parent)
    for i in range(n):
        m = shift * bodies.mass[i]
        lever = mat_scale(shift, hat(load3(work.first, i)))
        store9(work.RR, i, mat_add(load9(work.rr, i), mat_scale(shift, mat_of_sym(load6(work.inertia, i)))))
        store9(work.RT, i, mat_add(load9(work.rt, i), lever))
        store9(work.TR, i, mat_sub(load9(work.tr, i), lever))
        store9(work.TT, i, mat_add(load9(work.tt, i), (m, 0.0, 0.0, 0.0, m, 0.0, 0.0, 0.0, m)))
    negative = 0
    for i in range(n - 1, -1, -1):
        k = bodies.parent[i]
        RR, RT, TR = load9(work.RR, i), load9(work.RT, i), load9(work.TR, i)
        twisted = hat(load3(work.moment, i))
        block = mat_add(mat_add(RR, load9(work.spring, i)), mat_scale(0.5, twisted))
        heft = shift * work.heft[i]
        block = mat_add(block, (heft, 0.0, 0.0, 0.0, heft, 0.0, 0.0, 0.0, heft))
        negative += not_positive(block)
        inverse = mat_inverse(block)
        store9(work.inverse, i, inverse)
        if k < 0:
            continue
        by_turn = mat_mul(inverse, mat_add(RR, twisted))
        by_move = mat_mul(inverse, RT)
        rr, rt = mat_sub(RR, mat_mul(RR, by_turn)), mat_sub(RT, mat_mul(RR, by_move))
        tr, tt = mat_sub(TR, mat_mul(TR, by_turn)), mat_sub(load9(work.TT, i), mat_mul(TR, by_move))
        # Shift to the parent's joint: this one moves by turn x r, and its force has the lever r, which turns too.
        r = load3(work.offset, i)
        cross_r = hat(r)
        tr = mat_sub(tr, mat_mul(tt, cross_r))
        rr = mat_add(mat_sub(rr, mat_mul(rt, cross_r)), mat_mul(cross_r, tr))
        rr = mat_add(rr, hat_hat(load3(work.force, i), r))
        store9(work.RR, k, mat_add(load9(work.RR, k), rr))
        store9(work.RT, k, mat_add(load9(work.RT, k), mat_add(rt, mat_mul(cross_r, tt))))
        store9(work.TR, k, mat_add(load9(work.TR, k), tr))
        store9(work.TT, k, mat_add(load9(work.TT, k), tt))
    return negative


@kernel
def solve(bodies: Bodies, work: Tangent, moments: Floats2, result: Floats2) -> float:
    """Turns of the joints (n, 3), in world axes, by the moments (n, 3) at the joints, with the last factorisation.

    result and moments may be one array, here and below. Returns the largest turn of a body (rad), NaN when one is not
    finite.
    """
    n = len(bodies.parent)
    for i in range(n):
        store3(work.hung_r, i, ZERO)
        store3(work.hung_t, i, ZERO)
    for i in range(n - 1, -1, -1):
        k = bodies.parent[i]
        hung_r, hung_t = load3(work.hung_r, i), load3(work.hung_t, i)
        a = mat_vec(load9(work.inverse, i), sub(load3(moments, i), hung_r))
        store3(result, i, a)
        if k >= 0:
            hung_r = add(hung_r, mat_vec(load9(work.RR, i), a))
            hung_t = add(hung_t, mat_vec(load9(work.TR, i), a))
            hung_r = add(hung_r, cross(load3(work.offset, i), hung_t))
            store3(work.hung_r, k, add(load3(work.hung_r, k), hung_r))
            store3(work.hung_t, k, add(load3(work.hung_t, k), hung_t))
    largest, total = 0.0, 0.0
    for i in range(n):
        k = bodies.parent[i]
        a = load3(result, i)
        if k < 0:
            turn, move = a, ZERO
        else:
            over = load3(work.turn, k)
            move = add(load3(work.move, k), cross(over, load3(work.offset, i)))
            carried = add(mat_vec(load9(work.RR, i), over), cross(load3(work.moment, i), over))
            carried = add(carried, mat_vec(load9(work.RT, i), move))
            a = sub(a, mat_vec(load9(work.inverse, i), carried))
            turn = add(over, a)
        store3(result, i, a)
        store3(work.turn, i, turn)
        store3(work.move, i, move)
        largest = max(largest, dot(turn, turn))
        total += dot(turn, turn)
    return math.sqrt(largest) if math.isfinite(total) else math.nan


@kernel
def mass_product(bodies: Bodies, work: Tangent, turns: Floats2, result: Floats2) -> None:
    """Mass matrix times turns (n, 3), both in world axes at the pose of the last balance: recursive Newton-Euler."""
    n = len(bodies.parent)
    for i in range(n):
        k = bodies.parent[i]
        turn, move = load3(turns, i), ZERO
        if k >= 0:
            over = load3(work.turn, k)
            turn = add(turn, over)
            move = add(load3(work.move, k), cross(over, load3(work.offset, i)))
        store3(work.turn, i, turn)
        store3(work.move, i, move)
        first = load3(work.first, i)
        store3(work.hung_r, i, add(sym_vec(load6(work.inertia, i), turn), cross(first, move)))
        store3(work.hung_t, i, add(scale(bodies.mass[i], move), cross(turn, first)))
    for i in range(n - 1, -1, -1):
        k = bodies.parent[i]
        moment, force = load3(work.hung_r, i), load3(work.hung_t, i)
        store3(result, i, add(moment, scale(work.heft[i], load3(turns, i))))
        if k >= 0:
            store3(work.hung_r, k, add(load3(work.hung_r, k), add(moment, cross(load3(work.offset, i), force))))
            store3(work.hung_t, k, add(load3(work.hung_t, k), force))
