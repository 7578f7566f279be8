# SPDX-License-Identifier: GPL-3.0-or-later
"""Contours of tubes from `.con` files: uniform cubic B-splines across a tube, closed or open, in its radii."""

import numpy as np

from ...base.arrays import Floats
from ...base.contours import POINTS
from ...base.errors import LSystemError
from .curves import labels_and_points

_FINE = 32
"""Places on each span of a spline, between which its length is measured."""
_THICK = 0.03
"""An open contour's sheet is so thick, in its own widths along it; blades of grasses and lilies are 0.02 to 0.05."""
_SPLINE = np.array([[1, 4, 1, 0], [-3, 0, 3, 0], [3, -6, 3, 0], [-1, 3, -3, 1]]) / 6.0
"""Rows: what the control points of a span add to 1, t, t^2 and t^3."""


def read_contour(text: str, source: str) -> Floats:
    """(POINTS, 2) the outline of a `.con` file, counter-clockwise; of an open one that of a thin sheet along it, whose
    edges are the first and the middle point. Raises `LSystemError`."""
    labels, points = labels_and_points(text, source)
    first = text.split("\n", 1)[0].split()
    closed = labels.get("type", "")[:1] == "c" or first[2:3] == ["closed"]
    if len(points) < (3 if closed else 4):
        raise LSystemError("a contour has at least 3 points, an open one 4", source=source)
    knots = np.array(points)[:, :2]
    curve = _evenly(_spline(np.concatenate([knots, knots[:3]]) if closed else knots), closed)
    if np.ptp(curve, axis=0).max() <= 0.0:
        raise LSystemError("the contour is a point", source=source)
    return _from_the_axis(curve) if closed else _sheet(curve)


def _spline(knots: Floats) -> Floats:
    """Places along a spline, close to each other."""
    t = np.arange(_FINE) / _FINE
    powers = np.stack([np.ones(_FINE), t, t**2, t**3], axis=1)
    spans = np.stack([knots[place : len(knots) - 3 + place] for place in range(4)], axis=1)
    inner = np.einsum("tp,pk,skx->stx", powers, _SPLINE, spans).reshape(-1, 2)
    return np.concatenate([inner, [_SPLINE.sum(axis=0) @ spans[-1]]])


def _evenly(places: Floats, closed: bool) -> Floats:
    """So many places at even distances along these: around, or from one end to the other."""
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1)))
    share = np.arange(POINTS) / POINTS if closed else np.arange(POINTS // 2 + 1) / (POINTS // 2)
    return np.stack([np.interp(share * along[-1], along, axis) for axis in places.T], axis=1)


def _from_the_axis(around: Floats) -> Floats:
    """Turned so that the first point is on the x axis, as cpfg has closed ones, and counter-clockwise."""
    x, y = around[0]
    if length := float(np.hypot(x, y)):
        around = around @ (np.array([[x, -y], [y, x]]) / length)
    return around if _goes_left(around) else np.roll(around[::-1], 1, axis=0)


def _sheet(along: Floats) -> Floats:
    """Around a sheet along an open contour."""
    ahead = np.gradient(along, axis=0)
    size = np.linalg.norm(ahead, axis=1, keepdims=True)
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) / np.where(size > 0.0, size, 1.0)
    half = 0.5 * _THICK * float(np.linalg.norm(np.diff(along, axis=0), axis=1).sum())
    there, back = along - half * across, along + half * across
    around = np.concatenate([along[:1], there[1:-1], along[-1:], back[-2:0:-1]])
    return around if _goes_left(around) else np.roll(around[::-1], 1, axis=0)


def _goes_left(around: Floats) -> bool:
    x, y = around.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) >= 0.0
