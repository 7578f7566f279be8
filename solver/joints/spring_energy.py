# SPDX-License-Identifier: GPL-3.0-or-later
"""A joint's spring as energy: its moment and its exact tangent stiffness at rotations of any size.

The energy of a joint turned by the rotation vector phi = log q is phi K phi / 2, and that of its limits (limits.py).
A small turn e in the body's own axes changes phi by J e, with J the inverse of the right Jacobian of the rotation
(Chirikjian, Stochastic Models, Information Theory, and Lie Groups, 2012, section 10.3):

    J = 1 + [phi]/2 + c [phi]^2,    c = (1 - (t/2) cot(t/2)) / t^2,    t = |phi|
"""

from ..machine.jit import inlined
from ..math.matrices import hat, hat_hat, mat_add, mat_scale, mat_sub, mat_symmetric, outer
from ..math.vectors import add, cross, mat_mul, scale, sub, times
from .limits import limit_spring
from .springs import rotation_vector


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
    """Return c and its derivative by t over t, at the squared angle t2 with t cot(t/2) and sin^2(t/2)."""
    if t2 < 0.01:  # series, exact to rounding here
        c = 1 / 12 + t2 * (1 / 720 + t2 * (1 / 30240 + t2 * (1 / 1209600 + t2 / 47900160)))
        slope = 1 / 360 + t2 * (1 / 7560 + t2 * (1 / 201600 + t2 * (1 / 5987520)))
    else:
        c = (1.0 - 0.5 * t_cot) / t2
        slope = ((-2.0 + 0.5 * t_cot) / t2 + 0.25 / sin2) / t2
    return c, slope


@inlined
def _sin2(q):
    return q[1] * q[1] + q[2] * q[2] + q[3] * q[3]


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
