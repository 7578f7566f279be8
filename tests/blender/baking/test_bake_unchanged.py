# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that Blender lets read of a file is the same after a bake that is cleared, undone or given up."""

import importlib
from itertools import product

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.all_properties import differences, everything
from tests.blender.scenes.baked import TARGETS
from tests.forms import IS_FULL

_LAST = 24


@pytest.fixture
def rig(fresh):
    """A chain with a bit of everything that animators have on a rig."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, _LAST
    scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 3, 19
    other = bpy.data.objects.new("Other", None)
    scene.collection.objects.link(other)
    plants.key_location(other, {1: (0, 0, 0), 9: (1, 2, 3)})
    unused = bpy.data.actions.new("Unused")
    unused.use_fake_user = True

    obj = plants.chain()
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    plants.key_location(obj, {1: (0, 0, 0), 8: (0.1, 0.05, 0), 16: (0, 0, 0.02), 24: (0, 0, 0)})
    scene.frame_set(1)
    bones = obj.pose.bones
    for frame, rotation in ((-5, (1, 0, 0, 0)), (4, (0.9, 0.1, 0.0, 0.42)), (17, (0.8, 0, 0.6, 0)), (40, (1, 0, 0, 0))):
        bones["Bone.3"].rotation_quaternion = rotation
        bones["Bone.3"].keyframe_insert("rotation_quaternion", frame=frame)
    for frame in (1, 11, 23):
        bones["Bone.3"].scale = (1.0, 1.0 + 0.001 * frame, 1.0)
        bones["Bone.3"].keyframe_insert("scale", frame=frame)
    bones["Bone.1"].rotation_mode = "XYZ"
    bones["Bone.1"].rotation_euler = (0.1, 0.2, 0.3)
    bones["Bone.1"].rotation_quaternion = (0.5, 0.5, 0.5, 0.5)
    bones["Bone.2"].rotation_mode = "AXIS_ANGLE"
    bones["Bone.2"].rotation_axis_angle = (0.7, 0.0, 0.6, 0.8)
    bones["Bone.4"].rotation_mode = "ZYX"
    bones["Bone.4"].rotation_euler = (0.0, 0.1, 0.0)
    bones["Bone.4"].keyframe_insert("rotation_euler", frame=6)
    bones["Bone.5"].rotation_quaternion = (0.96, 0.28, 0.0, 0.0)
    limit = bones["Bone.5"].constraints.new("LIMIT_SCALE")
    limit.use_max_x, limit.max_x, limit.influence = True, 3.0, 0.5
    for name in ("Bone.1", "Bone.5"):
        selectable = bones[name] if "select" in bpy.types.PoseBone.bl_rna.properties else bones[name].bone
        selectable.select = True
    for curve in _curves(obj.animation_data.action):
        if curve.data_path.endswith("rotation_quaternion"):
            key = curve.keyframe_points[1]
            key.handle_left_type = key.handle_right_type = "FREE"
            key.handle_right = (key.co[0] + 2.5, key.co[1] + 0.03)
            key.interpolation, key.easing, key.amplitude = "ELASTIC", "EASE_OUT", 0.3
            curve.keyframe_points[2].type = "EXTREME"
            if curve.array_index == 1:
                curve.modifiers.new("NOISE").strength = 0.01
                curve.extrapolation = "LINEAR"
            if curve.array_index == 2:
                curve.lock, curve.color_mode, curve.color = True, "CUSTOM", (1.0, 0.5, 0.0)
            curve.update()
    obj["own"] = 1.0
    obj.keyframe_insert('["own"]', frame=3)
    obj.driver_add("scale", 0).driver.expression = "1.0"
    _add_nla(obj)
    scene.frame_set(7, subframe=0.25)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="POSE")
    return obj


def _curves(action):
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [curve for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


def _add_nla(obj):
    """Two tracks of the user's, one muted, with an action each."""
    data = obj.animation_data
    for name, mute in (("Sway", False), ("Try", True)):
        action = bpy.data.actions.new(f"{name} Action")
        if hasattr(action, "slots"):
            slot = action.slots.new(id_type="OBJECT", name=obj.name)
            bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
        else:
            bag = action
        for path, index in (("delta_location", 2), ('pose.bones["Bone.0"].rotation_quaternion', 1)):
            curve = bag.fcurves.new(path, index=index)
            for frame, value in ((1, 0.0), (12, 0.05)):
                curve.keyframe_points.insert(frame, value)
        track = data.nla_tracks.new()
        track.name, track.mute = name, mute
        strip = track.strips.new(f"{name} Strip", 2, action)
        if hasattr(action, "slots"):
            strip.action_slot = action.slots[0]
        strip.select = name == "Try"


