# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys on simulated bones: they act, physics adds the follow-through."""

import bpy
import numpy as np
import pytest
from mathutils import Euler, Quaternion

from tests.blender.scenes import plants

FRAMES = range(1, 31)
KEYS = {1: 0.2, 10: 0.9, 18: -0.4, 30: 0.3}


def keyed_chain(mode: str = "QUATERNION", stiffness: float = 1.0, name: str = "Chain") -> bpy.types.Object:
    """A chain of four bones of which the second and the third are keyed, in this rotation mode."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(4, name=name)
    for number, bone in enumerate(("Bone.1", "Bone.2")):
        pose = obj.pose.bones[bone]
        pose.rotation_mode = mode
        for frame, angle in KEYS.items():
            turn = Euler((angle, 0.3 * angle, 0.5 * angle * number), "ZXY")
            path = "rotation_euler"
            if mode == "QUATERNION":
                pose.rotation_quaternion, path = turn.to_quaternion(), "rotation_quaternion"
            elif mode == "AXIS_ANGLE":
                axis, size = turn.to_quaternion().to_axis_angle()
                pose.rotation_axis_angle, path = (size, *axis), "rotation_axis_angle"
            else:
                pose.rotation_euler = turn.to_quaternion().to_euler(mode)
            pose.keyframe_insert(path, frame=frame)
    for bone in obj.data.bones:
        bone.plant_dynamics.stiffness_factor = stiffness
    return obj


def weightless() -> None:
    bpy.context.scene.use_gravity = False


@pytest.mark.parametrize("mode", ["QUATERNION", "AXIS_ANGLE", "XYZ", "ZYX", "YXZ"])
def test_stiff_bones_are_where_they_are_keyed(fresh, run_operator, mode):
    weightless()
    obj = keyed_chain(mode, stiffness=1e5)
    keyed = plants.played(obj, FRAMES)
    assert np.abs(keyed[9] - keyed[0]).max() > 0.1
    run_operator("make_dynamic")
    run_operator("play")
    assert np.abs(plants.played(obj, FRAMES) - keyed).max() < 2e-4
    run_operator("reset")
    assert np.array_equal(plants.played(obj, FRAMES), keyed)


def test_soft_bones_follow_through_and_settle_about_the_keys(fresh, run_operator):
    weightless()
    bpy.context.scene.frame_end = 200
    obj = keyed_chain(stiffness=0.02)
    keyed = plants.played(obj, range(1, 201))
    run_operator("make_dynamic")
    obj.plant_dynamics.damping_time = 0.3
    run_operator("play")
    moved = plants.played(obj, range(1, 201))
    assert np.abs(moved[12] - keyed[12]).max() > 0.01, "it lags"
    assert np.abs(moved[-1] - keyed[-1]).max() < 1e-3, "it comes to rest where it is keyed"


def test_weight_bends_from_the_keyed_pose_and_a_held_shape_is_the_keyed_one(fresh, run_operator):
    obj = keyed_chain()
    plants.show(1)
    keyed = plants.matrices(obj)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    assert keyed[-1, 2, 3] - plants.matrices(obj)[-1, 2, 3] > 1e-4
    run_operator("reset")
    obj.plant_dynamics.start = "keep_shape"
    run_operator("play")
    plants.show(1)
    assert np.abs(plants.matrices(obj) - keyed).max() < 1e-6


def test_influence_takes_the_share_of_the_angle(fresh, run_operator):
    weightless()
    obj = plants.chain(3)
    pose = obj.pose.bones["Bone.1"]
    pose.rotation_quaternion = Quaternion((0.0, 0.0, 1.0), 0.8)
    pose.keyframe_insert("rotation_quaternion", frame=1)
    run_operator("make_dynamic")
    for share in (1.0, 0.5, 0.0):
        obj.plant_dynamics.animation_influence = share
        run_operator("play")
        plants.show(1)
        angle = obj.pose.bones["Bone.1"].rotation_quaternion.angle
        assert angle == pytest.approx(0.8 * share, abs=1e-5)
        run_operator("reset")
    obj.plant_dynamics.follow_animation = False
    run_operator("play")
    plants.show(1)
    assert obj.pose.bones["Bone.1"].rotation_quaternion.angle == pytest.approx(0.0, abs=1e-6)


def test_frames_in_any_order_and_baked_show_the_same(fresh, run_operator):
    obj = keyed_chain("XYZ", stiffness=0.1)
    run_operator("make_dynamic")
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    run_operator("reset")
    run_operator("play")
    for frame in (17, 3, 29, 30, 4, 11, 1, 22):
        plants.show(frame)
        assert np.array_equal(plants.matrices(obj), straight[frame - 1])
    run_operator("bake")
    baked = plants.played(obj, FRAMES)
    assert np.abs(baked - straight).max() < 1e-5
    run_operator("bake")  # follows the keys from before, not those of the bake
    assert np.abs(plants.played(obj, FRAMES) - baked).max() < 1e-5


@pytest.mark.parametrize("target", ["NEW", "OVERWRITE", "NLA"])
def test_the_keys_are_there_again_after_clear_bake(fresh, run_operator, target):
    obj = keyed_chain("XYZ", stiffness=0.1)
    before, keyed = plants.curves(obj.animation_data.action), plants.played(obj, FRAMES)
    run_operator("make_dynamic")
    run_operator("bake", target=target)
    assert np.abs(plants.played(obj, FRAMES) - keyed).max() > 1e-3
    run_operator("clear_bake")
    after = plants.curves(obj.animation_data.action)
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[key], after[key]) for key in before)
    assert np.array_equal(plants.played(obj, FRAMES), keyed)


def test_keys_in_a_strip_are_followed_and_in_a_muted_one_not(fresh, run_operator):
    weightless()
    obj = keyed_chain(stiffness=1e5)
    keyed = plants.played(obj, FRAMES)
    data = obj.animation_data
    action, data.action = data.action, None
    track = data.nla_tracks.new()
    track.strips.new("Keys", 1, action)
    run_operator("make_dynamic")
    run_operator("play")
    assert np.abs(plants.played(obj, FRAMES) - keyed).max() < 2e-4
    run_operator("reset")
    track.mute = True
    run_operator("play")
    plants.show(10)
    assert obj.pose.bones["Bone.1"].rotation_quaternion.angle == pytest.approx(0.0, abs=1e-6)


def test_a_driven_bone_is_followed(fresh, run_operator):
    weightless()
    obj = plants.chain(3)
    obj.pose.bones["Bone.1"].rotation_mode = "XYZ"
    driver = obj.pose.bones["Bone.1"].driver_add("rotation_euler", 2).driver
    driver.type = "SUM"
    variable = driver.variables.new()
    variable.targets[0].id_type, variable.targets[0].id = "OBJECT", obj
    variable.targets[0].data_path = "location[0]"
    plants.key_location(obj, {1: (0.5, 0.0, 0.0), 2: (0.5, 0.0, 0.0)})
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    assert obj.pose.bones["Bone.1"].rotation_quaternion.angle == pytest.approx(0.5, abs=1e-5)


def test_a_key_set_while_playing_is_followed(fresh, run_operator):
    weightless()
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    pose = obj.pose.bones["Bone.1"]
    pose.rotation_quaternion = Quaternion((0.0, 0.0, 1.0), 0.6)
    pose.keyframe_insert("rotation_quaternion", frame=1)
    bpy.context.view_layer.update()
    plants.show(1)
    assert pose.rotation_quaternion.angle == pytest.approx(0.6, abs=1e-5)


def test_plants_without_keys_keep_their_joints(fresh, run_operator):
    from bl_ext.user_default.plant_dynamics.plant_dynamics_addon.dynamics.motion.sessions import session_of

    plain, keyed = plants.chain(3, name="Plain"), keyed_chain(name="Keyed")
    for obj in (plain, keyed):
        bpy.context.view_layer.objects.active = obj
        run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    assert session_of(plain).plant.layout == "gauss2"
    assert session_of(keyed).plant.layout == "double_root"
    keyed.plant_dynamics.layout = "base"
    plants.show(2)
    assert session_of(keyed).plant.layout == "base"
