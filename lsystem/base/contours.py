# SPDX-License-Identifier: GPL-3.0-or-later
"""Cross sections of tubes that are not round, and what rods with them are like."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from .arrays import Floats

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
    """The sections of a segment that is not round: from one outline to the next, point by point."""

    segment: int
    outlines: Floats
    """(s, POINTS, 2) along x and z of the segment's frame from its line, m; counter-clockwise from x to z."""
    places: Floats = field(default_factory=lambda: np.array([0.0, 1.0]))
    """(s) where they are, by the segment's length: from 0 to 1."""
    ahead: Floats | float = 0.0
    """(s, POINTS) m, how far along y points lie beyond these places, of outlines that are askew."""

    @property
    def points(self) -> Floats:
        """(s, POINTS, 3) along x, y and z of the segment's frame, from their places."""
        x, z = self.outlines[..., 0], self.outlines[..., 1]
        return np.stack([x, np.broadcast_to(self.ahead, x.shape), z], axis=-1)

    @property
    def base(self) -> Floats:
        """(POINTS, 2) where the segment begins."""
        return self.outlines[0]

    @property
    def tip(self) -> Floats:
        """(POINTS, 2) where it ends."""
        return self.outlines[-1]

    @property
    def middle(self) -> Floats:
        """(POINTS, 2) between both."""
        middle: Floats = 0.5 * (self.base + self.tip)
        return middle


_QUARTER_BACK = -0.5 * math.pi + 1e-6


class Moments(NamedTuple):
    """Of n areas in a plane with the axes x and z: m2, and m4 about lines through their middles."""

    area: Floats
    about_x: Floats
    """Of bending about x: z squared, summed up."""
    about_z: Floats
    mixed: Floats
    """x times z, summed up; 0 if x and z are principal axes."""

    @property
    def twist(self) -> Floats:
        """J, m4."""
        result: Floats = self.area**4 / (_SOLID * (self.about_x + self.about_z))
        return result

    @property
    def roll(self) -> Floats:
        """Radians from x towards z at which the areas are widest, up to a quarter turn; not the one back, for which the
        last digit would decide."""
        roll = 0.5 * np.arctan2(2.0 * self.mixed, self.about_z - self.about_x)
        return np.where(roll < _QUARTER_BACK, roll + math.pi, roll)


def moments_of(outlines: Floats) -> Moments:
    """Of what outlines (n, k, 2) go around counter-clockwise, by Green's theorem; nothing where they have no area."""
    x, z = outlines[..., 0], outlines[..., 1]
    u, v = np.roll(x, -1, axis=-1), np.roll(z, -1, axis=-1)
    cross = x * v - u * z
    area = 0.5 * cross.sum(axis=-1)
    some = area > 0.0
    over = np.where(some, area, 1.0)
    a, b = ((values * cross).sum(axis=-1) / (6.0 * over) for values in (x + u, z + v))
    about_x = ((z * z + z * v + v * v) * cross).sum(axis=-1) / 12.0 - area * b * b
    about_z = ((x * x + x * u + u * u) * cross).sum(axis=-1) / 12.0 - area * a * a
    mixed = ((2.0 * x * z + x * v + u * z + 2.0 * u * v) * cross).sum(axis=-1) / 24.0 - area * a * b
    area, about_x, about_z = (np.where(some, np.maximum(one, 0.0), 0.0) for one in (area, about_x, about_z))
    return Moments(area, about_x, about_z, np.where(some, mixed, 0.0))


def areas_of(outlines: Floats) -> Floats:
    """(n) the areas alone."""
    x, z = outlines[..., 0], outlines[..., 1]
    result: Floats = 0.5 * (x * np.roll(z, -1, axis=-1) - np.roll(x, -1, axis=-1) * z).sum(axis=-1)
    return np.maximum(result, 0.0)


def turned(outlines: Floats, radians: Floats) -> Floats:
    """Outlines (n, k, 2) in axes that are turned by n angles from x towards z."""
    c, s = np.cos(radians), np.sin(radians)
    result: Floats = outlines @ np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2)
    return result
