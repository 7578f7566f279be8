# SPDX-License-Identifier: GPL-3.0-or-later
"""What bends a rod at a joint, and joints that break by it (Garcia 2023, 10.3)."""

import math

from ..base.arrays import Floats1, Floats2
from ..data import columns as col
from ..data.lanes import get3, put3
from ..machine.jit import inlined, kernel
from ..math.angles import sin_cos
from ..math.memory import load3, load4
from ..math.vectors import add, dot, scale, sub, times
from .limits import STRAIGHT, limit_spring
from .springs import from_pose, rotation_vector


@inlined
def bending_moment(phi, K, limits, hard, modulus):
    """N m: what spring K and limits (bend, twist; beyond them so hard) of a joint turned by phi bend the rod with, of a
    round one with the same largest stress; modulus: section moduli about x and z over that one's, 1 for the moment, and
    corner as of Section.

    A fibre at (x, z) bears M_x z / I_x + M_z x / I_z. Around an ellipse this is at most the root of the sum of both
    largest stresses' squares; at a corner that is farthest from both axes, as a rectangle and a groove have it, it is
    the sum of both. What is known of a section by its stiffness alone is taken for an ellipse.

    The moment is that across the rod's axis halfway through the turn, as this axis is where the joint stands for a bent
    piece.
    """
    pushed, _ = limit_spring(phi, limits[0], limits[1], hard)
    moment = add(times(K, phi), pushed)
    # The energy's derivative by the rotation vector is the moment along that vector; across it the moment is more.
    angle = math.sqrt(dot(phi, phi))
    if angle < STRAIGHT:
        return 0.0
    axis = scale(1.0 / angle, phi)
    along = scale(dot(moment, axis), axis)
    sine, _ = sin_cos(0.5 * angle)
    moment = add(along, scale(0.5 * angle / sine, sub(moment, along)))
    x, z = moment[0] / modulus[0], moment[2] / modulus[1]
    return math.sqrt(x * x + z * z + 2.0 * (modulus[2] - 1.0) * abs(x * z))


@kernel
def fill_bending_moments(
    turn: Floats2, stiffness: Floats2, bend_limit: Floats1, twist_limit: Floats1, hard: Floats1, modulus: Floats2,
    moments: Floats1,
) -> None:  # fmt: skip
    """Fill moments (n,) N m of joints turned by quaternions (n, 4) from where their springs are relaxed."""
    for i in range(len(moments)):
        phi, _, _ = rotation_vector(load4(turn, i))
        own = modulus[i, 0], modulus[i, 1], modulus[i, 2]
        moments[i] = bending_moment(phi, load3(stiffness, i), (bend_limit[i], twist_limit[i]), hard[i], own)


@inlined
def most_strained(data, n, stiffness_scale):
    """Of n joints, at Q, the one whose bending moment is the largest share of what it bears, and that share."""
    joint, most = -1, 0.0
    for i in range(n):
        b, lane = i >> 3, i & 7
        strength = data[b, col.STRENGTH + lane]
        if strength < math.inf:
            phi, _, _ = rotation_vector(from_pose(data, b, lane))
            K = scale(stiffness_scale, get3(data, b, col.STIFFNESS + lane))
            limits = data[b, col.BEND_LIMIT + lane], data[b, col.TWIST_LIMIT + lane]
            modulus = get3(data, b, col.MODULUS + lane)
            strain = bending_moment(phi, K, limits, data[b, col.LIMIT_STIFFNESS + lane], modulus) / strength
            if strain > most:
                joint, most = i, strain
    return joint, most


@inlined
def crack(data, i):
    """Let the joint of body i hang on fibres."""
    b, lane = i >> 3, i & 7
    fibres = data[b, col.FIBRES + lane]
    put3(data, b, col.STIFFNESS + lane, scale(fibres, get3(data, b, col.STIFFNESS + lane)))
    data[b, col.DAMPING + lane] *= fibres
    data[b, col.STRENGTH + lane] = math.inf
