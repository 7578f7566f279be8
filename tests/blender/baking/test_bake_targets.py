# SPDX-License-Identifier: GPL-3.0-or-later
"""Where baked keys go, several plants at once, parts of the range, and keys that have been edited since."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.baked import HAS_SLOTS, TARGETS, baked_curves

_LAST = 24
FRAMES = range(1, _LAST + 1)


@pytest.fixture
def moved(fresh):
    """A chain whose object is moved by keys and whose bones have keyed rotations of the user's."""
    bpy.context.scene.frame_end = _LAST
    return _moved_chain("Chain")


def _moved_chain(name):
    bpy.ops.object.select_all(action="DESELECT")
    obj = plants.chain(name=name)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    plants.key_location(obj, {1: (0, 0, 0), 8: (0.1, 0.05, 0), 16: (0, 0, 0.02), 24: (0, 0, 0)})
    return obj


def key_rotation(obj, bone="Bone.3"):
    for frame, rotation in ((-5, (1, 0, 0, 0)), (4, (0.8, 0.6, 0, 0)), (40, (0.6, 0, 0.8, 0))):
        obj.pose.bones[bone].rotation_quaternion = rotation
        obj.pose.bones[bone].keyframe_insert("rotation_quaternion", frame=frame)


def library(addon, name="baking.bake"):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("keyed", [False, True])
def test_every_target_shows_the_preview(moved, run_operator, target, keyed):
    if keyed:
        key_rotation(moved)
    run_operator("play")
    preview = plants.played(moved, FRAMES)
    run_operator("bake", target=target)
    assert moved.plant_dynamics.baked_to == target
    assert np.abs(plants.played(moved, FRAMES) - preview).max() < 1e-5


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_works_without_an_action(fresh, run_operator, target):
    bpy.context.scene.frame_end = _LAST
    scene = bpy.context.scene
    obj = plants.chain()
    run_operator("make_dynamic")
    scene.gravity = (0.0, 3.0, -9.81)
    obj.plant_dynamics.start = "drawn"
    run_operator("play")
    preview = plants.played(obj, FRAMES)
    assert np.abs(preview - preview[0]).max() > 1e-3
    run_operator("bake", target=target)
    assert np.abs(plants.played(obj, FRAMES) - preview).max() < 1e-5


def test_overwriting_leaves_keys_outside_the_range(moved, run_operator):
    key_rotation(moved)
    action = moved.animation_data.action
    run_operator("bake", target="OVERWRITE", frame_range="CUSTOM", frame_start=2, frame_end=20)
    assert moved.animation_data.action == action
    keys = plants.curves(action)['pose.bones["Bone.3"].rotation_quaternion', 1][:, 0]
    assert keys.tolist() == [-5, *range(2, 21), 40]


def test_a_strip_lies_over_the_range_above_the_users_tracks(moved, run_operator):
    tracks = moved.animation_data.nla_tracks
    own = tracks.new()
    own.name = "Own"
    run_operator("bake", target="NLA", frame_range="CUSTOM", frame_start=3, frame_end=20)
    assert [track.name for track in tracks] == ["Own", "Plant Motion"]
    strip = tracks[1].strips[0]
    assert (strip.frame_start, strip.frame_end, strip.scale, strip.repeat) == (3, 20, 1, 1)
    assert moved.animation_data.action.name != strip.action.name


@pytest.mark.skipif(not HAS_SLOTS, reason="actions have slots from Blender 4.4 on")
@pytest.mark.parametrize("target", ["NEW", "SLOT", "OVERWRITE"])
@pytest.mark.parametrize("renamed", ["baked", "before"])
def test_slots_that_are_renamed_are_known_again(moved, run_operator, target, renamed):
    data = moved.animation_data
    before, keys = data.action_slot, plants.played(moved, FRAMES)
    action, handle = data.action, before.handle
    run_operator("bake", target=target)
    (data.action_slot if renamed == "baked" else action.slots[0]).name_display = "Mine"
    run_operator("bake", target=target)
    assert len(data.action.slots) == (2 if target == "SLOT" else 1), "the bake's own is used again"
    run_operator("clear_bake")
    assert not moved.plant_dynamics.is_baked
    assert (data.action, data.action_slot.handle) == (action, handle)
    assert len(action.slots) == 1
    left = action.layers[0].strips[0].channelbag(data.action_slot)
    assert {curve.data_path for curve in left.fcurves} == {"location"}
    assert np.abs(plants.played(moved, FRAMES) - keys).max() < 1e-6


