# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones of which only some quaternion channels are animated: the others keep the value from before the simulation."""

import random

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module

FRAMES = range(1, 31)
BONE = "Bone.2"
KEYS = {1: 0.0, 8: 0.0, 15: 0.4, 25: -0.2}


def moved_chain() -> bpy.types.Object:
    """A chain on a base that is carried along, so that the simulated pose is another in every frame."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(4)
    obj.pose.bones[BONE].rotation_mode = "QUATERNION"
    plants.key_location(obj, {1: (0.0, 0.0, 0.0), 5: (0.0, 0.0, 0.0), 15: (0.2, 0.2, 0.0)})
    return obj


def key(obj: bpy.types.Object, channels: tuple[int, ...]) -> None:
    pose = obj.pose.bones[BONE]
    for frame, value in KEYS.items():
        pose.rotation_quaternion = (1.0, value, 0.5 * value, 0.0)
        for channel in channels:
            pose.keyframe_insert("rotation_quaternion", index=channel, frame=frame)
    pose.rotation_quaternion = (0.9, 0.0, 0.1, 0.2)


def one_channel(obj, addon):
    key(obj, (1,))


def a_muted_channel(obj, addon):
    key(obj, (0, 1, 2, 3))
    for curve in module(addon, "blender.fcurves").all_curves(obj.animation_data.action):
        if curve.data_path.endswith("rotation_quaternion") and curve.array_index == 2:
            curve.mute = True


def driver(obj, channel):
    found = obj.pose.bones[BONE].driver_add("rotation_quaternion", channel).driver
    found.type = "SUM"
    variable = found.variables.new()
    variable.targets[0].id_type, variable.targets[0].id = "OBJECT", obj
    variable.targets[0].data_path = "location[0]"


def one_driven_channel(obj, addon):
    obj.pose.bones[BONE].rotation_quaternion = (0.9, 0.0, 0.1, 0.2)
    driver(obj, 1)


def a_driven_and_a_keyed_channel(obj, addon):
    key(obj, (3,))
    driver(obj, 1)


def _to_strip(obj, name):
    data = obj.animation_data
    track, action = data.nla_tracks.new(), data.action
    strip = track.strips.new(name, int(action.frame_range[0]), action)
    if hasattr(strip, "action_slot") and strip.action_slot is None:
        strip.action_slot = action.slots[0]
    data.action = None
    return strip


def a_strip_of_one_channel(obj, addon):
    key(obj, (1,))
    _to_strip(obj, "Keys")


def an_action_above_a_strip(obj, addon):
    _to_strip(obj, "Base")
    key(obj, (1,))


def a_group_of_strips(obj, addon):
    key(obj, (1,))
    strip = _to_strip(obj, "Keys")
    strip.extrapolation, strip.blend_type = "NOTHING", "COMBINE"


def a_solo_track(obj, addon):
    _to_strip(obj, "Base")
    obj.animation_data.nla_tracks[0].is_solo = True
    key(obj, (1,))
    _to_strip(obj, "Keys")


WAYS = [one_channel, a_muted_channel, one_driven_channel, a_driven_and_a_keyed_channel, a_strip_of_one_channel,
        an_action_above_a_strip, a_group_of_strips, a_solo_track]  # fmt: skip


@pytest.mark.parametrize("animate", WAYS, ids=lambda way: way.__name__)
def test_any_order_and_baked_show_what_straight_play_shows(fresh, run_operator, animate):
    obj = moved_chain()
    animate(obj, fresh)
    run_operator("make_dynamic")
    run_operator("play")
    straight = plants.played(obj, FRAMES)
    assert np.abs(np.diff(straight[5:20], axis=0)).max(axis=(1, 2, 3)).min() > 1e-5, "it moves"
    assert np.array_equal(plants.played(obj, FRAMES), straight)
    order = list(FRAMES)
    random.Random(1).shuffle(order)
    for close in (False, True):
        for frame in order:
            if close and frame % 7 == 0:
                plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
            plants.show(frame)
            assert np.array_equal(plants.matrices(obj), straight[frame - 1]), frame
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    plants.show(17)
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    for name, channels in zip(session.plant.names, session.channels_at(17), strict=True):
        assert np.array_equal(np.array(shown[name].rotation_quaternion), np.float32(channels)), "what is shown"
    if animate is a_solo_track:  # an action would not show beside it
        return
    run_operator("bake")
    baked = plants.played(obj, FRAMES)
    assert np.abs(baked - straight).max() < 1e-5
    run_operator("bake")
    assert np.array_equal(plants.played(obj, FRAMES), baked)


@pytest.mark.parametrize("end", ["reset", "clear_bake"])
def test_drivers_and_values_are_as_before_afterwards(fresh, run_operator, end):
    obj = moved_chain()
    one_driven_channel(obj, fresh)
    run_operator("make_dynamic")

    def said():
        plants.show(9)
        return [(curve.data_path, curve.array_index) for curve in obj.animation_data.drivers], tuple(
            obj.pose.bones[BONE].rotation_quaternion
        )

    before = said()
    run_operator("play")
    plants.show(20)
    if end == "clear_bake":
        run_operator("bake")
    run_operator(end)
    assert said() == before


def test_the_pose_of_a_partly_keyed_bone_is_that_of_its_keys_and_its_own_values(fresh, run_operator):
    bpy.context.scene.use_gravity = False
    obj = plants.chain(3)
    pose = obj.pose.bones["Bone.1"]
    pose.rotation_quaternion = (0.8, 0.0, 0.0, 0.6)
    pose.keyframe_insert("rotation_quaternion", index=0, frame=1)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(1)
    assert np.allclose(pose.rotation_quaternion, (0.8, 0.0, 0.0, 0.6), atol=1e-6)


@pytest.mark.parametrize("channels", [(0, 1, 2, 3), (1,)], ids=["all", "one"])
def test_a_base_moved_by_hand_leaves_the_keyed_pose_as_it_was(fresh, run_operator, channels):
    from bl_ext.user_default.plant_dynamics.plant_dynamics_addon.dynamics.motion.sessions import session_of

    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(4)
    obj.pose.bones[BONE].rotation_mode = "QUATERNION"
    key(obj, channels)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(12)
    before = session_of(obj).recording.worlds[11].pose.copy()
    obj.location.x = 0.1
    bpy.context.view_layer.update()
    after = session_of(obj).recording.worlds[11]
    assert np.allclose(after.base_position, (0.1, 0.0, 0.0)), "it has been looked at again"
    assert np.array_equal(after.pose, before)


def test_keys_in_another_mode_do_not_turn_a_bone(fresh, run_operator):
    from bl_ext.user_default.plant_dynamics.plant_dynamics_addon.dynamics.motion.sessions import session_of

    obj = plants.chain(3)
    pose = obj.pose.bones["Bone.1"]
    pose.rotation_mode = "XYZ"
    pose.rotation_euler.x = 0.5
    pose.keyframe_insert("rotation_euler", frame=1)
    pose.rotation_mode = "QUATERNION"
    run_operator("make_dynamic")
    run_operator("play")
    assert not len(session_of(obj).plant.animated)
