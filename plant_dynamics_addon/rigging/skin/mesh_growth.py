# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that get more vertices, edges and faces, each with the attributes of one that there was; in bulk."""

from dataclasses import dataclass

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray

from ...blender.in_bulk import values_of
from .seams import Faces
from .weights import Index

#: How the values of an attribute are called.
_VALUES = {"FLOAT_VECTOR": "vector", "FLOAT2": "vector", "FLOAT_COLOR": "color", "BYTE_COLOR": "color"}
_OWN = {"position", ".edge_verts", ".corner_vert", ".corner_edge"}


@dataclass(frozen=True)
class Shape:
    """A mesh as arrays: points (v, 3), the ends (e, 2) of edges, faces."""

    points: NDArray[np.float64]
    ends: Index
    faces: Faces


@dataclass(frozen=True)
class Growth:
    """What a mesh becomes, and of which old vertex, edge, face and corner each one beyond the old ones has the
    attributes. New faces are flat."""

    shape: Shape
    of_vertex: Index
    of_edge: Index
    of_face: Index
    of_corner: Index


def shape_of(mesh: bpy.types.Mesh) -> Shape:
    """The mesh as arrays. By its attributes, which is faster by orders of magnitude than by its elements."""
    read = mesh.attributes
    points, ends, vertex, edge = (
        values_of(read[name].data, value, size, kind)
        for name, value, size, kind in (("position", "vector", 3, np.float32), (".edge_verts", "value", 2, np.int32),
                                        (".corner_vert", "value", 1, np.int32), (".corner_edge", "value", 1, np.int32))
    )  # fmt: skip
    start = values_of(mesh.polygons, "loop_start", 1, np.int32)[:, 0]
    faces = Faces(start.astype(np.int64), vertex[:, 0].astype(np.int64), edge[:, 0].astype(np.int64))
    return Shape(points.astype(np.float64), ends.astype(np.int64), faces)


def write_shape(mesh: bpy.types.Mesh, shape: Shape) -> None:
    """Have the mesh, which has as many of all elements, this shape."""
    faces, own = shape.faces, mesh.attributes
    own["position"].data.foreach_set("vector", shape.points.astype(np.float32).ravel())
    for items, name, values in (
        (own[".edge_verts"].data, "value", shape.ends), (own[".corner_vert"].data, "value", faces.vertex),
        (own[".corner_edge"].data, "value", faces.edge), (mesh.polygons, "loop_start", faces.start),
    ):  # fmt: skip
        items.foreach_set(name, values.astype(np.int32).ravel())


def grow_mesh(mesh: bpy.types.Mesh, growth: Growth) -> bool:
    """Have it so. Returns whether new vertices have the weights of the old ones too: else they have none."""
    with_keys = mesh.shape_keys is not None
    if with_keys:  # only so do its keys get the new vertices
        _add_vertices_to_keys(mesh, growth.of_vertex)
    else:
        mesh.vertices.add(len(growth.of_vertex))
    mesh.edges.add(len(growth.of_edge))
    mesh.loops.add(len(growth.of_corner))
    mesh.polygons.add(len(growth.of_face))
    write_shape(mesh, growth.shape)
    sources = {"POINT": growth.of_vertex, "EDGE": growth.of_edge, "FACE": growth.of_face, "CORNER": growth.of_corner}
    for attribute in mesh.attributes:
        if attribute.name not in _OWN:
            _copy_values(attribute, sources[attribute.domain].tolist())
    for face in range(len(mesh.polygons) - len(growth.of_face), len(mesh.polygons)):
        mesh.polygons[face].use_smooth = False
    mesh.update()
    return with_keys


def _copy_values(attribute: bpy.types.Attribute, sources: list[int]) -> None:
    """To the last elements those of these others."""
    items, name = attribute.data, _VALUES.get(attribute.data_type, "value")
    for number, source in enumerate(sources, len(items) - len(sources)):
        setattr(items[number], name, getattr(items[source], name))


def _add_vertices_to_keys(mesh: bpy.types.Mesh, of_vertex: Index) -> None:
    """Copies of these vertices behind all others, with all that they have."""
    more = bmesh.new()
    more.from_mesh(mesh)
    more.verts.ensure_lookup_table()
    for one in [more.verts[number] for number in of_vertex.tolist()]:
        more.verts.new(one.co, one)
    more.to_mesh(mesh)
    more.free()
