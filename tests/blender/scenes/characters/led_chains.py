# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains of five bones whose constraints move, stretch and turn them."""

import bpy

from tests.blender.scenes import plants

FRAMES = range(1, 31)


def loose(obj, *names: str) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    for name in names:
        obj.data.edit_bones[name].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")


def holder(places: dict[int, tuple[float, float, float]], turned=0.0) -> bpy.types.Object:
    empty = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(empty)
    plants.key_location(empty, places)
    for frame, angle in {1: 0.0, 15: turned, 30: -turned}.items():
        empty.rotation_euler = (0.0, angle, 0.5 * angle)
        empty.keyframe_insert("rotation_euler", frame=frame)
    return empty


WAY = {1: (0.0, 0.0, 0.0), 12: (0.1, 0.05, 0.1), 22: (-0.05, 0.1, 0.0), 30: (0.0, 0.0, 0.05)}
THERE = {1: (0.2, 0.05, 0.1), 12: (0.3, 0.05, 0.2), 22: (0.15, 0.1, 0.1), 30: (0.2, 0.0, 0.15)}


def child_of(obj, bone="Bone.2"):
    loose(obj, "Bone.2")
    held = obj.pose.bones[bone].constraints.new("CHILD_OF")
    held.target, held.influence = holder(WAY, 0.4), 0.8


def child_of_at_the_root(obj):
    child_of(obj, "Bone.0")


def copy_location(obj):
    loose(obj, "Bone.3")
    obj.pose.bones["Bone.3"].constraints.new("COPY_LOCATION").target = holder(THERE)


def copy_transforms_below_keys(obj):
    loose(obj, "Bone.2", "Bone.3")
    for name in ("Bone.1", "Bone.2"):
        pose = obj.pose.bones[name]
        for frame, angle in {1: 0.0, 14: 0.6, 30: -0.2}.items():
            pose.rotation_mode, pose.rotation_euler = "XYZ", (angle, 0.3 * angle, 0.0)
            pose.keyframe_insert("rotation_euler", frame=frame)
    obj.pose.bones["Bone.3"].constraints.new("COPY_TRANSFORMS").target = holder(THERE, 0.5)


def on_a_scaled_parent(obj):
    child_of(obj)
    for frame, size in ((1, 1.0), (15, 1.4), (30, 0.8)):
        obj.pose.bones["Bone.1"].scale = (size,) * 3
        obj.pose.bones["Bone.1"].keyframe_insert("scale", frame=frame)


def stretch_to(obj):
    loose(obj, "Bone.3")
    for name in ("Bone.2", "Bone.4"):
        stretched = obj.pose.bones[name].constraints.new("STRETCH_TO")
        stretched.target = holder(THERE if name == "Bone.2" else {1: (0.5, 0.1, 0.1), 15: (0.4, 0.3, 0.2)})
    for bone in obj.data.bones:
        bone.inherit_scale = "NONE"


def ik_that_stretches(obj):
    for bone in obj.pose.bones:
        bone.ik_stretch, bone.bone.inherit_scale = 0.3, "ALIGNED"
    ik = obj.pose.bones["Bone.4"].constraints.new("IK")
    ik.target = holder({1: (0.4, 0.1, 0.1), 12: (0.5, 0.3, 0.3), 22: (0.6, 0.0, 0.2), 30: (0.4, 0.1, 0.1)})


def ik_of_which_one_bone_stretches(obj):
    """The bones behind it do not take over its scale, whatever they inherit."""
    obj.pose.bones["Bone.2"].ik_stretch = 0.3
    ik = obj.pose.bones["Bone.4"].constraints.new("IK")
    ik.chain_count = 4
    ik.target = holder({1: (0.4, 0.1, 0.1), 12: (0.5, 0.3, 0.3), 22: (0.6, 0.0, 0.2), 30: (0.4, 0.1, 0.1)})


def copy_scale(obj):
    for bone in obj.data.bones:
        bone.inherit_scale = "ALIGNED"
    empty = holder({1: (0.0, 0.0, 0.0)})
    for frame, size in ((1, (1.0, 1.0, 1.0)), (15, (0.8, 1.6, 0.9)), (30, (1.1, 0.7, 1.1))):
        empty.scale = size
        empty.keyframe_insert("scale", frame=frame)
    obj.pose.bones["Bone.1"].constraints.new("COPY_SCALE").target = empty


def spline_ik_that_fits(obj):
    spline_ik(obj)
    ik = obj.pose.bones["Bone.4"].constraints[0]
    ik.y_scale_mode, ik.xz_scale_mode = "FIT_CURVE", "INVERSE_PRESERVE"
    for bone in obj.data.bones:
        bone.inherit_scale = "NONE"


def spline_ik(obj):
    plants.lead_along_a_line(obj.pose.bones["Bone.4"], 5, ((0.0, 0.1, 0.1), (0.2, 0.2, 0.2), (0.6, 0.1, 0.1)))


RIGS = {
    one.__name__: one
    for one in (child_of, child_of_at_the_root, copy_location, copy_transforms_below_keys, on_a_scaled_parent,
                spline_ik, stretch_to, ik_that_stretches, ik_of_which_one_bone_stretches, copy_scale,
                spline_ik_that_fits)
}  # fmt: skip


def rigged(run_operator, rig, share=1.0) -> bpy.types.Object:
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(5)
    rig(obj)
    run_operator("make_dynamic")
    obj.plant_dynamics.following.share, obj.plant_dynamics.following.recovery = share, 10.0
    plants.show(1)
    return obj
