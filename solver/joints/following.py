# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that follow a keyed motion: what they give so that bodies move as the reference does.

Kavafoglu 2018 lets joints accelerate by a_r + k e + 2 zeta sqrt(k) e', the reference's acceleration and what leads back
to it from the error e, and takes the moments from inverse dynamics. Here the moment of a joint that follows by the
share f is

    tau = f (tau_r + J^T k w I e + 2 zeta sqrt(k) w I e'),      |tau| <= the largest one

tau_r: M(q) a_r + C(q, u) u_r less gravity's, what inverse dynamics asks of the joint where its bodies are, for joints
that move as the reference does, each by its share. Velocity products are those of both velocities, half each way, so
that they feed no energy where u is another than u_r (Paden and Panja, Int. J. Control 47, 1988).
Without disturbances the reference is then the exact motion. e: the rotation vector to the reference, J^T: see springs.

I: inertia of all that the joint carries in the reference's pose, about it, as if that were rigid. So one joint alone
comes back as an oscillator of the stiffness k, whatever its mass; it is a spring, implicit as all are, and no gain is
too large. Kavafoglu's moments of k e, of all joints together, would let joints bend against a steady push. w makes up
for that the errors of joints on a path add up (see reference.py).
"""

import math

from ..data import columns as col
from ..data.lanes import LANES, add3, add6, get3, get4, get6, get9, put3, put4, put6
from ..machine.jit import inlined
from ..math.matrices import mat_vec
from ..math.memory import load3
from ..math.polynomials import quintic
from ..math.quaternions import quat_conj, quat_exp, quat_mul
from ..math.symmetric import sym_add, sym_rotate, sym_scale, sym_vec
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .giving_way import yielding_energy
from .springs import GEOMETRIC, pose_at, rotation_vector, second_coefficient, turned_back
from .stretching import moved_mass, parents_axes


@inlined
def reference_at(data, loose, s, duration):
    """Let pose, its rate and acceleration, and how it is followed, be what they are at the share s of a frame.

    The rotation vector from the pose at the beginning is the polynomial of order five with the rates and accelerations
    of both ends. Broken joints follow nothing.
    """
    T = duration
    of_value, of_rate, of_gain = quintic(s)
    x1, v0, v1, a0, a1 = of_value
    dx1, dv0, dv1, da0, da1 = of_rate
    ex1, ev0, ev1, ea0, ea1 = of_gain
    for b in range(len(data)):
        for lane in range(LANES):
            turn = get3(data, b, col.POSE_TURN + lane)
            rate0, gain0 = get3(data, b, col.PATH + lane), get3(data, b, col.PATH + 3 * LANES + lane)
            rate1, gain1 = get3(data, b, col.PATH + 6 * LANES + lane), get3(data, b, col.PATH + 9 * LANES + lane)
            phi = _sum5(turn, x1, rate0, T * v0, gain0, T * T * a0, rate1, T * v1, gain1, T * T * a1)
            rate = _sum5(turn, dx1 / T, rate0, dv0, gain0, T * da0, rate1, dv1, gain1, T * da1)
            gain = _sum5(turn, ex1 / (T * T), rate0, ev0 / T, gain0, ea0, rate1, ev1 / T, gain1, ea1)
            put4(data, b, col.POSE + lane, quat_mul(get4(data, b, col.POSE_BEFORE + lane), quat_exp(phi)))
            # The body's rates for those of a rotation vector that is not large, to its third order.
            twice = add(cross(rate, cross(phi, rate)), cross(phi, cross(phi, gain)))
            put3(
                data, b, col.POSE_RATE + lane,
                add(sub(rate, scale(0.5, cross(phi, rate))), scale(1.0 / 6.0, cross(phi, cross(phi, rate)))),
            )  # fmt: skip
            put3(
                data, b, col.POSE_GAIN + lane,
                add(sub(gain, scale(0.5, cross(phi, gain))), scale(1.0 / 6.0, twice)),
            )  # fmt: skip
            before, after = get4(data, b, col.FOLLOW_BEFORE + lane), get4(data, b, col.FOLLOW_AFTER + lane)
            early, late = get6(data, b, col.WEIGHED_BEFORE + lane), get6(data, b, col.WEIGHED_AFTER + lane)
            put6(data, b, col.WEIGHED + lane, sym_add(sym_scale(1.0 - s, early), sym_scale(s, late)))
            put4(
                data, b, col.FOLLOW + lane,
                (
                    (1.0 - s) * before[0] + s * after[0],
                    (1.0 - s) * before[1] + s * after[1],
                    (1.0 - s) * before[2] + s * after[2],
                    after[3],
                ),
            )  # fmt: skip
    for i in range(len(loose.cracked)):
        if loose.cracked[i] > 0:
            data[i >> 3, col.FOLLOW + (i & 7)] = 0.0


@inlined
def _sum5(a, ka, b, kb, c, kc, d, kd, e, ke):
    return (
        ka * a[0] + kb * b[0] + kc * c[0] + kd * d[0] + ke * e[0],
        ka * a[1] + kb * b[1] + kc * c[1] + kd * d[1] + ke * e[1],
        ka * a[2] + kb * b[2] + kc * c[2] + kd * d[2] + ke * e[2],
    )


@inlined
def guide(data, loose, is_followed, s, duration):
    """Let the springs' pose, and what is followed, be what they are at the share s of a frame."""
    if is_followed:
        reference_at(data, loose, s, duration)
    else:
        pose_at(data, s, duration)


@inlined
def follow(data, parent, stands, loose, gravity, c1, c2):
    """Add what following joints give to SPRING, in world axes, and fill HELD with what is implicit in it.

    c1 (s), c2 (s2): what rates and turns gain from an acceleration.
    """
    _lead_back(data, c1, c2)
    _wanted_accelerations(data, parent, stands, loose, gravity)
    _needed_forces(data)
    for i in range(len(parent) - 1, -1, -1):
        b, lane, k = i >> 3, i & 7, parent[i]
        share, most = data[b, col.FOLLOW + lane], data[b, col.FOLLOW + 3 * LANES + lane]
        moment, force = get3(data, b, col.X_R + lane), get3(data, b, col.X_T + lane)
        given = add(scale(share, moment), get3(data, b, col.LEADS + lane))
        size = math.sqrt(dot(given, given))
        if size > most:
            gives_way = most / size
            given = scale(gives_way, given)
            put6(data, b, col.HELD + lane, sym_scale(gives_way, get6(data, b, col.HELD + lane)))
        add3(data, b, col.SPRING + lane, given)
        if k >= 0:
            bp, lp = k >> 3, k & 7
            add3(data, bp, col.X_R + lp, add(moment, cross(get3(data, b, col.ARM + lane), force)))
            add3(data, bp, col.X_T + lp, force)


@inlined
def _lead_back(data, c1, c2):
    """Fill LEADS with what leads back to the reference, HELD with its implicit part, and OMEGA_R and X_R with rates and
    accelerations of the joints that follow, all in world axes."""
    for b in range(len(data)):
        for lane in range(LANES):
            R, share = get9(data, b, col.ROTATION + lane), data[b, col.FOLLOW + lane]
            k, d = data[b, col.FOLLOW + LANES + lane], data[b, col.FOLLOW + 2 * LANES + lane]
            weighed = get6(data, b, col.WEIGHED + lane)
            wanted = quat_mul(get4(data, b, col.DRAWN + lane), get4(data, b, col.POSE + lane))
            p = quat_mul(quat_conj(wanted), get4(data, b, col.Q + lane))
            phi, angle2, cotangent = rotation_vector(p)
            moment = scale(k, sym_vec(weighed, phi))
            once = cross(phi, moment)
            c = second_coefficient(angle2, cotangent)
            rate = turned_back(p, get3(data, b, col.POSE_RATE + lane))
            braked = scale(d, sym_vec(weighed, sub(rate, get3(data, b, col.U + lane))))
            back = add(sub(scale(0.5, once), moment), add(scale(-c, cross(phi, once)), braked))
            gain = turned_back(p, get3(data, b, col.POSE_GAIN + lane))
            put3(data, b, col.LEADS + lane, mat_vec(R, scale(share, back)))
            put3(data, b, col.OMEGA_R + lane, mat_vec(R, scale(share, rate)))
            put3(data, b, col.X_R + lane, mat_vec(R, scale(share, gain)))
            held = sym_scale(share * (c1 * d + c2 * k), sym_rotate(R, weighed))
            stiffer = share * c2 * GEOMETRIC * math.sqrt(dot(moment, moment))
            put6(data, b, col.HELD + lane, sym_add(held, (stiffer, 0.0, 0.0, stiffer, 0.0, stiffer)))


@inlined
def _half_each(a, b, of_a, of_b):
    """(a x of_b + b x of_a) / 2."""
    return scale(0.5, add(cross(a, of_b), cross(b, of_a)))


@inlined
def _wanted_accelerations(data, parent, stands, loose, gravity):
    """Fill OMEGA_R, X_R and X_T with the angular velocity of bodies if joints do as the reference does, and what they
    and these joints accelerate then, base to tips."""
    stretches = data[0, col.STRETCHES] > 0.0
    for i in range(len(parent)):
        b, lane, k = i >> 3, i & 7, parent[i]
        if k == -1:
            base = stands.now[stands.on[i]]
            omega = omega_r = load3(base, 3)
            alpha, acceleration = load3(base, 5), sub(load3(base, 4), gravity)
        elif k < 0:
            omega, omega_r, alpha, acceleration = ZERO, ZERO, ZERO, ZERO  # what falls freely bears no weight
        else:
            bp, lp = k >> 3, k & 7
            omega, omega_r = get3(data, bp, col.OMEGA + lp), get3(data, bp, col.OMEGA_R + lp)
            alpha, acceleration = get3(data, bp, col.X_R + lp), get3(data, bp, col.X_T + lp)
        r, rate_r = get3(data, b, col.ARM + lane), get3(data, b, col.OMEGA_R + lane)
        rate = sub(get3(data, b, col.OMEGA + lane), omega)
        turning = add(cross(alpha, r), _half_each(omega, omega_r, cross(omega, r), cross(omega_r, r)))
        put3(data, b, col.X_T + lane, add(acceleration, turning))
        if stretches:
            Rp = parents_axes(data, parent, stands, loose, i)
            moved, gained = get3(data, b, col.OFFSET_RATE + lane), get3(data, b, col.OFFSET_GAIN + lane)
            add3(data, b, col.X_T + lane, add(mat_vec(Rp, gained), scale(2.0, cross(omega_r, mat_vec(Rp, moved)))))
        add3(data, b, col.X_R + lane, add(alpha, _half_each(omega, omega_r, rate, rate_r)))
        add3(data, b, col.OMEGA_R + lane, omega_r)


@inlined
def _needed_forces(data):
    """Let X_R and X_T be the moments and forces that bodies need for that."""
    for b in range(len(data)):
        for lane in range(LANES):
            R, mass = get9(data, b, col.ROTATION + lane), data[b, col.MASS + lane]
            first = scale(mass, mat_vec(R, get3(data, b, col.COM + lane)))
            inertia = sym_rotate(R, get6(data, b, col.INERTIA + lane))
            omega, omega_r = get3(data, b, col.OMEGA + lane), get3(data, b, col.OMEGA_R + lane)
            alpha, acceleration = get3(data, b, col.X_R + lane), get3(data, b, col.X_T + lane)
            moment = add(sym_vec(inertia, alpha), cross(first, acceleration))
            spun = _half_each(omega, omega_r, sym_vec(inertia, omega), sym_vec(inertia, omega_r))
            force = add(scale(mass, acceleration), cross(alpha, first))
            swung = _half_each(omega, omega_r, cross(omega, first), cross(omega_r, first))
            put3(data, b, col.X_R + lane, add(moment, spun))
            put3(data, b, col.X_T + lane, add(force, swung))
    if data[0, col.STRETCHES] > 0.0:
        for b in range(len(data)):
            for lane in range(LANES):
                moment, force = moved_mass(data, b, lane, get3(data, b, col.OMEGA_R + lane))
                add3(data, b, col.X_R + lane, moment)
                add3(data, b, col.X_T + lane, force)


@inlined
def followed_energy(data, n, gravity):
    """Energy (J) of n bodies in what leads them back to a pose that stands still, less that of the weight that joints
    bear for it, at Q. Where a largest moment is reached: no less than what the joint may give."""
    energy = 0.0
    for i in range(n):
        b, lane = i >> 3, i & 7
        share, R = data[b, col.FOLLOW + lane], get9(data, b, col.ROTATION + lane)
        wanted = quat_mul(get4(data, b, col.DRAWN + lane), get4(data, b, col.POSE + lane))
        phi, _, _ = rotation_vector(quat_mul(quat_conj(wanted), get4(data, b, col.Q + lane)))
        k, center = data[b, col.FOLLOW + LANES + lane], mat_vec(R, get3(data, b, col.COM + lane))
        stiffness = sym_scale(share * k, get6(data, b, col.WEIGHED + lane))
        energy += yielding_energy(stiffness, phi, data[b, col.FOLLOW + 3 * LANES + lane])
        borne = dot(gravity, add(get3(data, b, col.POSITION + lane), center))
        energy += share * data[b, col.MASS + lane] * borne
    return energy


@inlined
def hold(data):
    """Add HELD to what joints have that is implicit, in world axes."""
    for b in range(len(data)):
        for lane in range(LANES):
            add6(data, b, col.IMPLICIT + lane, get6(data, b, col.HELD + lane))
