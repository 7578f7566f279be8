# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of view files, from `.con` files: cubic B-splines and Bezier curves, by their arc length."""

import math
from itertools import pairwise

from ...base.errors import LSystemError
from .functions import MOST_POINTS, MOST_SAMPLES
from .numbers import LARGEST, is_plain, times_of

Point = tuple[float, float, float]
_DEGREE = 3
_INSIDE = 3.000001
"""Control points less this many are the spans; a little less, so that the end belongs to the last one."""
_JUST_OVER = 1.000001
"""The parameter at which the last of Bezier's pieces would end, for the same."""
_AXES = "xyz"
_OPEN, _CLAMPED, _BEZIER = "bspline", "bspline-endpoint", "bezier"
_CLOSED, _PHANTOM = "bspline-closed", "bspline-phantom"
_TYPES = (_OPEN, _CLAMPED, _BEZIER, _CLOSED, _PHANTOM)


class DrawnCurve:
    """A curve whose places are given by their share of its length."""

    def __init__(self, points: list[Point], samples: int, kind: str = _OPEN) -> None:
        """kind: an open B-spline, one with its knots clamped at both ends, or pieces of Bezier's."""
        self.points = points
        self.kind = kind
        places = [self.place(sample / (samples - 1)) for sample in range(samples)]
        lengths = [0.0]
        for one, other in pairwise(places):
            square = 0.0
            for a, b in zip(one, other, strict=True):
                square += (b - a) * (b - a)
            lengths.append(lengths[-1] + math.sqrt(square))
        self.length = lengths[-1]
        self.shares = [length / self.length for length in lengths] if self.length else lengths

    def __call__(self, what: str, share: float) -> float:
        """A coordinate, x, y or z, of the place at a share of the length, or the "length"."""
        if what == "length":
            return self.length
        share = min(max(share, 0.0), 1.0)
        low, high = 0, len(self.shares) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.shares[middle] > share:
                high = middle
            else:
                low = middle
        width = self.shares[high] - self.shares[low]
        along = (low + ((share - self.shares[low]) / width if width else 0.0)) / (len(self.shares) - 1)
        return self.place(along)[_AXES.index(what)]

    def place(self, along: float) -> Point:
        """The place at a parameter from 0 to 1."""
        first, at, knots = self._piece(along)
        weights = [_basis(knots[one:], _DEGREE + 1, at) for one in range(_DEGREE + 1)]
        near = self.points[first : first + _DEGREE + 1]
        x, y, z = (
            near[0][axis] * weights[0] + near[1][axis] * weights[1] + near[2][axis] * weights[2]
            + near[3][axis] * weights[3]
            for axis in range(3)
        )  # fmt: skip
        return x, y, z

    def _piece(self, along: float) -> tuple[int, float, list[int]]:
        """The first of the four control points near a parameter from 0 to 1, where it is among knots, and these."""
        count = len(self.points)
        if self.kind == _BEZIER:
            pieces = 1 + (count - _DEGREE - 1) // _DEGREE
            piece = int(along / (_JUST_OVER / pieces))
            at = _DEGREE + (along - piece / pieces) * pieces / _JUST_OVER
            return piece * _DEGREE, at, [_DEGREE] * (_DEGREE + 1) + [_DEGREE + 1] * (_DEGREE + 1)
        first = int(along * (count - _INSIDE))
        knots = list(range(first, first + 2 * (_DEGREE + 1)))
        if self.kind == _CLAMPED:
            knots = [min(max(knot, _DEGREE), count) for knot in knots]
        return first, _DEGREE + along * (count - _INSIDE), knots


def _basis(knots: list[int], order: int, at: float) -> float:
    """The B-spline of an order over the first of these knots; none over knots that are all the same."""
    if order == 1:
        return 1.0 if knots[0] <= at < knots[1] else 0.0
    value = 0.0
    if width := knots[order - 1] - knots[0]:
        value += (at - knots[0]) / width * _basis(knots, order - 1, at)
    if width := knots[order] - knots[1]:
        value += (knots[order] - at) / width * _basis(knots[1:], order - 1, at)
    return value


def read_curve(text: str, source: str, samples: int) -> DrawnCurve:
    """The curve of a `.con` file. Raises `LSystemError`."""
    labels, points = labels_and_points(text, source)
    kind = labels.get("type", _OPEN)
    if kind not in _TYPES:
        message = f"a curve of the type '{kind}' cannot be read; it must be one of {', '.join(_TYPES)}"
        raise LSystemError(message, source=source)
    if kind == _PHANTOM and len(points) > 1:
        points = [_beyond(points[1], points[0]), *points, _beyond(points[-2], points[-1])]
    elif kind == _CLOSED:
        points += points[:_DEGREE]
    if len(points) <= _DEGREE or not 2 <= samples <= MOST_SAMPLES:
        raise LSystemError(f"a curve has at least {_DEGREE + 1} points and 2 to {MOST_SAMPLES} samples", source=source)
    return DrawnCurve(points, samples, kind)


def _beyond(inner: Point, end: Point) -> Point:
    """As far beyond an end as the point before it is within."""
    x, y, z = (2 * there - here for here, there in zip(inner, end, strict=True))
    return x, y, z


def labels_and_points(text: str, source: str) -> tuple[dict[str, str], list[Point]]:
    """What a `.con` file says by name, and its control points, each as often as it counts. Raises `LSystemError`."""
    labels: dict[str, str] = {}
    points: list[Point] = []
    for number, line in enumerate(text.splitlines(), 1):
        label, colon, value = line.partition(":")
        if colon:
            labels[label.strip()] = value.strip()
            continue
        try:
            x, y, z, *times = (float(word) for word in line.split())
        except ValueError:
            continue  # the line of the file's version
        if not is_plain((x, y, z, *times)):
            raise LSystemError(f"places are at most {LARGEST:g}", number, 1, source)
        points += [(x, y, z)] * times_of(times, MOST_POINTS)
        if len(points) > MOST_POINTS:
            raise LSystemError(f"a curve has at most {MOST_POINTS} points", number, 1, source)
    return labels, points
