# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones tied to those of other plants, which are simulated together then."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon, primitive
from tests.blender.scenes.comparisons import compared, rotation_keys, same_keys
from tests.blender.scenes.guides.tied_plants import FRAMES, gap, gaps, go_live, key_base, tie, told


def session(fresh, obj):
    return of_addon(fresh, "dynamics.motion.sessions").session_of(obj)


def test_both_ends_meet_from_the_first_frame_on(tied):
    key_base(tied[1])
    go_live()
    plants.show(1)
    assert gap(*tied) < 1e-5
    assert gaps(*tied) < 1e-5


def test_the_stake_bends_under_what_hangs_on_it(both):
    go_live()
    alone = plants.tip(both[1], "Bone.3")
    tie(both[0], "Bone.4", both[1], "Bone.3")
    go_live()
    bent = plants.tip(both[1], "Bone.3")
    assert np.linalg.norm(bent - alone) > 0.005
    assert bent[0] < alone[0], "towards the vine"


def test_they_stand_still_as_they_have_settled(tied):
    go_live()
    first = [plants.matrices(obj) for obj in tied]
    plants.show(12)
    assert all(np.abs(plants.matrices(obj) - at).max() < 1e-4 for obj, at in zip(tied, first, strict=True))


def test_a_push_on_one_moves_the_other(fresh, tied):
    for obj in tied:
        obj.plant_dynamics.start = "settled"
    key_base(tied[0], ((1, 0.0), (2, 0.0), (12, -0.15)))
    go_live()
    first = plants.tip(tied[1], "Bone.3")
    plants.show(12)
    assert np.linalg.norm(plants.tip(tied[1], "Bone.3") - first) > 0.01


def test_a_bake_is_what_was_shown_and_scrubbing_shows_it_again(tied, select_only, run_operator):
    key_base(tied[1])
    go_live()
    shown = [plants.played(obj, FRAMES) for obj in tied]
    for frame in (12, 3, 7):
        plants.show(frame)
        assert all((plants.matrices(obj) == poses[frame - 1]).all() for obj, poses in zip(tied, shown, strict=True))
    select_only(tied[0])
    run_operator("bake")
    assert all(obj.plant_dynamics.is_baked for obj in tied), "they are baked together"
    for obj, poses in zip(tied, shown, strict=True):
        assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-5


def test_the_stake_alone_bakes_both_too(tied, select_only, run_operator):
    select_only(tied[1])
    run_operator("bake")
    assert all(obj.plant_dynamics.is_baked for obj in tied)


def test_what_is_changed_of_one_is_changed_of_both(fresh, tied):
    go_live()
    before = [plants.played(obj, FRAMES) for obj in tied]
    changes = of_addon(fresh, "changes")
    for turn in (0, 1):
        stood = tied[turn].location.z
        tied[turn].location.z += 0.02
        bpy.context.view_layer.update()
        changes.inputs_changed(tied[turn])
        plants.show(1)
        assert all(np.abs(plants.played(one, FRAMES) - at).max() > 1e-4 for one, at in zip(tied, before, strict=True))
        tied[turn].location.z = stood
        bpy.context.view_layer.update()
        changes.inputs_changed(tied[turn])
        plants.show(1)
        assert all((plants.played(one, FRAMES) == at).all() for one, at in zip(tied, before, strict=True))


def test_without_influence_they_go_as_alone(tied):
    for obj in tied:
        obj.plant_dynamics.layout = "base"  # as what is tied has it in any case
    tied[0].plant_dynamics.loads[0].influence = 0.0
    go_live()
    apart = plants.tip(tied[0], "Bone.4")
    assert gap(*tied) > 0.05
    tied[0].plant_dynamics.loads.clear()
    go_live()
    assert np.abs(plants.tip(tied[0], "Bone.4") - apart).max() < 1e-5


