# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint does on its own: its spring, damper, cone and twist limits, treated implicitly."""

import math

from ._jit import inlined
from ._lanes import LANES, get3, get4, put3, put9
from ._linalg import cross, dot, quat_mat, quat_mul, scale, times
from .rows import (
    BEND_LIMIT,
    DAMPING,
    DAMPING_TIME,
    IMPLICIT,
    LIMIT_STIFFNESS,
    RELATIVE,
    REST,
    SPRING,
    STIFFNESS,
    TWIST_LIMIT,
    Q,
    U,
)

#: Share of a joint's moment that its implicit stiffness is taken larger by. It stands for the geometric stiffness, of
#: which the joint's block knows nothing, so that solves converge on plants that hang far from their drawn shape. What
#: they converge to does not depend on it.
GEOMETRIC = 0.5


@inlined
def turn_per_sine(w, s2):
    """angle / sin(angle/2) of a rotation by at most pi with w = cos(angle/2) >= 0 and s2 = sin^2(angle/2).

    Halving the half angle three times leaves t = tan(angle/16) below 0.2, where the series of the arc tangent is exact
    to rounding; no branch, so that blocks of bodies can be computed at once.
    """
    c1 = math.sqrt(0.5 * (1.0 + w))
    c2 = math.sqrt(0.5 * (1.0 + c1))
    d = 1.0 / (c1 * c2 * (1.0 + c2))
    t2 = 0.0625 * s2 * d * d
    series = 1.0 / 17.0 + t2 * (-1.0 / 19.0 + t2 / 21.0)
    series = 1.0 / 11.0 + t2 * (-1.0 / 13.0 + t2 * (1.0 / 15.0 - t2 * series))
    series = 1.0 / 5.0 + t2 * (-1.0 / 7.0 + t2 * (1.0 / 9.0 - t2 * series))
    return 4.0 * d * (1.0 + t2 * (-1.0 / 3.0 + t2 * series))


@inlined
def springs(data, stiffness_scale, c1, c2):
    """Torque of the joints' springs and dampers with its implicit part, and rotations from the parents' frames.

    The spring's energy is phi^T K phi / 2 with phi = log q, and beyond a limit more, so its torque is
    -J_r^-T(phi) m with m the energy's gradient; for equal stiffnesses this is -K phi.
    """
    for b in range(len(data)):
        for lane in range(LANES):
            q, u = get4(data, b, Q + lane), get3(data, b, U + lane)
            put9(data, b, RELATIVE + lane, quat_mat(quat_mul(get4(data, b, REST + lane), q)))
            K = scale(stiffness_scale, get3(data, b, STIFFNESS + lane))
            beta, viscous = data[b, DAMPING_TIME + lane], data[b, DAMPING + lane]
            B = (beta * K[0] + viscous, beta * K[1] + viscous, beta * K[2] + viscous)
            sign = 1.0 if q[0] >= 0.0 else -1.0
            w, s2 = sign * q[0], q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
            f = turn_per_sine(w, s2)
            angle2 = f * f * s2
            phi = scale(sign * f, (q[1], q[2], q[3]))
            # Cone and twist limits: a stiff spring on what the bend (about x and z) or the twist (y) is beyond.
            bend = math.sqrt(phi[0] * phi[0] + phi[2] * phi[2])
            hard = data[b, LIMIT_STIFFNESS + lane]
            over_bend = bend - data[b, BEND_LIMIT + lane]
            over_twist = abs(phi[1]) - data[b, TWIST_LIMIT + lane]
            bend_hard = hard if over_bend > 0.0 else 0.0
            twist_hard = hard if over_twist > 0.0 else 0.0
            pushed = bend_hard * (over_bend if over_bend > 0.0 else 0.0) / (bend + 1e-300)
            twisted = twist_hard * (over_twist if over_twist > 0.0 else 0.0)
            moment = times(K, phi)
            moment = (
                moment[0] + pushed * phi[0],
                moment[1] + (twisted if phi[1] > 0.0 else -twisted),
                moment[2] + pushed * phi[2],
            )
            series = 1.0 / 12.0 + angle2 * (1.0 / 720.0 + angle2 * (1.0 / 30240.0 + angle2 / 1209600.0))
            far = (1.0 - 0.5 * f * w) / (angle2 + 1e-300)
            c = series if angle2 < 0.05 else far
            stiffer = GEOMETRIC * math.sqrt(dot(moment, moment))
            once = cross(phi, moment)
            twice = cross(phi, once)
            put3(
                data, b, SPRING + lane,
                (
                    -moment[0] + 0.5 * once[0] - c * twice[0] - B[0] * u[0],
                    -moment[1] + 0.5 * once[1] - c * twice[1] - B[1] * u[1],
                    -moment[2] + 0.5 * once[2] - c * twice[2] - B[2] * u[2],
                ),
            )  # fmt: skip
            put3(
                data, b, IMPLICIT + lane,
                (
                    c1 * B[0] + c2 * (K[0] + bend_hard + stiffer),
                    c1 * B[1] + c2 * (K[1] + twist_hard + stiffer),
                    c1 * B[2] + c2 * (K[2] + bend_hard + stiffer),
                ),
            )  # fmt: skip
