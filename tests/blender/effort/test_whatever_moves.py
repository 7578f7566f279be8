# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints, drivers, strips and keys ask the same of joints where they make the same motion; what is not counted is
named, and what cannot be measured refused."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.scenes import plants
from tests.blender.scenes.effort.animated import key, key_turn, measured, over, refused, stick

FRAMES, FPS = 16, 24


def empty(name):
    added = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(added)
    return added


def reached():
    """An arm of two bones whose hand follows an Empty by IK."""
    times = over(FRAMES, FPS)
    obj, target = stick((0.0, 0.0, -1.0), count=2), empty("Target")
    key(target, "location", 0.5 + 0.15 * np.sin(6.0 * times), 0)
    key(target, "location", -0.5 + 0.1 * np.cos(5.0 * times), 2)
    reach = obj.pose.bones["Bone.1"].constraints.new("IK")
    reach.target, reach.chain_count = target, 2
    return obj


def keyed_like(obj, name="Keyed"):
    """The same bones with the evaluated motion as keys on their rotations."""
    poses = plants.played(obj, range(1, FRAMES + 1))
    other = stick((0.0, 0.0, -1.0), count=2, name=name)
    rest = [np.array(bone.matrix_local) for bone in other.data.bones]
    for frame, pose in enumerate(poses, start=1):
        for i, bone in enumerate(other.pose.bones):
            above = pose[i - 1] @ np.linalg.inv(rest[i - 1]) if i else np.eye(4)
            bone.matrix_basis = Matrix((np.linalg.inv(above @ rest[i]) @ pose[i]).tolist())
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    return other


def test_ik_and_the_same_motion_as_keys(fresh):
    arm = reached()
    other = keyed_like(arm)
    found, expected = measured(arm), measured(other)
    assert found.cautions == ()
    assert np.ptp(found.effort, axis=0).min() > 0.1, "both joints have something to do"
    assert np.abs(found.moments - expected.moments).max() < 1e-3 * expected.moment.max()


def test_strips_and_drivers_count_as_keys_do(fresh):
    times = over(FRAMES, FPS)
    angles = 0.7 * np.sin(7.0 * times)
    keyed = stick(name="Keyed")
    key_turn(keyed.pose.bones[0], angles)
    expected = measured(keyed)
    striped = stick(name="Striped")
    key_turn(striped.pose.bones[0], angles)
    data = striped.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new("Swing", 1, data.action)
    assert strip.action is not None
    data.action = None
    assert measured(striped).moments == pytest.approx(expected.moments, rel=1e-5, abs=1e-6)
    driven, source = stick(name="Driven"), empty("Source")
    key(source, "location", angles, 0)
    driven.pose.bones[0].rotation_mode = "XYZ"
    driver = driven.pose.bones[0].driver_add("rotation_euler", 0).driver
    driver.type, variable = "SUM", driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = source, "location.x"
    assert measured(driven).moments == pytest.approx(expected.moments, rel=1e-4, abs=1e-5)


def test_a_constraint_may_copy_another_armature(fresh):
    times = over(FRAMES, FPS)
    leader, follower = stick(name="Leader"), stick(name="Follower")
    key_turn(leader.pose.bones[0], 0.7 * np.sin(7.0 * times))
    copied = follower.pose.bones[0].constraints.new("COPY_ROTATION")
    copied.target, copied.subtarget = leader, "Bone.0"
    assert measured(follower).moments == pytest.approx(measured(leader).moments, rel=1e-4, abs=1e-5)
    bpy.context.view_layer.objects.active = leader
    leader.animation_data_clear()
    bpy.context.scene.frame_set(1)
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    importlib.import_module(f"{plants.ADDON}.dynamics.live.live").stop_live(follower)
    assert refused(follower).startswith("'Follower' follows the plant 'Leader', which moves only when it is baked")


@pytest.fixture
def arm(fresh):
    over(FRAMES, FPS)
    return stick((1.0, 0.0, 0.0), count=4, length=0.1)


def told(obj):
    return " ".join(measured(obj).cautions)


def test_what_moves_as_rigid_bones_do_is_told_nothing_of(arm):
    for bone in arm.pose.bones:
        key_turn(bone, 0.3 * np.sin(np.arange(FRAMES)))
    assert told(arm) == ""


def test_bones_that_shift_stretch_or_jump_are_named(arm):
    for name in ("Bone.1", "Bone.2", "Bone.3"):
        arm.data.bones[name].inherit_scale = "NONE"
    bpy.ops.object.mode_set(mode="EDIT")
    arm.data.edit_bones["Bone.2"].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    key(arm.pose.bones["Bone.2"], "location", np.linspace(0.0, 0.02, FRAMES), 0)
    assert told(arm) == "Shifted against their parents, which is not counted: 'Bone.2'"
    arm.animation_data_clear()
    arm.pose.bones["Bone.2"].location.x = 0.0
    key(arm.pose.bones["Bone.3"], "scale", np.linspace(1.0, 1.1, FRAMES), 1)
    assert told(arm) == "Scaled or stretched, and counted at their drawn size: 'Bone.3'"
    arm.animation_data_clear()
    arm.pose.bones["Bone.3"].scale.y = 1.0
    key_turn(arm.pose.bones["Bone.1"], np.where(np.arange(FRAMES) < 5, 0.0, 2.0))
    assert told(arm).startswith("Turned by more than 90° from one frame to the next, first at frame 6")
    assert "'Bone.1', 'Bone.2', 'Bone.3'" in told(arm)
    arm.animation_data_clear()
    arm.pose.bones["Bone.1"].rotation_euler.x = 0.0
    key(arm, "scale", np.linspace(1.0, 1.2, FRAMES)[:, None] * np.ones(3))
    assert told(arm).startswith("The armature's scale changes")


