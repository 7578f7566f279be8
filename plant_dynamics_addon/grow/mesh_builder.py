# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender mesh object from a skinned surface."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from .surface import Surface


@dataclass(frozen=True)
class SegmentAttributes:
    """What every point of the mesh knows of its segment, for materials; arrays over the n segments."""

    organ: NDArray[np.int64]
    order: NDArray[np.int64]
    variation: NDArray[np.float64]  # 0..1, one number for each leaf, flower or stem


def build_mesh(name: str, surface: Surface, attributes: SegmentAttributes) -> bpy.types.Mesh:
    """Mesh data with smooth faces, UVs, material indices (order of surface.PARTS) and point attributes."""
    mesh = bpy.data.meshes.new(name)
    corners = np.concatenate([surface.quads.ravel(), surface.triangles.ravel()])
    quads, triangles = len(surface.quads), len(surface.triangles)
    starts = np.concatenate([np.arange(quads) * 4, quads * 4 + np.arange(triangles) * 3])
    mesh.vertices.add(len(surface.vertices))
    mesh.loops.add(len(corners))
    mesh.polygons.add(quads + triangles)
    mesh.vertices.foreach_set("co", surface.vertices.astype(np.float32).ravel())
    mesh.loops.foreach_set("vertex_index", corners.astype(np.int32))
    mesh.polygons.foreach_set("loop_start", starts.astype(np.int32))
    parts = np.concatenate([surface.quad_part, surface.triangle_part])
    mesh.polygons.foreach_set("material_index", parts.astype(np.int32))
    mesh.polygons.foreach_set("use_smooth", np.ones(len(parts), dtype=bool))
    uv = np.concatenate([surface.quad_uv.reshape(-1, 2), surface.triangle_uv.reshape(-1, 2)])
    mesh.uv_layers.new(name="UVMap").uv.foreach_set("vector", uv.astype(np.float32).ravel())

    segment = surface.segment
    _point_attribute(mesh, "plant_organ", "INT", attributes.organ[segment].astype(np.int32))
    _point_attribute(mesh, "plant_order", "INT", attributes.order[segment].astype(np.int32))
    _point_attribute(mesh, "plant_variation", "FLOAT", attributes.variation[segment].astype(np.float32))
    _point_attribute(mesh, "plant_girth", "FLOAT", surface.girth.astype(np.float32))
    mesh.update(calc_edges=True)
    return mesh


def _point_attribute(mesh: bpy.types.Mesh, name: str, kind: str, values: NDArray) -> None:
    mesh.attributes.new(name, kind, "POINT").data.foreach_set("value", values)


def skin_to_armature(mesh_object: bpy.types.Object, armature: bpy.types.Object, names: Sequence[str], surface: Surface):
    """Vertex groups, parent and Armature modifier, so that the mesh follows the bones."""
    _add_vertex_groups(mesh_object, names, surface)
    mesh_object.parent = armature
    modifier = mesh_object.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature


def _add_vertex_groups(mesh_object: bpy.types.Object, names: Sequence[str], surface: Surface) -> None:
    """One group a bone. Blender takes one weight for many vertices at once, so equal weights are written together."""
    vertex = np.repeat(np.arange(len(surface.vertices)), surface.bones.shape[1])
    bone, weight = surface.bones.ravel(), surface.weights.ravel()
    used = weight > 0.0
    vertex, bone, weight = vertex[used], bone[used], weight[used]
    # Three bones that are the same for all weights of a vertex occur only with a single weight above 0.
    order = np.lexsort((vertex, weight, bone))
    vertex, bone, weight = vertex[order], bone[order], weight[order]
    change = np.flatnonzero((np.diff(bone) != 0) | (np.diff(weight) != 0.0)) + 1
    starts = np.concatenate([[0], change])
    ends = np.append(change, len(vertex))
    groups = [mesh_object.vertex_groups.new(name=name) for name in names]
    vertices = vertex.tolist()
    for start, end, group, value in zip(
        starts.tolist(), ends.tolist(), bone[starts].tolist(), weight[starts].tolist(), strict=True
    ):
        groups[group].add(vertices[start:end], value, "REPLACE")
