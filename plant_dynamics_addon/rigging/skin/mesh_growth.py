# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that get more vertices, edges and faces, each with the attributes of one that there was; in bulk."""

from dataclasses import dataclass
from itertools import chain, islice, product

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
    attributes. New faces are triangles, and flat."""

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


def grow_mesh(mesh: bpy.types.Mesh, growth: Growth) -> None:
    """Have it so. New vertices have the weights of the old ones too, and places in all shape keys."""
    _make_room(mesh, growth)
    write_shape(mesh, growth.shape)
    sources = {"POINT": growth.of_vertex, "EDGE": growth.of_edge, "FACE": growth.of_face, "CORNER": growth.of_corner}
    for attribute in mesh.attributes:
        if attribute.name not in _OWN:
            _copy_values(attribute, sources[attribute.domain].tolist())
    for face in range(len(mesh.polygons) - len(growth.of_face), len(mesh.polygons)):
        mesh.polygons[face].use_smooth = False
    mesh.update()


def _copy_values(attribute: bpy.types.Attribute, sources: list[int]) -> None:
    """To the last elements those of these others."""
    items, name = attribute.data, _VALUES.get(attribute.data_type, "value")
    for number, source in enumerate(sources, len(items) - len(sources)):
        setattr(items[number], name, getattr(items[source], name))


def _make_room(mesh: bpy.types.Mesh, growth: Growth) -> None:
    """Have as many elements, new faces as triangles, whatever they lie between: that is written over. By a BMesh, for
    only so do shape keys get new vertices, and Blender 5.2 crashes where corners are added to many."""
    more = bmesh.new()
    more.from_mesh(mesh)
    old = list(more.verts)
    new = [more.verts.new(old[number].co, old[number]) for number in growth.of_vertex.tolist()]
    pairs = chain([(new[0], new[1])], product(old, new))
    for ends in islice(pairs, len(growth.of_edge)):
        more.edges.new(ends)
    if len(growth.of_face):
        triangle = more.faces.new((old[0], new[0], new[1]))  # between edges that there are, so that it adds none
        for _ in growth.of_face[1:]:
            triangle.copy(verts=False, edges=False)
    more.to_mesh(mesh)
    more.free()
