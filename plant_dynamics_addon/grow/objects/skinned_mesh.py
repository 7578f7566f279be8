# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender mesh object from a skinned surface."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ....lsystem import Skeleton
from ...blender.meanwhile import part, result_of
from ..mesh.surface import Surface
from .deform_weights import deform_weights_in_steps

#: What materials can read of every point and of instances. Of points there are also plant_girth (m, of stems) and
#: plant_wood (1 on woody stems), of faces plant_under (1 below a leaf or petal).
ATTRIBUTES = {"plant_organ": "INT", "plant_order": "INT", "plant_age": "FLOAT", "plant_variation": "FLOAT"}


@dataclass(frozen=True)
class SegmentAttributes:
    """What every point of the mesh knows of its segment, for materials."""

    skeleton: Skeleton
    variation: NDArray[np.float64]  # (n) 0..1, one number for each leaf, flower or stem
    wood: NDArray[np.float64]  # (n) 0 for herbaceous stems and all other organs, 1 for wood

    def write(
        self, mesh: bpy.types.Mesh, segment: NDArray[np.int64], chance: NDArray[np.float64] | None = None
    ) -> None:
        """As attributes of the mesh's points, of which `segment` (v) says where they belong; `chance` (v) is their
        variation where it is not that of their segments."""
        columns = [one[segment] for one in (self.skeleton.organ, self.skeleton.order, self.skeleton.age)]
        columns.append(self.variation[segment] if chance is None else chance)
        for (name, kind), values in zip(ATTRIBUTES.items(), columns, strict=True):
            write_attribute(mesh, name, kind, values)


def build_mesh(
    name: str,
    surface: Surface,
    materials: Sequence[bpy.types.Material],
    attributes: SegmentAttributes | None = None,
) -> bpy.types.Mesh:
    """`mesh_in_steps`, all at once."""
    return result_of(mesh_in_steps(name, surface, materials, attributes))


def mesh_in_steps(
    name: str,
    surface: Surface,
    materials: Sequence[bpy.types.Material],
    attributes: SegmentAttributes | None = None,
    chance: NDArray[np.float64] | None = None,
) -> Generator[float, None, bpy.types.Mesh]:
    """Mesh data with smooth faces, UVs, materials (in the order of surface.PARTS) and point attributes; yields progress
    0..1.

    Without `attributes` of segments it is a template: it has no weights, and each copy brings its attributes.
    """
    mesh = bpy.data.meshes.new(name)
    corners = np.concatenate([surface.quads.ravel(), surface.triangles.ravel()])
    quads, triangles = len(surface.quads), len(surface.triangles)
    starts = np.concatenate([np.arange(quads) * 4, quads * 4 + np.arange(triangles) * 3])
    mesh.vertices.add(len(surface.vertices))
    # places and corners by their attributes, which takes a hundredth of the time that it takes by vertices and loops
    mesh.attributes["position"].data.foreach_set("vector", surface.vertices.astype(np.float32).ravel())
    yield 0.05
    if attributes is not None:
        yield from part(deform_weights_in_steps(mesh, surface.bones, surface.weights), 0.05, 0.3)
    yield 0.3
    mesh.loops.add(len(corners))
    yield 0.35
    mesh.polygons.add(quads + triangles)
    yield 0.4
    mesh.attributes[".corner_vert"].data.foreach_set("value", corners.astype(np.int32))
    mesh.polygons.foreach_set("loop_start", starts.astype(np.int32))
    yield 0.5
    parts = np.concatenate([surface.quad_part, surface.triangle_part])
    write_attribute(mesh, "material_index", "INT", parts, "FACE")
    yield 0.6
    uv = np.concatenate([surface.quad_uv.ravel(), surface.triangle_uv.ravel()], dtype=np.float32)
    mesh.uv_layers.new(name="UVMap").uv.foreach_set("vector", uv)
    yield 0.65
    if attributes is not None:
        attributes.write(mesh, surface.segment, chance)
        write_attribute(mesh, "plant_wood", "FLOAT", attributes.wood[surface.segment])
    write_attribute(mesh, "plant_girth", "FLOAT", surface.girth)
    under = np.concatenate([surface.quad_under, surface.triangle_under])
    write_attribute(mesh, "plant_under", "FLOAT", under, "FACE")
    yield 0.7
    mesh.update(calc_edges=True)
    yield 0.85
    _sharpen_margins(mesh, np.repeat(under > 0.0, np.diff(starts, append=len(corners))))
    for material in materials:
        mesh.materials.append(material)
    return mesh


def paint(mesh: bpy.types.Mesh, number: NDArray[np.int64], materials: Mapping[int, bpy.types.Material]) -> None:
    """Give faces, whose vertices have a number (v), the material of this number, if there is one; they are added."""
    if not materials:
        return
    slot_of = np.full(int(number.max()) + 1, -1)
    for one, material in materials.items():
        slot_of[one] = len(mesh.materials)
        mesh.materials.append(material)
    starts, slots = (np.empty(len(mesh.polygons), dtype=np.int32) for _ in range(2))
    corners = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.polygons.foreach_get("loop_start", starts)
    mesh.polygons.foreach_get("material_index", slots)
    mesh.loops.foreach_get("vertex_index", corners)
    painted = slot_of[number[corners[starts]]]
    mesh.polygons.foreach_set("material_index", np.where(painted >= 0, painted, slots).astype(np.int32))


def _sharpen_margins(mesh: bpy.types.Mesh, under: NDArray[np.bool_]) -> None:
    """Make the edges sharp where the two sides of a leaf or petal meet; `under` says it of every face corner."""
    edge = np.empty(len(mesh.loops), dtype=np.int32)
    mesh.attributes[".corner_edge"].data.foreach_get("value", edge)
    sides = [np.bincount(edge[side], minlength=len(mesh.edges)) > 0 for side in (under, ~under)]
    write_attribute(mesh, "sharp_edge", "BOOLEAN", sides[0] & sides[1], "EDGE")


def write_attribute(mesh: bpy.types.Mesh, name: str, kind: str, values: NDArray, domain: str = "POINT") -> None:
    """A new attribute of the mesh."""
    stored = {"INT": np.int32, "BOOLEAN": np.bool_}.get(kind, np.float32)
    data = mesh.attributes.new(name, kind, domain).data
    data.foreach_set("vector" if kind == "FLOAT_VECTOR" else "value", values.astype(stored).ravel())


def add_skinned_object(
    name: str, mesh: bpy.types.Mesh, armature: bpy.types.Object, bones: Sequence[str]
) -> bpy.types.Object:
    """An object below the armature object whose mesh follows the bones, of which these are the names."""
    added = bpy.data.objects.new(name, mesh)
    armature.users_collection[0].objects.link(added)
    for bone in bones:
        added.vertex_groups.new(name=bone)
    added.parent = armature
    modifier = added.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    # Rotations are blended, not places: a tube keeps its cross-section at a sharp bend.
    modifier.use_deform_preserve_volume = True
    return added
