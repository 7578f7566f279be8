# SPDX-License-Identifier: GPL-3.0-or-later
"""Tropisms that a view file of cpfg numbers, as its turtle counts and follows them: down to the last digit.

The sums over all tropisms are kept up to date by what is added to each, as cpfg does, so that they keep its rounding
from one walk along a string to the next. Axes are cpfg's, y upwards.
"""

import math
from typing import NamedTuple

from ..base.quaternions import Vector
from ..language.beside.kinds import View
from .pulls import by_quaternion, cross, dot, length

_NOTHING: Vector = (0.0, 0.0, 0.0)
_LEAST = 1e-6
"""Of a sine by which the turtle still turns; a tenth of it is the least of other directions."""


class Axes(NamedTuple):
    """Heading, left and up of cpfg's turtle, and those of its last segment from which twist is counted."""

    heading: Vector
    left: Vector
    up: Vector
    kept_heading: Vector
    kept_up: Vector

    def keeping(self) -> "Axes":
        """Twist is counted from here on."""
        heading, left, up, _, _ = self
        return Axes(heading, left, up, heading, up)

    def untwisted(self) -> "Axes":
        """Up as that of the last segment becomes by the least turn to the heading."""
        rotation = cross(self.heading, self.kept_heading)
        size = length(rotation)
        up = self.up
        if size > _LEAST:
            size = min(size, 1.0)
            half = math.asin(size) * 0.5
            if dot(self.heading, self.kept_heading) < 0.0:
                half = math.pi * 0.5 - half
            up = turned_by_half(self.kept_up, divided(rotation, size), half)
        return self._replace(up=up, left=cross(self.heading, up))


def divided(vector: Vector, size: float) -> Vector:
    """A vector by a number."""
    return vector[0] / size, vector[1] / size, vector[2] / size


def times(size: float, vector: Vector) -> Vector:
    """A vector times a number."""
    return vector[0] * size, vector[1] * size, vector[2] * size


def turned_by_half(vector: Vector, axis: Vector, half: float) -> Vector:
    """A vector turned about a unit axis, by twice an angle in radians the other way."""
    sine = math.sin(half)
    return by_quaternion(vector, (math.cos(half), sine * axis[0], sine * axis[1], sine * axis[2]))


class Tropisms:
    """All of a view file's, with the sums of what they do."""

    def __init__(self, view: View) -> None:
        self.all = view.tropisms
        self.first = [tropism.elasticity for tropism in self.all]
        self.elasticities = list(self.first)
        self.cosines = [math.cos(tropism.angle * math.pi / 180.0) for tropism in self.all]
        self.sines = [math.sin(tropism.angle * math.pi / 180.0) for tropism in self.all]
        self.across = [0.0] * len(self.all)
        """By tropism: its elasticity times the sine of its angle."""
        self.pull = self.twist = _NOTHING
        self.twist_size = 0.0
        for number, elasticity in enumerate(self.first):
            self.add(number, elasticity)
        self.elasticities = list(self.first)

    def begin(self) -> list[float]:
        """The elasticities of a turtle that begins: those of the view file again."""
        for number, elasticity in enumerate(self.first):
            self.change(number, elasticity - self.elasticities[number])
        return list(self.first)

    def change(self, number: int, more: float) -> None:
        """Add to the elasticity of a tropism, by its number from 0."""
        self.elasticities[number] += more
        self.add(number, more)

    def add(self, number: int, more: float) -> None:
        """Add to the sums what comes with more elasticity."""
        tropism = self.all[number]
        a, b, c = tropism.direction
        if tropism.twists:
            x, y, z = self.twist
            self.twist = x + more * a, y + more * b, z + more * c
            self.twist_size = length(self.twist)
            return
        x, y, z = self.pull
        factor = self.cosines[number] * more
        self.pull = x + factor * a, y + factor * b, z + factor * c
        self.across[number] += more * self.sines[number]

    def followed(self, axes: Axes) -> Axes:
        """Axes of a turtle that follows all tropisms, before it moves."""
        if not self.all:
            return axes
        wanted = self.pull
        for number, tropism in enumerate(self.all):
            if not tropism.twists and self.sines[number] != 0.0:
                wanted = self.leaned(axes, number, wanted)
        rotation = cross(axes.heading, wanted)
        size = length(rotation)
        if size >= _LEAST:
            size = min(size, 1.0)
            half = -size * 0.5
            axis = times(1.0 / size, rotation)
            axes = axes._replace(heading=turned_by_half(axes.heading, axis, half)).untwisted()
        return axes if self.twist == _NOTHING else self.rolled(axes)

    def leaned(self, axes: Axes, number: int, wanted: Vector) -> Vector:
        """What one that has an angle adds to the direction that is wanted."""
        direction = self.all[number].direction
        across = cross(axes.heading, direction)
        size = length(across)
        if size < 0.1 * _LEAST:
            across, size = axes.left, 1.0
        x, y, z = cross(direction, across)
        factor = self.across[number] / size
        return wanted[0] + factor * x, wanted[1] + factor * y, wanted[2] + factor * z

    def rolled(self, axes: Axes) -> Axes:
        """Axes rolled about the heading."""
        size = length(self.twist)
        direction = times(1.0 / size, self.twist) if size else self.twist
        across = cross(axes.heading, direction)
        if dot(across, across) <= 0.01 * _LEAST:
            return axes
        rotation = cross(axes.up, times(self.twist_size, cross(across, axes.heading)))
        size = length(rotation)
        if size >= 0.1 * _LEAST:
            size = min(size, 1.0)
            up = turned_by_half(axes.up, divided(rotation, size), size * 0.5)
            axes = axes._replace(up=up, left=cross(axes.heading, up))
        return axes.keeping()
