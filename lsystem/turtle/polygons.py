# SPDX-License-Identifier: GPL-3.0-or-later
"""The leaf that stands for a polygon in the skeleton: as long and as large, in its plane."""

from dataclasses import dataclass

import numpy as np

from ..base.arrays import Floats
from ..base.organs import LEAF_AREA
from ..base.quaternions import Quaternion, Vector, from_axes

_LEAST_AREA = 1e-12
"""Square metres; a smaller polygon is none."""


@dataclass(frozen=True)
class OutlineLeaf:
    """Base, frame and size of a leaf, and the polygon's own outline."""

    base: Vector
    frame: Quaternion
    length: float
    width: float
    outline: Floats


def leaf_of(vertices: list[Vector], up: Vector, place: Vector) -> OutlineLeaf | None:
    """From the vertex next to the place at which it hangs to the farthest one, with the polygon's area; None if it has
    no area. That vertex is the outline's first.

    The upper side is the one that the turtle's ``up`` is on.
    """
    outline = np.array(vertices, dtype=np.float64).reshape(-1, 3)
    # a vertex that repeats the one before it, or a last one that repeats the first, adds nothing
    outline = outline[(np.abs(outline - np.roll(outline, 1, axis=0)) > 1e-9).any(axis=1)]
    if len(outline) < 3:
        return None
    away = np.linalg.norm(outline - place, axis=1)
    outline = np.roll(outline, -int(np.argmax(away <= away.min() + 1e-6 * away.max())), axis=0)
    reach = outline - outline[0]
    distance = np.linalg.norm(reach, axis=1)
    twice = np.cross(reach, np.roll(reach, -1, axis=0)).sum(axis=0)
    area = 0.5 * float(np.linalg.norm(twice))
    length = float(distance.max())
    if area < _LEAST_AREA or length <= 0.0:
        return None
    along = reach[int(np.argmax(distance))] / length
    normal = twice - (twice @ along) * along
    size = float(np.linalg.norm(normal))
    if size < _LEAST_AREA:
        return None
    normal /= size if normal @ np.array(up) >= 0.0 else -size
    frame = from_axes(np.cross(along, normal).tolist(), along.tolist(), normal.tolist())
    x, y, z = outline[0].tolist()
    return OutlineLeaf((x, y, z), frame, length, area / (LEAF_AREA * length), outline)
