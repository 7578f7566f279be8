# SPDX-License-Identifier: GPL-3.0-or-later
"""Deform weights of a mesh, all at once.

VertexGroup.add looks its group up in a list, for every vertex: its time grows with the square of the plant.
"""

from collections.abc import Generator
from typing import Any

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray

from ...blender.meanwhile import result_of

#: So many vertices are written in a few hundredths of a second.
AT_ONCE = 20_000


def write_deform_weights(mesh: bpy.types.Mesh, bones: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
    """`deform_weights_in_steps`, all at once."""
    result_of(deform_weights_in_steps(mesh, bones, weights))


def deform_weights_in_steps(
    mesh: bpy.types.Mesh, bones: NDArray[np.int64], weights: NDArray[np.float64]
) -> Generator[float, None, None]:
    """Write weights (v, b) for the groups with the numbers `bones` (v, b) to a mesh that is only vertices yet.

    Where a vertex names a bone more than once, only one of the weights may be above 0. Yields progress 0..1.
    """
    points = bmesh.new()
    try:
        points.from_mesh(mesh)
        layer: Any = points.verts.layers.deform.verify()
        groups: list[Any] = [point[layer] for point in points.verts]
        yield 0.1
        for first in range(0, len(groups), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            for column, shares in zip(bones[part].T, weights[part].T, strict=True):
                used = np.flatnonzero(shares > 0.0)
                names, numbers = column[used].tolist(), shares[used].tolist()
                for vertex, bone, weight in zip((first + used).tolist(), names, numbers, strict=True):
                    groups[vertex][bone] = weight
            yield 0.1 + 0.8 * first / len(groups)
        points.to_mesh(mesh)
    finally:
        points.free()
