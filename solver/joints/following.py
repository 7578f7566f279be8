# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that follow a keyed motion: what they give so that bodies move as the reference does.

Kavafoglu 2018 lets joints accelerate by a_r + k e + 2 zeta sqrt(k) e', the reference's acceleration and what leads back
to it from the error e, and takes the moments from inverse dynamics. Here the moment of a joint that follows by the
share f is

    tau = f (tau_r + w I (k e + 2 zeta sqrt(k) e')),      |tau| <= the largest one

tau_r: what inverse dynamics asks of the joint where its bodies are and as they move, if all joints accelerated as the
reference does, each by its share; without disturbances the reference is then the exact motion. e: the rotation vector
to the reference. I: inertia of all that the joint carries, about it, as if that were rigid. So one joint alone comes
back as an oscillator of the stiffness k, whatever its mass; it is a spring, implicit as all are, and no gain is too
large. Kavafoglu's moments of k e, of all joints together, would let joints bend against a steady push.

The errors of joints on a path add up: the inertia of the plant against all of them together is up to w times that of
each joint against its own. With w I for I no joint overshoots that would not alone (see WHOLE).
"""

import math

from ..data import columns as col
from ..data.lanes import LANES, add3, add6, get3, get4, get6, get9, put3, put4, put6
from ..machine.jit import inlined
from ..math.matrices import mat_vec
from ..math.quaternions import quat_conj, quat_exp, quat_mul
from ..math.symmetric import sym_rotate, sym_vec
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .springs import pose_at, rotation_vector, turned_back

#: w of a joint that is one of n following ones on the longest path through it, of which h are outward, itself included,
#: is h (1 + A (h - 1) / (h + B)) (1 + (n - 1) / (n + C)): with it the largest eigenvalue of the joints' inertia matrix
#: over the joints' own blocks is 0.9 to 1.1 in chains of 1 to 100 bodies and in trees.
WHOLE = 2.2, 5.0, 1.5


@inlined
def all_together(outward, inward):
    """w of a joint with so many following joints outward and inward of it."""
    h, n = 1.0 + outward, 1.0 + outward + inward
    return h * (1.0 + WHOLE[0] * outward / (h + WHOLE[1])) * (1.0 + (n - 1.0) / (n + WHOLE[2]))


@inlined
def reference_at(data, loose, s, duration):
    """Let pose, its rate and acceleration, and how it is followed, be what they are at the share s of a frame.

    The rotation vector from the pose at the beginning is the polynomial of order five with the rates and accelerations
    of both ends. Broken joints follow nothing.
    """
    T = duration
    s2, s3, s4, s5 = s * s, s**3, s**4, s**5
    x1, v0, v1 = 10.0 * s3 - 15.0 * s4 + 6.0 * s5, s - 6.0 * s3 + 8.0 * s4 - 3.0 * s5, -4.0 * s3 + 7.0 * s4 - 3.0 * s5
    a0, a1 = 0.5 * (s2 - 3.0 * s3 + 3.0 * s4 - s5), 0.5 * (s3 - 2.0 * s4 + s5)
    dx1, dv0, dv1 = (
        30.0 * s2 - 60.0 * s3 + 30.0 * s4,
        1.0 - 18.0 * s2 + 32.0 * s3 - 15.0 * s4,
        -12.0 * s2 + 28.0 * s3 - 15.0 * s4,
    )
    da0, da1 = 0.5 * (2.0 * s - 9.0 * s2 + 12.0 * s3 - 5.0 * s4), 0.5 * (3.0 * s2 - 8.0 * s3 + 5.0 * s4)
    ex1, ev0, ev1 = (
        60.0 * s - 180.0 * s2 + 120.0 * s3,
        -36.0 * s + 96.0 * s2 - 60.0 * s3,
        -24.0 * s + 84.0 * s2 - 60.0 * s3,
    )
    ea0, ea1 = 0.5 * (2.0 - 18.0 * s + 36.0 * s2 - 20.0 * s3), 0.5 * (6.0 * s - 24.0 * s2 + 20.0 * s3)
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
def follow(data, parent, c1, c2):
    """Add what following joints give to SPRING, in world axes, and fill HELD with what is implicit in it.

    Bodies' bias forces must be those of their own motion alone. c1 (s), c2 (s2): what rates and turns gain from an
    acceleration.
    """
    _errors(data, c1, c2)
    _wanted_accelerations(data, parent)
    _needed_forces(data)
    for i in range(len(parent) - 1, -1, -1):
        b, lane, k = i >> 3, i & 7, parent[i]
        share, most = data[b, col.FOLLOW + lane], data[b, col.FOLLOW + 3 * LANES + lane]
        moment, force = get3(data, b, col.X_R + lane), get3(data, b, col.X_T + lane)
        mass, first = data[b, col.CARRIED + lane], get3(data, b, col.CARRIED + LANES + lane)
        inertia = get6(data, b, col.CARRIED + 4 * LANES + lane)
        joints = data[b, col.OUTWARD + lane]
        w = all_together(joints, data[b, col.INWARD + lane])
        given = scale(share, add(moment, scale(w, sym_vec(inertia, get3(data, b, col.WISH + lane)))))
        size = math.sqrt(dot(given, given))
        gives_way = most / size if size > most else 1.0
        add3(data, b, col.SPRING + lane, scale(gives_way, given))
        held = gives_way * share * w * data[b, col.GAINS + lane]
        put6(
            data, b, col.HELD + lane,
            (
                held * inertia[0], held * inertia[1], held * inertia[2],
                held * inertia[3], held * inertia[4], held * inertia[5],
            ),
        )  # fmt: skip
        if k >= 0:
            bp, lp, r = k >> 3, k & 7, get3(data, b, col.ARM + lane)
            add3(data, bp, col.X_R + lp, add(moment, cross(r, force)))
            add3(data, bp, col.X_T + lp, force)
            data[bp, col.CARRIED + lp] += mass
            add3(data, bp, col.CARRIED + LANES + lp, add(first, scale(mass, r)))
            add6(data, bp, col.CARRIED + 4 * LANES + lp, _about_parent(inertia, first, mass, r))
            far = share * (1.0 + joints)
            if far > data[bp, col.OUTWARD + lp]:
                data[bp, col.OUTWARD + lp] = far


@inlined
def _errors(data, c1, c2):
    """Fill WISH with k e + d e' in world axes, GAINS with what is implicit of the gains, and X_R with what joints are
    wanted to accelerate more than predicted."""
    for b in range(len(data)):
        for lane in range(LANES):
            R, share = get9(data, b, col.ROTATION + lane), data[b, col.FOLLOW + lane]
            k, d = data[b, col.FOLLOW + LANES + lane], data[b, col.FOLLOW + 2 * LANES + lane]
            wanted = quat_mul(get4(data, b, col.DRAWN + lane), get4(data, b, col.POSE + lane))
            p = quat_mul(quat_conj(get4(data, b, col.Q + lane)), wanted)
            e, _, _ = rotation_vector(p)
            back = quat_conj(p)
            slower = sub(turned_back(back, get3(data, b, col.POSE_RATE + lane)), get3(data, b, col.U + lane))
            a = scale(share, turned_back(back, get3(data, b, col.POSE_GAIN + lane)))
            put3(data, b, col.WISH + lane, mat_vec(R, add(scale(k, e), scale(d, slower))))
            data[b, col.GAINS + lane] = c1 * d + c2 * k
            put3(data, b, col.X_R + lane, mat_vec(R, sub(a, get3(data, b, col.A + lane))))


@inlined
def _wanted_accelerations(data, parent):
    """Fill X_R and X_T with what bodies accelerate more if joints do as X_R has it, base to tips; and INWARD."""
    for i in range(len(parent)):
        b, lane, k = i >> 3, i & 7, parent[i]
        shift, joints = ZERO, 0.0
        if k >= 0:
            bp, lp = k >> 3, k & 7
            joints = data[bp, col.FOLLOW + lp] * (1.0 + data[bp, col.INWARD + lp])
            turn = get3(data, bp, col.X_R + lp)
            shift = add(get3(data, bp, col.X_T + lp), cross(turn, get3(data, b, col.ARM + lane)))
            add3(data, b, col.X_R + lane, turn)
        put3(data, b, col.X_T + lane, shift)
        data[b, col.INWARD + lane] = joints


@inlined
def _needed_forces(data):
    """Let X_R and X_T be the moments and forces that bodies need to accelerate so, and CARRIED what they are alone."""
    for b in range(len(data)):
        for lane in range(LANES):
            R, mass = get9(data, b, col.ROTATION + lane), data[b, col.MASS + lane]
            first = scale(mass, mat_vec(R, get3(data, b, col.COM + lane)))
            inertia = sym_rotate(R, get6(data, b, col.INERTIA + lane))
            turn, shift = get3(data, b, col.X_R + lane), get3(data, b, col.X_T + lane)
            moment = add(sym_vec(inertia, turn), cross(first, shift))
            force = add(scale(mass, shift), cross(turn, first))
            put3(data, b, col.X_R + lane, add(get3(data, b, col.PA_R + lane), moment))
            put3(data, b, col.X_T + lane, add(get3(data, b, col.PA_T + lane), force))
            data[b, col.CARRIED + lane] = mass
            put3(data, b, col.CARRIED + LANES + lane, first)
            put6(data, b, col.CARRIED + 4 * LANES + lane, inertia)
            data[b, col.OUTWARD + lane] = 0.0


@inlined
def _about_parent(inertia, first, mass, r):
    """Inertia about a point from which the joint is at r, of what has this inertia and first moment about the joint."""
    x, y, z = r
    u, v, w = add(scale(2.0, first), scale(mass, r))
    # (r . s) 1 - (r s^T + s r^T) / 2 with s = 2 first + mass r.
    d = x * u + y * v + z * w
    return (
        inertia[0] + d - x * u, inertia[1] - 0.5 * (x * v + y * u), inertia[2] - 0.5 * (x * w + z * u),
        inertia[3] + d - y * v, inertia[4] - 0.5 * (y * w + z * v), inertia[5] + d - z * w,
    )  # fmt: skip


@inlined
def hold(data):
    """Add HELD to what joints have that is implicit, in world axes."""
    for b in range(len(data)):
        for lane in range(LANES):
            add6(data, b, col.IMPLICIT + lane, get6(data, b, col.HELD + lane))
