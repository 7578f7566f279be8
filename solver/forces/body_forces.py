# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on bodies: their own inertia, applied loads and springs that pull them."""

import math

from ..data import columns as col
from ..data.lanes import LANES, add3, add6, add9, get3, get4, get6, get9, put3, put6, put9
from ..data.rows import largest
from ..joints.springs import implicit_in_world
from ..machine.jit import inlined
from ..math.vectors import add, cross, dot, load3, mat_vec, scale, sub, sym_add, sym_rotate, sym_vec

#: m2: an arm shorter than its root has no direction.
SHORTEST2 = 1e-60


@inlined
def body_forces(data, s, loaded):
    """Bias forces with the loads at the share s of the frame, and the springs' torque turned into world axes.

    Returns the largest angular velocity (rad/s).
    """
    for b in range(len(data)):
        for lane in range(LANES):
            R = get9(data, b, col.ROTATION + lane)
            omega, alpha = get3(data, b, col.OMEGA + lane), get3(data, b, col.ALPHA + lane)
            acceleration = get3(data, b, col.ACCELERATION + lane)
            mass = data[b, col.MASS + lane]
            first = scale(mass, mat_vec(R, get3(data, b, col.COM + lane)))
            inertia = sym_rotate(R, get6(data, b, col.INERTIA + lane))
            moment = add(sym_vec(inertia, alpha), cross(omega, sym_vec(inertia, omega)))
            put3(data, b, col.PA_R + lane, add(moment, cross(first, acceleration)))
            force = add(scale(mass, acceleration), add(cross(alpha, first), cross(omega, cross(omega, first))))
            put3(data, b, col.PA_T + lane, force)
            put3(data, b, col.SPRING + lane, mat_vec(R, get3(data, b, col.SPRING + lane)))
            data[b, col.TURNED + lane] = dot(omega, omega)
    if loaded:
        applied_loads(data, s)
    return math.sqrt(largest(data, col.TURNED))


@inlined
def stretched(arm, force):
    """Stiffness (N m/rad, a symmetric matrix) that a force at an arm's end has against turning it: its geometric
    stiffness where it stretches the arm, nothing where it compresses it, so that inertias stay positive definite."""
    x, y, z = arm
    f = dot(arm, force)
    length2 = dot(arm, arm)
    along = (f if f > 0.0 else 0.0) / (length2 if length2 > SHORTEST2 else SHORTEST2)
    return (
        along * (y * y + z * z), -along * x * y, -along * x * z,
        along * (x * x + z * z), -along * y * z, along * (x * x + y * y),
    )  # fmt: skip


@inlined
def own_inertias(data, c2):
    """Start the articulated inertias with the bodies' own, and turn the implicit parts of springs into world axes.

    What pulls at a body's own mass away from its joint holds it as a pendulum is held: c2 times that stiffness counts
    as inertia (see stretched).
    """
    for b in range(len(data)):
        for lane in range(LANES):
            R = get9(data, b, col.ROTATION + lane)
            mass = data[b, col.MASS + lane]
            x, y, z = scale(mass, mat_vec(R, get3(data, b, col.COM + lane)))
            arm = mat_vec(R, get3(data, b, col.COM + lane))
            tension = stretched(arm, scale(-c2, get3(data, b, col.PA_T + lane)))
            put6(data, b, col.IA_RR + lane, sym_add(sym_rotate(R, get6(data, b, col.INERTIA + lane)), tension))
            put9(data, b, col.IA_RT + lane, (0.0, -z, y, z, 0.0, -x, -y, x, 0.0))
            put6(data, b, col.IA_TT + lane, (mass, 0.0, 0.0, mass, 0.0, mass))
            put6(data, b, col.IMPLICIT + lane, implicit_in_world(R, get4(data, b, col.IMPLICIT + lane)))


@inlined
def applied_loads(data, s):
    """Forces at the centres of mass, torques, and twists about the bodies' own axes."""
    for b in range(len(data)):
        for lane in range(LANES):
            before, after = col.LOADS_BEFORE + lane, col.LOADS_AFTER + lane
            force = _between(data, b, before, after, s)
            torque = _between(data, b, before + 3 * LANES, after + 3 * LANES, s)
            twist = (1.0 - s) * data[b, before + 6 * LANES] + s * data[b, after + 6 * LANES]
            R = get9(data, b, col.ROTATION + lane)
            center = mat_vec(R, get3(data, b, col.COM + lane))
            torque = add(torque, add(scale(twist, (R[1], R[4], R[7])), cross(center, force)))
            put3(data, b, col.PA_R + lane, sub(get3(data, b, col.PA_R + lane), torque))
            put3(data, b, col.PA_T + lane, sub(get3(data, b, col.PA_T + lane), force))


@inlined
def _between(data, b, before, after, s):
    return add(scale(1.0 - s, get3(data, b, before)), scale(s, get3(data, b, after)))


@inlined
def pulls(data, world, c1, c2, factor):
    """Springs from points of bodies to targets: explicit part in the bias force, implicit part as a point mass."""
    for j in range(len(world.body)):
        i = world.body[j]
        stiffness, damping = world.pulls_now[j, 3], world.pulls_now[j, 4]
        if i < 0 or (stiffness == 0.0 and damping == 0.0):
            continue
        b, lane = i >> 3, i & 7
        e = mat_vec(get9(data, b, col.ROTATION + lane), load3(world.point, j))
        stretch = sub(load3(world.pulls_now, j), add(get3(data, b, col.POSITION + lane), e))
        speed = add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), e))
        force = sub(scale(stiffness, stretch), scale(damping, speed))
        add3(data, b, col.PA_T + lane, scale(-1.0, force))
        add3(data, b, col.PA_R + lane, cross(force, e))
        if factor:
            g = c1 * damping + c2 * stiffness
            add_point(data, b, lane, e, (g, 0.0, 0.0, g, 0.0, g))
            add6(data, b, col.IA_RR + lane, stretched(e, scale(c2, force)))


@inlined
def add_point(data, b, lane, e, G):
    """Add what resists the acceleration of the point e from the joint by G, a symmetric matrix."""
    x, y, z = e
    # [e] G, and -[e] G [e].
    rt = (
        y * G[2] - z * G[1], y * G[4] - z * G[3], y * G[5] - z * G[4],
        z * G[0] - x * G[2], z * G[1] - x * G[4], z * G[2] - x * G[5],
        x * G[1] - y * G[0], x * G[3] - y * G[1], x * G[4] - y * G[2],
    )  # fmt: skip
    rr = (
        y * rt[2] - z * rt[1], z * rt[0] - x * rt[2], x * rt[1] - y * rt[0],
        z * rt[3] - x * rt[5], x * rt[4] - y * rt[3], x * rt[7] - y * rt[6],
    )  # fmt: skip
    add6(data, b, col.IA_RR + lane, rr)
    add9(data, b, col.IA_RT + lane, rt)
    add6(data, b, col.IA_TT + lane, G)