@pytest.fixture
def bare(fresh):
    """A chain without any animation data, at a subframe."""
    bpy.context.scene.frame_end = _LAST
    obj = plants.chain()
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    bpy.context.scene.frame_set(5, subframe=0.5)
    return obj


def test_the_reader_sees_what_it_must(rig):
    before = everything()
    assert len(before) > 3000
    for change in (
        lambda: setattr(_curves(rig.animation_data.action)[0].keyframe_points[0], "back", 3.0),
        lambda: setattr(rig.pose.bones["Bone.1"], "rotation_euler", (0.1, 0.2, 0.3000001)),
        lambda: setattr(rig.animation_data.nla_tracks[0].strips[0], "frame_end", 30.0),
        lambda: setattr(rig.pose.bones["Bone.5"].constraints[0], "influence", 0.51),
        lambda: bpy.context.scene.frame_set(7, subframe=0.26),
        lambda: setattr(bpy.context.scene, "frame_preview_end", 20),
    ):
        change()
        after = everything()
        assert differences(before, after)
        before = after


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("scene", ["rig", "bare"])
def test_bake_and_clear(request, run_operator, scene, target):
    request.getfixturevalue(scene)
    before = everything()
    run_operator("bake", target=target)
    assert differences(before, everything())
    run_operator("clear_bake")
    assert differences(before, everything()) == []


OPTIONS = {
    "part": {"frame_range": "CUSTOM", "frame_start": 6, "frame_end": 15},
    "decimated": {"use_decimation": True, "max_error": 0.02},
    "loop": {"step": 5, "use_loop": True, "loop_frames": 9}, "preview": {"frame_range": "PREVIEW"},
}  # fmt: skip


#: In the short form every second pair, so that each has some of the others.
@pytest.mark.parametrize(
    ("name", "target"),
    [(name, target) for (i, name), (k, target) in product(enumerate(OPTIONS), enumerate(TARGETS))
     if IS_FULL or (i + k) % 2],
)  # fmt: skip
def test_bake_with_options_and_clear(rig, run_operator, name, target):
    before = everything()
    run_operator("bake", target=target, **OPTIONS[name])
    run_operator("clear_bake")
    assert differences(before, everything()) == []


@pytest.mark.parametrize("target", TARGETS)
def test_baking_again_to_anywhere_and_clear(rig, run_operator, target):
    before = everything()
    run_operator("bake", target=target)
    for again in TARGETS:
        run_operator("bake", target=again, frame_range="CUSTOM", frame_start=2, frame_end=12)
        run_operator("bake", target=target, part_only=True)
    run_operator("clear_bake")
    assert differences(before, everything()) == []


@pytest.mark.parametrize("target", TARGETS)
def test_bake_and_undo(rig, run_operator, target):
    bpy.ops.ed.undo_push(message="before")
    before = everything()
    run_operator("bake", target=target)
    bpy.ops.ed.undo_push(message="bake")
    bpy.ops.ed.undo()
    assert differences(before, everything()) == []


