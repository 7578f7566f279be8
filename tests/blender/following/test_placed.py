# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints move and stretch bones that follow them: as Blender shows it, in Play, scrubbed, baked and from disk."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.characters.led_chains import (
    FRAMES,
    RIGS,
    THERE,
    WAY,
    child_of,
    copy_location,
    holder,
    loose,
    rigged,
    spline_ik,
    stretch_to,
)

each_rig = pytest.mark.parametrize("rig", RIGS.values(), ids=RIGS)


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


@pytest.mark.parametrize("rig", [child_of, spline_ik])
def test_where_two_view_layers_show_it_too(fresh, run_operator, rig):
    """Settings are then read from the evaluated object, which Blender makes anew while constraints are looked at."""
    bpy.context.scene.view_layers.new("Second")
    obj = rigged(run_operator, rig)
    drawn = plants.played(obj, FRAMES[:12])
    run_operator("play")
    assert np.abs(plants.played(obj, FRAMES[:12]) - drawn)[..., :3, 3].max() < 2e-3


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
    plants.check_orders_and_bakes(run_operator, obj, drawn, straight)


@each_rig
def test_the_keys_of_a_bake_are_no_reason_to_doubt_constraints(fresh, run_operator, rig):
    obj = rigged(run_operator, rig, 0.6)
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    before = [one.text for one in warnings.rig_warnings(obj)]
    run_operator("bake")
    assert obj.plant_dynamics.is_baked
    assert [one.text for one in warnings.rig_warnings(obj) if "Followed in how they turn" in one.text] == []
    run_operator("clear_bake")
    assert [one.text for one in warnings.rig_warnings(obj)] == before


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


def walks_and_is_let_go(obj):
    """The root's location is keyed, and at frame 16 it falls."""
    root = obj.pose.bones["Bone.0"]
    for frame, way in {1: 0.0, 15: 0.3, 30: 0.5}.items():
        root.location = (0.0, way, 0.1 * way)
        root.keyframe_insert("location", frame=frame)
    settings = obj.plant_dynamics
    for frame, value in {1: False, 16: True}.items():
        settings.let_go = value
        obj.keyframe_insert("plant_dynamics.let_go", frame=frame)


@pytest.mark.parametrize("with_constraint", [False, True])
def test_what_walks_and_is_let_go_walks_until_then(fresh, run_operator, with_constraint):
    obj = rigged(run_operator, walks_and_is_let_go)
    if with_constraint:
        track = obj.pose.bones["Bone.3"].constraints.new("DAMPED_TRACK")
        track.target = holder({1: (0.4, 0.3, 0.3), 15: (0.3, 0.4, 0.2)})
    obj.pose.bones["Bone.1"].keyframe_insert("rotation_quaternion", frame=1)
    drawn = plants.played(obj, FRAMES)
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    assert np.abs(straight[:15, :, :3, 3] - drawn[:15, :, :3, 3]).max() < 2e-3
    assert straight[-1, 0, 2, 3] < drawn[-1, 0, 2, 3] - 0.5
    for frame in (30, 1, 20, 10, 25, 15, 1):
        plants.show(frame)
        assert np.abs(plants.matrices(obj) - straight[frame - 1]).max() < 1e-5
    sessions = importlib.import_module(f"{plants.ADDON}.dynamics.motion.sessions")
    assert len(sessions.session_of(obj).known) == len(FRAMES)  # looking again finds the same world
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < 1e-5
    run_operator("clear_bake")
    assert np.abs(plants.played(obj, FRAMES) - drawn).max() < 1e-6


def test_that_it_has_to_be_baked_before_it_is_rendered_is_told(fresh, run_operator):
    """For Blender evaluates the keys of each frame that it renders."""
    obj = rigged(run_operator, walks_and_is_let_go)
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    run_operator("play")
    plants.show(1)
    assert "Bake before rendering" in " ".join(one.text for one in warnings.rig_warnings(obj))
    run_operator("bake")
    assert "Bake before rendering" not in " ".join(one.text for one in warnings.rig_warnings(obj))


def test_a_constraint_that_leads_to_a_live_plant_asks_for_its_bake(fresh, run_operator):
    """Where that plant's bones are is not known when this one is looked at."""
    other = plants.chain(3, name="Other")
    run_operator("make_dynamic")
    other.location = (0.0, 1.0, 0.0)
    obj = rigged(run_operator, lambda obj: None)
    track = obj.pose.bones["Bone.2"].constraints.new("DAMPED_TRACK")
    track.target, track.subtarget = other, "Bone.2"
    with pytest.raises(RuntimeError, match="bake 'Other' first"):
        run_operator("bake")
    obj.plant_dynamics.following.share = 0.0
    run_operator("bake")


