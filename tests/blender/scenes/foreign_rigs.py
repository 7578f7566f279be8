# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures as other tools leave them: Sapling Tree Gen's trees, and skeletons from FBX and glTF files."""

import math

import bpy
from mathutils import Matrix, Vector


def _in_edit_mode(name: str) -> bpy.types.Object:
    obj = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.scene.collection.objects.link(obj)
    for other in bpy.context.view_layer.objects:
        other.select_set(other == obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    return obj


def _curves_of(obj: bpy.types.Object, action: bpy.types.Action):
    """Where new F-curves of the object go, in all Blender versions."""
    obj.animation_data_create()
    obj.animation_data.action = action
    if not hasattr(action, "slots"):
        return action.fcurves
    slot = action.slots.new(id_type="OBJECT", name=obj.name)
    obj.animation_data.action_slot = slot
    return action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True).fcurves


def sapling(sway: bool = True) -> tuple[bpy.types.Object, bpy.types.Object]:
    """The armature and the mesh of a tree with branch splines on the middles of the trunk's bones.

    Bones are called by spline and point ("bone000.000"), radii are the spline's and end at zero, the first bone of a
    branch is a child of a trunk's bone without being joined to it, and wind is F-curves of nothing but modifiers.
    """
    splines = [([(0, 0, 0), (0, 0.02, 0.8), (0.05, 0, 1.6), (0.05, 0.05, 2.4), (0, 0, 3.2)], None, 0.08)]
    for number, (bone, z) in enumerate(((0, 0.5), (1, 1.2), (1, 1.5), (2, 2.1), (3, 2.9))):
        turn = Matrix.Rotation(2.4 * number, 3, "Z")
        points = [turn @ Vector((0.04 + 0.35 * k, 0.0, 0.2 * k)) + Vector((0, 0, z)) for k in range(4)]
        splines.append((points, f"bone000.{bone:03d}", 0.02))
    obj = _in_edit_mode("treeArm")
    for i, (points, parent, thickness) in enumerate(splines):
        above = None
        for n in range(len(points) - 1):
            bone = obj.data.edit_bones.new(f"bone{i:03d}.{n:03d}")
            bone.head, bone.tail = points[n], points[n + 1]
            bone.head_radius = thickness * (1.0 - n / (len(points) - 1))
            bone.tail_radius = thickness * (1.0 - (n + 1) / (len(points) - 1))
            bone.envelope_distance = 0.001
            bone.parent = above or (obj.data.edit_bones[parent] if parent else None)
            bone.use_connect = above is not None
            above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.display_type = "STICK"
    for bone in obj.pose.bones:
        bone.rotation_mode = "XYZ"
    if sway:
        curves = _curves_of(obj, bpy.data.actions.new("windAction"))
        for k, bone in enumerate(obj.pose.bones):
            for axis in (0, 2):
                curve = curves.new(f'pose.bones["{bone.name}"].rotation_euler', index=axis)
                wave = curve.modifiers.new(type="FNGENERATOR")
                wave.amplitude, wave.phase_multiplier, wave.phase_offset = 0.02, 0.3, 0.7 * k
    return obj, _skinned(obj, "tree")


def _skinned(obj: bpy.types.Object, name: str) -> bpy.types.Object:
    """A mesh with a triangle at every bone's tail, a vertex group for each, and an armature modifier."""
    corners = [Vector((0, 0, 0)), Vector((0.01, 0, 0)), Vector((0, 0.01, 0))]
    places = [bone.tail_local + corner for bone in obj.data.bones for corner in corners]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, [], [(i, i + 1, i + 2) for i in range(0, len(places), 3)])
    skin = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(skin)
    for i, bone in enumerate(obj.data.bones):
        skin.vertex_groups.new(name=bone.name).add(range(3 * i, 3 * i + 3), 1.0, "REPLACE")
    skin.modifiers.new("windSway", "ARMATURE").object = obj
    skin.parent = obj
    return skin


def imported() -> tuple[bpy.types.Object, bpy.types.Object]:
    """A skeleton in centimetres on a parent Empty that is turned upright, as importers make them.

    All bones point along their parents' X axis and none is joined; an extra root, "_end" bones of next to no length,
    quaternions, keys from the file, default envelopes.
    """
    obj = _in_edit_mode("Armature")
    bones = obj.data.edit_bones
    names = ["RootNode", "Hips", "Tail_01", "Tail_02", "Tail_03", "Tail_04", "Tail_05", "Ear_L", "Ear_R"]
    heads = [(0, 0, 0), (0, 90, 0), *[(0, 90, -20 - 15 * k) for k in range(5)], (8, 100, 0), (-8, 100, 0)]
    parents = [None, "RootNode", "Hips", "Tail_01", "Tail_02", "Tail_03", "Tail_04", "Hips", "Hips"]
    for name, head, parent in zip(names, heads, parents, strict=True):
        bone = bones.new(name)
        bone.head, bone.tail = head, Vector(head) + Vector((10.0, 0.0, 0.0))
        bone.parent = bones[parent] if parent else None
    for name, offset in (("Tail_05", (0, 0, -15)), ("Ear_L", (2, 10, 0)), ("Ear_R", (-2, 10, 0))):
        end = bones.new(f"{name}_end")
        end.head = bones[name].head + Vector(offset)
        end.tail, end.parent = end.head + Vector((2e-4, 0.0, 0.0)), bones[name]
    bpy.ops.object.mode_set(mode="OBJECT")
    empty = bpy.data.objects.new("Model", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.rotation_euler, empty.scale = (math.pi / 2.0, 0.0, 0.0), (0.01, 0.01, 0.01)
    obj.parent = empty
    for frame, angle in ((1, 0.0), (12, 0.4), (24, 0.0)):
        obj.pose.bones["Hips"].rotation_quaternion = (math.cos(angle), 0.0, math.sin(angle), 0.0)
        obj.pose.bones["Hips"].keyframe_insert("rotation_quaternion", frame=frame)
    return obj, _skinned(obj, "Body")
