# SPDX-License-Identifier: GPL-3.0-or-later
"""The linearly implicit articulated-body algorithm.

Featherstone's three passes (Rigid Body Dynamics Algorithms, 2008, table 7.1; Garcia 2023, 4.4.5), written in world
axes about each body's inboard joint, so that spatial transforms are pure shifts. Two things are added:

* The passes solve for a correction of a predicted joint acceleration: velocity products, gravity, the base's motion
  and the prediction enter as the accelerations the bodies would have without it ("bias").
* Springs, dampers and pulls are evaluated where the step will end, which adds c1 * damping + c2 * stiffness to the
  3x3 block of the joint (or a point mass at a pull's handle) and nothing else: a correction da changes the rate at the
  end of the step by c1 da and the rotation vector by c2 da.

So one solve is one Newton step on the equations of motion at the end of the time step, and costs O(n).
"""

import math

from ._jit import inlined, kernel
from ._linalg import (
    ZERO,
    add,
    cross,
    diagonal_rotate,
    dot,
    load3,
    load4,
    load6,
    load9,
    mat_t_vec,
    mat_vec,
    quat_log,
    quat_mat,
    quat_mul,
    quat_unit,
    scale,
    store3,
    store4,
    store6,
    store9,
    sub,
    sym_add,
    sym_inverse,
    sym_mat,
    sym_rotate,
    sym_vec,
    times,
)


@inlined
def spring_torque(q, stiffness):
    """-J_r^-T(phi) K phi, the gradient of the energy phi^T K phi / 2 with phi = log q, in the body's frame.

    For equal stiffnesses this is -K phi; otherwise the right Jacobian of the rotation keeps the spring conservative.
    """
    phi = quat_log(q)
    moment = times(stiffness, phi)
    angle2 = dot(phi, phi)
    if angle2 < 1e-4:
        c = 1.0 / 12.0 + angle2 / 720.0
    else:
        half = 0.5 * math.sqrt(angle2)
        c = (1.0 - half / math.tan(half)) / angle2
    turned = cross(phi, moment)
    turned_twice = cross(phi, turned)
    return (
        -moment[0] + 0.5 * turned[0] - c * turned_twice[0],
        -moment[1] + 0.5 * turned[1] - c * turned_twice[1],
        -moment[2] + 0.5 * turned[2] - c * turned_twice[2],
    )


@kernel
def place(bodies, q, base, orientation, position):
    """Fill the bodies' world orientation (n, 4) and position (n, 3) for the joint rotations q and the base (6, 4)."""
    for i in range(len(bodies.parent)):
        k = bodies.parent[i]
        Qp, pp = (load4(base, 1), load3(base, 0)) if k < 0 else (load4(orientation, k), load3(position, k))
        store4(orientation, i, quat_unit(quat_mul(quat_mul(Qp, load4(bodies.rest, i)), load4(q, i))))
        store3(position, i, add(pp, mat_vec(quat_mat(Qp), load3(bodies.offset, i))))


