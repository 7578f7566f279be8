# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of leaves that no formula gives: hearts, palms, leaflets with teeth of different size.

Each is a row of points from the stalk to the tip, of one half; both halves have the same. A point says where its line
leaves the midrib, so what lies between two neighbouring lines is one strip of the blade, and a lobe's own vein runs
along the line to its tip.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from ..arrays import Array


class Kind(Enum):
    """What a point of an outline is to its blade."""

    PLAIN = 0
    TIP = 1  # of a lobe or a tooth: pointed, and a side vein runs to it
    BAY = 2  # between two lobes


@dataclass(frozen=True)
class Point:
    """Of an outline."""

    leaves: float  # place on the midrib where its line begins, 0 to 1, rising from point to point
    out: float  # distance from the midrib, in half widths
    at: float  # place along the blade, in lengths; below 0 the blade reaches back beside its stalk
    kind: Kind = Kind.PLAIN


#: Points of an outline; before them comes the stalk, after them the tip.
Silhouette = tuple[Point, ...]


def _drawn(*points: tuple[float, float, float] | tuple[float, float, float, Kind]) -> Silhouette:
    return tuple(Point(*one) for one in points)


#: Of lilac and bindweed: a bay at the stalk, broad below, drawn out into a point.
HEART = _drawn(
    (0.005, 0.12, -0.045), (0.015, 0.40, -0.090), (0.04, 0.72, -0.065), (0.09, 0.94, 0.04), (0.16, 1.0, 0.16),
    (0.28, 0.93, 0.30), (0.45, 0.70, 0.47), (0.62, 0.44, 0.64), (0.78, 0.20, 0.79), (0.90, 0.07, 0.905),
)  # fmt: skip
#: Of many herbs of the shade: round at the stalk, drawn out into a point that water drips from.
OVATE = _drawn(
    (0.010, 0.18, -0.014), (0.030, 0.48, -0.020), (0.07, 0.78, 0.035), (0.13, 0.95, 0.13), (0.22, 1.0, 0.27),
    (0.34, 0.95, 0.42), (0.48, 0.79, 0.57), (0.62, 0.54, 0.72), (0.76, 0.27, 0.85), (0.88, 0.09, 0.935),
)  # fmt: skip
#: Of ivy: five pointed lobes, whose veins come from the stalk.
PALM = _drawn(
    (0.004, 0.10, -0.06, Kind.BAY), (0.012, 0.40, -0.09), (0.020, 0.70, -0.075), (0.028, 0.86, 0.02, Kind.TIP),
    (0.040, 0.67, 0.12), (0.050, 0.56, 0.155, Kind.BAY), (0.062, 0.82, 0.235), (0.080, 1.0, 0.36, Kind.TIP),
    (0.12, 0.70, 0.40), (0.20, 0.45, 0.47, Kind.BAY), (0.36, 0.41, 0.59), (0.60, 0.25, 0.78), (0.82, 0.09, 0.91),
)  # fmt: skip
#: Of tomatoes: coarse teeth, deeper ones below, that bulge towards the stalk.
TOOTHED = _drawn(
    (0.01, 0.14, -0.01, Kind.BAY), (0.05, 0.55, 0.01), (0.10, 0.80, 0.13, Kind.TIP), (0.15, 0.46, 0.20, Kind.BAY),
    (0.19, 0.82, 0.27), (0.26, 1.0, 0.37, Kind.TIP), (0.34, 0.60, 0.43, Kind.BAY), (0.38, 0.80, 0.495),
    (0.46, 0.86, 0.60, Kind.TIP), (0.54, 0.50, 0.64, Kind.BAY), (0.58, 0.58, 0.68), (0.66, 0.56, 0.79, Kind.TIP),
    (0.74, 0.28, 0.82, Kind.BAY), (0.86, 0.20, 0.91),
)  # fmt: skip

# Side veins begin at this place of the texture, and those into lobes take so much of it.
_FIRST, _LOBED = 0.03, 0.70


def veins_of(silhouette: Silhouette) -> tuple[float, float]:
    """Place in the texture half a distance below the first side vein, and the number of veins in its length, of which
    one runs into each lobe."""
    lobes = sum(one.kind is Kind.TIP for one in silhouette)
    return _FIRST, lobes / _LOBED


@dataclass(frozen=True)
class Rows:
    """An outline as rows of a blade, from its base to its tip."""

    along: Array  # (rows) where they leave the midrib, 0 to 1
    out: Array  # (rows) half widths
    at: Array  # (rows) lengths
    shown: Array  # (rows) place in the texture, 0 to 1


def rows_of(silhouette: Silhouette, between: int) -> Rows:
    """The outline with so many more rows between two of its points, on curves that have corners at tips and bays."""
    # The stalk's sides keep clear of a blade that reaches back beside it.
    stalk = Point(0.0, 0.0, min(0.0, 1.15 * silhouette[0].at), Kind.BAY)
    points = (stalk, *silhouette, Point(1.0, 0.0, 1.0, Kind.TIP))
    places = np.array([[one.leaves, one.out, one.at] for one in points])
    shown = _places_in_texture(silhouette)
    step = np.diff(places, axis=0)
    is_corner = np.array([one.kind is not Kind.PLAIN for one in points])
    smooth = 0.5 * (np.concatenate([step[:1], step]) + np.concatenate([step, step[-1:]]))
    leaving = np.where(is_corner[:-1, None], step, smooth[:-1])
    coming = np.where(is_corner[1:, None], step, smooth[1:])
    s = (np.arange(between + 1) / (between + 1))[:, None, None]
    curve = (
        (2 * s**3 - 3 * s**2 + 1) * places[:-1] + (s**3 - 2 * s**2 + s) * leaving
        + (3 * s**2 - 2 * s**3) * places[1:] + (s**3 - s**2) * coming
    )  # fmt: skip
    rows = np.concatenate([curve.transpose(1, 0, 2).reshape(-1, 3), places[-1:]])
    number = np.linspace(0.0, len(points) - 1, len(rows))
    along, evenly = (np.interp(number, np.arange(len(points)), one) for one in (places[:, 0], shown))
    return Rows(along, np.maximum(rows[:, 1], 0.0), rows[:, 2], evenly)


def _places_in_texture(silhouette: Silhouette) -> Array:
    """(points) with lobes at equal distances; where there are none, as they lie along the midrib."""
    points = (Point(0.0, 0.0, 0.0), *silhouette, Point(1.0, 0.0, 1.0))
    first, count = veins_of(silhouette)
    known, number, lobes = [(0, 0.0)], 0, 0
    for number, one in enumerate(points):
        if one.kind is Kind.TIP:
            known.append((number, first + (lobes + 0.5) / count))
            lobes += 1
        elif one.kind is Kind.BAY:
            known.append((number, first + lobes / count))
    known.append((number, 1.0))
    if not lobes:
        return np.array([one.leaves for one in points])
    at, place = np.array(known).T
    return np.interp(np.arange(len(points)), at, place)
