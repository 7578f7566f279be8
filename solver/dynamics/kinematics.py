# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies are and how they move, from joint rotations and rates, base to tips."""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats, Floats2, Ints, Ints1
from ..data import columns as col
from ..data.lanes import add3, copy, get3, get4, get9, put3, put9
from ..data.rows import Rows
from ..joints.loose import ACCELERATION, PLACE, VELOCITY, Loose, loose_at_present, loose_of, orientation_at
from ..machine.jit import inlined, kernel
from ..math.matrices import mat_mul, mat_vec
from ..math.memory import load3, load4, store3, store4, take3
from ..math.quaternions import quat_mat, quat_mul, quat_unit
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..world.base_motion import MovingBase, standing_of


class Placed(NamedTuple):
    """Where n bodies are, in world axes: orientation (n, 4) quaternions; position (n, 3) m, velocity (n, 3) m/s and
    angular velocity omega (n, 3) rad/s of the inboard joints."""

    orientation: Floats2
    position: Floats2
    velocity: Floats2
    omega: Floats2


@kernel
def place(first_plant: int, last_plant: int, rows: Rows, bases: MovingBase, all_loose: Loose, placed: Placed) -> None:
    """Fill in where the bodies of plants first to last - 1 are for the present state."""
    for p in range(first_plant, last_plant):
        data = rows.data[rows.first_block[p] : rows.first_block[p + 1]]
        first = rows.first_body[p]
        stands, loose = standing_of(bases, rows, p), loose_of(all_loose, p, rows.first_body)
        loose_at_present(loose)
        stretches = data[0, col.STRETCHES] > 0.0
        for i in range(first, rows.first_body[p + 1]):
            b, lane = (i - first) >> 3, (i - first) & 7
            k = rows.parent[i]
            if k == -1:
                base = stands.now[stands.on[i - first]]
                Qp, position, velocity, omega = load4(base, 1), load3(base, 0), load3(base, 2), load3(base, 3)
            elif k < 0:
                Qp, position = orientation_at(loose.now, -2 - k), take3(loose.now, -2 - k, PLACE)
                velocity, omega = take3(loose.now, -2 - k, VELOCITY), ZERO
            else:
                k += first
                Qp, position = load4(placed.orientation, k), load3(placed.position, k)
                velocity, omega = load3(placed.velocity, k), load3(placed.omega, k)
            Rp = quat_mat(Qp)
            Q = quat_unit(quat_mul(quat_mul(Qp, get4(data, b, col.REST + lane)), get4(data, b, col.STATE_Q + lane)))
            r = mat_vec(Rp, get3(data, b, col.OFFSET + lane))
            store4(placed.orientation, i, Q)
            store3(placed.position, i, add(position, r))
            velocity = add(velocity, cross(omega, r))
            if stretches:
                velocity = add(velocity, mat_vec(Rp, get3(data, b, col.OFFSET_RATE + lane)))
            store3(placed.velocity, i, velocity)
            store3(placed.omega, i, add(omega, mat_vec(quat_mat(Q), get3(data, b, col.STATE_U + lane))))


def carried(placed: Placed, body: Ints, place: Floats, ahead: float) -> tuple[Floats, Floats]:
    """(k, 3) m and m/s: where places (k, 3) m in the frames of bodies (k,) will be ahead (s) of now if these go on as
    they are, and how they move now."""
    points, velocities = np.zeros((2, len(body), 3))
    _carry(placed, body, place, ahead, points, velocities)
    return points, velocities


@kernel
def _carry(placed: Placed, body: Ints1, place: Floats2, ahead: float, points: Floats2, velocities: Floats2) -> None:
    for i in range(len(body)):
        k = body[i]
        arm = mat_vec(quat_mat(load4(placed.orientation, k)), load3(place, i))
        velocity = add(load3(placed.velocity, k), cross(load3(placed.omega, k), arm))
        store3(velocities, i, velocity)
        store3(points, i, add(add(load3(placed.position, k), arm), scale(ahead, velocity)))


@inlined
def at_present(data, loose):
    """Let Q and U, and frames of loose bodies, be what they are at the step's beginning."""
    copy(data, col.STATE_Q, col.Q, 4)
    copy(data, col.STATE_U, col.U, 3)
    loose_at_present(loose)


@inlined
def turned(q, turn):
    """Rotation q followed by the rotation vector turn (rad).

    tan(t)/t is taken to the sixth power of t = |turn|/2: exact to rounding for turns of 0.05 rad, to 3e-8 rad at
    TURN_LIMIT, and a unit quaternion whatever the turn is.
    """
    t2 = 0.25 * dot(turn, turn)
    s = 1.0 + t2 * (1.0 / 3.0 + t2 * (2.0 / 15.0 + t2 * (17.0 / 315.0)))
    w = 1.0 / math.sqrt(1.0 + t2 * s * s)
    s = 0.5 * s * w
    return quat_mul(q, (w, s * turn[0], s * turn[1], s * turn[2]))


@inlined
def kinematics(data, parent, stands, loose, gravity):
    """Orientations, positions, velocities and accelerations without the correction, base to tips."""
    stretches = data[0, col.STRETCHES] > 0.0
    for i in range(len(parent)):
        b, lane = i >> 3, i & 7
        k = parent[i]
        if k == -1:
            base = stands.now[stands.on[i]]
            Rp, position = quat_mat(load4(base, 1)), load3(base, 0)
            omega, velocity = load3(base, 3), load3(base, 2)
            alpha, acceleration = load3(base, 5), sub(load3(base, 4), gravity)
        elif k < 0:
            Rp, position = quat_mat(orientation_at(loose.now, -2 - k)), take3(loose.now, -2 - k, PLACE)
            omega, velocity = ZERO, take3(loose.now, -2 - k, VELOCITY)
            alpha, acceleration = ZERO, sub(take3(loose.now, -2 - k, ACCELERATION), gravity)
        else:
            bp, lp = k >> 3, k & 7
            Rp, position = get9(data, bp, col.ROTATION + lp), get3(data, bp, col.POSITION + lp)
            omega, velocity = get3(data, bp, col.OMEGA + lp), get3(data, bp, col.VELOCITY + lp)
            alpha, acceleration = get3(data, bp, col.ALPHA + lp), get3(data, bp, col.ACCELERATION + lp)
        R = mat_mul(Rp, get9(data, b, col.RELATIVE + lane))
        r = mat_vec(Rp, get3(data, b, col.OFFSET + lane))
        rate = mat_vec(R, get3(data, b, col.U + lane))
        r_rate = cross(omega, r)
        put9(data, b, col.ROTATION + lane, R)
        put3(data, b, col.ARM + lane, r)
        put3(data, b, col.POSITION + lane, add(position, r))
        put3(data, b, col.OMEGA + lane, add(omega, rate))
        put3(data, b, col.VELOCITY + lane, add(velocity, r_rate))
        put3(data, b, col.ALPHA + lane, add(alpha, add(cross(omega, rate), mat_vec(R, get3(data, b, col.A + lane)))))
        put3(data, b, col.ACCELERATION + lane, add(acceleration, add(cross(alpha, r), cross(omega, r_rate))))
        if stretches:
            moved, gained = get3(data, b, col.OFFSET_RATE + lane), get3(data, b, col.OFFSET_GAIN + lane)
            moved = mat_vec(Rp, moved)
            add3(data, b, col.VELOCITY + lane, moved)
            add3(data, b, col.ACCELERATION + lane, add(mat_vec(Rp, gained), scale(2.0, cross(omega, moved))))