@inlined
def outward_pass(bodies, work, base, loads):
    """Positions, velocities, bias accelerations and bias forces, base to tips. Returns the largest |w|^2.

    base (6, 4): rows position, orientation, velocity, angular velocity, acceleration, angular acceleration.
    """
    gravity = (loads.gravity[0], loads.gravity[1], loads.gravity[2])
    fastest = 0.0
    for i in range(len(bodies.parent)):
        k = bodies.parent[i]
        if k < 0:
            Qp, pp, wp, vp = load4(base, 1), load3(base, 0), load3(base, 3), load3(base, 2)
            Rp = quat_mat(Qp)
            alpha_p, acc_p = load3(base, 5), sub(load3(base, 4), gravity)
        else:
            Qp, pp, wp = load4(work.orientation, k), load3(work.position, k), load3(work.angular_velocity, k)
            vp, Rp = load3(work.velocity, k), load9(work.rotation, k)
            alpha_p, acc_p = load3(work.angular_bias, k), load3(work.bias, k)
        Q = quat_unit(quat_mul(quat_mul(Qp, load4(bodies.rest, i)), load4(work.q, i)))
        R = quat_mat(Q)
        r = mat_vec(Rp, load3(bodies.offset, i))
        wr = mat_vec(R, load3(work.u, i))
        w = add(wp, wr)
        alpha = add(alpha_p, add(cross(wp, wr), mat_vec(R, load3(work.a, i))))
        wp_r = cross(wp, r)
        acc = add(acc_p, add(cross(alpha_p, r), cross(wp, wp_r)))
        store4(work.orientation, i, Q)
        store9(work.rotation, i, R)
        store3(work.position, i, add(pp, r))
        store3(work.offset, i, r)
        store3(work.angular_velocity, i, w)
        store3(work.velocity, i, add(vp, wp_r))
        store3(work.angular_bias, i, alpha)
        store3(work.bias, i, acc)
        fastest = max(fastest, dot(w, w))

        m = bodies.mass[i]
        c = mat_vec(R, load3(bodies.com, i))
        inertia = sym_rotate(R, load6(bodies.inertia, i))
        mc = scale(m, c)
        force = load3(loads.force, i)
        f = sub(add(scale(m, acc), add(cross(alpha, mc), cross(w, cross(w, mc)))), force)
        t = add(load3(loads.torque, i), scale(loads.twist[i], (R[1], R[4], R[7])))
        n = add(sym_vec(inertia, alpha), add(cross(w, sym_vec(inertia, w)), cross(mc, acc)))
        n = sub(sub(n, t), cross(c, force))
        store6(work.IA_rr, i, inertia)
        store9(work.IA_rt, i, (0.0, -mc[2], mc[1], mc[2], 0.0, -mc[0], -mc[1], mc[0], 0.0))
        store6(work.IA_tt, i, (m, 0.0, 0.0, m, 0.0, m))
        store3(work.pA_r, i, n)
        store3(work.pA_t, i, f)
    return fastest


@inlined
def add_pulls(work, loads, c1, c2):
    """Springs from points of bodies to targets: explicit part in the bias force, implicit part as a point mass."""
    for j in range(len(loads.pull_body)):
        i = loads.pull_body[j]
        stiffness, damping = loads.pull_stiffness[j], loads.pull_damping[j]
        if i < 0 or (stiffness == 0.0 and damping == 0.0):
            continue
        e = mat_vec(load9(work.rotation, i), load3(loads.pull_point, j))
        stretch = sub(load3(loads.pull_target, j), add(load3(work.position, i), e))
        speed = add(load3(work.velocity, i), cross(load3(work.angular_velocity, i), e))
        force = sub(scale(stiffness, stretch), scale(damping, speed))
        store3(work.pA_t, i, sub(load3(work.pA_t, i), force))
        store3(work.pA_r, i, sub(load3(work.pA_r, i), cross(e, force)))
        g = c1 * damping + c2 * stiffness
        x, y, z = e
        rr = (
            g * (y * y + z * z), -g * x * y, -g * x * z,
            g * (x * x + z * z), -g * y * z,
            g * (x * x + y * y),
        )  # fmt: skip
        store6(work.IA_rr, i, sym_add(load6(work.IA_rr, i), rr))
        store6(work.IA_tt, i, sym_add(load6(work.IA_tt, i), (g, 0.0, 0.0, g, 0.0, g)))
        rt = load9(work.IA_rt, i)
        ge = scale(g, e)
        store9(
            work.IA_rt, i,
            (
                rt[0], rt[1] - ge[2], rt[2] + ge[1],
                rt[3] + ge[2], rt[4], rt[5] - ge[0],
                rt[6] - ge[1], rt[7] + ge[0], rt[8],
            ),
        )  # fmt: skip