@pytest.mark.skipif(not HAS_SLOTS, reason="actions have slots from Blender 4.4 on")
def test_plants_without_an_action_share_one_with_a_slot_each(fresh, run_operator):
    bpy.context.scene.frame_end = 6
    objects = []
    for name in ("A", "B"):
        objects.append(plants.chain(name=name))
        run_operator("make_dynamic")
    run_operator("bake", target="SLOT", plants="SCENE")
    a, b = (obj.animation_data for obj in objects)
    assert a.action == b.action
    assert a.action_slot != b.action_slot
    run_operator("clear_bake", plants="SCENE")
    assert not bpy.data.actions
    assert not any(obj.animation_data for obj in objects)


@pytest.mark.parametrize("target", TARGETS)
def test_several_plants_bake_as_they_do_alone_in_one_walk(fresh, run_operator, target):
    bpy.context.scene.frame_end = _LAST
    objects = [_moved_chain(name) for name in ("A", "B", "C")]
    objects[1].plant_dynamics.young_modulus = 100.0
    walked = []
    alone = []
    for obj in objects:
        library(fresh).bake_now(bpy.context, obj, library(fresh).BakeOptions(1, _LAST))
        alone.append(plants.played(obj, FRAMES))
    run_operator("clear_bake", plants="SCENE")
    plants.close_sessions(library(fresh, "dynamics.motion.sessions"))

    def note(scene, depsgraph=None):
        walked.append(scene.frame_current)

    bpy.app.handlers.frame_change_pre.append(note)
    try:
        library(fresh).bake_now(bpy.context, objects, library(fresh).BakeOptions(1, _LAST, target))
    finally:
        bpy.app.handlers.frame_change_pre.remove(note)
    assert walked[:_LAST] == list(FRAMES)
    assert len(walked) <= _LAST + 2, "back to the present frame, and to show the bake"
    for obj, poses in zip(objects, alone, strict=True):
        assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-6


def test_selected_and_all_plants(fresh, run_operator, select_only):
    bpy.context.scene.frame_end = 4
    a, b, c = (_moved_chain(name) for name in "ABC")
    select_only(b, c)
    run_operator("bake", plants="SELECTED")
    assert [obj.plant_dynamics.is_baked for obj in (a, b, c)] == [False, True, True]
    run_operator("bake", plants="SCENE")
    assert a.plant_dynamics.is_baked
    run_operator("clear_bake")
    assert [obj.plant_dynamics.is_baked for obj in (a, b, c)] == [True, False, True]
    run_operator("clear_bake", plants="SCENE")
    assert not any(obj.plant_dynamics.is_baked for obj in (a, b, c))


def test_a_plant_that_cannot_be_baked_stops_all_before_anything_is_changed(fresh, run_operator):
    bpy.context.scene.frame_end = 4
    a, b = (_moved_chain(name) for name in "AB")
    b.scale = (1.0, 2.0, 1.0)
    actions = len(bpy.data.actions)
    with pytest.raises(RuntimeError, match="'B'"):
        run_operator("bake", plants="SCENE")
    assert not a.plant_dynamics.is_baked
    assert len(bpy.data.actions) == actions


@pytest.mark.parametrize("target", TARGETS)
def test_a_part_is_baked_again_from_the_cache(moved, fresh, run_operator, monkeypatch, target):
    run_operator("bake", target=target)
    whole = plants.played(moved, FRAMES)
    session = library(fresh, "dynamics.motion.sessions").Session
    monkeypatch.setattr(session, "simulate_next", lambda self: pytest.fail("simulated what is cached"))
    key = next(iter(sorted(baked_curves(moved))))
    run_operator("bake", target=target, frame_range="CUSTOM", frame_start=8, frame_end=14, part_only=True)
    frames = [point.co[0] for point in baked_curves(moved)[key].keyframe_points]
    assert frames == list(FRAMES)
    assert np.abs(plants.played(moved, FRAMES) - whole).max() < 1e-6
    run_operator("bake", target=target, frame_range="CUSTOM", frame_start=8, frame_end=14)
    frames = [point.co[0] for point in baked_curves(moved)[key].keyframe_points]
    assert frames == list(range(8, 15))


def test_a_part_takes_what_has_changed_and_leaves_the_rest(moved, run_operator):
    run_operator("bake")
    before = plants.played(moved, FRAMES)
    moved.plant_dynamics.stiffness_factor = 0.3
    run_operator("bake", frame_range="CUSTOM", frame_start=10, frame_end=15, part_only=True)
    after = plants.played(moved, FRAMES)
    difference = np.abs(after - before).max(axis=(1, 2, 3))
    assert difference[:9].max() < 1e-6
    assert difference[15:].max() < 1e-6
    assert difference[9:15].min() > 1e-4
    run_operator("bake")
    whole = plants.played(moved, FRAMES)
    assert np.abs(whole - after)[9:15].max() < 1e-6


def _edit_value(obj):
    curve = next(iter(baked_curves(obj).values()))
    curve.keyframe_points[5].co[1] += 0.01
    curve.update()


