# SPDX-License-Identifier: GPL-3.0-or-later
"""How cpfg's tropisms turn a turtle: by directions of the world, and without any twist that it has not asked for.

A frame is its heading H and what cpfg calls up, U, our turtle's lower side.
"""

import math
from typing import NamedTuple

from ..base.quaternions import Quaternion, Vector
from . import commands

PULLING = (commands.LEAN, commands.PULL, commands.ROLL, commands.BEND, commands.KEEP)
_LEAST = 1e-6
"""Sines below which directions are the same, as with cpfg."""


class Frame(NamedTuple):
    """Unit vectors at a right angle."""

    heading: Vector
    up: Vector

    def left(self) -> Vector:
        """The third axis, H x U."""
        return cross(self.heading, self.up)


class Pulled:
    """Pulls that come to a turtle one after the other, and the frame from which twist is counted."""

    def __init__(self, frame: Frame) -> None:
        self.kept = frame
        self.sum: Vector = (0.0, 0.0, 0.0)
        """Of pulls that have not turned the turtle yet."""

    def after(self, frame: Frame, action: int, vector: Vector, strength: float, share: float) -> Frame:
        """What an action of the turtle makes of a frame; share: how much of it there is."""
        if action == commands.LEAN:
            self.lean(frame, vector, strength * share)
        elif action == commands.PULL:
            return self.pull(frame, vector, share)
        elif action == commands.ROLL:
            return self.roll(frame, vector, share)
        elif action == commands.BEND:
            return bent(frame, along((0.0, 0.0, 0.0), share, vector))
        elif vector[0]:
            return self.untwisted(frame)
        else:
            self.kept = frame
        return frame

    def lean(self, frame: Frame, direction: Vector, strength: float) -> None:
        """Pull at a right angle away from a direction, up to its plane: with others, at the next `pull`."""
        across = cross(frame.heading, direction)
        size = length(across)
        if size < 0.1 * _LEAST:
            across, size = frame.left(), 1.0
        self.sum = along(self.sum, strength / size, cross(direction, across))

    def pull(self, frame: Frame, direction: Vector, share: float) -> Frame:
        """Turn to a direction by |H x T| radians, T with its length; the twist is then that of before."""
        whole = along(self.sum, share, direction)
        self.sum = (0.0, 0.0, 0.0)
        axis = cross(frame.heading, whole)
        size = length(axis)
        if size < _LEAST:
            return frame
        return self.untwisted(Frame(turned(frame.heading, axis, _angle(size)), frame.up))

    def untwisted(self, frame: Frame) -> Frame:
        """The frame with the upper side that the one that was kept has when it is turned by the least angle."""
        axis = cross(self.kept.heading, frame.heading)
        sine = length(axis)
        if sine < _LEAST:
            return frame
        angle = math.atan2(sine, dot(self.kept.heading, frame.heading))
        return Frame(frame.heading, turned(self.kept.up, axis, angle))

    def roll(self, frame: Frame, direction: Vector, share: float) -> Frame:
        """Roll the side opposite to U to a direction by |U x T'| radians, T' the part of T at a right angle to H; that
        twist is kept."""
        size = length(direction)
        across = cross(cross(frame.heading, direction), frame.heading)
        wide = length(across)
        if wide < 1e-4 * size or not size:
            return frame
        axis = cross(frame.up, across)
        if length(axis) >= 0.1 * _LEAST:
            frame = Frame(frame.heading, turned(frame.up, axis, -share * _angle(length(axis))))
        self.kept = frame
        return frame


def _angle(size: float) -> float:
    """Radians by which a pull of a size turns; cpfg bounds large ones."""
    return size if size <= 1.0 else 2.0 * math.atan(size * math.tan(0.5))


def bent(frame: Frame, pull: Vector) -> Frame:
    """The frame turned to a direction in the plane of H and U, then in that of H and L, by angles whose sines are the
    pull along these."""
    heading, up = frame
    left = frame.left()
    heading, up = _towards(heading, up, dot(pull, up))
    heading, left = _towards(heading, left, dot(pull, left))
    return Frame(heading, up)


def _towards(one: Vector, other: Vector, sine: float) -> tuple[Vector, Vector]:
    sine = min(max(sine, -1.0), 1.0)
    cosine = math.sqrt(1.0 - sine * sine)
    nothing = (0.0, 0.0, 0.0)
    return along(along(nothing, cosine, one), sine, other), along(along(nothing, cosine, other), -sine, one)


def turned(vector: Vector, axis: Vector, angle: float) -> Vector:
    """A vector turned about an axis of any length, by an angle in radians.

    By quaternions, so that what lies in a plane of the world stays there to the last digit, as with cpfg.
    """
    sine, cosine, scale = math.sin(-0.5 * angle), math.cos(0.5 * angle), 1.0 / length(axis)
    x, y, z = (sine * (scale * part) for part in axis)
    return by_quaternion(vector, (cosine, x, y, z))


def by_quaternion(vector: Vector, q: Quaternion) -> Vector:
    """A vector turned by the inverse of a quaternion of any length, in cpfg's order of sums."""
    w, x, y, z = q
    size = 1.0 / (w * w + x * x + y * y + z * z)
    before = _product((size * w, -size * x, -size * y, -size * z), (0.0, *vector))
    _, *result = _product(before, q)
    return result[0], result[1], result[2]


def _product(a: Quaternion, b: Quaternion) -> Quaternion:
    return (
        a[0] * b[0] - (a[1] * b[1] + a[2] * b[2] + a[3] * b[3]),
        a[0] * b[1] + b[0] * a[1] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + b[0] * a[2] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + b[0] * a[3] + a[1] * b[2] - a[2] * b[1],
    )


def cross(a: Vector, b: Vector) -> Vector:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Vector, b: Vector) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def length(a: Vector) -> float:
    """|a|."""
    return math.sqrt(dot(a, a))


def along(a: Vector, size: float, b: Vector) -> Vector:
    """a + size b."""
    return a[0] + size * b[0], a[1] + size * b[1], a[2] + size * b[2]