@inlined
def inward_pass(bodies, work, stiffness_scale, c1, c2):
    """Articulated inertias and bias forces, tips to base (Featherstone eq. 7.37 to 7.44).

    Leaves D^-1 = (IA_rr + c1 B + c2 K)^-1 and the joint's applied minus bias moment in the workspace.
    """
    for i in range(len(bodies.parent) - 1, -1, -1):
        R = load9(work.rotation, i)
        K = scale(stiffness_scale, load3(bodies.stiffness, i))
        beta, b = bodies.damping_time[i], bodies.damping[i]
        B = (beta * K[0] + b, beta * K[1] + b, beta * K[2] + b)
        tau = sub(spring_torque(load4(work.q, i), K), times(B, load3(work.u, i)))
        implicit = (c1 * B[0] + c2 * K[0], c1 * B[1] + c2 * K[1], c1 * B[2] + c2 * K[2])
        IA_rr, IA_rt, IA_tt = load6(work.IA_rr, i), load9(work.IA_rt, i), load6(work.IA_tt, i)
        pA_r, pA_t = load3(work.pA_r, i), load3(work.pA_t, i)
        Dinv = sym_inverse(sym_add(IA_rr, diagonal_rotate(R, implicit)))
        torque = sub(mat_vec(R, tau), pA_r)
        store6(work.Dinv, i, Dinv)
        store3(work.torque, i, torque)
        k = bodies.parent[i]
        if k < 0:
            continue
        # Ia = IA - U D^-1 U^T and pa = pA + U D^-1 torque, with U = [IA_rr; IA_rt^T].
        A = sym_vec(Dinv, torque)
        DU_r = sym_mat(Dinv, (IA_rr[0], IA_rr[1], IA_rr[2], IA_rr[1], IA_rr[3], IA_rr[4], IA_rr[2], IA_rr[4], IA_rr[5]))
        DU_t = sym_mat(Dinv, IA_rt)
        Ia_rr = _reduced_rr(IA_rr, DU_r)
        Ia_rt = _reduced_rt(IA_rr, IA_rt, DU_t)
        Ia_tt = _reduced_tt(IA_tt, IA_rt, DU_t)
        pa_r = add(pA_r, sym_vec(IA_rr, A))
        pa_t = add(pA_t, mat_t_vec(IA_rt, A))
        # Shift from this joint to the parent's: I -> X^T I X with x_t = xp_t + xp_r x r.
        r = load3(work.offset, i)
        shifted_rt = _shift_rt(Ia_rt, Ia_tt, r)
        store6(work.IA_rr, k, sym_add(load6(work.IA_rr, k), _shift_rr(Ia_rr, Ia_rt, shifted_rt, r)))
        rt = load9(work.IA_rt, k)
        for j in range(9):
            work.IA_rt[k, j] = rt[j] + shifted_rt[j]
        store6(work.IA_tt, k, sym_add(load6(work.IA_tt, k), Ia_tt))
        store3(work.pA_r, k, add(load3(work.pA_r, k), add(pa_r, cross(r, pa_t))))
        store3(work.pA_t, k, add(load3(work.pA_t, k), pa_t))


@inlined
def _reduced_rr(IA_rr, DU_r):
    """IA_rr - IA_rr D^-1 IA_rr."""
    a, b, c, d, e, f = IA_rr
    return (
        a - (a * DU_r[0] + b * DU_r[3] + c * DU_r[6]),
        b - (a * DU_r[1] + b * DU_r[4] + c * DU_r[7]),
        c - (a * DU_r[2] + b * DU_r[5] + c * DU_r[8]),
        d - (b * DU_r[1] + d * DU_r[4] + e * DU_r[7]),
        e - (b * DU_r[2] + d * DU_r[5] + e * DU_r[8]),
        f - (c * DU_r[2] + e * DU_r[5] + f * DU_r[8]),
    )


@inlined
def _reduced_rt(IA_rr, IA_rt, DU_t):
    """IA_rt - IA_rr D^-1 IA_rt."""
    s = sym_mat(IA_rr, DU_t)
    return (
        IA_rt[0] - s[0], IA_rt[1] - s[1], IA_rt[2] - s[2],
        IA_rt[3] - s[3], IA_rt[4] - s[4], IA_rt[5] - s[5],
        IA_rt[6] - s[6], IA_rt[7] - s[7], IA_rt[8] - s[8],
    )  # fmt: skip