def _edit_interpolation(obj):
    next(iter(baked_curves(obj).values())).keyframe_points[5].interpolation = "BEZIER"


def _delete_key(obj):
    curve = next(iter(baked_curves(obj).values()))
    curve.keyframe_points.remove(curve.keyframe_points[5])


def _add_modifier(obj):
    next(iter(baked_curves(obj).values())).modifiers.new("NOISE")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("edit", [_edit_value, _edit_interpolation, _delete_key, _add_modifier])
def test_edited_keys_are_not_overwritten_silently(moved, fresh, run_operator, target, edit):
    run_operator("bake", target=target)
    assert not library(fresh).is_edited(moved)
    run_operator("bake", target=target)
    edit(moved)
    assert library(fresh).is_edited(moved)
    edited = plants.played(moved, FRAMES)
    with pytest.raises(RuntimeError, match="'Chain' have been edited"):
        run_operator("bake", target=target)
    assert np.array_equal(plants.played(moved, FRAMES), edited)
    actions = set(bpy.data.actions)
    run_operator("bake", target=target, edited="KEEP")
    kept = [action for action in bpy.data.actions if action not in actions and action.name.endswith("Edited")]
    assert len(kept) == 1
    assert kept[0].use_fake_user
    assert not library(fresh).is_edited(moved)
    edit(moved)
    run_operator("bake", target=target, edited="REPLACE")
    assert not library(fresh).is_edited(moved)


def test_a_strip_that_was_moved_counts_as_edited(moved, fresh, run_operator):
    run_operator("bake", target="NLA")
    strip = moved.animation_data.nla_tracks[-1].strips[0]
    strip.frame_end += 5
    strip.frame_start += 5
    assert library(fresh).is_edited(moved)


def test_edits_that_stay_through_a_part_are_still_known(moved, fresh, run_operator):
    run_operator("bake")
    _edit_value(moved)
    run_operator("bake", frame_range="CUSTOM", frame_start=12, frame_end=18, part_only=True, edited="REPLACE")
    assert library(fresh).is_edited(moved)
    with pytest.raises(RuntimeError, match="edited"):
        run_operator("bake")


def test_keys_of_other_channels_are_no_edits(moved, fresh, run_operator):
    run_operator("bake")
    plants.key_location(moved, {20: (0.5, 0.5, 0.5)})
    assert not library(fresh).is_edited(moved)


def test_a_saved_file_still_knows_its_keys(moved, fresh, run_operator, tmp_path):
    run_operator("bake")
    path = str(tmp_path / "baked.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    obj = bpy.data.objects["Chain"]
    assert not library(fresh).is_edited(obj)
    _edit_value(obj)
    assert library(fresh).is_edited(obj)


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("target", TARGETS)
def test_clearing_a_copy_leaves_the_original(moved, run_operator, target, linked):
    key_rotation(moved)
    before = plants.played(moved, FRAMES)
    run_operator("bake", target=target)
    baked = plants.played(moved, FRAMES)
    bpy.ops.object.duplicate(linked=linked)
    copy = bpy.context.object
    assert copy != moved
    run_operator("clear_bake")
    assert not copy.plant_dynamics.is_baked
    assert np.abs(plants.played(copy, FRAMES) - before).max() < 1e-6
    assert np.abs(plants.played(moved, FRAMES) - baked).max() < 1e-6
    bpy.context.view_layer.objects.active = moved
    run_operator("clear_bake")
    assert np.abs(plants.played(moved, FRAMES) - before).max() < 1e-6


def test_what_would_not_show_is_refused(moved, run_operator):
    data = moved.animation_data
    track = data.nla_tracks.new()
    action = data.action.copy()
    track.strips.new("Own", 1, action)
    data.action_influence = 0.5
    with pytest.raises(RuntimeError, match="blended with its NLA tracks"):
        run_operator("bake")
    data.action_influence = 1.0
    data.use_nla = False
    with pytest.raises(RuntimeError, match="turned off"):
        run_operator("bake", target="NLA")
    data.use_nla = True
    track.is_solo = True
    with pytest.raises(RuntimeError, match="solo"):
        run_operator("bake", target="NLA")
    track.is_solo = False
    run_operator("bake", target="NLA")


def test_two_plants_with_one_action_are_not_overwritten(fresh, run_operator):
    bpy.context.scene.frame_end = 4
    a, b = (_moved_chain(name) for name in "AB")
    b.animation_data.action = a.animation_data.action
    if HAS_SLOTS:
        b.animation_data.action_slot = a.animation_data.action_slot
    with pytest.raises(RuntimeError, match="share the action"):
        run_operator("bake", plants="SCENE", target="OVERWRITE")
    run_operator("bake", plants="SCENE")
