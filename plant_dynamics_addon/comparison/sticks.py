# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh for an armature that has none, so that a render shows it: a tapered stick for every bone."""

import bpy
import numpy as np

from ..dynamics.rig.rod_columns import rod_columns
from ..grow.looks.catalogue import look_named
from ..grow.looks.materials import plant_materials

_SIDES = 10


def add_sticks(obj: bpy.types.Object) -> bpy.types.Object:
    """A mesh object below the armature object, of its bones with the radii that are simulated, linked to no scene."""
    bones = [bone for bone in obj.data.bones if bone.plant_dynamics.use_physics]
    columns = rod_columns(bones, obj.plant_dynamics, 1.0)
    angles = 2 * np.pi * np.arange(_SIDES) / _SIDES
    ring = np.stack([np.cos(angles), np.zeros(_SIDES), np.sin(angles)], axis=1)
    vertices: list[list[float]] = []
    faces: list[tuple[int, ...]] = []
    for bone, at_base, at_tip in zip(bones, columns["radius_base"], columns["radius_tip"], strict=True):
        first, frame = len(vertices), np.array(bone.matrix_local)
        ends = np.concatenate([at_base * ring, at_tip * ring + (0.0, bone.length, 0.0)])
        vertices += (ends @ frame[:3, :3].T + frame[:3, 3]).tolist()
        sides = [(first + k, first + (k + 1) % _SIDES) for k in range(_SIDES)]
        faces += [(a, a + _SIDES, b + _SIDES, b) for a, b in sides]
        faces += [tuple(range(first, first + _SIDES)), tuple(range(first + 2 * _SIDES - 1, first + _SIDES - 1, -1))]
    mesh = bpy.data.meshes.new(f"{obj.name} Sticks")
    mesh.from_pydata(vertices, [], faces)
    mesh.materials.append(plant_materials(look_named(obj.name).colours)[0])
    sticks = bpy.data.objects.new(mesh.name, mesh)
    for number, bone in enumerate(bones):
        group = sticks.vertex_groups.new(name=bone.name)
        group.add(range(2 * _SIDES * number, 2 * _SIDES * (number + 1)), 1.0, "REPLACE")
    sticks.parent = obj
    sticks.modifiers.new("Armature", "ARMATURE").object = obj
    return sticks
