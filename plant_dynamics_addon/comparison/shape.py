# SPDX-License-Identifier: GPL-3.0-or-later
"""Thicker, thinner, longer and shorter plants: bones and the meshes on them."""

import bpy
import numpy as np
from mathutils import Matrix

from ..blender.in_bulk import values_of
from ..errors import PlantError

#: Organs whose meshes are blades and blossoms: their rods' radius is not what is seen of them.
_NOT_ROUND = ("leaf", "petal", "flower")


def thicken(obj: bpy.types.Object, meshes: list[bpy.types.Object], factor: float) -> None:
    """Multiply the radii of all bones, and of the stems that are seen."""
    _refuse_bodies(obj)
    settings = obj.plant_dynamics
    settings.radius *= factor
    for bone in obj.data.bones:
        own = bone.plant_dynamics
        own.radius_base *= factor
        own.radius_tip *= factor
        bone.head_radius *= factor
        bone.tail_radius *= factor
    for mesh in meshes:
        _spread(obj, mesh, factor)


def lengthen(obj: bpy.types.Object, meshes: list[bpy.types.Object], factor: float) -> None:
    """Multiply the lengths of all bones about the first one's head; stems keep their thickness, blades their shape."""
    _refuse_bodies(obj)
    bones = obj.data.bones
    head = bones[0].head_local.copy()
    scale = Matrix.Translation(head) @ Matrix.Scale(factor, 4) @ Matrix.Translation(-head)
    radii = [(bone.head_radius, bone.tail_radius) for bone in bones]
    obj.data.transform(scale)
    for bone, (at_head, at_tail) in zip(bones, radii, strict=True):
        bone.head_radius, bone.tail_radius = at_head, at_tail
        bone.plant_dynamics.blade_area *= factor**2
    for mesh in meshes:
        to_armature = obj.matrix_world.inverted() @ mesh.matrix_world
        mesh.data.transform(to_armature.inverted() @ scale @ to_armature)
        _spread(obj, mesh, 1.0 / factor)


def _refuse_bodies(obj: bpy.types.Object) -> None:
    for bone in obj.data.bones:
        if bone.plant_dynamics.use_body:
            raise PlantError(
                "Bone '{bone}' is an Explicit Body: its mass does not follow from its size",
                bone=bone.name,
            )


def _spread(obj: bpy.types.Object, mesh: bpy.types.Object, factor: float) -> None:
    """Move the vertices away from the axes of the round bones that carry them, each as far as it is carried."""
    bones = [obj.data.bones.get(group.name) for group in mesh.vertex_groups]
    to_armature = np.array(obj.matrix_world.inverted() @ mesh.matrix_world)
    points = values_of(mesh.data.vertices, "co", 3, np.float64) @ to_armature[:3, :3].T + to_armature[:3, 3]
    pairs = [(v.index, g.group, g.weight) for v in mesh.data.vertices for g in v.groups if g.weight > 0.0]
    if not pairs:
        return
    vertex, group, weight = (np.array(column) for column in zip(*pairs, strict=True))
    total = np.bincount(vertex, weight, len(points))
    shift = np.zeros_like(points)
    for number, bone in enumerate(bones):
        chosen = group == number
        if bone is None or bone.plant_dynamics.organ in _NOT_ROUND or not chosen.any():
            continue
        head, axis = np.array(bone.head_local), np.array(bone.matrix_local.col[1][:3])
        away = points[vertex[chosen]] - head
        away -= (away @ axis)[:, None] * axis
        np.add.at(shift, vertex[chosen], (weight[chosen] / total[vertex[chosen]])[:, None] * (factor - 1.0) * away)
    inverse = np.linalg.inv(to_armature)
    moved = (points + shift) @ inverse[:3, :3].T + inverse[:3, 3]
    mesh.data.vertices.foreach_set("co", moved.ravel().astype(np.float32))
    mesh.data.update()
