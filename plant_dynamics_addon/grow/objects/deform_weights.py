# SPDX-License-Identifier: GPL-3.0-or-later
"""Deform weights of a mesh, all at once.

VertexGroup.add looks its group up in a list, for every vertex: its time grows with the square of the plant.
"""

from typing import Any

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray


def write_deform_weights(mesh: bpy.types.Mesh, bones: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
    """Write weights (v, b) for the groups with the numbers `bones` (v, b) to a mesh that is only vertices yet.

    Where a vertex names a bone more than once, only one of the weights may be above 0.
    """
    points = bmesh.new()
    points.from_mesh(mesh)
    layer: Any = points.verts.layers.deform.verify()
    groups: list[Any] = [point[layer] for point in points.verts]
    for column, shares in zip(bones.T, weights.T, strict=True):
        used = np.flatnonzero(shares > 0.0)
        for vertex, bone, weight in zip(used.tolist(), column[used].tolist(), shares[used].tolist(), strict=True):
            groups[vertex][bone] = weight
    points.to_mesh(mesh)
    points.free()
