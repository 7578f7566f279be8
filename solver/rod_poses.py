# SPDX-License-Identifier: GPL-3.0-or-later
"""Where rods are, from where their bodies are.

Bodies' poses are given as orientation (n, 4) quaternions and position (n, 3) m of their inboard joints in world axes,
the base's as base_position (3,) and base_orientation (4,), or with a row for every rod where plants have their own.
"""

import math

import numpy as np

from .base.arrays import Floats, Floats1, Floats2, Ints, Ints1
from .machine.jit import inlined, kernel
from .math.matrices import mat_vec
from .math.memory import load3, load4, store3, store4
from .math.quaternions import quat_conj, quat_mat, quat_mul
from .math.vectors import add, cross, dot, sub
from .model.model import Model


def rod_ends(
    model: Model, base_position: Floats, base_orientation: Floats, orientation: Floats, position: Floats
) -> tuple[Floats, Floats]:
    """Heads and tails (m, 3) m in world axes."""
    bases = np.atleast_2d(base_position), np.atleast_2d(base_orientation)
    ends = np.empty((model.rod_count, 3)), np.empty((model.rod_count, 3))
    for body, point, end in zip((model.lower, model.upper), (model.head, model.tail), ends, strict=True):
        _fill_points(body, point, *bases, orientation, position, end)
    return ends


def rod_orientations(
    model: Model, base_position: Floats, base_orientation: Floats, orientation: Floats, position: Floats
) -> Floats:
    """(m, 4) quaternions of the rods' frames in the base's frame.

    The y axis points from the rod's head to its tail. About it a rod is turned like the mean of its parts: their
    quaternions weighted by their lengths, which for small differences is the mean of their rotation vectors.
    """
    result = np.empty((model.rod_count, 4))
    _fill_orientations(
        model.lower, model.upper, model.head, model.tail, model.first_joint, model.joint_count, model.stub,
        model.length_share, model.rod_rest, np.atleast_2d(base_position), np.atleast_2d(base_orientation),
        orientation, position, result,
    )  # fmt: skip
    return result


def turns_from_rest(parent: Ints, rest: Floats, orientation: Floats) -> Floats:
    """(m, 4) quaternions of what rods are turned by, in their own frames, from their rest in their parents' frames.

    parent (m,): index of a rod, -1 for the base; rest (m, 4) in the frame of the parent or base; orientation (m, 4) in
    that of the base.
    """
    result = np.empty((len(parent), 4))
    _fill_turns(parent, rest, orientation, result)
    return result


@kernel
def _fill_turns(parent: Ints1, rest: Floats2, orientation: Floats2, result: Floats2) -> None:
    for i in range(len(parent)):
        turned = load4(orientation, i)
        if parent[i] >= 0:
            turned = quat_mul(quat_conj(load4(orientation, parent[i])), turned)
        store4(result, i, quat_mul(quat_conj(load4(rest, i)), turned))


@kernel
def _fill_points(
    body: Ints1, point: Floats2, base_position: Floats2, base_orientation: Floats2, orientation: Floats2,
    position: Floats2, result: Floats2,
) -> None:  # fmt: skip
    for i in range(len(body)):
        store3(result, i, _end(i, body, point, base_position, base_orientation, orientation, position))


@inlined
def _end(i, body, point, base_position, base_orientation, orientation, position):
    """One end of rod i in world axes."""
    k = body[i]
    if k < 0:
        base = i if len(base_position) > 1 else 0
        at, turned = load3(base_position, base), load4(base_orientation, base)
    else:
        at, turned = load3(position, k), load4(orientation, k)
    return add(at, mat_vec(quat_mat(turned), load3(point, i)))


@kernel
def _fill_orientations(
    lower: Ints1, upper: Ints1, head: Floats2, tail: Floats2, first_joint: Ints1, joint_count: Ints1, stub: Floats1,
    length_share: Floats1, rod_rest: Floats2, base_position: Floats2, base_orientation: Floats2, orientation: Floats2,
    position: Floats2, result: Floats2,
) -> None:  # fmt: skip
    for i in range(len(lower)):
        base, joint = load4(base_orientation, i if len(base_orientation) > 1 else 0), first_joint[i]
        below = base if lower[i] < 0 else load4(orientation, lower[i])
        world = quat_mul(below, load4(rod_rest, i))
        if joint >= 0 and joint_count[i] == 1 and stub[i] == 0.0:
            world = load4(orientation, joint)
        elif joint >= 0:
            parts = _mean(world, stub[i], joint, joint_count[i], length_share, orientation)
            first = _end(i, lower, head, base_position, base_orientation, orientation, position)
            last = _end(i, upper, tail, base_position, base_orientation, orientation, position)
            world = _pointing(parts, sub(last, first))
        store4(result, i, quat_mul(quat_conj(base), world))


@inlined
def _mean(first, share, joint, count, length_share, orientation):
    """Mean of a rod's parts, the first of them below its joints."""
    total = _scaled(share, first)
    before = first
    for j in range(joint, joint + count):
        # q and -q are one orientation: take the sign with which a part is nearest to the one before it.
        part = load4(orientation, j)
        part = _scaled(-1.0 if _dot(part, before) < 0.0 else 1.0, part)
        total = _sum(total, _scaled(length_share[j], part))
        before = part
    size = math.sqrt(_dot(total, total))
    return _scaled(1.0 / size, total) if size > 0.0 else first


@inlined
def _pointing(q, direction):
    """The same frame, turned the shortest way so that its y axis has the direction."""
    R = quat_mat(q)
    axis = (R[1], R[4], R[7])
    x, y, z = cross(axis, direction)
    turn = (math.sqrt(dot(direction, direction)) + dot(axis, direction), x, y, z)
    size = math.sqrt(_dot(turn, turn))
    return quat_mul(_scaled(1.0 / size, turn), q) if size > 0.0 else q  # a rod bent into a ring has no direction


@inlined
def _dot(p, q):
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]


@inlined
def _scaled(a, q):
    return (a * q[0], a * q[1], a * q[2], a * q[3])


@inlined
def _sum(p, q):
    return (p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3])
