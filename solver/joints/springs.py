# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint does on its own, in motion, where it is implicit, and still: spring, damper, cone and twist limits.

The energy of a joint turned by the rotation vector phi = log q is phi K phi / 2, and that of its limits (limits.py).
A small turn e in the body's own axes changes phi by J e, with J the inverse of the right Jacobian of the rotation
(Chirikjian, Stochastic Models, Information Theory, and Lie Groups, 2012, section 10.3):

    J = 1 + [phi]/2 + c [phi]^2,    c = (1 - (t/2) cot(t/2)) / t^2,    t = |phi|
"""

import math

from ..data import columns as col
from ..data.lanes import LANES, get3, get4, put3, put4, put6, put9
from ..machine.jit import inlined
from ..math.angles import turn_per_sine
from ..math.matrices import hat, hat_hat, mat_add, mat_mul, mat_scale, mat_sub, mat_symmetric, outer
from ..math.quaternions import quat_conj, quat_exp, quat_mat, quat_mul
from ..math.symmetric import sym_rotate, sym_scale
from ..math.vectors import add, cross, dot, scale, sub, times
from .limits import limit_spring

#: Share of a joint's moment that its implicit stiffness is taken larger by. It stands for the geometric stiffness, of
#: which the joint's block knows nothing, so that solves converge on plants that hang far from their drawn shape. What
#: they converge to does not depend on it.
GEOMETRIC = 0.5


@inlined
def _sin2(q):
    return q[1] * q[1] + q[2] * q[2] + q[3] * q[3]


@inlined
def rotation_vector(q):
    """log q, the square of its length t, and t cot(t/2)."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    w, s2 = sign * q[0], _sin2(q)
    f = turn_per_sine(w, s2)
    return scale(sign * f, (q[1], q[2], q[3])), f * f * s2, f * w


@inlined
def pose_at(data, s, duration):
    """Let the springs' pose be what it is at the share s of a frame, which it turns through evenly."""
    for b in range(len(data)):
        for lane in range(LANES):
            turn = get3(data, b, col.POSE_TURN + lane)
            put4(data, b, col.POSE + lane, quat_mul(get4(data, b, col.POSE_BEFORE + lane), quat_exp(scale(s, turn))))
            put3(data, b, col.POSE_RATE + lane, scale(1.0 / duration, turn))


@inlined
def from_pose(data, b, lane):
    """Rotation of a joint at Q from where its spring would be relaxed."""
    return quat_mul(quat_conj(get4(data, b, col.POSE + lane)), get4(data, b, col.Q + lane))


@inlined
def turned_back(q, a):
    """Vector a of the frame that q is given in, in the frame q."""
    back = (-q[1], -q[2], -q[3])
    t = scale(2.0, cross(back, a))
    return add(a, add(scale(q[0], t), cross(back, t)))


@inlined
def second_coefficient(t2, t_cot):
    """c at the squared angle t2, with t cot(t/2). No branch, so that blocks of bodies can be computed at once."""
    series = 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 * (1.0 / 30240.0 + t2 / 1209600.0))
    far = (1.0 - 0.5 * t_cot) / (t2 if t2 > 0.05 else 0.05)
    return series if t2 < 0.05 else far


@inlined
def springs(data, stiffness_scale):
    """Torque of the joints' springs and dampers, and rotations from the parents' frames.

    The spring's energy is phi^T K phi / 2 with phi = log p, p being the joint's rotation from its pose, and beyond a
    limit more; the damper resists the rate from the pose. Both have the share that the joint does not follow by. The
    spring's torque is -J^T m with m the energy's gradient; for equal stiffnesses this is -K phi.
    """
    for b in range(len(data)):
        for lane in range(LANES):
            q, u = get4(data, b, col.Q + lane), get3(data, b, col.U + lane)
            put9(data, b, col.RELATIVE + lane, quat_mat(quat_mul(get4(data, b, col.REST + lane), q)))
            p = from_pose(data, b, lane)
            u = sub(u, turned_back(p, get3(data, b, col.POSE_RATE + lane)))
            K, B = _spring_and_damper(data, b, lane, stiffness_scale)
            phi, angle2, cotangent = rotation_vector(p)
            moment, _ = _moment(data, b, lane, K, phi)
            c = second_coefficient(angle2, cotangent)
            once = cross(phi, moment)
            twice = cross(phi, once)
            put3(
                data, b, col.SPRING + lane,
                (
                    -moment[0] + 0.5 * once[0] - c * twice[0] - B[0] * u[0],
                    -moment[1] + 0.5 * once[1] - c * twice[1] - B[1] * u[1],
                    -moment[2] + 0.5 * once[2] - c * twice[2] - B[2] * u[2],
                ),
            )  # fmt: skip


@inlined
def resist_turns(data, stiffness_scale, c1, c2):
    """Fill IMPLICIT with what springs and dampers add to the blocks of their joints, in the bodies' frames.

    That is c1 B + c2 times a stiffness k + J^T (E - k) J, with E the second derivative by phi and k the least of K:
    what is as stiff to all sides stays so however far it is turned, and what is not turns half as far.
    """
    for b in range(len(data)):
        for lane in range(LANES):
            K, B = _spring_and_damper(data, b, lane, stiffness_scale)
            phi, angle2, cotangent = rotation_vector(from_pose(data, b, lane))
            moment, hard = _moment(data, b, lane, K, phi)
            stiffer = GEOMETRIC * math.sqrt(dot(moment, moment))
            least = min(K[0], min(K[1], K[2]))
            more = (K[0] - least + hard[0], 0.0, hard[3], K[1] - least + hard[1], 0.0, K[2] - least + hard[2])
            jacobian_t = _jacobian_t(phi, second_coefficient(angle2, cotangent))
            stiff = sym_scale(c2, sym_rotate(jacobian_t, more))
            alike = c2 * (least + stiffer)
            put6(
                data, b, col.IMPLICIT + lane,
                (
                    c1 * B[0] + alike + stiff[0], stiff[1], stiff[2],
                    c1 * B[1] + alike + stiff[3], stiff[4],
                    c1 * B[2] + alike + stiff[5],
                ),
            )  # fmt: skip


