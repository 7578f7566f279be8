# SPDX-License-Identifier: GPL-3.0-or-later
"""Generalised cylinders of cpfg: pieces along Hermite's cubic between two control points, with contours across.

The tangents at the ends are the turtle's headings, as long as the way between the points times factors. Radii go by a
cubic of their own, whose parameter the curve's is a cubic of as well.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats
from ..base.contours import CIRCLE, moments_of, turned
from ..base.quaternions import Quaternion, Vector, about_axis, headed, multiply, rotate

TANGENT = 1.2
"""What a tangent's length is multiplied by, where nothing else is said."""
RINGS = 4
"""Pieces between control points, where nothing else is said."""
_MOST_PIECES = 12
_BEND, _TWIST = 15.0, 30.0
"""Degrees that a tube turns, and twists, by at most in a piece."""
_BULGE = 0.1
"""A radius in the middle of a piece differs by at most this share of the largest from the one between its ends."""
_LEAF_PIECES = 4
_SLENDEREST = 0.01
"""Radii of pieces by their lengths; tubes that end in a point would bend without end there."""
_LOOKS = np.linspace(0.0, 1.0, 25)
_NEAR = 1e-9

BEGIN, GO_ON, END, FORGET = range(4)
"""What a control point does to the tube; the last has it begin at the next one."""

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


class Knot(NamedTuple):
    """A control point; the frame goes along with the tube, without twist."""

    place: Vector
    frame: Quaternion
    radius: float
    style: Style
    outline: Floats | None
    """Its contour in radii, along x and z of the frame; None for the circle."""
    lifted: bool = False
    """Whether the tube does not begin where the last segment ends."""


class Piece(NamedTuple):
    """A straight piece of a tube."""

    place: Vector
    frame: Quaternion
    length: float
    radii: tuple[float, float]
    outlines: tuple[Floats, Floats] | None
    """At base and tip, m; None where it is round."""


def in_own_axes(outline: Floats) -> Floats:
    """A contour of cpfg's, whose x is along U and whose y is against L, along x and z of our frame."""
    x, y = outline.T
    return np.stack([y, -x], axis=1)


def pieces_between(a: Knot, b: Knot, unit: float) -> tuple[list[Piece], Knot]:
    """The pieces from one control point to the next, and that one with the frame that the tube has there.

    unit: metres that a length of 1 in the text stands for.
    """
    way = np.subtract(b.place, a.place)
    length = float(np.linalg.norm(way))
    if length < _NEAR:
        return [], b._replace(frame=a.frame) if not b.style.twists else b
    leaving = a.style.tangents[1] * length * np.array(rotate(a.frame, (0.0, 1.0, 0.0)))
    coming = b.style.tangents[0] * length * np.array(rotate(b.frame, (0.0, 1.0, 0.0)))
    curve = _cubic(np.array(a.place), np.array(b.place), leaving, coming)
    evenly = (1.0, b.radius - a.radius)
    slopes = [
        np.array((slope[0], unit * slope[1]) if any(slope) else evenly)
        for slope in (a.style.slopes[1], b.style.slopes[0])
    ]
    profile = _cubic(np.array((0.0, a.radius)), np.array((1.0, b.radius)), slopes[0], slopes[1])
    ahead = _unit(_slopes(curve, _LOOKS))
    twist = _roll_between(_carried(a.frame, ahead), b.frame) if b.style.twists else 0.0
    count = _count(ahead, profile, twist, b.style)
    shares = np.linspace(0.0, 1.0, count + 1)
    along, radii = _at(profile, shares).T
    places = _at(curve, along)
    pieces, frame = [], a.frame
    radii_of, shares_of = pairwise(radii.tolist()), pairwise(along.tolist())
    for number, (step, radius, t) in enumerate(zip(np.diff(places, axis=0), radii_of, shares_of, strict=True)):
        size = float(np.linalg.norm(step))
        if size < _NEAR:
            continue
        frame = headed(frame, tuple(step.tolist()))
        pieces.append(_piece(tuple(places[number].tolist()), frame, size, radius, t, twist, a.outline, b.outline))
    end = b.frame if b.style.twists else headed(frame, rotate(b.frame, (0.0, 1.0, 0.0)))
    return pieces, b._replace(frame=end)


