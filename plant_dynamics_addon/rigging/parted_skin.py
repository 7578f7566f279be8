# SPDX-License-Identifier: GPL-3.0-or-later
"""Skins that part where bones come off, so that nothing is stretched between what has come off and what it hung on."""

from collections.abc import Container, Iterable
from typing import Any

import bmesh
import bpy

#: The part of what stays on the plant.
_REST = ""


def skins_of(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that the armature object deforms."""
    return [one for one in bpy.data.objects if one.type == "MESH"
            and any(modifier.type == "ARMATURE" and modifier.object == obj for modifier in one.modifiers)]  # fmt: skip


def parts_of(bones: Iterable[bpy.types.Bone], coming_off: Container[str]) -> dict[str, str]:
    """By the bones' names the bone with which each comes off: itself, or the nearest below; _REST if there is none."""
    found: dict[str, str] = {}
    waiting = [(bone, _REST) for bone in bones if bone.parent is None]
    while waiting:
        bone, below = waiting.pop()
        found[bone.name] = bone.name if bone.name in coming_off else below
        waiting += [(child, found[bone.name]) for child in bone.children]
    return found


def part_skin(skin: bpy.types.Object, part: dict[str, str]) -> int:
    """Split the skin's edges where faces of different parts of the plant meet, close both sides, and have each side
    follow the bones of its part only. Returns how many edges were split."""
    names = {group.index: group.name for group in skin.vertex_groups if group.name in part}
    mesh = bmesh.new()
    mesh.from_mesh(skin.data)
    layer = mesh.verts.layers.deform.verify()
    of_face = {face: _part_of(face, layer, names, part) for face in mesh.faces}
    seam = [edge for edge in mesh.edges if len({of_face[face] for face in edge.link_faces}) > 1]
    count = len(seam)
    if count:
        on_seam = {vertex for edge in seam for vertex in edge.verts}
        on_seam |= {vertex for edge in bmesh.ops.split_edges(mesh, edges=seam)["edges"] for vertex in edge.verts}
        group_of = {name: index for index, name in names.items()}
        for face, own in of_face.items():
            for vertex in face.verts:
                _follow(vertex[layer], own, names, part, group_of)
        _close(mesh, on_seam)
        mesh.to_mesh(skin.data)
        skin.data.update()
    mesh.free()
    return count


def _part_of(face: Any, layer: Any, names: dict[int, str], part: dict[str, str]) -> str:
    """The part that most of the face's weight belongs to."""
    shares: dict[str, float] = {}
    for vertex in face.verts:
        for group, weight in vertex[layer].items():
            if group in names:
                own = part[names[group]]
                shares[own] = shares.get(own, 0.0) + weight
    return max(shares, key=lambda one: shares[one]) if shares else _REST


def _follow(weights: Any, own: str, names: dict[int, str], part: dict[str, str], group_of: dict[str, int]) -> None:
    """Leave a vertex the weights of its own part's bones, as large together as all were."""
    of_bones = {group: weight for group, weight in weights.items() if group in names}
    others = [group for group in of_bones if part[names[group]] != own]
    kept = sum(weight for group, weight in of_bones.items() if group not in others)
    total = sum(of_bones.values())
    if not others or not (kept > 0.0 or own in group_of):
        return
    for group in others:
        del weights[group]
    if kept > 0.0:
        for group in of_bones.keys() - others:
            weights[group] *= total / kept
    else:
        weights[group_of[own]] = total


def _close(mesh: Any, on_seam: set[Any]) -> None:
    """Fill the holes that the seam has left, flat."""
    edges = [edge for edge in mesh.edges if edge.is_boundary and all(vertex in on_seam for vertex in edge.verts)]
    beside = {vertex: edge.link_faces[0].material_index for edge in edges for vertex in edge.verts}
    for face in bmesh.ops.holes_fill(mesh, edges=edges, sides=0)["faces"]:
        face.smooth, face.material_index = False, beside[face.verts[0]]