@inlined
def _spring_and_damper(data, b, lane, stiffness_scale):
    """K (N m/rad) and B (N m s/rad) of a joint about its axes, the share left that it does not follow by."""
    left = 1.0 - data[b, col.FOLLOW + lane]
    K = scale(left * stiffness_scale, get3(data, b, col.STIFFNESS + lane))
    beta, viscous = data[b, col.DAMPING_TIME + lane], left * data[b, col.DAMPING + lane]
    return K, (beta * K[0] + viscous, beta * K[1] + viscous, beta * K[2] + viscous)


@inlined
def _moment(data, b, lane, K, phi):
    """Gradient (N m) of a joint's energy by phi, and what limits add to its second derivative (see limit_spring)."""
    pushed, hard = limit_spring(
        phi, data[b, col.BEND_LIMIT + lane], data[b, col.TWIST_LIMIT + lane], data[b, col.LIMIT_STIFFNESS + lane]
    )
    return add(times(K, phi), pushed), hard


@inlined
def _jacobian_t(phi, c):
    """J^T = 1 - [phi]/2 + c [phi]^2."""
    x, y, z = scale(0.5, phi)
    cx, cy, cz = scale(c, phi)
    xy, xz, yz = cx * phi[1], cx * phi[2], cy * phi[2]
    return (
        1.0 - cy * phi[1] - cz * phi[2], xy + z, xz - y,
        xy - z, 1.0 - cx * phi[0] - cz * phi[2], yz + x,
        xz + y, yz - x, 1.0 - cx * phi[0] - cy * phi[1],
    )  # fmt: skip


@inlined
def spring_of(bodies, i, stiffness_scale):
    """(bend, twist, bend) stiffness, bend limit, twist limit and stiffness beyond them, of joint i."""
    s = stiffness_scale
    return (
        s * bodies.stiffness[i, 0], s * bodies.stiffness[i, 1], s * bodies.stiffness[i, 2],
        bodies.bend_limit[i], bodies.twist_limit[i], bodies.limit_stiffness[i],
    )  # fmt: skip


@inlined
def _derivatives(phi, spring):
    """First (3) and second (9) derivatives of the energy by the rotation vector."""
    K = (spring[0], spring[1], spring[2])
    pushed, hard = limit_spring(phi, spring[3], spring[4], spring[5])
    xz = hard[3]
    return add(times(K, phi), pushed), (K[0] + hard[0], 0.0, xz, 0.0, K[1] + hard[1], 0.0, xz, 0.0, K[2] + hard[2])


@inlined
def _coefficients(t2, t_cot, sin2):
    """c, exact to rounding, and its derivative by t over t, at the squared angle t2 with t cot(t/2) and sin^2(t/2)."""
    if t2 < 0.01:  # series, exact to rounding here
        c = 1 / 12 + t2 * (1 / 720 + t2 * (1 / 30240 + t2 * (1 / 1209600 + t2 / 47900160)))
        slope = 1 / 360 + t2 * (1 / 7560 + t2 * (1 / 201600 + t2 * (1 / 5987520)))
    else:
        c = (1.0 - 0.5 * t_cot) / t2
        slope = ((-2.0 + 0.5 * t_cot) / t2 + 0.25 / sin2) / t2
    return c, slope


@inlined
def spring_gradient(q, spring):
    """What the energy gains per small turn in the body's frame: minus the spring's moment (N m)."""
    phi, t2, t_cot = rotation_vector(q)
    moment, _ = _derivatives(phi, spring)
    c, _ = _coefficients(t2, t_cot, _sin2(q))
    once = cross(phi, moment)
    return add(sub(moment, scale(0.5, once)), scale(c, cross(phi, once)))


@inlined
def spring_tangent(q, spring):
    """Second derivative of the energy along small turns exp(e) in the body's frame (N m/rad), symmetric, 9 numbers."""
    phi, t2, t_cot = rotation_vector(q)
    moment, K = _derivatives(phi, spring)
    c, slope = _coefficients(t2, t_cot, _sin2(q))
    once = cross(phi, moment)
    square = hat_hat(phi, phi)
    # d/dphi of m - phi x m / 2 + c phi x (phi x m), with dm = K dphi
    by_phi = mat_add(K, mat_scale(0.5, mat_sub(hat(moment), mat_mul(hat(phi), K))))
    by_phi = mat_add(by_phi, mat_scale(c, mat_sub(mat_sub(mat_mul(square, K), hat(once)), hat_hat(phi, moment))))
    by_phi = mat_add(by_phi, mat_scale(slope, outer(cross(phi, once), phi)))
    one = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    jacobian = mat_add(one, mat_add(mat_scale(0.5, hat(phi)), mat_scale(c, square)))
    return mat_symmetric(mat_mul(by_phi, jacobian))
