# SPDX-License-Identifier: GPL-3.0-or-later
"""Apply Scale with bones that are moved from their rest places: all stays in its place, or nothing is changed."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

FRAMES = (1, 7, 13, 20)


def moved_rig(scale) -> bpy.types.Object:
    """A chain whose first bone is moved by keys, on an object of this scale."""
    obj = plants.chain(4)
    obj.data.bones["Bone.0"].plant_dynamics.use_physics = False
    pose = obj.pose.bones["Bone.0"]
    for frame, location in ((1, (0.0, 0.0, 0.0)), (20, (0.1, 0.5, -0.3))):
        pose.location = location
        pose.keyframe_insert("location", frame=frame)
    obj.scale = scale
    plants.show(20)
    return obj


def joints(obj) -> np.ndarray:
    """(frames, bones, 3) world places of the bones' heads."""
    found = []
    for frame in FRAMES:
        plants.show(frame)
        world = np.array(obj.matrix_world)
        found.append([(world @ np.array(bone.matrix))[:3, 3] for bone in obj.pose.bones])
    return np.array(found)


def location_values(obj) -> list:
    lists = plants.curves(obj.animation_data.action)
    return [np.array(keys) for (path, _), keys in sorted(lists.items()) if path.endswith(".location")]


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_an_even_scale_takes_location_keys_along(fresh, run_operator, factor):
    obj = moved_rig((factor,) * 3)
    before = joints(obj)
    run_operator("apply_scale")
    assert tuple(obj.scale) == (1.0, 1.0, 1.0)
    assert np.abs(joints(obj) - before).max() < 1e-5
    assert np.ptp(before[:, 0], axis=0).max() > 0.2


def test_an_even_scale_takes_locations_without_keys_and_of_strips_along(fresh, run_operator):
    obj = moved_rig((2.0, 2.0, 2.0))
    data = obj.animation_data
    data.nla_tracks.new().strips.new("Strip", 1, data.action)
    data.action = None
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["Bone.2"].use_connect = False
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.pose.bones["Bone.2"].location = (0.0, 0.2, 0.1)
    before = joints(obj)
    run_operator("apply_scale")
    assert np.abs(joints(obj) - before).max() < 1e-5


@pytest.mark.parametrize("scale", [(1.0, 1.0, 2.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, -1.0)])
@pytest.mark.parametrize("keyed", [True, False])
def test_another_scale_is_refused_and_changes_nothing(fresh, scale, keyed):
    obj = moved_rig(scale)
    if not keyed:
        obj.animation_data_clear()
    before, rest = joints(obj), [tuple(bone.tail_local) for bone in obj.data.bones]
    with pytest.raises(RuntimeError, match=r"Bone 'Bone\.0' of 'Chain' is moved or has location keys"):
        bpy.ops.plant_dynamics.apply_scale()
    assert tuple(obj.scale) == scale
    assert [tuple(bone.tail_local) for bone in obj.data.bones] == rest
    assert np.array_equal(joints(obj), before)


def test_keys_that_are_all_zero_do_not_stand_in_the_way(fresh, run_operator):
    obj = plants.chain(4)
    obj.pose.bones["Bone.0"].keyframe_insert("location", frame=1)
    obj.scale = (1.0, 1.0, 2.0)
    before = joints(obj)
    run_operator("apply_scale")
    assert np.abs(joints(obj) - before).max() < 1e-5


def test_what_cannot_be_scaled_along_is_refused(fresh):
    """A driver, a modifier that has its own size, keys that move another armature too."""
    action_writer = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.blender.fcurves")
    obj = moved_rig((2.0, 2.0, 2.0))
    other = bpy.data.objects.new("Other", obj.data.copy())
    bpy.context.scene.collection.objects.link(other)
    other.animation_data_create().action = obj.animation_data.action
    if hasattr(obj.animation_data, "action_slot"):
        other.animation_data.action_slot = obj.animation_data.action_slot
    before = location_values(obj)
    with pytest.raises(RuntimeError, match="'Other' is moved by the keys"):
        bpy.ops.plant_dynamics.apply_scale()
    bpy.data.objects.remove(other)
    obj.pose.bones["Bone.0"].driver_add("location", 1)
    with pytest.raises(RuntimeError, match="is driven"):
        bpy.ops.plant_dynamics.apply_scale()
    obj.pose.bones["Bone.0"].driver_remove("location", 1)
    curve = action_writer.all_curves(obj.animation_data.action)[0]
    noise = curve.modifiers.new("NOISE")
    with pytest.raises(RuntimeError, match="has a curve with modifiers"):
        bpy.ops.plant_dynamics.apply_scale()
    curve.modifiers.remove(noise)
    assert tuple(obj.scale) == (2.0, 2.0, 2.0)
    assert all(np.array_equal(a, b) for a, b in zip(location_values(obj), before, strict=True))
    assert bpy.ops.plant_dynamics.apply_scale() == {"FINISHED"}


def test_the_parents_uneven_scale_is_refused_too(fresh):
    obj = moved_rig((1.0, 1.0, 1.0))
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.scale, obj.parent = (1.0, 1.0, 2.0), empty
    before = joints(obj)
    with pytest.raises(RuntimeError, match="only an even scale"):
        bpy.ops.plant_dynamics.apply_scale()
    assert np.array_equal(joints(obj), before)
