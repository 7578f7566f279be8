# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces from `.s` files: bicubic Bezier patches."""

import math
import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...base.arrays import Floats
from ...base.errors import LSystemError
from ...base.sheets import Sheet
from .kinds import Surface
from .numbers import LARGEST, is_plain
from .triangle_surfaces import is_of_triangles, read_triangles

MOST_PATCHES = 200
Singles = NDArray[np.float32]
_NEAR = 1e-6
"""Control points so near, in sizes of the surface, are one."""
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
    scale = size / largest
    if not all(is_plain(row.ravel().tolist()) for row in (*rows, *places.values(), np.array([scale, largest]))):
        raise LSystemError(f"places of a surface, and its size over its own, are at most {LARGEST:g}", source=source)
    frame = _frame(places["HEADING"], places["UP"], source)

    def placed(points: Floats) -> Floats:
        return (points - places["CONTACT POINT"]) * scale @ frame

    patches = placed(np.stack(rows).reshape(-1, 4, 4, 3))
    sheets = tuple(Sheet(patches=patches[chosen]) for chosen in _together(patches))
    return Surface(sheets, _end(places, size, largest))


def _together(patches: Floats) -> list[list[int]]:
    """Which patches have edges in common, directly or by others: their numbers, in the file's order."""
    near = _NEAR * max(float(np.ptp(patches.reshape(-1, 3), axis=0).max()), 1e-9)
    group = list(range(len(patches)))
    seen: dict[tuple[tuple[int, ...], ...], int] = {}
    for number, patch in enumerate(np.round(patches / near).astype(np.int64)):
        for edge in (patch[0], patch[3], patch[:, 0], patch[:, 3]):
            places = [tuple(place) for place in edge.tolist()]
            if len(set(places)) == 1:  # no edge but a point
                continue
            other = seen.setdefault(tuple(min(places, places[::-1])), number)
            if group[other] != group[number]:
                joined, gone = sorted((group[other], group[number]))
                group = [joined if one == gone else one for one in group]
    return [[one for one, of in enumerate(group) if of == first] for first in dict.fromkeys(group)]


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
    along = way * (np.float32(size) / np.float32(largest))
    x, y, z = (along[0] * left + along[1] * heading + along[2] * up).tolist()
    return x, y, z


def _normalised(vector: Singles) -> Singles:
    x, y, z = vector
    length = np.float32(math.sqrt(x * x + y * y + z * z))
    return (vector * (1.0 / np.float64(length))).astype(np.float32)


def _cross(a: Singles, b: Singles) -> Singles:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=np.float32)
