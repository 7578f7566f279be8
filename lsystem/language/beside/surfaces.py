# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces from `.s` files: Bezier patches, of which the edges are taken."""

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import Floats
from ...base.errors import LSystemError
from .kinds import Surface
from .triangle_surfaces import is_of_triangles, read_triangles

MOST_PATCHES = 200
Singles = NDArray[np.float32]
_ALONG_EDGE = 6
"""Straight pieces that stand for an edge."""
_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_PLACE = re.compile(rf"(CONTACT POINT|END POINT|HEADING|UP)\s+X:\s*({_NUMBER})\s+Y:\s*({_NUMBER})\s+Z:\s*({_NUMBER})")
_SIZE = re.compile(rf"^SIZE:\s*({_NUMBER})", re.MULTILINE)
_ROW = re.compile(rf"^\s*{_NUMBER}(?:\s+{_NUMBER}){{11}}\s*$", re.MULTILINE)


def read_surface(text: str, source: str, size: float) -> Surface:
    """The surface of a `.s` file or of one with triangles, as large as the view file says. Raises `LSystemError`."""
    if is_of_triangles(text):
        return read_triangles(text, source, size)
    places = {match.group(1): np.array(match.groups()[1:], dtype=np.float64) for match in _PLACE.finditer(text)}
    written = _SIZE.search(text)
    largest = float(written.group(1)) if written else 0.0
    rows = [np.array(row.group().split(), dtype=np.float64).reshape(4, 3) for row in _ROW.finditer(text)]
    if len(places) < 4 or largest <= 0.0 or not rows or len(rows) % 4 or len(rows) > 4 * MOST_PATCHES:
        message = f"a surface has its contact point, end point, heading, up, size and 1 to {MOST_PATCHES} patches"
        raise LSystemError(message, source=source)
    frame = _frame(places["HEADING"], places["UP"], source)
    scale = size / largest

    def placed(points: Floats) -> Floats:
        return (points - places["CONTACT POINT"]) * scale @ frame

    patches = [placed(np.stack(rows[first : first + 4])) for first in range(0, len(rows), 4)]
    return Surface(tuple(edge_of(patch) for patch in patches), _end(places, size, largest))


def _frame(heading: Floats, up: Floats, source: str) -> Floats:
    """(3, 3) what x, y and z of the file are along L, H and U."""
    left = np.cross(heading, up)
    lengths = [float(np.linalg.norm(axis)) for axis in (heading, up, left)]
    if min(lengths) == 0.0:
        raise LSystemError("heading and up of a surface must stand at an angle", source=source)
    heading, left = heading / lengths[0], left / lengths[2]
    return np.stack([left, heading, np.cross(left, heading)])


def _end(places: Mapping[str, Floats], size: float, largest: float) -> tuple[float, float, float]:
    """Where the turtle goes on: in single precision and in cpfg's order of sums."""
    heading, up = (_normalised(places[name].astype(np.float32)) for name in ("HEADING", "UP"))
    left = _cross(heading, up)
    up = _cross(left, heading)
    way = places["END POINT"].astype(np.float32) - places["CONTACT POINT"].astype(np.float32)
    x, y, z = way * (np.float32(size) / np.float32(largest))
    return _tuple(x * left + y * heading + z * up)


def _normalised(vector: Singles) -> Singles:
    x, y, z = vector
    length = np.float32(math.sqrt(x * x + y * y + z * z))
    return (vector * (1.0 / np.float64(length))).astype(np.float32)


def _cross(a: Singles, b: Singles) -> Singles:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=np.float32)


def edge_of(patch: Floats) -> tuple[tuple[float, float, float], ...]:
    """Places around a patch (4, 4, 3)."""
    sides = [patch[0], patch[:, 3], patch[3, ::-1], patch[::-1, 0]]
    along = np.arange(_ALONG_EDGE) / _ALONG_EDGE
    weights = np.stack([(1 - along) ** 3, 3 * along * (1 - along) ** 2, 3 * along**2 * (1 - along), along**3], axis=1)
    return tuple(_tuple(place) for side in sides for place in weights @ side)


def _tuple(place: Sequence[float] | Floats | Singles) -> tuple[float, float, float]:
    x, y, z = (float(part) for part in place)
    return x, y, z
