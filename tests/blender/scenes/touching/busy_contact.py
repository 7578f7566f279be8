# SPDX-License-Identifier: GPL-3.0-or-later
"""A small plant that touches all that can be touched, moves something and breaks."""

import bpy
import numpy as np

from tests.blender.scenes import plants
from tests.blender.scenes.breaking.coming_off import key_cut
from tests.blender.scenes.busy_plant import FRAMES
from tests.blender.scenes.collider_scenes import collide, primitive

NAME, THING, CUT = "Touching", "Apple", 14


def busy_contact() -> bpy.types.Object:
    """A limp forked chain that falls onto a ground, itself and an object that it moves; a keyed ball strikes it and its
    end is cut off."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FRAMES[0], FRAMES[-1]
    obj = plants.chain(4, name=NAME)
    fork(obj)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    assert bpy.ops.plant_dynamics.disconnect_bones() == {"FINISHED"}
    obj.location.z = 0.15
    settings = obj.plant_dynamics
    settings.start, settings.stiffness_factor, settings.contact.itself = "drawn", 0.02, True
    settings.contact.push_apart = 0.1
    key_cut(obj, "Bone.3", CUT)
    ground = collide(primitive("plane", "Ground", size=4.0))
    ground.plant_dynamics.collider.shape = "PLANE"
    ball = collide(primitive("uv_sphere", "Ball", radius=0.05), friction=0.8, bounce=0.3)
    plants.key_location(ball, {1: (0.2, 0.4, 0.06), 12: (0.2, 0.0, 0.06), 30: (0.25, -0.3, 0.1)})
    apple = primitive("uv_sphere", THING, radius=0.03, location=(0.35, 0.0, 0.21))
    apple.rotation_euler = (0.3, -0.2, 0.5)
    for one in bpy.context.selected_objects:
        one.select_set(False)
    apple.select_set(True)
    obj.select_set(True)
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.plant_dynamics.move_with_plant() == {"FINISHED"}
    apple.select_set(False)
    plants.show(FRAMES[0])
    return obj


def fork(obj: bpy.types.Object) -> None:
    """A second branch just above the first, which falls onto it."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    parent = bones["Bone.0"]
    for i in range(3):
        bone = bones.new(f"Above.{i}")
        bone.head, bone.tail = (0.1 * (i + 1), 0.0, 0.03 * (i > 0)), (0.1 * (i + 2), 0.0, 0.03)
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent, parent = parent, bone
    bpy.ops.object.mode_set(mode="OBJECT")


def shown(obj: bpy.types.Object) -> np.ndarray:
    """(bones + 1, 4, 4) world matrices of the evaluated pose, and of what the plant moves."""
    thing = bpy.data.objects[THING].evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.concatenate([plants.matrices(obj), [np.array(thing.matrix_world)]])
