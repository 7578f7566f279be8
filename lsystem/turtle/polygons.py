# SPDX-License-Identifier: GPL-3.0-or-later
"""The leaf that stands for a surface in the skeleton: as long and as large, in its plane."""

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Floats
from ..base.organs import LEAF_AREA
from ..base.quaternions import Quaternion, Vector, from_axes
from ..base.sheets import Measures, Sheet

_LEAST_AREA = 1e-12
"""Square metres; a smaller surface is none."""
_FAR = 0.9
"""Of the way to the farthest place; all that are so far away are a surface's end together."""
_SAME = 1e-9
"""Metres; places so near are one."""


@dataclass(frozen=True)
class SurfaceLeaf:
    """Base, frame and size of a leaf."""

    base: Vector
    frame: Quaternion
    length: float
    width: float


def leaf_of(sheet: Sheet, up: Vector, place: Vector) -> tuple[SurfaceLeaf, Sheet] | None:
    """The leaf that stands for a sheet in the plant's frame, and the sheet with its vertices in the leaf's order; None
    if it has no area.

    It goes from the sheet's place next to the one at which it hangs to the farthest one, with the sheet's area; that of
    patches and triangles goes the middle way to all that are nearly as far. An outline begins at its base then. The
    upper side is the one that the turtle's ``up`` is on.
    """
    if len(sheet.patches) or len(sheet.triangles):
        measures, drawn = sheet.measures(), sheet
    else:
        outline = _in_order(sheet.vertices, place)
        if len(outline) < 3:
            return None
        measures, drawn = _of_outline(outline), Sheet(outline)
    places, twice, area = measures
    # a bowl's places are all around it, a shell's may have no way that they look
    base = places[_nearest(places, place)]
    reach = places - base
    distance = np.linalg.norm(reach, axis=1)
    length = float(distance.max(initial=0.0))
    if area < _LEAST_AREA or length <= 0.0:
        return None
    tip = reach[int(np.argmax(distance))]
    if drawn is sheet:  # a leaf that is widest at its end has two corners there
        far = reach[distance >= _FAR * length].mean(axis=0)
        tip = far if np.linalg.norm(far) > 0.5 * length else tip
    along = tip / float(np.linalg.norm(tip))
    length = float((reach @ along).max()) if drawn is sheet else length
    for normal in (twice, np.array(up, dtype=np.float64), np.eye(3)[int(np.argmin(np.abs(along)))]):
        across = normal - (normal @ along) * along
        if (size := float(np.linalg.norm(across))) >= _LEAST_AREA:
            break
    else:
        return None
    across /= size if across @ np.array(up) >= 0.0 else -size
    frame = from_axes(np.cross(along, across).tolist(), along.tolist(), across.tolist())
    x, y, z = base.tolist()
    return SurfaceLeaf((x, y, z), frame, length, area / (LEAF_AREA * length)), drawn


def _of_outline(outline: Floats) -> Measures:
    reach = outline - outline[0]
    twice = np.cross(reach, np.roll(reach, -1, axis=0)).sum(axis=0)
    return Measures(outline, twice, 0.5 * float(np.linalg.norm(twice)))


def _in_order(outline: Floats, place: Vector) -> Floats:
    """Without vertices that repeat those before them, from the one next to the place on."""
    outline = np.array(outline, dtype=np.float64).reshape(-1, 3)
    outline = outline[(np.abs(outline - np.roll(outline, 1, axis=0)) > _SAME).any(axis=1)]
    return np.roll(outline, -_nearest(outline, place), axis=0) if len(outline) else outline


def _nearest(places: Floats, place: Vector) -> int:
    away = np.linalg.norm(places - place, axis=1)
    return int(np.argmax(away <= away.min() + 1e-6 * away.max()))
