# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross sections of tubes that are not round, and what rods with them are like."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .arrays import Floats, Integers

POINTS = 48
"""Of every outline. Of a sheet the first and the middle one are its edges."""
_TURNS = 2.0 * math.pi * np.arange(POINTS) / POINTS
CIRCLE: Floats = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
"""Of radius 1."""
_SOLID = 40.0
"""De Saint-Venant's: twisting a solid section takes GJ with J = A^4 / (40 I_p), within a few percent for all that are
of one piece and without notches (Timoshenko and Goodier 1970, Theory of Elasticity, section 113)."""


@dataclass(frozen=True, eq=False)
class Contour:
    """The section of a segment that is not round: from the outline at its base to that at its tip, point by point."""

    segment: int
    base: Floats
    """(POINTS, 2) along x and z of the segment's frame from its line, m; counter-clockwise from x to z."""
    tip: Floats

    @property
    def middle(self) -> Floats:
        """The outline between both."""
        middle: Floats = 0.5 * (self.base + self.tip)
        return middle


class Moments(NamedTuple):
    """Of an area in a plane with the axes x and z: m2, and m4 about lines through its middle."""

    area: float
    about_x: float
    """Of bending about x: z squared, summed up."""
    about_z: float
    mixed: float
    """x times z, summed up; 0 if x and z are principal axes."""

    @property
    def twist(self) -> float:
        """J, m4."""
        return self.area**4 / (_SOLID * (self.about_x + self.about_z))

    @property
    def roll(self) -> float:
        """Radians from x towards z at which the area is widest."""
        return 0.5 * math.atan2(2.0 * self.mixed, self.about_z - self.about_x)


def moments_of(outline: Floats) -> Moments:
    """Of what an outline (k, 2) goes around counter-clockwise, by Green's theorem; nothing where it has no area."""
    x, z = outline.T
    u, v = outline[_following(len(outline))].T
    cross = x * v - u * z
    area = 0.5 * float(cross.sum())
    if area <= 0.0:
        return Moments(0.0, 0.0, 0.0, 0.0)
    a, b = float(((x + u) * cross).sum()) / (6.0 * area), float(((z + v) * cross).sum()) / (6.0 * area)
    about_x = float(((z * z + z * v + v * v) * cross).sum()) / 12.0 - area * b * b
    about_z = float(((x * x + x * u + u * u) * cross).sum()) / 12.0 - area * a * a
    mixed = float(((2.0 * x * z + x * v + u * z + 2.0 * u * v) * cross).sum()) / 24.0 - area * a * b
    return Moments(area, max(about_x, 0.0), max(about_z, 0.0), mixed)


def area_of(outline: Floats) -> float:
    """The area alone."""
    x, z = outline.T
    u, v = outline[_following(len(outline))].T
    return max(0.5 * float(x @ v - u @ z), 0.0)


@lru_cache(maxsize=16)
def _following(count: int) -> Integers:
    """Of each point of an outline the number of the next one."""
    return np.roll(np.arange(count), -1)


def turned(outline: Floats, radians: float) -> Floats:
    """An outline in axes that are turned from x towards z."""
    c, s = math.cos(radians), math.sin(radians)
    result: Floats = outline @ np.array([[c, -s], [s, c]])
    return result