def _carried(frame: Quaternion, ahead: Floats) -> Quaternion:
    """The frame along a curve with such directions, without twist."""
    straight = float(np.abs(ahead - ahead[0]).max()) < _NEAR
    for direction in ahead[:1] if straight else ahead:
        frame = headed(frame, tuple(direction.tolist()))
    return frame


def _piece(
    place: Vector, frame: Quaternion, length: float, radii: Sequence[float], along: Sequence[float], twist: float,
    first: Floats | None, last: Floats | None,
) -> Piece:  # fmt: skip
    """A piece; its frame is rolled so that x is the way that it is widest, as blades have it."""
    least = _SLENDEREST * length
    # a radius below 0 turns the contour by half a turn
    thick = max(abs(radii[0]), least), max(abs(radii[1]), least)
    if first is None and last is None:
        return Piece(place, frame, length, thick, None)
    first, last = (CIRCLE if one is None else one for one in (first, last))
    middle = 0.5 * (along[0] + along[1])
    frame = multiply(frame, about_axis(1, math.degrees(twist * middle)))
    # from x towards z is against the way that things turn about y
    outlines = [
        turned(radius * ((1.0 - t) * first + t * last), twist * (t - middle))
        for radius, t in zip(radii, along, strict=True)
    ]
    roll = moments_of(0.5 * (outlines[0] + outlines[1])).roll
    frame = multiply(frame, about_axis(1, -math.degrees(roll)))
    base, tip = (turned(outline, roll) for outline in outlines)
    return Piece(place, frame, length, thick, (base, tip))


def _count(ahead: Floats, profile: Floats, twist: float, style: Style) -> int:
    """How many pieces follow a curve with such directions."""
    cosines = np.clip((ahead[1:] * ahead[:-1]).sum(axis=1), -1.0, 1.0)
    bend = math.degrees(float(np.arccos(cosines).sum()))
    wanted = max(math.ceil(bend / _BEND - 1e-6), math.ceil(math.degrees(abs(twist)) / _TWIST - 1e-6), 1)
    if style.is_leaf:
        wanted = max(wanted, _LEAF_PIECES)
    radii = _at(profile, _LOOKS)[:, 1]
    largest = float(np.abs(radii).max())
    while wanted < _MOST_PIECES:
        shares = np.linspace(0.0, 1.0, wanted + 1)
        between = np.interp(_LOOKS, shares, _at(profile, shares)[:, 1])
        if float(np.abs(between - radii).max()) <= _BULGE * largest:
            break
        wanted += 1
    return max(1, min(wanted, style.pieces, _MOST_PIECES))


def _roll_between(frame: Quaternion, wanted: Quaternion) -> float:
    """Radians about y from one frame to another with the same y, from -pi to pi."""
    right = np.array(rotate(wanted, (1.0, 0.0, 0.0)))
    x, z = (float(right @ rotate(frame, axis)) for axis in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    return math.atan2(-z, x)


def _cubic(start: Floats, end: Floats, leaving: Floats, coming: Floats) -> Floats:
    """(4, k) Hermite's, by powers of its parameter."""
    way = end - start
    return np.stack([start, leaving, 3.0 * way - 2.0 * leaving - coming, leaving + coming - 2.0 * way])


def _at(cubic: Floats, shares: Floats) -> Floats:
    values: Floats = np.stack([shares**power for power in range(4)], axis=1) @ cubic
    return values


def _slopes(cubic: Floats, shares: Floats) -> Floats:
    values: Floats = np.stack([np.ones_like(shares), 2.0 * shares, 3.0 * shares**2], axis=1) @ cubic[1:]
    return values


def _unit(vectors: Floats) -> Floats:
    """Directions; of what has none that of the one before."""
    sizes = np.linalg.norm(vectors, axis=1)
    good = np.flatnonzero(sizes > _NEAR)
    if not len(good):
        return np.tile([0.0, 1.0, 0.0], (len(vectors), 1))
    nearest = good[np.maximum(np.searchsorted(good, np.arange(len(vectors)), side="right") - 1, 0)]
    result: Floats = vectors[nearest] / sizes[nearest, None]
    return result