@pytest.mark.parametrize("target", TARGETS)
def test_undo_of_clearing_gives_the_bake_back(rig, run_operator, target):
    run_operator("bake", target=target)
    bpy.ops.ed.undo_push(message="bake")
    before = everything()
    run_operator("clear_bake")
    bpy.ops.ed.undo_push(message="clear")
    bpy.ops.ed.undo()
    assert differences(before, everything()) == []
    run_operator("bake", target=target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("times", [1, 9])
def test_a_bake_that_is_given_up(rig, fresh, target, times):
    baking = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.baking.bake")
    before = everything()
    work = baking.bake(bpy.context, rig, baking.BakeOptions(1, _LAST, target))
    for _ in range(times):
        next(work)
    work.close()
    assert differences(before, everything()) == []


@pytest.mark.parametrize("target", TARGETS)
def test_baking_again_that_is_given_up(rig, fresh, target):
    baking = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.baking.bake")
    baking.bake_now(bpy.context, rig, baking.BakeOptions(1, _LAST, target))
    before = everything()
    work = baking.bake(bpy.context, rig, baking.BakeOptions(1, _LAST, target, step=2))
    for _ in range(9):
        next(work)
    work.close()
    assert differences(before, everything()) == []


@pytest.mark.parametrize("target", TARGETS)
def test_what_a_bake_may_change(rig, run_operator, target):
    """The user's own actions, tracks, constraints, selection, mode and frame, with the bake in place."""
    before = everything()
    own = rig.animation_data.action.name
    run_operator("bake", target=target)
    changed = [key for key, was, _ in differences(before, everything()) if was is not None]
    assert changed
    for key in changed:
        assert not key.startswith(("scenes", "selected", "mode", "active", "armatures")), key
        assert not any(word in key for word in ("constraints", "drivers", '["own"]')), key
        if key.startswith("actions['"):
            mine = target in ("OVERWRITE", "SLOT") and key.startswith(f"actions['{own}']")
            assert key.endswith(".users") or mine, key
        if ".nla_tracks[" in key:  # a track of the user's, or how many there are
            assert target == "NLA", key
            assert key.endswith((".nla_tracks.length", "is_override_data")), key


@pytest.mark.parametrize("target", TARGETS)
def test_the_users_curves_are_the_same_with_the_bake_in_place(rig, run_operator, target):
    """Of the object's own action: all of them, but where they are to be overwritten the rotations in the range."""
    action = rig.animation_data.action
    before = _said(action)
    run_operator("bake", target=target, frame_range="CUSTOM", frame_start=2, frame_end=20)
    after = _said(action)
    for key, (keys, rest) in before.items():
        if target == "OVERWRITE" and key[1].endswith(plants.POSES):
            outside = [one for one in keys if not 2 <= one[0] <= 20]
            assert outside == [one for one in after[key][0] if not 2 <= one[0] <= 20]
            assert len(outside) == 2
        else:
            assert after[key] == (keys, rest), key
    shown = _said(rig.animation_data.action)  # and what animates the object now says the same
    for (_, path, index), said in before.items():
        if not path.endswith("rotation_quaternion"):
            assert said in [value for key, value in shown.items() if key[1:] == (path, index)], path


def _said(action):
    """Keys with all they say, and the curve's own settings, by slot, path and index."""
    found = {}
    for curve in _curves(action):
        slot = _slot_of(action, curve) if hasattr(action, "slots") else 0
        keys = [(p.co[0], p.co[1], p.interpolation, p.easing, p.type, p.amplitude, p.handle_left_type,
                 *([*p.handle_left, *p.handle_right] if p.handle_left_type == "FREE" else []))
                for p in curve.keyframe_points]  # fmt: skip
        rest = curve.extrapolation, curve.lock, curve.mute, tuple(curve.color), [m.type for m in curve.modifiers]
        found[slot, curve.data_path, curve.array_index] = keys, rest
    return found


def _slot_of(action, curve):
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return next(bag.slot_handle for bag in bags if any(one == curve for one in bag.fcurves))
