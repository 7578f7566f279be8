# SPDX-License-Identifier: GPL-3.0-or-later
"""What loads do to one body that stands still: wrench and its change with the body's turn and shift.

Everything is the gradient of a potential where there is one, so wrenches are minus the forces on the body. A body's
tangent is the 6x6 matrix [rr rt; tr tt] in world axes that gives the change of the (moment about the inboard joint,
force) from a small (turn, shift of the inboard joint); a turn moves the body's own points and nothing else.
"""

import math

from ..machine.jit import inlined
from ..math.matrices import hat, hat_hat, mat_add, mat_of_sym, mat_scale, mat_sub, mat_symmetric, mat_transpose, outer
from ..math.vectors import add, cross, dot, load3, load6, load9, mat_mul, mat_vec, scale, store3, store9, sub
from .force_field import holding_of, place_in_field, still_acceleration


@inlined
def dead_loads(bodies, world, work, i):
    """Gravity, the body's force and torque, and its twist about its own y axis: sets wrench and tangent of body i."""
    loads = world.loads
    R = load9(work.rotation, i)
    c = mat_vec(R, load3(bodies.com, i))
    gravity = (loads.gravity[0], loads.gravity[1], loads.gravity[2])
    force = add(scale(bodies.mass[i], gravity), load3(loads.force, i))
    twist = scale(loads.twist[i], (R[1], R[4], R[7]))
    torque = add(load3(loads.torque, i), twist)
    up = scale(-1.0, force)
    store3(work.force, i, up)
    store3(work.moment, i, sub(cross(c, up), torque))
    store9(work.rr, i, mat_add(hat_hat(up, c), hat(twist)))  # a turn turns the twist: -d twist = twist x turn
    for k in range(9):
        work.rt[i, k] = 0.0
        work.tr[i, k] = 0.0
        work.tt[i, k] = 0.0
    reach_force = math.sqrt(dot(force, force))
    work.reach[i, 0] = reach_force
    work.reach[i, 1] = math.sqrt(dot(c, c)) * reach_force + math.sqrt(dot(torque, torque))


@inlined
def add_drag(world, work, i):
    """Drag of steady air on the panels of body i, with its change as they turn."""
    panels = world.panels
    R = load9(work.rotation, i)
    density = world.loads.air_density[0]
    for p in range(panels.start[i], panels.start[i + 1]):
        air = load3(world.loads.air, p)
        axis, c = mat_vec(R, load3(panels.axis, p)), mat_vec(R, load3(panels.center, p))
        s = dot(air, axis)
        across = sub(air, scale(s, axis))
        speed = math.sqrt(dot(across, across))
        k_a, k_p = 0.5 * density * panels.along[p], 0.5 * density * panels.across[p]
        up = scale(-1.0, add(scale(k_a * abs(s) * s, axis), scale(k_p * speed, across)))
        # The axis changes by turn x axis, so s by (axis x air) turn, and the part across by minus the part along.
        s_turn = cross(axis, air)
        axis_turn = mat_scale(-1.0, hat(axis))
        along_turn = mat_add(outer(axis, s_turn), mat_scale(s, axis_turn))
        change = mat_add(mat_scale(2.0 * k_a * abs(s), outer(axis, s_turn)), mat_scale(k_a * abs(s) * s, axis_turn))
        change = mat_add(change, mat_scale(-k_p * speed, along_turn))
        if speed > 0.0:
            change = mat_add(change, mat_scale(-k_p * s / speed, outer(across, s_turn)))
        change = mat_scale(-1.0, change)
        _add_wrench(work, i, c, up)
        store9(work.tr, i, mat_add(load9(work.tr, i), change))
        store9(work.rr, i, mat_add(load9(work.rr, i), mat_add(hat_hat(up, c), mat_mul(hat(c), change))))


@inlined
def add_still_field(bodies, world, work, i):
    """A force field on the halves of the mass of body i, with what drives them back where they move."""
    rows = world.loads.field
    if len(rows) == 0:
        return
    half = 0.5 * bodies.mass[i]
    for end in range(2):
        at = place_in_field(bodies.mass[i], load3(bodies.com, i), load6(bodies.inertia, i), end)
        e = mat_vec(load9(work.rotation, i), at)
        up = scale(-half, still_acceleration(rows, 2 * i + end, add(load3(work.position, i), e)))
        back = mat_scale(half, mat_of_sym(holding_of(rows, 2 * i + end)))
        lever = mat_mul(hat(e), back)
        _add_wrench(work, i, e, up)
        turned = mat_sub(hat_hat(up, e), mat_mul(lever, hat(e)))
        store9(work.rr, i, mat_add(load9(work.rr, i), turned))
        store9(work.rt, i, mat_add(load9(work.rt, i), lever))
        store9(work.tr, i, mat_add(load9(work.tr, i), mat_transpose(lever)))
        store9(work.tt, i, mat_add(load9(work.tt, i), back))


@inlined
def add_static_pulls(world, work):
    """Springs from points of bodies to targets."""
    loads = world.loads
    for j in range(len(loads.pull_body)):
        i, k = loads.pull_body[j], loads.pull_stiffness[j]
        if i < 0 or k == 0.0:
            continue
        e = mat_vec(load9(work.rotation, i), load3(loads.pull_point, j))
        up = scale(k, sub(add(load3(work.position, i), e), load3(loads.pull_target, j)))
        _add_wrench(work, i, e, up)
        lever = mat_scale(k, hat(e))
        store9(work.rr, i, mat_add(load9(work.rr, i), mat_add(hat_hat(up, e), mat_scale(-k, hat_hat(e, e)))))
        store9(work.rt, i, mat_add(load9(work.rt, i), lever))
        store9(work.tr, i, mat_add(load9(work.tr, i), mat_transpose(lever)))
        work.tt[i, 0] += k
        work.tt[i, 4] += k
        work.tt[i, 8] += k


@inlined
def _add_wrench(work, i, at, force):
    store3(work.force, i, add(load3(work.force, i), force))
    store3(work.moment, i, add(load3(work.moment, i), cross(at, force)))
    size = math.sqrt(dot(force, force))
    work.reach[i, 0] += size
    work.reach[i, 1] += math.sqrt(dot(at, at)) * size


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
