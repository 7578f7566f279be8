# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's triangulation and its search for overlaps, for the skin."""

from collections.abc import Sequence

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree
from mathutils.geometry import delaunay_2d_cdt

from ..mesh.arrays import Array, Index
from ..mesh.geometry import Geometry


def _triangulated(places: Array, edges: Index, same: float) -> Index | None:
    found = delaunay_2d_cdt([Vector(place) for place in places.tolist()], edges.tolist(), [], 0, same, True)
    originals = found[3]
    if len(originals) != len(places) or any(len(one) != 1 for one in originals):
        return None
    return np.array([one[0] for one in originals])[np.array(found[2], dtype=np.int64).reshape(-1, 3)]


def _overlapping(points: Array, faces: Sequence[Sequence[int]]) -> Sequence[tuple[int, int]]:
    tree = BVHTree.FromPolygons(points.tolist(), faces)
    return list(tree.overlap(tree))


BLENDER_GEOMETRY = Geometry(_triangulated, _overlapping)
