# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bone a new guide or load takes where none is active, and what its row is called."""

import math

import bpy
import pytest
from mathutils import Vector

from tests.blender.scenes import plants


@pytest.fixture
def hanging(fresh, run_operator):
    """A rope of 0.6 m that hangs from the origin, with a side piece of two bones at 0.2 m; no bone is active."""
    obj = plants.chain(6)
    bpy.ops.object.mode_set(mode="EDIT")
    bones, above = obj.data.edit_bones, obj.data.edit_bones["Bone.1"]
    for number in range(2):
        bone = bones.new(f"Side.{number}")
        bone.head = above.tail
        bone.tail = bone.head + Vector((0.0, 0.1, 0.0))
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent = above
        above = bone
    for bone in bones:
        bone.use_connect = False
    for bone in bones:
        bone.head, bone.tail = (Vector((end.z, end.y, -end.x)) for end in (bone.head.copy(), bone.tail.copy()))
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.bones.active = None
    run_operator("make_dynamic")
    return obj


@pytest.mark.parametrize("kind", ["hold", "plane", "wire", "surface", "tie", "pull", "force", "lift", "twist"])
def test_of_what_hangs_it_is_the_lowest_tip_and_not_the_root(hanging, run_operator, capfd, kind):
    run_operator(f"add_{kind}")
    assert hanging.plant_dynamics.loads[0].bone == "Bone.5"
    assert "Bone.5" in capfd.readouterr().out


def test_a_guide_takes_the_end_of_the_longest_way_and_a_force_the_tip_that_is_farthest_away(fresh, run_operator):
    """A chain that turns back to where it began, and a shorter one that goes straight on."""
    obj = plants.chain(4)
    bpy.ops.object.mode_set(mode="EDIT")
    above = obj.data.edit_bones["Bone.0"]
    for number, place in enumerate([(0.1, 0.2, 0.0), (-0.1, 0.2, 0.0), (-0.1, 0.0, 0.0)]):
        bone = obj.data.edit_bones.new(f"Back.{number}")
        bone.head, bone.tail, bone.parent, above = above.tail, place, above, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.bones.active = None
    run_operator("make_dynamic")
    for kind in ("hold", "force"):
        run_operator(f"add_{kind}")
        bpy.context.view_layer.objects.active = obj
    assert [load.bone for load in obj.plant_dynamics.loads] == ["Back.2", "Bone.3"]


def test_of_equally_long_ways_it_is_the_end_that_is_farthest_from_the_root(fresh, run_operator):
    obj = plants.chain(3)
    bpy.ops.object.mode_set(mode="EDIT")
    above = obj.data.edit_bones["Bone.0"]
    for number, place in enumerate([(0.1, 0.1, 0.0), (0.0, 0.1, 0.0)]):
        bone = obj.data.edit_bones.new(f"A.{number}")
        bone.head, bone.tail, bone.parent, above = above.tail, place, above, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    obj.data.bones.active = None
    run_operator("make_dynamic")
    run_operator("add_hold")
    assert obj.plant_dynamics.loads[0].bone == "Bone.2"


def test_with_a_curve_selected_it_is_the_bone_whose_tip_is_nearest(hanging, run_operator, select_only):
    data = bpy.data.curves.new("Line", "CURVE")
    data.splines.new("POLY").points.add(1)
    for point, x in zip(data.splines[0].points, (-1.0, 1.0), strict=True):
        point.co = (x, 0.0, 0.0, 1.0)
    curve = bpy.data.objects.new("Line", data)
    curve.location = (0.0, 0.05, -0.28)
    bpy.context.scene.collection.objects.link(curve)
    bpy.context.view_layer.update()
    select_only(hanging, curve)
    run_operator("add_wire")
    assert [(load.bone, load.target) for load in hanging.plant_dynamics.loads] == [("Bone.2", curve)]


def test_with_a_mesh_selected_it_is_the_bone_whose_tip_is_nearest(hanging, run_operator, select_only):
    bpy.ops.mesh.primitive_plane_add(size=0.2, location=(0.0, 0.25, -0.25))
    mesh = bpy.context.object
    select_only(hanging, mesh)
    run_operator("add_surface")
    assert [(load.bone, load.target) for load in hanging.plant_dynamics.loads] == [("Side.1", mesh)]


def test_of_equally_near_tips_it_is_the_last_one(hanging, run_operator, select_only):
    """An upright sheet beside the rope."""
    bpy.ops.mesh.primitive_plane_add(size=4.0, location=(0.3, 0.0, 0.0), rotation=(0.0, 1.5707963, 0.0))
    select_only(hanging, bpy.context.object)
    run_operator("add_surface")
    assert hanging.plant_dynamics.loads[0].bone == "Bone.5"


def test_a_curve_without_length_leaves_the_choice_as_it_is(hanging, run_operator, select_only):
    curve = bpy.data.objects.new("Empty Curve", bpy.data.curves.new("Empty Curve", "CURVE"))
    bpy.context.scene.collection.objects.link(curve)
    bpy.context.view_layer.update()
    select_only(hanging, curve)
    run_operator("add_wire")
    assert hanging.plant_dynamics.loads[0].bone == "Bone.5"


def test_bones_that_are_not_simulated_are_not_chosen(fresh, run_operator):
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.data.bones.active = None
    for name in ("Bone.0", "Bone.4", "Bone.5"):
        obj.data.bones[name].plant_dynamics.use_physics = False
    for kind in ("hold", "twist"):
        run_operator(f"add_{kind}")
    assert {load.bone for load in obj.plant_dynamics.loads} == {"Bone.3"}


def test_its_row_is_called_after_another_bone_unless_its_owner_named_it(hanging, run_operator):
    for _ in range(3):
        bpy.context.view_layer.objects.active = hanging
        run_operator("add_hold")
    loads = hanging.plant_dynamics.loads
    assert [load.name for load in loads] == ["Bone.5 Hold", "Bone.5 Hold.001", "Bone.5 Hold.002"]
    loads[1].name = "Left Hand"
    for load in loads:
        load.bone = "Bone.3"
    assert [load.name for load in loads] == ["Bone.3 Hold", "Left Hand", "Bone.3 Hold.001"]


@pytest.mark.parametrize("share", [0.9, 0.8, 0.5])
def test_an_open_ring_is_closed_by_its_ends_however_wide_the_gap_is(fresh, run_operator, share):
    """The bone two below the tip has an end that is nearer than the ring's other end."""
    ring = plants.chain(12)
    bpy.ops.object.mode_set(mode="EDIT")
    turns = [share * math.tau * k / 12 for k in range(13)]
    places = [Vector((0.1 * math.cos(turn), 0.1 * math.sin(turn), 0.0)) for turn in turns]
    for k in range(12):
        bone = ring.data.edit_bones[f"Bone.{k}"]
        bone.head, bone.tail = places[k], places[k + 1]
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    for tip, other, along in (("Bone.11", "Bone.0", 0.0), ("Bone.0", "Bone.11", 1.0)):
        ring.data.bones.active = ring.data.bones[tip]
        run_operator("add_tie")
        load = ring.plant_dynamics.loads[-1]
        assert (load.bone, load.other_bone, load.other_along) == (tip, other, along)
