# SPDX-License-Identifier: GPL-3.0-or-later
"""The moving base inside a frame: cubic in position and in rotation vector, so velocity has no jumps.

Poses are known at frames only. The velocity at a frame is the backward difference through the last three poses
(second order), which needs no look ahead: what is previewed live is what is baked.

Its acceleration jumps at frames. So that this costs no accuracy, a step sees the base's velocities through the same
formula as the plant's own: what that formula integrates is then the smooth motion in space.
"""

from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats2, Floats3, Ints1
from ..machine.jit import inlined
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import load3, load4, store3, store4
from ..math.polynomials import cubic
from ..math.quaternions import quat_conj, quat_exp, quat_log, quat_mat, quat_mul
from ..math.rates import inverse_right_jacobian, right_jacobian
from ..math.vectors import add, scale, sub


class MovingBase(NamedTuple):
    """Bases that plants stand on, each array with the base as its first index; kernels take those of one plant, which
    is one but where plants touch each other.

    The base now, its path over the present frame, and the past that the next path needs.

    now (6, 4): position, orientation, velocity, angular velocity, acceleration, angular acceleration, in world axes
    past (6, 3): velocity and angular velocity at the end of the last step, and their gains in it and the one before
    position (4, 3): start, end (m), start and end velocity (m/s)
    orientation (1, 4) at the frame's start
    turn (4, 3): rotation vector from that orientation, in its axes: start (zero), end, their rates
    mean (2, 3): mean velocity, and mean angular velocity in the base's axes, over the last frame
    frames (1,): how many frames there have been
    """

    now: Floats3
    past: Floats3
    position: Floats3
    orientation: Floats3
    turn: Floats3
    mean: Floats3
    frames: Floats2


class Standing(NamedTuple):
    """What the bodies of a plant stand on: now (b, 6, 4), its bases as of MovingBase; on (n,): which of them the body's
    root hangs on."""

    now: Floats3
    on: Ints1


def bases_at_rest(position: Floats, orientation: Floats) -> MovingBase:
    """Return bases without a past at the positions (plants, 3) and orientations (plants, 4)."""
    p = len(position)
    now = np.zeros((p, 6, 4))
    now[:, 0, :3], now[:, 1] = position, orientation
    return MovingBase(
        now, np.zeros((p, 6, 3)), np.zeros((p, 4, 3)), np.zeros((p, 1, 4)), np.zeros((p, 4, 3)),
        np.zeros((p, 2, 3)), np.zeros((p, 1)),
    )  # fmt: skip


@inlined
def base_of(bases, k):
    """Base k alone."""
    return MovingBase(
        bases.now[k], bases.past[k], bases.position[k], bases.orientation[k], bases.turn[k], bases.mean[k],
        bases.frames[k],
    )  # fmt: skip


@inlined
def bases_of(bases, rows, p):
    """Those of plant p."""
    own = slice(rows.first_base[p], rows.first_base[p + 1])
    return MovingBase(
        bases.now[own], bases.past[own], bases.position[own], bases.orientation[own], bases.turn[own], bases.mean[own],
        bases.frames[own],
    )  # fmt: skip


@inlined
def standing_of(bases, rows, p):
    """What plant p stands on."""
    return Standing(
        bases.now[rows.first_base[p] : rows.first_base[p + 1]], rows.base[rows.first_body[p] : rows.first_body[p + 1]]
    )


def copy_bases(base: MovingBase) -> MovingBase:
    """Return bases that share nothing with the given ones."""
    return MovingBase(*(a.copy() for a in base))


