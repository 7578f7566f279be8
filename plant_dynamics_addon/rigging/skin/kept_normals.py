# SPDX-License-Identifier: GPL-3.0-or-later
"""Normals of some corners of a mesh that stay as they were, though the faces beside them become others."""

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...blender.in_bulk import values_of
from ...blender.versions import HAS_NORMAL_ATTRIBUTE
from .mesh_growth import Shape, write_shape
from .seams import Faces
from .weights import Index, ranges

_ATTRIBUTE, _TYPE = "custom_normal", "INT16_2D"


class KeptNormals:
    """Those of these corners (n,) as they are now."""

    def __init__(self, mesh: bpy.types.Mesh, corners: Index) -> None:
        self._mesh, self._corners = mesh, corners
        normals = mesh.corner_normals
        self._normals = np.array([normals[corner].vector for corner in corners.tolist()], dtype=np.float32)
        old_way = not HAS_NORMAL_ATTRIBUTE and mesh.has_custom_normals
        self._others = values_of(normals, "vector", 3) if old_way else np.zeros((0, 3), dtype=np.float32)

    def restore(self, shape: Shape) -> None:
        """Have the corners have them, at rest, in the mesh, which is of this shape now; deformed, they turn with their
        faces. Other corners' are what they are."""
        found = self._mesh.attributes.get(_ATTRIBUTE)
        if not HAS_NORMAL_ATTRIBUTE:
            wanted = np.zeros((len(self._mesh.loops), 3), dtype=np.float32)
            wanted[: len(self._others)] = self._others
            wanted[self._corners] = self._normals
            self._mesh.normals_split_custom_set(wanted.tolist())
        elif found is None or found.data_type == _TYPE:
            _write(self._mesh, shape, self._corners, self._normals)


def _write(mesh: bpy.types.Mesh, shape: Shape, corners: Index, normals: NDArray[np.float32]) -> None:
    """Blender works the attribute out in a mesh that has the faces around these corners only, which takes a thousandth
    of the time that it takes in a tree's."""
    faces = shape.faces
    at = np.zeros(len(shape.points), dtype=bool)
    at[faces.vertex[corners]] = True
    sizes = np.diff(faces.start, append=len(faces.vertex))
    chosen = np.flatnonzero(np.logical_or.reduceat(at[faces.vertex], faces.start))
    corner, _ = ranges(faces.start[chosen], sizes[chosen])
    vertices, vertex = np.unique(faces.vertex[corner], return_inverse=True)
    edges, edge = np.unique(faces.edge[corner], return_inverse=True)
    ends = np.searchsorted(vertices, shape.ends[edges])
    start = np.cumsum(sizes[chosen]) - sizes[chosen]
    small = bpy.data.meshes.new("Normals")
    try:
        small.vertices.add(len(vertices))
        small.edges.add(len(edges))
        small.loops.add(len(corner))
        small.polygons.add(len(chosen))
        write_shape(small, Shape(shape.points[vertices], ends, Faces(start, vertex.reshape(-1), edge.reshape(-1))))
        for items, whole, numbers, name in ((small.edges, mesh.edges, edges, "use_edge_sharp"),
                                            (small.polygons, mesh.polygons, chosen, "use_smooth")):  # fmt: skip
            items.foreach_set(name, [getattr(whole[number], name) for number in numbers.tolist()])
        small.update()
        wanted: Any = np.zeros((len(corner), 3), dtype=np.float32)
        place = np.searchsorted(corner, corners)
        wanted[place] = normals
        small.normals_split_custom_set(wanted.tolist())
        found = small.attributes.get(_ATTRIBUTE)
        if found is not None:  # else they are what they would be anyway
            own = mesh.attributes.get(_ATTRIBUTE) or mesh.attributes.new(_ATTRIBUTE, _TYPE, "CORNER")
            for one, number in zip(corners.tolist(), place.tolist(), strict=True):
                own.data[one].value = found.data[number].value
            mesh.update()
    finally:
        bpy.data.meshes.remove(small)
