# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body is by itself: its inertia, which resists, and the forces of its motion."""

import math

from ..data import columns as col
from ..data.implicit import stretched
from ..data.lanes import LANES, get3, get6, get9, put3, put6, put9
from ..data.rows import largest
from ..joints.stretching import moved_masses
from ..machine.jit import inlined
from ..math.matrices import mat_vec
from ..math.symmetric import sym_add, sym_rotate, sym_vec
from ..math.vectors import add, cross, dot, scale


@inlined
def body_forces(data):
    """Bias forces of the bodies' own motion, and the springs' torque turned into world axes.

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
    if data[0, col.STRETCHES] > 0.0:
        moved_masses(data)
    return math.sqrt(largest(data, col.TURNED))


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
            put6(data, b, col.IMPLICIT + lane, sym_rotate(R, get6(data, b, col.IMPLICIT + lane)))
