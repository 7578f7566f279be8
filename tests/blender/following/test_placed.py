# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints move and stretch bones that follow them: as Blender shows it, in Play, scrubbed, baked and from disk."""

import importlib

import bpy
import numpy as np
import pytest

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
    curve = bpy.data.curves.new("Line", "CURVE")
    curve.dimensions = "3D"
    spline = curve.splines.new("POLY")
    spline.points.add(2)
    for point, place in zip(spline.points, ((0.0, 0.1, 0.1), (0.2, 0.2, 0.2), (0.6, 0.1, 0.1)), strict=True):
        point.co = (*place, 1.0)
    line = bpy.data.objects.new("Line", curve)
    bpy.context.scene.collection.objects.link(line)
    plants.key_location(line, {1: (0.0, 0.0, 0.0), 15: (0.05, 0.1, 0.05), 30: (0.0, 0.0, 0.0)})
    ik = obj.pose.bones["Bone.4"].constraints.new("SPLINE_IK")
    ik.target, ik.chain_count, ik.y_scale_mode, ik.xz_scale_mode = line, 5, "NONE", "NONE"


RIGS = {
    one.__name__: one
    for one in (child_of, child_of_at_the_root, copy_location, copy_transforms_below_keys, on_a_scaled_parent,
                spline_ik, stretch_to, ik_that_stretches, copy_scale, spline_ik_that_fits)
}  # fmt: skip
each_rig = pytest.mark.parametrize("rig", RIGS.values(), ids=RIGS)


def rigged(run_operator, rig, share=1.0) -> bpy.types.Object:
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(5)
    rig(obj)
    run_operator("make_dynamic")
    obj.plant_dynamics.following.share, obj.plant_dynamics.following.recovery = share, 10.0
    plants.show(1)
    return obj


def own_places(obj) -> list[tuple]:
    return [(*bone.location, *bone.scale) for bone in obj.pose.bones]


@each_rig
def test_bones_are_where_constraints_lead_them(fresh, run_operator, rig):
    obj = rigged(run_operator, rig)
    drawn = plants.played(obj, FRAMES)
    assert np.abs(drawn[11, :, :3, 3] - drawn[0, :, :3, 3]).max() > 0.03
    run_operator("play")
    off = np.abs(plants.played(obj, FRAMES) - drawn)
    assert off[..., :3, 3].max() < 2e-3
    assert off.max() < 0.02
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    assert not [one.text for one in warnings.rig_warnings(obj) if "Followed" in one.text]


@each_rig
def test_frames_in_any_order_and_baked_show_the_same(fresh, run_operator, rig):
    obj = rigged(run_operator, rig, 0.6)
    drawn, places = plants.played(obj, FRAMES), own_places(obj)
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    run_operator("reset")
    plants.show(FRAMES[-1])
    assert own_places(obj) == places
    assert np.abs(plants.played(obj, FRAMES) - drawn).max() < 1e-6
    run_operator("play")
    for frame in (17, 3, 29, 30, 4, 11, 1, 22):
        plants.show(frame)
        assert np.abs(plants.matrices(obj) - straight[frame - 1]).max() < 1e-5
    run_operator("bake")
    baked = plants.played(obj, FRAMES)
    assert np.abs(baked - straight).max() < 1e-5
    run_operator("bake")  # follows what was there before, not its own keys
    assert np.abs(plants.played(obj, FRAMES) - baked).max() < 1e-5
    run_operator("clear_bake")
    assert np.abs(plants.played(obj, FRAMES) - drawn).max() < 1e-6


def test_the_motion_feels_where_its_bones_are_led(fresh, run_operator):
    """What hangs on a bone that is jerked aside swings."""
    obj = rigged(run_operator, child_of)
    obj.pose.bones["Bone.2"].plant_dynamics_follow = 1.0
    for name in ("Bone.3", "Bone.4"):
        obj.pose.bones[name].plant_dynamics_follow = 0.0
        obj.data.bones[name].plant_dynamics.stiffness_factor = 0.05
    drawn = plants.played(obj, FRAMES)
    run_operator("play")
    off = np.abs(plants.played(obj, FRAMES) - drawn)
    assert off[:, :3, :3, 3].max() < 2e-3
    assert off[5:, 4].max() > 0.05


def test_what_is_keyed_too_is_told(fresh, run_operator):
    """Keys on its location would overwrite the motion where a frame is rendered."""
    obj = rigged(run_operator, child_of)
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    assert not [one for one in warnings.rig_warnings(obj) if "Followed" in one.text]
    obj.pose.bones["Bone.2"].keyframe_insert("location", frame=1)
    (told,) = [one.text for one in warnings.rig_warnings(obj) if "Followed" in one.text]
    assert "Bone.2" in told


@pytest.mark.parametrize("rig", [copy_location, stretch_to], ids=["moved", "stretched"])
def test_a_saved_cache_shows_the_same(fresh, run_operator, tmp_path, rig):
    obj = rigged(run_operator, rig)
    obj.plant_dynamics.use_disk_cache = True
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "placed.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "placed.blend"))
    obj = bpy.data.objects["Chain"]
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < 1e-5
