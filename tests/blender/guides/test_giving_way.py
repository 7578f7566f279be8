# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides that cannot hold what they should are told of, and others are not."""

import importlib

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout


def module(name):
    return importlib.import_module(f"{plants.ADDON}.{name}")


@pytest.fixture
def nailed(soft, run_operator):
    """Add a nail for the tip at a place."""

    def nail(x, y, z):
        bpy.context.view_layer.objects.active = soft
        run_operator("add_hold")
        soft.plant_dynamics.loads[-1].target.location = (x, y, z)
        return soft.plant_dynamics.loads[-1]

    return nail


@pytest.fixture
def given_way(soft, run_operator):
    """What gives way in so many frames that are played."""

    def play(frames=8):
        bpy.context.view_layer.objects.active = soft
        if not soft.plant_dynamics.live:
            run_operator("play")
        for frame in range(1, frames + 1):
            plants.show(frame)
        return found(soft)

    return play


def found(obj):
    return module("dynamics.motion.giving_way").given_way(module("dynamics.motion.sessions").session_of(obj))


def test_a_nail_within_reach_gives_no_reason_to_tell(nailed, given_way):
    nailed(0.4, 0.1, 0.1)
    assert given_way() == []


def test_what_was_mended_is_told_no_more(nailed, given_way, soft, run_operator):
    nailed(0.9, 0.0, 0.0)
    assert given_way()
    run_operator("reset")
    soft.plant_dynamics.loads[0].target.location = (0.4, 0.1, 0.1)
    bpy.context.view_layer.update()
    assert given_way(20) == []


def test_what_follows_exactly_and_is_drawn_in_does_not_give_way(nailed, given_way, soft):
    soft.plant_dynamics.following.share = 1.0
    nailed(0.4, 0.1, 0.1)
    assert given_way(24) == []


def test_a_nail_farther_away_than_the_rope_is_long_is_told_with_bone_frame_and_distance(nailed, given_way, soft):
    load = nailed(0.9, 0.0, 0.0)
    (one,) = given_way()
    assert (one.bone, one.holder, one.first, one.is_limited) == ("Bone.5", load.target.name, 1, False)
    off = np.linalg.norm(plants.tip(soft, "Bone.5") - (0.9, 0.0, 0.0))
    assert one.off == pytest.approx(off, abs=0.01)
    text = module("panels.fixes").given_way_text(one, load.id_data, bpy.context.scene)
    assert text.startswith("From frame 1 on bone 'Bone.5' is ")
    assert f" off '{load.target.name}'" in text
    assert "choose another bone" in text


def test_a_nail_that_is_drawn_away_is_told_from_the_frame_on_at_which_the_rope_is_taut(nailed, given_way):
    load = nailed(0.5, 0.0, 0.0)
    plants.key_location(load.target, {1: (0.5, 0.0, 0.0), 11: (0.9, 0.0, 0.0)}, "LINEAR")
    (one,) = given_way(12)
    assert one.first in (4, 5)
    assert one.worst == 11
    assert one.off == pytest.approx(0.3, abs=0.02)


def test_of_two_nails_for_one_tip_both_are_told_and_each_names_the_other(soft, nailed, given_way):
    names = {nailed(0.3, 0.0, 0.0).target.name, nailed(0.4, 0.0, 0.0).target.name}
    told = given_way()
    assert {one.holder for one in told} == names
    assert all(0.04 < one.off < 0.101 for one in told)
    texts = [module("panels.fixes").given_way_text(one, soft, bpy.context.scene) for one in told]
    assert ["'Bone.5 Hold.001'" in text for text in texts] == [one.holder == min(names) for one in told]
    assert ["'Bone.5 Hold'" in text for text in texts] == [one.holder == max(names) for one in told]


def test_one_that_is_soft_by_choice_is_not_told(nailed, given_way):
    nailed(0.9, 0.0, 0.0).softness = 0.1
    assert given_way() == []


