# SPDX-License-Identifier: GPL-3.0-or-later
"""Baking again and clearing after edits: keys of the object, names of bones, plants that are gone."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.baked import TARGETS

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
LAST = 24
FRAMES = range(1, LAST + 1)


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


@pytest.fixture
def moved(fresh, run_operator):
    """A chain with keys of its own on the object and on a simulated bone, with a modifier."""
    bpy.context.scene.frame_end = LAST
    obj = plants.chain()
    plants.key_location(obj, {1: (0, 0, 0), 10: (0.3, 0, 0), LAST: (0.1, 0, 0)})
    bone = obj.pose.bones["Bone.2"]
    for frame, rotation in ((1, (1, 0, 0, 0)), (9, (0.9, 0.1, 0, 0.42)), (18, (0.8, 0, 0.6, 0))):
        bone.rotation_quaternion = rotation
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    for (path, index), curve in shown_curves(obj).items():
        if path.endswith(plants.POSES) and index == 3:
            noise = curve.modifiers.new("NOISE")
            noise.strength, noise.scale, noise.phase = 0.2, 6.0, 3.0
    run_operator("make_dynamic")
    plants.show(1)
    return obj


def shown_curves(obj):
    """F-curves by which the active action animates the object, by path and index."""
    writer = module("blender.fcurves")
    owner = writer.find_owner(obj.animation_data.action, writer.slot_of(obj.animation_data))
    return {(curve.data_path, curve.array_index): curve for curve in owner.fcurves}


def turn_about(obj):
    """The user moves the object the other way, in the action that is active."""
    for key in shown_curves(obj)["location", 0].keyframe_points:
        key.co[1] *= -2
        key.handle_left[1] *= -2
        key.handle_right[1] *= -2


@pytest.mark.parametrize("target", TARGETS)
def test_baking_again_sees_how_the_object_is_keyed_now(moved, run_operator, target):
    turn_about(moved)
    run_operator("play")
    expected = plants.played(moved, FRAMES)
    run_operator("reset")
    turn_about(moved)
    for curve in (shown_curves(moved)["location", 0],):
        for key in curve.keyframe_points:
            key.co[1] /= 4
            key.handle_left[1] /= 4
            key.handle_right[1] /= 4
    plants.show(1)
    run_operator("bake", target=target)
    assert np.abs(plants.played(moved, FRAMES) - expected).max() > 1e-2
    turn_about(moved)
    for _ in range(3):
        actions = len(bpy.data.actions)
        run_operator("bake", target=target)
        assert np.abs(plants.played(moved, FRAMES) - expected).max() < 1e-5
    assert len(bpy.data.actions) <= actions + 1  # what was kept of the user's, but no copies made for the bake


@pytest.mark.parametrize("target", TARGETS)
def test_a_bone_that_is_renamed_is_cleared_too(moved, run_operator, target):
    before = {key: keys.copy() for key, keys in plants.curves(moved.animation_data.action).items()}
    shown = plants.played(moved, FRAMES)
    plants.show(1)
    run_operator("bake", target=target)
    moved.data.bones["Bone.3"].name = "Middle"
    moved.data.bones["Bone.2"].name = "Bone.3"
    assert not module("baking.bake").is_edited(moved)
    run_operator("clear_bake")
    after = {(path, index): keys for (path, index), keys in plants.curves(moved.animation_data.action).items()}
    expected = {(path.replace("Bone.2", "Bone.3"), index): keys for (path, index), keys in before.items()}
    assert after.keys() == expected.keys()
    assert all(np.array_equal(after[key], expected[key]) for key in expected)
    assert np.abs(plants.played(moved, FRAMES) - shown).max() < 1e-6
    assert not any(bone.plant_dynamics.baked_as for bone in moved.pose.bones)


@pytest.mark.parametrize("target", TARGETS)
def test_a_bone_that_is_renamed_is_baked_again(moved, run_operator, target):
    run_operator("bake", target=target)
    baked = plants.played(moved, FRAMES)
    moved.data.bones["Bone.2"].name = "Middle"
    run_operator("bake", target=target)
    assert np.abs(plants.played(moved, FRAMES) - baked).max() < 1e-5
    run_operator("bake", target=target, frame_range="CUSTOM", frame_start=5, frame_end=9, part_only=True)
    assert np.abs(plants.played(moved, FRAMES) - baked).max() < 1e-5
    run_operator("clear_bake")
    paths = {path for path, _ in plants.curves(moved.animation_data.action)}
    assert paths == {"location", 'pose.bones["Middle"].rotation_quaternion'}


@pytest.mark.parametrize("target", TARGETS)
def test_a_plant_that_is_deleted_on_the_way_is_an_error(moved, run_operator, target):
    baking = module("baking.bake")
    run_operator("bake", target=target)
    other = plants.chain(3, name="Other")
    run_operator("make_dynamic")
    actions = len(bpy.data.actions)
    work = baking.bake(bpy.context, [moved, other], baking.BakeOptions(1, LAST, target))
    next(work)
    next(work)
    bpy.data.objects.remove(moved)
    with pytest.raises(module("errors").PlantError, match="deleted"):
        next(work)
    assert len(bpy.data.actions) == actions
    assert not module("blender.timeline").handler_is_paused()
    baking.bake_now(bpy.context, other, baking.BakeOptions(1, LAST))


def test_every_modifier_of_a_curve_is_restored(fresh):
    writer = module("blender.fcurves")
    obj = plants.chain(2)
    pose = obj.pose.bones["Bone.1"]
    for frame in (1, 9, 14):
        pose.rotation_quaternion = (1.0, 0.01 * frame, 0.0, 0.3)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    source = writer.find_owner(obj.animation_data.action, writer.slot_of(obj.animation_data))
    curves = {curve.array_index: curve for curve in source.fcurves}
    curves[0].modifiers.new("CYCLES").mode_after = "REPEAT_OFFSET"
    polynomial = curves[1].modifiers.new("GENERATOR")
    polynomial.poly_order = 3
    polynomial.coefficients = (0.1, 0.2, 0.03, 0.001)
    envelope = curves[2].modifiers.new("ENVELOPE")
    point = envelope.control_points.add(4.0)
    point.min, point.max = -0.3, 0.4
    limits = curves[3].modifiers.new("LIMITS")
    limits.use_max_y, limits.max_y = True, 0.05
    stepped = curves[3].modifiers.new("STEPPED")
    stepped.frame_step, stepped.influence, stepped.use_influence = 3.0, 0.5, True
    said = {(i, f): curve.evaluate(f) for i, curve in curves.items() for f in np.arange(-5, 40, 0.7)}
    data = obj.animation_data
    copy, slot = data.action.copy(), writer.slot_of(data)
    owner = writer.find_owner(copy, slot)
    for curve in owner.fcurves:
        for modifier in list(curve.modifiers):
            curve.modifiers.remove(modifier)
    writer.restore_curves(owner, source, [writer.rotation_path("Bone.1")])
    again = {(c.array_index, f): c.evaluate(f) for c in owner.fcurves for f in np.arange(-5, 40, 0.7)}
    assert again == said
