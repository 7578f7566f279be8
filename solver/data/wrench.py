# SPDX-License-Identifier: GPL-3.0-or-later
"""What loads do to one body that stands still: wrench and its change with the body's turn and shift.

Everything is the gradient of a potential where there is one, so wrenches are minus the forces on the body. A body's
tangent is the 6x6 matrix [rr rt; tr tt] in world axes that gives the change of the (moment about the inboard joint,
force) from a small (turn, shift of the inboard joint); a turn moves the body's own points and nothing else.
"""

import math

from ..machine.jit import inlined
from ..math.matrices import (
    hat,
    hat_hat,
    mat_add,
    mat_mul,
    mat_of_sym,
    mat_scale,
    mat_sub,
    mat_symmetric,
    mat_transpose,
)
from ..math.memory import load3, load9, store3, store9
from ..math.vectors import add, cross, dot, scale


@inlined
def add_wrench(work, i, at, force):
    """Add minus a force (N) at a point of body i, from its joint (m), its size and its moment's at full lever."""
    store3(work.force, i, add(load3(work.force, i), force))
    store3(work.moment, i, add(load3(work.moment, i), cross(at, force)))
    size = math.sqrt(dot(force, force))
    work.reach[i, 0] += size
    work.reach[i, 1] += math.sqrt(dot(at, at)) * size


@inlined
def add_spring(work, i, at, force, K):
    """Add a force (N) on a point of body i, from its joint (m), and the stiffness K (N/m, symmetric) of what gives it;
    its lever turns with the body."""
    up, whole = scale(-1.0, force), mat_of_sym(K)
    add_wrench(work, i, at, up)
    lever = mat_mul(hat(at), whole)
    store9(work.rr, i, mat_add(load9(work.rr, i), mat_sub(hat_hat(up, at), mat_mul(lever, hat(at)))))
    store9(work.rt, i, mat_add(load9(work.rt, i), lever))
    store9(work.tr, i, mat_add(load9(work.tr, i), mat_transpose(lever)))
    store9(work.tt, i, mat_add(load9(work.tt, i), whole))


@inlined
def keep_symmetric_part(work, i):
    """Drop from the tangent of body i what has no energy: torques, twist and wind. Nothing changes without them."""
    half = mat_scale(0.5, hat(load3(work.moment, i)))
    rr = mat_symmetric(mat_add(load9(work.rr, i), half))
    store9(work.rr, i, mat_add(rr, mat_scale(-1.0, half)))
    rt = mat_scale(0.5, mat_add(load9(work.rt, i), mat_transpose(load9(work.tr, i))))
    store9(work.rt, i, rt)
    store9(work.tr, i, mat_transpose(rt))
    store9(work.tt, i, mat_symmetric(load9(work.tt, i)))
