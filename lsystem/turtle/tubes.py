# SPDX-License-Identifier: GPL-3.0-or-later
"""Generalised cylinders of cpfg as its turtle draws them: control points, and the spans between them.

Hermite's curves go through their control points, with the turtle's headings as tangents; B-splines go near them.
"""

from collections.abc import Sequence
from math import cos, dist, radians, sin
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..base.quaternions import Quaternion, Vector

TANGENT = 1.2
"""What a tangent's length is multiplied by, where nothing else is said."""
RINGS = 4
"""Pieces between control points, where nothing else is said."""
_MOST_RINGS = 1000.0
_NEAR = 1e-7
"""Metres; control points so near are one."""

BEGIN, GO_ON, END, FORGET, CLOSE = range(5)
"""What a control point does to the tube. FORGET has it begin at the next one; CLOSE is none itself, and has a closed
curve go on to where it began."""

CURVES: dict[float, tuple[bool, bool]] = {1: (False, False), 2: (False, True), 3: (True, False), 4: (True, True)}
"""What `{` with a number begins: whether it is a B-spline, and whether it is closed."""

Slope = tuple[float, float]
"""How fast the curve's parameter and the radius change; 0, 0: evenly."""


class Style(NamedTuple):
    """What a control point says besides place, frame and radius. Lengths are in the text's units."""

    does: int
    pieces: int
    contour: int
    tangents: tuple[float, float] = (TANGENT, TANGENT)
    """Of the curve that comes to the point, and that leaves it."""
    slopes: tuple[Slope, Slope] = ((0.0, 0.0), (0.0, 0.0))
    is_leaf: bool = False
    twists: bool = False
    is_spline: bool = False
    """A B-spline; else Hermite's."""
    is_closed: bool = False


class Knot(NamedTuple):
    """A control point, with the turtle's frame."""

    place: Vector
    frame: Quaternion
    radius: float
    style: Style
    lifted: bool = False
    """Whether the tube does not begin where the last segment ends."""


class Tube(NamedTuple):
    """A tube as far as it has come."""

    knots: tuple[Knot, ...] = ()
    """The last ones, of which the next span goes on: one of Hermite's, three of a B-spline."""
    first: tuple[Knot, ...] = ()
    """Those to which a closed one goes on in the end."""
    span: int = -1
    """The number of the last one drawn, whose frame at its end goes on without twist."""


class Span(NamedTuple):
    """A tube between two control points."""

    segment: int
    """What stands for it until it is cut into pieces."""
    knots: tuple[Knot, ...]
    """Both ends of Hermite's; the four control points of a B-spline, which goes from near the second to the third."""
    before: int
    """The span whose frame goes on, -1 for none."""

    @property
    def ends(self) -> tuple[Knot, Knot]:
        """Control points from whose radii and contours it goes to those of the other one."""
        last = len(self.knots) // 2
        return self.knots[last - 1], self.knots[last]


def continued(tube: Tube, knot: Knot) -> tuple[Tube, tuple[Knot, ...] | None]:
    """A tube with a control point more, and those of the span that this adds, if it does."""
    needed = 3 if knot.style.is_spline else 1
    before, first, span = tube
    if len(before) < needed:
        return Tube((*before, knot), (*first, knot), span), None
    if not knot.style.is_spline and dist(before[0].place, knot.place) < _NEAR:
        return Tube((knot,), first, span), None
    return Tube((*before[1:], knot), first, span), (*before, knot)


def rings_of(parameters: Sequence[float]) -> int:
    """How many pieces a parameter asks for; 0, the usual, where it says nothing or no number."""
    return int(min(max([0.0, *parameters]), _MOST_RINGS))


def slopes_of(parameters: Sequence[float]) -> tuple[Slope, Slope]:
    """Slopes of radii by their angles, degrees, and lengths: of the curve that comes to a point, and that leaves it."""
    slopes = [
        (length * cos(radians(angle)), length * sin(radians(angle)))
        for angle, length in zip(parameters[:4:2], parameters[1:4:2], strict=False)
    ]
    return slopes[0], slopes[-1]


def in_own_axes(outline: Floats) -> Floats:
    """A contour of cpfg's, whose x is along U and whose y is against L, along x and z of our frame."""
    x, y = outline.T
    return np.stack([y, -x], axis=1)