def test_settings_that_differ_are_told_and_made_the_same(fresh, tied, run_operator):
    stake = tied[1].plant_dynamics
    stake.stiffness_factor, stake.gravity_factor = 0.5, 0.9
    go_live()
    assert gap(*tied) > 0.05
    texts, operators = told(tied[0])
    assert "Not tied to 'Stake', for they differ in Gravity, Stiffness" in texts
    assert "agree_with_tied" in operators
    run_operator("agree_with_tied")
    assert stake.stiffness_factor == tied[0].plant_dynamics.stiffness_factor
    assert "Not tied" not in told(tied[0])[0]
    plants.show(1)
    assert gap(*tied) < 1e-5


def test_tied_plants_do_not_touch_each_other(fresh, grown):
    """The one lies across the other, and falls through it to both sides of where it is tied."""
    pole = grown("Pole", (0.0, 0.0, 0.0), 0.0, 4, 50.0)
    vine = grown("Vine", (0.2, -0.2, 0.02), count=4, stiffer=0.1)
    vine.rotation_euler = (0.0, 0.0, 0.5 * np.pi)
    for obj in (pole, vine):
        obj.plant_dynamics.start = "drawn"
    tie(vine, "Bone.3", pole, "Bone.3")
    bpy.context.view_layer.update()
    go_live()
    contacts = of_addon(fresh, "dynamics.motion.contacts")

    def touch():
        go_live()
        found = []
        for frame in FRAMES:
            plants.show(frame)
            touched = contacts.contacts_at(session(fresh, vine), frame)
            found.append(0 if touched is None else len(touched.rod))
        return max(found)

    assert session(fresh, vine).course is session(fresh, pole).course
    assert touch() == 0
    vine.plant_dynamics.contact.others = True
    assert touch() == 0
    pole.plant_dynamics.contact.others = True
    assert touch() > 0


def test_three_in_a_row_and_ties_both_ways(fresh, tied, grown):
    third = grown("Third", (0.7, 0.05, 0.1), np.pi, 4)
    tie(tied[1], "Bone.3", third, "Bone.3")
    tie(third, "Bone.3", tied[0], "Bone.4")
    go_live()
    courses = {session(fresh, one).course for one in (*tied, third)}
    assert len(courses) == 1
    for frame in (1, 12):
        plants.show(frame)
        assert gap(*tied) < 1e-5
        assert gap(tied[1], third, "Bone.3", "Bone.3") < 1e-5


def test_who_touches_each_other_goes_with_who_is_tied_to_one_of_them(fresh, tied, grown):
    third = grown("Third", (0.9, 0.1, 0.0), np.pi, 4)
    for itself in (False, True):
        for one in (tied[1], third):
            one.plant_dynamics.contact.others, one.plant_dynamics.contact.itself = True, itself
        go_live()
        assert len({session(fresh, one).course for one in (*tied, third)}) == 1
        assert gap(*tied) < 1e-5


def test_the_button_takes_the_selected_bone_of_another_armature(both, select_only, run_operator):
    vine, stake = both
    select_only(vine, stake)
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(vine, "Bone.4")
    plants.select(stake, "Bone.1")
    vine.data.bones.active = vine.data.bones["Bone.4"]
    run_operator("add_tie")
    bpy.ops.object.mode_set(mode="OBJECT")
    load = vine.plant_dynamics.loads[0]
    assert (load.bone, load.other_object, load.other_bone) == ("Bone.4", stake, "Bone.1")


def test_the_button_takes_the_nearest_tip_of_another_plant_that_is_selected(both, select_only, run_operator):
    vine, stake = both
    select_only(vine, stake)
    vine.data.bones.active = vine.data.bones["Bone.4"]
    run_operator("add_tie")
    load = vine.plant_dynamics.loads[0]
    assert (load.other_object, load.other_bone) == (stake, "Bone.3")
    go_live()
    assert gap(*both) < 1e-5


