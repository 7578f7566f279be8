# SPDX-License-Identifier: GPL-3.0-or-later
"""Rates of rotation vectors and of what turns by them, see Chirikjian as cited in joints/springs.py."""

import math

from ..machine.jit import inlined
from .angles import sin_cos
from .vectors import add, cross, dot, scale, sub


@inlined
def right_jacobian(phi, rate):
    """Angular velocity in the body's axes for the rate of its rotation vector phi."""
    angle2 = dot(phi, phi)
    if angle2 < 1e-2:
        a = 0.5 + angle2 * (-1 / 24 + angle2 * (1 / 720 - angle2 / 40320))
        b = 1 / 6 + angle2 * (-1 / 120 + angle2 * (1 / 5040 - angle2 / 362880))
    else:
        angle = math.sqrt(angle2)
        s, c = sin_cos(angle)
        a, b = (1.0 - c) / angle2, (angle - s) / (angle2 * angle)
    turned = cross(phi, rate)
    return add(sub(rate, scale(a, turned)), scale(b, cross(phi, turned)))


@inlined
def inverse_right_jacobian(phi, omega):
    """Rate of the rotation vector phi for the body's angular velocity omega."""
    half = 0.5 * math.sqrt(dot(phi, phi))
    if half < 1e-3:
        c = 1.0 / 12.0
    else:
        sine, cosine = sin_cos(half)
        c = (1.0 - half * cosine / sine) / (4.0 * half * half)
    turned = cross(phi, omega)
    return add(omega, add(scale(0.5, turned), scale(c, cross(phi, turned))))