@inlined
def _reduced_tt(IA_tt, IA_rt, DU_t):
    """IA_tt - IA_rt^T D^-1 IA_rt."""
    m = IA_rt
    return (
        IA_tt[0] - (m[0] * DU_t[0] + m[3] * DU_t[3] + m[6] * DU_t[6]),
        IA_tt[1] - (m[0] * DU_t[1] + m[3] * DU_t[4] + m[6] * DU_t[7]),
        IA_tt[2] - (m[0] * DU_t[2] + m[3] * DU_t[5] + m[6] * DU_t[8]),
        IA_tt[3] - (m[1] * DU_t[1] + m[4] * DU_t[4] + m[7] * DU_t[7]),
        IA_tt[4] - (m[1] * DU_t[2] + m[4] * DU_t[5] + m[7] * DU_t[8]),
        IA_tt[5] - (m[2] * DU_t[2] + m[5] * DU_t[5] + m[8] * DU_t[8]),
    )


@inlined
def _shift_rt(rt, tt, r):
    """rt + [r] tt: moment about the parent's joint per translation."""
    x, y, z = r
    return (
        rt[0] - z * tt[1] + y * tt[2], rt[1] - z * tt[3] + y * tt[4], rt[2] - z * tt[4] + y * tt[5],
        rt[3] + z * tt[0] - x * tt[2], rt[4] + z * tt[1] - x * tt[4], rt[5] + z * tt[2] - x * tt[5],
        rt[6] - y * tt[0] + x * tt[1], rt[7] - y * tt[1] + x * tt[3], rt[8] - y * tt[2] + x * tt[4],
    )  # fmt: skip


@inlined
def _shift_rr(rr, rt, shifted_rt, r):
    """rr + [r] rt^T - shifted_rt [r], symmetric."""
    x, y, z = r
    s = shifted_rt
    return (
        rr[0] - z * rt[1] + y * rt[2] - (s[1] * z - s[2] * y),
        rr[1] - z * rt[4] + y * rt[5] - (s[2] * x - s[0] * z),
        rr[2] - z * rt[7] + y * rt[8] - (s[0] * y - s[1] * x),
        rr[3] + z * rt[3] - x * rt[5] - (s[5] * x - s[3] * z),
        rr[4] + z * rt[6] - x * rt[8] - (s[3] * y - s[4] * x),
        rr[5] - y * rt[6] + x * rt[7] - (s[6] * y - s[7] * x),
    )


@inlined
def acceleration_pass(bodies, work):
    """Corrections of the joint accelerations, in the bodies' frames, base to tips (Featherstone eq. 7.45 to 7.47)."""
    for i in range(len(bodies.parent)):
        k = bodies.parent[i]
        torque = load3(work.torque, i)
        if k < 0:
            A = sym_vec(load6(work.Dinv, i), torque)
            x_r, x_t = A, ZERO
        else:
            xp = load3(work.x_r, k)
            x_t = add(load3(work.x_t, k), cross(xp, load3(work.offset, i)))
            carried = add(sym_vec(load6(work.IA_rr, i), xp), mat_vec(load9(work.IA_rt, i), x_t))
            A = sym_vec(load6(work.Dinv, i), sub(torque, carried))
            x_r = add(xp, A)
        store3(work.x_r, i, x_r)
        store3(work.x_t, i, x_t)
        store3(work.correction, i, mat_t_vec(load9(work.rotation, i), A))


@inlined
def solve_correction(bodies, work, base, loads, c1, c2):
    """Fill work.correction for the predicted work.q, work.u and work.a. Returns the largest angular velocity (rad/s).

    c1 (s) and c2 (s^2) are the weights of a scheme's end point; both are zero for the plain articulated-body
    algorithm, whose joint accelerations are work.a + work.correction.
    """
    fastest = outward_pass(bodies, work, base, loads)
    add_pulls(work, loads, c1, c2)
    inward_pass(bodies, work, loads.stiffness_scale[0], c1, c2)
    acceleration_pass(bodies, work)
    return math.sqrt(fastest)
