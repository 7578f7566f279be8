# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the bodies of an articulated-body string are, and a skeleton to draw them by."""

import math

import numpy as np

from ..base.arrays import Floats, Integers
from ..base.errors import LSystemError
from ..base.organs import STEM
from ..base.quaternions import START, Quaternion, about_axis, multiply, rotate, shortest_arc
from ..base.skeleton import Skeleton
from .bodies import ArticulatedBodies

_ROOT_LENGTH = 0.02
"""Metres; drawn below the ground for a root body without a length."""


def body_frames(bodies: ArticulatedBodies, initial: bool = False) -> tuple[Floats, Floats]:
    """Inboard joints (n, 3) in metres and frames (n, 4), quaternions plant <- body.

    At the rest angles, or with ``initial`` at rest plus initial angles. The root stands at the origin as the turtle
    does: y up, x right.
    """
    angles = np.degrees(bodies.rest_angles + bodies.initial_angles if initial else bodies.rest_angles).tolist()
    reach = (bodies.com + bodies.outboard).tolist()
    heads: list[tuple[float, float, float]] = []
    frames: list[Quaternion] = []
    for index, parent in enumerate(bodies.parent.tolist()):
        if parent < 0:
            heads.append((0.0, 0.0, 0.0))
            frames.append(START)
            continue
        frame = frames[parent]
        step = rotate(frame, tuple(reach[parent]))
        heads.append(tuple(a + b for a, b in zip(heads[parent], step, strict=True)))
        for axis in range(3):
            frame = multiply(frame, about_axis(axis, angles[index][axis]))
        frames.append(frame)
    return np.array(heads), np.array(frames)


def articulated_skeleton(bodies: ArticulatedBodies, initial: bool = False) -> Skeleton:
    """One stem segment a body, from its inboard to its outboard joint, in the bodies' order.

    A segment's frame is the body's, turned by the least angle that brings y along the segment (nothing, if the outboard
    joint lies on the body's y axis). The radius is that of the cylinder with the body's mass and its inertia about the
    segment: r = sqrt(2 I / m). Materials are NaN, since the bodies say all themselves.
    Raises `LSystemError` at a body, other than the root, whose joints coincide.
    """
    head, frame, length, radius = _segments(bodies, *body_frames(bodies, initial))
    order, axis = _axes(bodies)
    unknown = np.full(len(bodies), np.nan)
    return Skeleton(
        parent=bodies.parent.copy(),
        head=head,
        frame=frame,
        length=length,
        radius_base=radius,
        radius_tip=radius.copy(),
        width=np.zeros(len(bodies)),
        organ=np.full(len(bodies), STEM, dtype=np.int64),
        order=order,
        axis=axis,
        young=unknown,
        poisson=unknown,
        density=unknown,
        damping=unknown,
        strength=unknown,
        section=unknown,
        aspect=unknown,
        twist=unknown,
        joint=np.ones(len(bodies)),
        pinned=np.zeros(len(bodies), dtype=np.bool_),
        colour=np.zeros(len(bodies), dtype=np.int64),
        age=np.zeros(len(bodies)),
        divided=np.zeros(len(bodies), dtype=np.bool_),
    )


def _segments(bodies: ArticulatedBodies, head: Floats, frame: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Heads (n, 3) and frames (n, 4), changed in place from those of the bodies; lengths (n) and radii (n)."""
    reach = bodies.com + bodies.outboard
    length = np.linalg.norm(reach, axis=1)
    radius = np.empty(len(bodies))
    for index, parent in enumerate(bodies.parent.tolist()):
        if length[index] == 0.0:
            if parent >= 0:
                raise LSystemError(f"body {index} has no length: its inboard and outboard joint coincide")
            length[0] = _ROOT_LENGTH
            direction = np.array([0.0, 1.0, 0.0])
            head[0] -= _ROOT_LENGTH * np.array(rotate(tuple(frame[0].tolist()), (0.0, 1.0, 0.0)))
        else:
            direction = reach[index] / length[index]
            frame[index] = multiply(tuple(frame[index].tolist()), shortest_arc(tuple(direction.tolist())))
        radius[index] = _radius(bodies.mass[index], float(direction**2 @ bodies.inertia[index]), length[index])
    return head, frame, length, radius


def _axes(bodies: ArticulatedBodies) -> tuple[Integers, Integers]:
    """(n) branch order and (n) number of the axis of each body."""
    order, axis = np.zeros((2, len(bodies)), dtype=np.int64)
    for index, parent in enumerate(bodies.parent.tolist()):
        if parent >= 0:
            branch = bool(bodies.starts_branch[index])
            order[index] = order[parent] + branch
            axis[index] = axis[:index].max() + 1 if branch else axis[parent]
    return order, axis


def _radius(mass: float, inertia: float, length: float) -> float:
    """Radius (m) for display: a cylinder's, between a thousandth and half of its length."""
    if mass == 0.0:
        return 0.1 * length
    return min(max(math.sqrt(2.0 * inertia / mass), 1e-3 * length), 0.5 * length)