def test_what_is_still_drawn_in_is_not_told(soft, nailed, given_way):
    soft.plant_dynamics.start = "drawn"
    nailed(0.3, 0.2, 0.2)
    assert given_way(24) == []


def test_what_would_be_drawn_in_but_cannot_come_so_far_is_told(soft, nailed, given_way):
    soft.plant_dynamics.start = "drawn"
    nailed(0.8, 0.0, 0.0)
    (one,) = given_way(24)
    assert one.first == 2  # for the rope is drawn taut
    assert one.off == pytest.approx(0.2, abs=0.02)


def test_one_whose_largest_force_is_reached_says_so(nailed, given_way):
    load = nailed(0.4, 0.0, 0.1)
    load.largest_force = 1e-4
    (one,) = given_way()
    assert one.is_limited
    assert "Largest Force" in module("panels.fixes").given_way_text(one, load.id_data, bpy.context.scene)


def test_a_plane_and_a_curved_wire_that_hold_are_not_told(soft, run_operator, given_way):
    run_operator("add_plane")
    bpy.context.object.location.z = -0.1
    bpy.context.view_layer.objects.active = soft
    soft.data.bones.active = soft.data.bones["Bone.3"]
    bpy.ops.curve.primitive_bezier_circle_add(radius=0.15, location=(0.25, 0.0, -0.05), rotation=(1.3, 0.0, 0.0))
    bpy.context.object.data.resolution_u = 3
    circle = bpy.context.object
    bpy.context.view_layer.objects.active = soft
    circle.select_set(True)
    run_operator("add_wire")
    assert [load.target == circle for load in soft.plant_dynamics.loads] == [False, True]
    assert given_way() == []


def test_a_plane_out_of_reach_is_told(soft, run_operator, given_way):
    run_operator("add_plane")
    bpy.context.object.location.z = 0.8
    (one,) = given_way()
    assert one.by == "plane"
    assert one.off == pytest.approx(0.2, abs=0.02)


def test_ties_that_cannot_meet_are_told_with_the_other_bone(fresh, run_operator):
    obj = plants.chain(3)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = obj.data.edit_bones.new("Other")
    bone.head, bone.tail = (0.0, 0.6, 0.0), (0.1, 0.6, 0.0)
    bone.head_radius = bone.tail_radius = 0.004
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    obj.plant_dynamics.stiffness_factor = 1e-3
    obj.data.bones.active = obj.data.bones["Bone.2"]
    run_operator("add_tie")
    run_operator("play")
    plants.show(1)
    plants.show(2)
    (one,) = found(obj)
    assert (one.bone, one.by, one.holder) == ("Bone.2", "rod", "Other")
    assert one.off == pytest.approx(0.2, abs=0.02)
    assert "off 'Other'" in module("panels.fixes").given_way_text(one, obj, bpy.context.scene)


@pytest.mark.parametrize("segments", [1, 3])
def test_what_holds_a_turned_scaled_plant_with_bones_that_get_longer_is_not_told(soft, nailed, given_way, segments):
    soft.plant_dynamics.segments = segments
    soft.location, soft.rotation_euler, soft.scale = (0.3, -0.2, 0.5), (0.4, 0.2, 1.0), (2.0, 2.0, 2.0)
    bone = soft.pose.bones["Bone.2"]
    for frame, scale in ((1, 1.0), (12, 1.6)):
        bone.scale = (1.0, scale, 1.0)
        bone.keyframe_insert("scale", frame=frame)
    bpy.context.view_layer.update()
    nailed(*(soft.matrix_world @ Vector((0.3, 0.1, 0.1))))
    assert given_way(12) == []


