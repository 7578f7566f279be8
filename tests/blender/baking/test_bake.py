# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake: the same motion as the preview, and nothing of the user's is lost."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

FRAMES = range(1, 31)


@pytest.fixture
def animated(fresh):
    """A chain with the user's own animation: object location, a bone's location and scale, a custom property."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain()
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    plants.key_location(obj, {1: (0, 0, 0), 8: (0.1, 0.05, 0), 16: (0, 0, 0.02), 30: (0, 0, 0)})
    bone = obj.pose.bones["Bone.3"]
    for frame in (1, 11, 23):
        bone.scale = (1.0, 1.0 + 0.001 * frame, 1.0)
        bone.keyframe_insert("scale", frame=frame)
    bone.rotation_quaternion = (0.9, 0.1, 0.0, 0.42)
    bone.keyframe_insert("rotation_quaternion", frame=4)
    obj["own"] = 1.0
    obj.keyframe_insert('["own"]', frame=3)
    return obj


def snapshot(obj):
    """Everything readable that a bake must not change."""
    data = obj.animation_data
    return {
        "mode": bpy.context.mode,
        "selected": sorted(o.name for o in bpy.context.selected_objects),
        "active": bpy.context.view_layer.objects.active.name,
        "frame": (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe),
        "constraints": [(b.name, [c.type for c in b.constraints]) for b in obj.pose.bones],
        "nla": [t.name for t in data.nla_tracks],
        "action": data.action.name if data.action else "",
        "curves": {key: keys.tobytes() for key, keys in plants.curves(data.action).items()} if data.action else {},
        "rest": [tuple(map(tuple, b.matrix_local)) for b in obj.data.bones],
        "pose": [tuple(b.rotation_quaternion) for b in obj.pose.bones],
        "actions": sorted(a.name for a in bpy.data.actions),
    }


def test_bake_equals_preview_on_every_frame(animated, run_operator):
    run_operator("play")
    preview = plants.played(animated, FRAMES)
    run_operator("bake")
    assert not animated.plant_dynamics.live
    assert np.abs(plants.played(animated, FRAMES) - preview).max() < 1e-5


@pytest.mark.parametrize("preset", ["broad_leaf", "orchid"])
def test_grown_plants_bake_as_they_play(fresh, run_operator, preset):
    bpy.context.scene.frame_end = 20
    obj = plants.grow(preset)
    plants.key_location(obj, {1: (0, 0, 0), 5: (0.1, 0, 0), 9: (0, 0, 0)})
    run_operator("play")
    preview = plants.played(obj, range(1, 21))
    run_operator("bake")
    assert np.abs(plants.played(obj, range(1, 21)) - preview).max() < 1e-5


def test_other_curves_are_the_same_key_by_key(animated, run_operator):
    before = plants.curves(animated.animation_data.action)
    run_operator("bake")
    after = plants.curves(animated.animation_data.action)
    own = {key: keys for key, keys in before.items() if not key[0].endswith(plants.POSES)}
    assert len(own) >= 7
    for key, keys in own.items():
        assert np.array_equal(after[key], keys), key
    baked = set(after) - set(own)
    assert len(baked) == 4 * len(animated.pose.bones)
    assert all(len(after[key]) == len(FRAMES) for key in baked)


def test_the_users_action_is_kept_and_comes_back(animated, run_operator):
    before = snapshot(animated)
    run_operator("bake")
    assert before["action"] in bpy.data.actions
    assert animated.animation_data.action.name != before["action"]
    run_operator("clear_bake")
    after = snapshot(animated)
    for key in before:
        assert after[key] == before[key], key


def test_clearing_a_bake_gives_the_pose_back(fresh, run_operator):
    bpy.context.scene.frame_end = 10
    obj = plants.chain()
    run_operator("make_dynamic")
    obj.pose.bones["Bone.2"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    obj.pose.bones["Bone.1"].rotation_mode = "XYZ"
    obj.pose.bones["Bone.1"].rotation_euler = (0.1, 0.2, 0.3)
    run_operator("play")
    run_operator("bake")
    run_operator("clear_bake")
    assert tuple(obj.pose.bones["Bone.2"].rotation_quaternion) == pytest.approx((0.8, 0.6, 0.0, 0.0))
    assert obj.pose.bones["Bone.1"].rotation_mode == "XYZ"
    assert tuple(obj.pose.bones["Bone.1"].rotation_euler) == pytest.approx((0.1, 0.2, 0.3), abs=1e-6)


def test_clearing_the_bake_of_a_copy_leaves_the_originals(animated, run_operator):
    run_operator("bake")
    action = animated.animation_data.action
    bpy.ops.object.duplicate(linked=True)
    run_operator("clear_bake")
    assert bpy.context.object != animated
    assert animated.animation_data.action == action
    assert animated.plant_dynamics.is_baked


def test_baked_curves_are_grouped_by_bone(animated, run_operator):
    run_operator("bake")
    action = animated.animation_data.action
    owner = action.layers[0].strips[0].channelbags[0] if hasattr(action, "layers") else action
    grouped = {curve.group.name for curve in owner.fcurves if curve.data_path.endswith(plants.POSES)}
    assert grouped == {bone.name for bone in animated.pose.bones}


def test_bake_leaves_mode_selection_frame_and_rest_alone(animated, run_operator):
    bpy.context.scene.frame_set(7)
    bpy.ops.object.mode_set(mode="POSE")
    before = snapshot(animated)
    run_operator("bake")
    after = snapshot(animated)
    for key in ("mode", "selected", "active", "frame", "constraints", "nla", "rest"):
        assert after[key] == before[key], key


def test_a_bake_that_is_given_up_changes_nothing(animated, fresh):
    baking = _module(fresh, "baking.bake")
    bpy.context.scene.frame_set(3)
    before = snapshot(animated)
    work = baking.bake(bpy.context, animated, baking.BakeOptions(1, 30))
    for _ in range(12):
        next(work)
    work.close()
    assert snapshot(animated) == before


def _module(addon, name):
    import importlib

    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def test_baking_again_replaces_the_bake(animated, run_operator):
    run_operator("bake")
    first = plants.played(animated, FRAMES)
    animated.plant_dynamics.stiffness_factor = 0.3
    run_operator("bake")
    assert np.abs(plants.played(animated, FRAMES) - first).max() > 1e-3
    assert len([a for a in bpy.data.actions if "Motion" in a.name]) == 1
    run_operator("clear_bake")
    assert not animated.plant_dynamics.is_baked


def test_what_is_keyed_after_a_bake_survives_clearing(animated, run_operator):
    run_operator("bake")
    plants.key_location(animated, {20: (0.5, 0.5, 0.5)})
    keyed = plants.curves(animated.animation_data.action)["location", 0]
    run_operator("clear_bake")
    assert np.array_equal(plants.curves(animated.animation_data.action)["location", 0], keyed)
    assert not any(key[0].endswith(plants.POSES) for key in plants.curves(animated.animation_data.action))


def test_baked_quaternions_do_not_jump(animated, run_operator):
    run_operator("bake")
    action = plants.curves(animated.animation_data.action)
    for bone in animated.pose.bones:
        path = f'pose.bones["{bone.name}"].rotation_quaternion'
        q = np.stack([action[path, k][:, 1] for k in range(4)], axis=1)
        assert (np.einsum("fk,fk->f", q[1:], q[:-1]) > 0.0).all()


def test_part_of_the_range(animated, run_operator):
    run_operator("play")
    preview = plants.played(animated, FRAMES)
    run_operator("bake", use_scene_range=False, frame_start=10, frame_end=20)
    assert np.abs(plants.played(animated, range(10, 21)) - preview[9:20]).max() < 1e-5


def test_impossible_ranges_are_refused(animated, run_operator):
    with pytest.raises(RuntimeError, match="before the scene's first frame"):
        run_operator("bake", use_scene_range=False, frame_start=-5, frame_end=20)
    with pytest.raises(RuntimeError, match="must come after"):
        run_operator("bake", use_scene_range=False, frame_start=10, frame_end=10)


def test_a_baked_file_moves_without_the_simulation(animated, run_operator, tmp_path):
    run_operator("bake")
    baked = plants.played(animated, FRAMES)
    path, name = str(tmp_path / "baked.blend"), animated.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert np.abs(plants.played(bpy.data.objects[name], FRAMES) - baked).max() < 1e-6


def test_stretched_time_is_refused(fresh, run_operator):
    """Blender would stretch the keys as it has stretched what the plant was simulated from."""
    obj = plants.chain(2)
    run_operator("make_dynamic")
    render = bpy.context.scene.render
    render.frame_map_old, render.frame_map_new = 100, 150
    with pytest.raises(RuntimeError, match="Time Stretching"):
        bpy.ops.plant_dynamics.bake()
    assert not obj.plant_dynamics.is_baked
    render.frame_map_old = 150
    bpy.context.scene.frame_end = 3
    run_operator("bake")
    assert obj.plant_dynamics.is_baked


def test_the_last_picture_is_blurred_as_the_others_are(animated, run_operator):
    """Blur looks behind its frame, so there is a key there, too."""
    bpy.context.scene.render.use_motion_blur = True
    last = FRAMES[-1]
    run_operator("play")
    expected = plants.played(animated, range(1, last + 2))[last]
    run_operator("bake")
    np.testing.assert_allclose(plants.played(animated, range(last + 1, last + 2))[0], expected, atol=1e-5)
    run_operator("bake", frame_range="CUSTOM", use_scene_range=False, frame_start=1, frame_end=last)
    assert animated.plant_dynamics.baked_last == last, "what was asked for"
