# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of view files, from `.con` files: uniform cubic B-splines, by their arc length."""

import math
from itertools import pairwise

from ...base.errors import LSystemError
from .functions import MOST_POINTS, MOST_SAMPLES
from .numbers import LARGEST, is_plain, times_of

_DEGREE = 3
_INSIDE = 3.000001
"""Control points less this many are the spans; a little less, so that the end belongs to the last one."""
_AXES = "xyz"


class DrawnCurve:
    """A curve whose places are given by their share of its length."""

    def __init__(self, points: list[tuple[float, float, float]], samples: int) -> None:
        self.points = points
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

    def place(self, along: float) -> tuple[float, float, float]:
        """The place at a parameter from 0 to 1."""
        span = _DEGREE + int(along * (len(self.points) - _INSIDE))
        at = _DEGREE + along * (len(self.points) - _INSIDE)
        weights = [_basis(span - _DEGREE + one, _DEGREE + 1, at) for one in range(_DEGREE + 1)]
        near = self.points[span - _DEGREE : span + 1]
        x, y, z = (
            near[0][axis] * weights[0] + near[1][axis] * weights[1] + near[2][axis] * weights[2]
            + near[3][axis] * weights[3]
            for axis in range(3)
        )  # fmt: skip
        return x, y, z


def _basis(first: int, order: int, at: float) -> float:
    """The uniform B-spline of an order that begins at a whole number."""
    if order == 1:
        return 1.0 if first <= at < first + 1 else 0.0
    width = order - 1
    rising = (at - first) / width * _basis(first, order - 1, at)
    return rising + (first + order - at) / width * _basis(first + 1, order - 1, at)


def read_curve(text: str, source: str, samples: int) -> DrawnCurve:
    """The curve of a `.con` file. Raises `LSystemError`."""
    labels, points = labels_and_points(text, source)
    if labels.get("type", "bspline") != "bspline" or len(points) <= _DEGREE or not 2 <= samples <= MOST_SAMPLES:
        raise LSystemError(f"only B-splines with at least {_DEGREE + 1} points can be read as a curve", source=source)
    return DrawnCurve(points, samples)


def labels_and_points(text: str, source: str) -> tuple[dict[str, str], list[tuple[float, float, float]]]:
    """What a `.con` file says by name, and its control points, each as often as it counts. Raises `LSystemError`."""
    labels: dict[str, str] = {}
    points: list[tuple[float, float, float]] = []
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