def test_another_start_frame_range_and_a_saved_file(fresh, tied, tmp_path):
    """What is kept on disk is known again."""
    path = str(tmp_path / "tied.blend")
    go_live()
    shown = [plants.played(obj, FRAMES) for obj in tied]
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    again = [bpy.data.objects[name] for name in ("Vine", "Stake")]
    plants.show(1)
    for obj, poses in zip(again, shown, strict=True):
        assert np.abs(plants.played(obj, FRAMES) - poses).max() < 1e-6


def test_a_comparison_repeats_both(tied, select_only, run_operator):
    select_only(tied[0])
    comparison = compared(tied[0], "GRAVITY", "1x, 0.5x")
    assert comparison.beside == ["Stake"]
    for place in comparison.places:
        vine, stake = (one.obj for one in place.plants())
        assert vine.plant_dynamics.loads[0].other_object == stake
    select_only(tied[0])
    run_operator("bake")
    place = comparison.places[0]
    for one, original in zip(place.plants(), tied, strict=True):
        assert same_keys(rotation_keys(one.obj), rotation_keys(original))


def test_a_bake_again_of_both_is_the_same(fresh, tied, select_only, run_operator):
    key_base(tied[1])
    select_only(*tied)
    run_operator("bake")
    before = [plants.played(obj, FRAMES) for obj in tied]
    of_addon(fresh, "dynamics.motion.sessions").close_session(tied[0])
    select_only(*tied)
    run_operator("bake", plants="SELECTED")
    assert all((plants.played(obj, FRAMES) == poses).all() for obj, poses in zip(tied, before, strict=True))


def in_one_armature(both):
    """The bones of both in an armature of its own, tied alike, which stands where the first does."""
    armature = bpy.data.armatures.new("One")
    obj = bpy.data.objects.new("One", armature)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for one in both:
        below = None
        for bone in one.data.bones:
            made = armature.edit_bones.new(f"{one.name} {bone.name}")
            made.head, made.tail = (one.matrix_world @ end for end in (bone.head_local, bone.tail_local))
            made.head_radius = made.tail_radius = 0.004
            made.parent, made.use_connect = below, below is not None
            below = made
    bpy.ops.object.mode_set(mode="OBJECT")
    return obj


def test_they_move_as_the_same_bones_of_one_armature_do(tied, select_only, run_operator):
    one = in_one_armature(tied)
    select_only(one)
    run_operator("make_dynamic")
    one.plant_dynamics.stiffness_factor = tied[0].plant_dynamics.stiffness_factor
    for obj in tied:
        for bone in obj.data.bones:
            factor = bone.plant_dynamics.stiffness_factor
            one.data.bones[f"{obj.name} {bone.name}"].plant_dynamics.stiffness_factor = factor
    load = one.plant_dynamics.loads.add()
    load.kind, load.bone, load.other_bone = "TIE", "Vine Bone.4", "Stake Bone.3"
    go_live()
    for frame in FRAMES:
        plants.show(frame)
        for obj in tied:
            for bone in [one.name for one in obj.data.bones]:
                assert np.abs(plants.tip(obj, bone) - plants.tip(one, f"{obj.name} {bone}")).max() < 1e-5


def test_a_plant_that_moves_things_is_tied(fresh, tied, select_only, run_operator):
    ball = primitive("uv_sphere", "Ball", radius=0.02, location=(0.2, 0.0, 0.2))
    select_only(tied[0], ball)
    run_operator("move_with_plant")
    tied[0].plant_dynamics.loads[0].bone = "Bone.3"
    for obj in tied:
        obj.plant_dynamics.start = "drawn"
    go_live()
    assert session(fresh, tied[0]).course is session(fresh, tied[1]).course
    assert gap(*tied, "Bone.3", "Bone.3") == pytest.approx(0.02, abs=1e-3)
    plants.show(12)
    assert gap(*tied, "Bone.3", "Bone.3") < 1e-5


def test_one_that_starts_as_drawn_is_drawn_in(tied):
    tied[1].plant_dynamics.start = "drawn"
    go_live()
    first = gap(*tied)
    plants.show(12)
    assert gap(*tied) < max(1e-5, 0.9 * first)