def test_joints_that_are_to_follow_and_may_not_give_as_much_are_named(arm):
    for bone in arm.pose.bones:
        key_turn(bone, 0.3 * np.sin(np.arange(FRAMES)))
    needed = measured(arm).moment.max(axis=0)
    following, whole = arm.plant_dynamics.following, float(1.01 * needed.max())
    following.share, following.largest_moment = 1.0, whole
    assert told(arm) == ""
    arm.pose.bones["Bone.1"].plant_dynamics_largest_moment = float(0.99 * needed[1])
    arm.pose.bones["Bone.2"].plant_dynamics_largest_moment = float(1.01 * needed[2])
    frame = 1 + int(measured(arm).moment[:, 1].argmax())
    assert told(arm) == (f"Give way, first at frame {frame}, for the motion needs more than their Max Moment: 'Bone.1'")
    following.largest_moment = float(0.5 * (needed[3] + needed[0]))
    assert told(arm).endswith("'Bone.0', 'Bone.1'")
    arm.pose.bones["Bone.0"].plant_dynamics_follow = 0.0
    assert told(arm).endswith("Moment: 'Bone.1'")
    following.share = 0.0
    assert told(arm) == ""


def test_bones_without_a_joint_ride_along_and_are_named_where_they_turn(arm):
    """Pinned ones, those that are not simulated, and those too short to be."""
    bpy.ops.object.mode_set(mode="EDIT")
    short = arm.data.edit_bones.new("Short")
    short.head, short.tail = (0.4, 0.0, 0.0), (0.4 + 3e-6, 0.0, 0.0)
    short.parent = arm.data.edit_bones["Bone.3"]
    bpy.ops.object.mode_set(mode="OBJECT")
    expected = measured(arm).moments
    arm.data.bones["Bone.2"].plant_dynamics.pinned = True
    arm.data.bones["Bone.3"].plant_dynamics.use_physics = False
    found = measured(arm)
    assert found.bones == ("Bone.0", "Bone.1")
    assert found.cautions == ()
    assert found.moments == pytest.approx(expected[:, :2], rel=1e-6)
    for name in ("Bone.1", "Bone.2", "Bone.3", "Short"):
        key_turn(arm.pose.bones[name], np.linspace(0.0, 0.2, FRAMES))
    assert told(arm) == ("Turned though they have no joint, being pinned, too short or not simulated, and counted as "
                         "part of their parents: 'Bone.2', 'Bone.3', 'Short'")  # fmt: skip


def test_what_cannot_be_measured_is_refused_with_a_reason(arm):
    scene = bpy.context.scene
    scene.frame_end = 2
    assert refused(arm) == ("'Stick': accelerations need 3 frames or more, and there are 2 from 1 to 2. Set a longer "
                            "range of frames")  # fmt: skip
    scene.frame_end = FRAMES
    scene.frame_set(4)
    key(arm.pose.bones["Bone.2"], "scale", np.where(np.arange(FRAMES) == 7, 0.0, 1.0)[:, None] * np.ones(3))
    assert refused(arm).startswith("'Stick', bone 'Bone.2': it has a scale of zero at frame 8")
    assert scene.frame_current == 4
    arm.animation_data_clear()
    arm.pose.bones["Bone.2"].scale = (1.0, 1.0, 1.0)
    arm.pose.bones["Bone.0"].location.x = np.nan
    assert refused(arm).startswith("'Stick', bone 'Bone.0': its place is not a number at frame 1. Look for")
    arm.pose.bones["Bone.0"].location.x = 0.0
    key(arm, "scale", np.where(np.arange(FRAMES) == 3, -1.0, 1.0), 0)
    assert refused(arm).startswith("'Stick' is mirrored or has a scale of zero at frame 4")
    arm.animation_data_clear()
    arm.scale = (1.0, 1.0, 1.0)
    for bone in arm.data.bones:
        bone.plant_dynamics.use_physics = False
    assert refused(arm).startswith("None of the bones of 'Stick' is simulated")


def test_a_plant_that_plays_is_to_be_baked_or_reset_first(arm):
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    assert refused(arm).startswith("'Stick' follows the simulation: press Bake to measure that motion, or Reset")
    assert bpy.ops.plant_dynamics.reset() == {"FINISHED"}
    measured(arm)


@pytest.mark.parametrize("how", ["eye", "viewports", "collection"])
def test_a_hidden_armature_is_never_read_as_it_stood_before(arm, how):
    key_turn(arm.pose.bones[0], 0.4 * np.sin(np.arange(FRAMES)))
    expected = measured(arm).moments
    if how == "eye":
        arm.hide_set(True)
        assert np.array_equal(measured(arm).moments, expected)
        return
    if how == "viewports":
        arm.hide_viewport = True
    else:
        inner = bpy.data.collections.new("Inner")
        bpy.context.scene.collection.children.link(inner)
        bpy.context.scene.collection.objects.unlink(arm)
        inner.objects.link(arm)
        bpy.context.view_layer.layer_collection.children["Inner"].exclude = True
    assert refused(arm).startswith("'Stick' is not evaluated, for it is disabled in viewports or excluded")
