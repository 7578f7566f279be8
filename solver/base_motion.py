# SPDX-License-Identifier: GPL-3.0-or-later
"""The moving base inside a frame: cubic in position and in rotation vector, so velocity has no jumps.

Poses are known at frames only. The velocity at a frame is the backward difference through the last three poses
(second order), which needs no look ahead: what is previewed live is what is baked.
"""

import math
from typing import NamedTuple

import numpy as np

from ._jit import inlined
from ._linalg import add, cross, dot, load3, mat_vec, quat_exp, quat_mat, quat_mul, scale, store3, store4, sub
from .model import Floats
from .rotation import conjugate, logarithm, multiply, unrotate


class BaseTrack(NamedTuple):
    """Motion over one frame. position (4, 3): start, end (m), start and end velocity (m/s). orientation (4,) at the
    start. turn (4, 3): rotation vector from the start's orientation, in its frame: start (zero), end, their rates.
    duration (1,) s."""

    position: Floats
    orientation: Floats
    turn: Floats
    duration: Floats


@inlined
def _cubic(ends, s, duration, order):
    """Cubic Hermite polynomial of ends (4, 3), or its first or second time derivative."""
    if order == 0:
        a, b = (1.0 + 2.0 * s) * (1.0 - s) ** 2, s * s * (3.0 - 2.0 * s)
        c, d = duration * s * (1.0 - s) ** 2, duration * s * s * (s - 1.0)
    elif order == 1:
        b = 6.0 * s * (1.0 - s) / duration
        a, c, d = -b, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)
    else:
        b = (6.0 - 12.0 * s) / duration**2
        a, c, d = -b, (6.0 * s - 4.0) / duration, (6.0 * s - 2.0) / duration
    p, q = load3(ends, 0), load3(ends, 1)
    v, w = load3(ends, 2), load3(ends, 3)
    return add(add(scale(a, p), scale(b, q)), add(scale(c, v), scale(d, w)))


@inlined
def _jacobian_coefficients(angle2):
    """(1 - cos t)/t^2, (t - sin t)/t^3 and their derivatives divided by t."""
    if angle2 < 1e-2:
        a = 0.5 + angle2 * (-1 / 24 + angle2 * (1 / 720 - angle2 / 40320))
        b = 1 / 6 + angle2 * (-1 / 120 + angle2 * (1 / 5040 - angle2 / 362880))
        da = -1 / 12 + angle2 * (1 / 180 - angle2 / 6720)
        db = -1 / 60 + angle2 * (1 / 1260 - angle2 / 60480)
        return (a, b, da, db)
    t = math.sqrt(angle2)
    sin, cos = math.sin(t), math.cos(t)
    a, b = (1.0 - cos) / angle2, (t - sin) / (angle2 * t)
    return (a, b, (sin / t - 2.0 * a) / angle2, (a - 3.0 * b) / angle2)


@inlined
def base_at(track, s, base):
    """Fill base (6, 4) at the share s of the frame: position, orientation, velocity, angular velocity, accelerations."""
    duration = track.duration[0]
    store3(base, 0, _cubic(track.position, s, duration, 0))
    store3(base, 2, _cubic(track.position, s, duration, 1))
    store3(base, 4, _cubic(track.position, s, duration, 2))
    phi, rate = _cubic(track.turn, s, duration, 0), _cubic(track.turn, s, duration, 1)
    second = _cubic(track.turn, s, duration, 2)
    start = (track.orientation[0], track.orientation[1], track.orientation[2], track.orientation[3])
    orientation = quat_mul(start, quat_exp(phi))
    store4(base, 1, orientation)
    # Angular velocity is J_r(phi) rate with J_r = 1 - a [phi] + b [phi]^2; its derivative is the angular acceleration.
    a, b, da, db = _jacobian_coefficients(dot(phi, phi))
    growth = dot(phi, rate)
    turned, turned_rate = cross(phi, rate), cross(phi, second)
    twice = cross(phi, turned)
    omega = add(sub(rate, scale(a, turned)), scale(b, twice))
    alpha = add(sub(second, scale(a, turned_rate)), scale(b, cross(phi, turned_rate)))
    alpha = add(alpha, add(scale(-da * growth, turned), scale(db * growth, twice)))
    alpha = add(alpha, scale(b, cross(rate, turned)))
    matrix = quat_mat(orientation)
    store3(base, 3, mat_vec(matrix, omega))
    store3(base, 5, mat_vec(matrix, alpha))


class BaseHistory:
    """Turns base poses at frames into tracks between them."""

    def __init__(self, position: Floats, orientation: Floats):
        self._position = position
        self._orientation = orientation
        self._velocity: tuple[Floats, Floats] | None = None  # linear in world axes, angular in the base's axes
        self._steps: tuple[Floats, Floats] | None = None  # the last frame's displacement and rotation vector, per s

    def track_to(self, position: Floats, orientation: Floats, duration: float) -> BaseTrack:
        """The motion from the last pose to this one, which becomes the last."""
        turn = logarithm(multiply(conjugate(self._orientation), orientation))
        step = (position - self._position) / duration, turn / duration
        if self._velocity is None or self._steps is None:
            start, end = step, step
        else:
            start = self._velocity
            # 1.5 s1 - 0.5 s0 is the three-point backward difference; s0 is seen from the new orientation.
            before = unrotate(self._relative(orientation), self._steps[1])
            end = 1.5 * step[0] - 0.5 * self._steps[0], 1.5 * step[1] - 0.5 * before
        track = BaseTrack(
            position=np.stack([self._position, position, start[0], end[0]]),
            orientation=self._orientation,
            turn=np.stack([np.zeros(3), turn, start[1], _inverse_right_jacobian(turn, end[1])]),
            duration=np.array([duration]),
        )
        self._position, self._orientation = position, orientation
        self._velocity, self._steps = end, step
        return track

    def _relative(self, orientation: Floats) -> Floats:
        return multiply(conjugate(self._orientation), orientation)


def _inverse_right_jacobian(phi: Floats, omega: Floats) -> Floats:
    """Rate of the rotation vector phi for the body's angular velocity omega."""
    half = 0.5 * float(np.linalg.norm(phi))
    c = 1.0 / 12.0 if half < 1e-3 else (1.0 - half / np.tan(half)) / (4.0 * half * half)
    turned = np.cross(phi, omega)
    rate: Floats = omega + 0.5 * turned + c * np.cross(phi, turned)
    return rate