@pytest.mark.parametrize("by", ["HOOK", "ARMATURE"])
def test_a_curve_that_a_live_plant_deforms_asks_for_its_bake(fresh, run_operator, by):
    other = plants.chain(3, name="Other")
    run_operator("make_dynamic")
    rigged(run_operator, spline_ik)
    line = bpy.data.objects["Line"]
    modifier = line.modifiers.new("By", by)
    modifier.object = other
    if by == "HOOK":
        modifier.subtarget = "Bone.2"
    with pytest.raises(RuntimeError, match="bake 'Other' first"):
        run_operator("bake")


def test_what_is_only_parented_to_a_mesh_of_a_live_plant_is_baked(fresh, run_operator):
    """Its place does not hang on how that is deformed."""
    other = plants.chain(3, name="Other")
    run_operator("make_dynamic")
    body = bpy.data.objects.new("Body", bpy.data.meshes.new("Body"))
    bpy.context.scene.collection.objects.link(body)
    body.modifiers.new("Armature", "ARMATURE").object = other
    obj = rigged(run_operator, lambda obj: None)
    obj.parent = body
    run_operator("bake")


def test_following_stretching_constraints_keeps_bones_from_being_sheared(fresh, run_operator):
    def copied(obj):
        loose(obj, "Bone.3")
        obj.pose.bones["Bone.2"].constraints.new("STRETCH_TO").target = holder(THERE)
        obj.pose.bones["Bone.3"].constraints.new("COPY_TRANSFORMS").target = holder(WAY, 0.4)

    obj = rigged(run_operator, copied, 0.0)
    run_operator("follow_constraints")
    drawn = plants.played(obj, FRAMES)
    run_operator("play")
    assert np.abs(plants.played(obj, FRAMES) - drawn)[..., :3, 3].max() < 2e-3


def test_a_renamed_constraint_acts_again_afterwards(fresh, run_operator):
    obj = rigged(run_operator, child_of)
    run_operator("play")
    plants.show(3)
    constraint = obj.pose.bones["Bone.2"].constraints[0]
    assert constraint.mute
    constraint.name = "Another"
    plants.show(4)
    run_operator("reset")
    assert not constraint.mute


def test_a_bone_that_a_script_renames_does_not_stop_the_motion(fresh, run_operator, capfd):
    obj = rigged(run_operator, child_of)
    run_operator("play")
    plants.show(3)
    obj.data.bones["Bone.4"].name = "Tip"
    bpy.context.scene.frame_set(4)
    bpy.context.scene.frame_set(5)
    assert "Traceback" not in "".join(capfd.readouterr())


def test_keys_on_mute_are_told(fresh, run_operator):
    obj = rigged(run_operator, child_of)
    warnings = importlib.import_module(f"{plants.ADDON}.rigging.warnings")
    assert "Mute" not in " ".join(one.text for one in warnings.rig_warnings(obj))
    obj.pose.bones["Bone.2"].constraints[0].keyframe_insert("mute", frame=1)
    assert "Mute is animated" in " ".join(one.text for one in warnings.rig_warnings(obj))
    obj.pose.bones["Bone.2"].constraints[0].mute = True
    obj.pose.bones["Bone.3"].constraints.new("DAMPED_TRACK").target = obj.pose.bones["Bone.2"].constraints[0].target
    assert "'Bone.2'" in " ".join(one.text for one in warnings.rig_warnings(obj) if "Mute" in one.text)


def test_a_pose_without_keys_is_followed_too(fresh, run_operator):
    def posed(obj):
        obj.pose.bones["Bone.1"].rotation_quaternion = (0.9, 0.3, 0.2, 0.1)
        obj.pose.bones["Bone.2"].rotation_mode = "XYZ"
        obj.pose.bones["Bone.2"].rotation_euler = (0.5, 0.2, -0.3)

    obj = rigged(run_operator, posed)
    drawn = plants.played(obj, FRAMES)
    run_operator("play")
    followed = plants.played(obj, FRAMES)
    assert np.abs(followed - drawn).max() < 2e-3
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - followed).max() < 1e-5


def test_an_object_that_becomes_scaled_unevenly_is_refused_with_its_name(fresh, run_operator):
    obj = rigged(run_operator, lambda obj: None)
    for frame, scale in ((1, (1.0, 1.0, 1.0)), (20, (1.5, 1.0, 1.0))):
        obj.scale = scale
        obj.keyframe_insert("scale", frame=frame)
    with pytest.raises(RuntimeError, match="'Chain' becomes scaled unevenly"):
        run_operator("bake")