@inlined
def path_to(base, position, orientation, duration):
    """Fill the path of a frame from where the base is now to the given pose."""
    rate = 1.0 / duration
    q0, q1 = load4(base.now, 1), (orientation[0], orientation[1], orientation[2], orientation[3])
    p0, p1 = load3(base.now, 0), (position[0], position[1], position[2])
    turn = quat_log(quat_mul(quat_conj(q0), q1))
    v_mean, w_mean = scale(rate, sub(p1, p0)), scale(rate, turn)
    v0, v1, w0, w1 = v_mean, v_mean, w_mean, w_mean
    if base.frames[0] == 0.0:  # the plant starts at rest relative to its base
        store3(base.past, 0, v0)
        store3(base.past, 1, mat_vec(quat_mat(q0), w0))
    else:
        # 1.5 now - 0.5 before is the three-point backward difference; the angular one is seen from the new pose.
        v0, w0 = load3(base.now, 2), mat_t_vec(quat_mat(q0), load3(base.now, 3))
        before = mat_t_vec(quat_mat(quat_exp(turn)), load3(base.mean, 1))
        v1 = sub(scale(1.5, v_mean), scale(0.5, load3(base.mean, 0)))
        w1 = sub(scale(1.5, w_mean), scale(0.5, before))
    store3(base.position, 0, p0)
    store3(base.position, 1, p1)
    store3(base.position, 2, v0)
    store3(base.position, 3, v1)
    store4(base.orientation, 0, q0)
    store3(base.turn, 0, (0.0, 0.0, 0.0))
    store3(base.turn, 1, turn)
    store3(base.turn, 2, w0)
    store3(base.turn, 3, inverse_right_jacobian(turn, w1))
    store3(base.mean, 0, v_mean)
    store3(base.mean, 1, w_mean)
    base.frames[0] += 1.0


@inlined
def are_at_rest(bases):
    """Whether all bases of a plant stand, and have stood, in a frame whose paths have been filled: they stay to the bit
    where they are."""
    rest = True
    for k in range(len(bases.now)):
        for c in range(3):
            rest = rest and bases.position[k, 0, c] == bases.position[k, 1, c] and bases.turn[k, 1, c] == 0.0
            for row in range(2, 4):
                rest = rest and bases.position[k, row, c] == 0.0 and bases.turn[k, row, c] == 0.0
            for row in range(2, 6):
                rest = rest and bases.now[k, row, c] == 0.0
            for row in range(6):
                rest = rest and bases.past[k, row, c] == 0.0
    return rest


@inlined
def bases_at(bases, s, duration, past, older, g):
    """Let all bases of a plant be where they are at the share s of the frame, see base_at."""
    for k in range(len(bases.now)):
        base_at(base_of(bases, k), s, duration, past, older, g)


@inlined
def bases_arrived(bases):
    """Make what all bases of a plant are the end of a step."""
    for k in range(len(bases.now)):
        base_arrived(base_of(bases, k))


@inlined
def base_at(base, s, duration, past, older, g):
    """Fill base.now at the share s of the frame, where a step with these weights (see weights of multistep.py) ends."""
    position, velocity = _along(base.position, s, duration)
    phi, rate = _along(base.turn, s, duration)
    orientation = quat_mul(load4(base.orientation, 0), quat_exp(phi))
    omega = mat_vec(quat_mat(orientation), right_jacobian(phi, rate))
    store3(base.now, 0, position)
    store4(base.now, 1, orientation)
    store3(base.now, 2, velocity)
    store3(base.now, 3, omega)
    store3(base.now, 4, _slope(velocity, base.past, 0, past, older, g))
    store3(base.now, 5, _slope(omega, base.past, 1, past, older, g))


@inlined
def base_arrived(base):
    """Make base.now the end of a step."""
    for k in range(2):
        store3(base.past, k + 4, load3(base.past, k + 2))
        store3(base.past, k + 2, sub(load3(base.now, k + 2), load3(base.past, k)))
        store3(base.past, k, load3(base.now, k + 2))


@inlined
def _slope(new, history, k, past, older, g):
    """What the formula takes for the derivative: new = last + past gain - older older_gain + g slope."""
    gained = sub(sub(new, load3(history, k)), scale(past, load3(history, k + 2)))
    return scale(1.0 / g, add(gained, scale(older, load3(history, k + 4))))


@inlined
def _along(ends, s, duration):
    """Where a cubic with these ends (4, 3) is at the share s of the frame, and its time derivative."""
    return cubic(load3(ends, 0), load3(ends, 1), load3(ends, 2), load3(ends, 3), s, duration)