def test_how_far_off_it_is_is_what_is_seen(soft, nailed, given_way):
    soft.location, soft.rotation_euler, soft.scale = (0.3, -0.2, 0.5), (0.4, 0.2, 1.0), (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    place = soft.matrix_world @ Vector((0.9, 0.1, 0.1))
    load = nailed(*place)
    load.along = 0.5
    plants.key_location(load.target, {1: place, 6: place + Vector((0.0, 0.0, 0.1))})
    (one,) = given_way(6)
    plants.show(one.worst)
    matrix = soft.matrix_world
    bone = soft.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones["Bone.5"]
    seen = matrix @ (0.5 * (bone.head + bone.tail))
    assert one.off == pytest.approx((seen - load.target.matrix_world.translation).length, abs=1e-4)


def test_moving_the_nail_back_ends_the_caution(nailed, given_way, soft):
    load = nailed(0.9, 0.0, 0.0)
    assert given_way(3)
    load.target.location = (0.5, 0.0, 0.0)
    bpy.context.view_layer.update()
    assert given_way(3) == []


def test_what_is_as_far_off_from_the_first_frame_on_is_told_so(nailed, given_way, soft):
    """The rope swings taut, a little less and more far off."""
    nailed(0.9, 0.0, 0.0)
    bpy.context.scene.plant_dynamics.wind.use_air = True
    (one,) = given_way(40)
    assert (one.first, one.worst) == (1, 1)
    text = module("panels.fixes").given_way_text(one, soft, bpy.context.scene)
    assert "at frame" not in text


def test_the_worst_frame_is_the_first_that_is_about_as_bad(nailed, given_way):
    load = nailed(0.7, 0.0, 0.0)
    plants.key_location(load.target, {1: (0.7, 0.0, 0.0), 6: (0.9, 0.0, 0.0), 30: (0.901, 0.0, 0.0)}, "LINEAR")
    (one,) = given_way(30)
    assert (one.first, one.worst) == (1, 6)


def test_its_button_finds_what_holds_and_not_the_bone(nailed, given_way, soft, run_operator):
    """Moving what is selected then moves the nail."""
    nailed(0.3, 0.0, 0.0)
    second = nailed(0.9, 0.0, 0.0)
    told = given_way(3)
    one = next(one for one in told if one.holder == second.target.name)
    soft.plant_dynamics.active_load = 0
    bpy.ops.object.mode_set(mode="POSE")
    run_operator("find_guide", bone=one.bone, holder=one.holder)
    assert soft.plant_dynamics.active_load == 1
    assert (bpy.context.mode, soft.mode) == ("OBJECT", "OBJECT")
    assert bpy.context.object == second.target
    assert bpy.context.selected_objects == [second.target]
    assert soft.data.bones.active.name == "Bone.5"


def test_of_a_wire_its_button_shows_where_that_is_and_not_its_origin(soft, run_operator, monkeypatch):
    data = bpy.data.curves.new("Wire", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new("POLY")
    spline.points.add(1)
    for point, x in zip(spline.points, (4.0, 5.0), strict=True):
        point.co = (x, 0.0, 2.0, 1.0)
    wire = bpy.data.objects.new("Wire", data)
    bpy.context.scene.collection.objects.link(wire)
    wire.location = (-1.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    load = soft.plant_dynamics.loads.add()
    load.kind, load.bone, load.target = "WIRE", "Bone.5", wire
    seen = []
    monkeypatch.setattr(module("operators.finding"), "bring_into_view", lambda context, place: seen.append(place))
    run_operator("find_guide", bone="Bone.5", holder=wire.name)
    assert bpy.context.selected_objects == [wire]
    assert np.allclose(seen[0], (3.0, 0.0, 2.0), atol=1e-5)


def test_where_the_motion_is_wrong_nobody_is_told_to_move_nails(nailed, given_way, soft, monkeypatch):
    nailed(0.9, 0.0, 0.0)
    assert given_way(3)
    assert "off 'Bone.5 Nail'" in told(soft)[0]
    trouble = module("dynamics.motion.trouble").Trouble
    monkeypatch.setattr(module("panels.fixes"), "trouble_of", lambda plant: trouble("UNSETTLED", 1))
    assert "off 'Bone.5 Nail'" not in told(soft)[0]


def selected(obj):
    return {bone.name for bone in obj.pose.bones if (bone if hasattr(bone, "select") else bone.bone).select}


def test_of_what_holds_by_nothing_outside_it_finds_the_bones(soft, nailed, run_operator):
    soft.data.bones.active = soft.data.bones["Bone.5"]
    run_operator("add_tie")
    load = soft.plant_dynamics.loads[0]
    load.other_bone = "Bone.0"
    run_operator("find_guide", bone="Bone.5", holder="Bone.0")
    assert (soft.mode, selected(soft)) == ("POSE", {"Bone.0", "Bone.5"})
    bpy.ops.object.mode_set(mode="OBJECT")
    hidden = nailed(0.9, 0.0, 0.0).target
    hidden.hide_set(True)
    bpy.context.view_layer.objects.active = soft
    run_operator("find_guide", bone="Bone.5", holder=hidden.name)
    assert (soft.mode, selected(soft)) == ("POSE", {"Bone.5"})


def told(plant):
    """What stands below Play, and its operators."""
    layout = Layout()
    module("panels.fixes").draw_trouble(bpy.context, layout, plant)
    return " ".join(layout.texts), [name for name, _ in layout.operators]


@pytest.mark.parametrize(
    ("take_away", "why"),
    [
        (lambda nail: bpy.data.objects.remove(nail), "Its object is gone"),
        (lambda nail: bpy.context.scene.collection.objects.unlink(nail), "The object is not in this scene"),
    ],
    ids=["purged", "deleted"],
)
def test_of_a_nail_that_is_deleted_one_message_tells(nailed, given_way, soft, take_away, why):
    load = nailed(0.9, 0.0, 0.0)
    assert given_way(8)
    assert "off 'Bone.5 Nail'" in told(soft)[0]
    take_away(load.target)
    bpy.context.view_layer.objects.active = soft
    text, operators = told(soft)
    assert why in text
    assert "off '" not in text
    assert "More guides" not in text
    assert "Bone.5 Hold" not in text
    assert operators == ["plant_dynamics.find_guide"]


def test_however_many_do_not_hold_one_is_told_below_its_button_and_the_others_are_counted(nailed, given_way, soft):
    for x in (0.9, 1.0, 1.1):
        nailed(x, 0.0, 0.0)
    assert len(given_way(4)) == 3
    text, operators = told(soft)
    assert operators == ["plant_dynamics.find_guide"]
    assert text.count("From frame 1 on") == 1
    assert "More guides that do not hold: 2" in text


def test_a_surface_out_of_reach_is_told_of_and_one_within_is_not(soft, run_operator, given_way):
    bpy.context.view_layer.objects.active = soft
    run_operator("add_surface")
    load = soft.plant_dynamics.loads[-1]
    load.target.location = (0.3, 0.0, -0.3)
    assert given_way() == []
    load.target.location = (0.3, 0.0, -2.0)
    found = given_way(30)
    assert [(one.bone, one.by, one.holder) for one in found] == [("Bone.5", "surface", load.target.name)]
    assert found[0].off == pytest.approx(1.4, rel=0.1)


def test_a_tie_to_another_plant_that_is_too_far_away_is_told_of(soft, run_operator, given_way):
    other = plants.chain(2)
    other.location = (1.5, 0.0, 0.0)
    run_operator("make_dynamic")
    bpy.context.view_layer.objects.active = soft
    run_operator("add_tie")
    load = soft.plant_dynamics.loads[-1]
    load.other_object, load.other_bone = other, other.data.bones[0].name
    bpy.context.view_layer.objects.active = other
    other.plant_dynamics.stiffness_factor = soft.plant_dynamics.stiffness_factor
    run_operator("play")
    found = given_way(40)
    assert [(one.bone, one.by) for one in found] == [("Bone.5", "rod")]
    assert found[0].off > 0.3


def test_what_gives_way_stands_below_play(soft, nailed, given_way):
    assert told(soft)[1] == []
    nailed(2.0, 0.0, 0.0)
    assert given_way(30)
    assert told(soft)[1] == ["plant_dynamics.find_guide"]
