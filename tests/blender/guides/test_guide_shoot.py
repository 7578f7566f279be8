# SPDX-License-Identifier: GPL-3.0-or-later
"""Many bones guided by one click: tied to a stake, on a wire, as a garland."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from tests.blender.scenes import plants


@pytest.fixture
def soft(fresh, run_operator):
    """A level chain of 0.8 m, soft as a rope."""
    obj = plants.chain(8)
    run_operator("make_dynamic")
    obj.plant_dynamics.stiffness_factor = 1e-3
    return obj


def also(obj, *others):
    """Select the others besides the object, which is active."""
    bpy.context.view_layer.update()
    for one in bpy.context.view_layer.objects:
        one.select_set(one == obj or one in others)
    bpy.context.view_layer.objects.active = obj


def pole():
    """A level pole 0.1 m beside the chain."""
    bpy.ops.mesh.primitive_cylinder_add(
        vertices=64, radius=0.02, depth=1.0, location=(0.4, 0.1, 0.0), rotation=(0.0, np.pi / 2, 0.0)
    )
    return bpy.context.object


def guided(obj):
    return [(load.kind, load.bone) for load in obj.plant_dynamics.loads]


def other_shoot(obj, count=4):
    """A second shoot, 0.1 m beside the first one's end."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    below = None
    for i in range(count):
        bone = obj.data.edit_bones.new(f"Other.{i}")
        bone.head, bone.tail = (0.4 + i * 0.1, 0.1, 0.0), (0.5 + i * 0.1, 0.1, 0.0)
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent, bone.use_connect = below, below is not None
        below = bone
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_shoot_is_tied_to_the_selected_stake_where_it_is_and_goes_along(soft, run_operator):
    stake = pole()
    also(soft, stake)
    run_operator("guide_shoot", arrangement="TIED", every=3)
    assert guided(soft) == [("HOLD", f"Bone.{i}") for i in (1, 4, 7)]
    assert bpy.context.object == soft
    nail = soft.plant_dynamics.loads[1].target
    assert nail.parent == stake
    bpy.context.view_layer.update()
    assert np.allclose(nail.matrix_world.translation, (0.5, 0.0, 0.0), atol=1e-6)
    stake.location += Vector((-0.05, 0.0, 0.05))
    run_operator("play")
    plants.show(1)
    assert np.abs(plants.tip(soft, "Bone.4") - (0.45, 0.0, 0.05)).max() < 1e-5


def test_drawn_near_it_is_tied_on_the_stakes_surface(soft, run_operator):
    also(soft, pole())
    run_operator("guide_shoot", arrangement="TIED", draw_near=1.0)
    bpy.context.view_layer.update()
    place = soft.plant_dynamics.loads[0].target.matrix_world.translation
    assert place.y == pytest.approx(0.08, abs=1e-3)


def test_without_a_stake_a_shoot_is_tied_to_the_nearest_bones_of_another(soft, run_operator):
    other_shoot(soft)
    soft.data.bones.active = soft.data.bones["Bone.5"]
    run_operator("guide_shoot", arrangement="TIED", every=2)
    loads = soft.plant_dynamics.loads
    assert guided(soft) == [("TIE", f"Bone.{i}") for i in (1, 3, 5, 7)]
    assert loads[2].other_bone in ("Other.1", "Other.2")  # the tip of one is the head of the other
    assert {load.other_bone for load in loads[:2]} == {"Other.0"}
    run_operator("play")
    plants.show(1)
    assert np.abs(plants.tip(soft, "Bone.7") - plants.tip(soft, "Other.3")).max() < 1e-5


def test_with_nothing_to_tie_to_it_says_what_to_select(soft, run_operator):
    with pytest.raises(RuntimeError, match=r"has no other shoot to tie 'Bone.1' to: select a stake with it"):
        run_operator("guide_shoot", arrangement="TIED")
    assert not len(soft.plant_dynamics.loads)


def test_each_second_bone_slides_on_the_selected_curve(soft, run_operator):
    curve = plants.straight_lines("Wire", [(0.0, 0.0, 0.0), (0.4, 0.0, 0.1), (0.8, 0.1, 0.1)])
    also(soft, curve)
    run_operator("guide_shoot", arrangement="WIRE", friction=0.25, softness=0.5)
    loads = soft.plant_dynamics.loads
    assert guided(soft) == [("WIRE", f"Bone.{i}") for i in (1, 3, 5, 7)]
    assert {load.target for load in loads} == {curve}
    assert [(load.friction, load.softness) for load in loads] == [(0.25, 0.5)] * 4


def test_without_a_curve_it_says_what_to_select(soft, run_operator):
    with pytest.raises(RuntimeError, match="Select a curve together with the plant"):
        run_operator("guide_shoot", arrangement="WIRE")


def test_selected_bones_are_all_guided_and_no_others(soft, run_operator):
    also(soft, plants.straight_lines("Wire", [(0.0, 0.0, 0.0), (0.8, 0.0, 0.1)]))
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(soft, "Bone.3", "Bone.4", "Bone.5")
    run_operator("guide_shoot", arrangement="WIRE")
    assert guided(soft) == [("WIRE", f"Bone.{i}") for i in (3, 4, 5)]
    assert soft.mode == "POSE"


def test_a_garland_is_nailed_nearer_than_it_is_long_and_sags(soft, run_operator):
    run_operator("guide_shoot", arrangement="GARLAND", slack=0.25)
    (load,) = soft.plant_dynamics.loads
    assert (load.kind, load.bone) == ("HOLD", "Bone.7")
    assert np.allclose(load.target.location, (0.6, 0.0, 0.0), atol=1e-6)
    run_operator("play")
    plants.show(1)
    assert np.abs(plants.tip(soft, "Bone.7") - (0.6, 0.0, 0.0)).max() < 1e-5
    assert plants.tip(soft, "Bone.3")[2] < -0.15
    assert np.allclose(plants.tip(soft, "Bone.0"), plants.tip(soft, "Bone.6") * (-1, 1, 1) + (0.6, 0, 0), atol=0.02)


def test_a_garlands_foot_may_go_on_as_it_is_drawn(soft, run_operator):
    run_operator("guide_shoot", arrangement="GARLAND", slack=0.25, loose_foot=False)
    assert soft.data.bones["Bone.0"].plant_dynamics.stiffness_factor == 1.0


def test_a_garland_hangs_from_selected_bones_too(soft, run_operator):
    bpy.ops.object.mode_set(mode="POSE")
    soft.data.bones.active = soft.data.bones["Bone.3"]
    plants.select(soft, "Bone.2", "Bone.4")
    run_operator("guide_shoot", arrangement="GARLAND")
    assert guided(soft) == [("HOLD", f"Bone.{i}") for i in (2, 4, 7)]
    nails = [load.target for load in soft.plant_dynamics.loads]
    assert (bpy.context.mode, bpy.context.object) == ("OBJECT", nails[-1])
    assert set(bpy.context.selected_objects) == set(nails), "to be moved"
    places = [tuple(load.target.location) for load in soft.plant_dynamics.loads]
    assert np.allclose(places, Vector((1.0, 0.0, 0.0)).to_tuple() * np.array([[0.27], [0.45], [0.72]]), atol=1e-6)


def test_a_base_slides_on_a_curve_and_turns_with_it(soft, run_operator):
    angles = np.linspace(0.6 * np.pi, -0.4 * np.pi, 24)
    rail = plants.straight_lines("Wire", [(0.8 * np.cos(a), 0.8 * np.sin(a) - 0.8, 0.0) for a in angles])
    rail.rotation_euler = (-1.2, 0.0, 0.0)
    also(soft, rail)
    run_operator("guide_shoot", arrangement="BASE", friction=0.0)
    assert [(load.kind, load.bone, load.along) for load in soft.plant_dynamics.loads] == [
        ("WIRE", "Bone.0", 0.0), ("WIRE", "Bone.0", 1.0),
    ]  # fmt: skip
    assert soft.plant_dynamics.let_go
    run_operator("play")
    turned = []
    for frame in range(1, 49):
        plants.show(frame)
        bone = soft.pose.bones["Bone.0"]
        ends = [rail.matrix_world.inverted() @ (soft.matrix_world @ end) for end in (bone.head, bone.tail)]
        if frame > 12:  # it is not drawn on the rail
            for end in ends:
                assert abs(np.hypot(end.x, end.y + 0.8) - 0.8) < 2e-3
                assert abs(end.z) < 1e-4
            middle, way = 0.5 * (ends[0] + ends[1]), ends[1] - ends[0]
            along = np.degrees(np.arctan2(middle.y + 0.8, middle.x)) - 90.0
            turned.append(np.degrees(np.arctan2(way.y, way.x)))
            assert abs(turned[-1] - along) < 1.0
    assert max(turned) - min(turned) > 8.0


@pytest.mark.parametrize("arrangement", ["TIED", "WIRE", "GARLAND", "BASE"])
def test_what_is_guided_so_already_is_left_alone(soft, run_operator, arrangement):
    """Also what the first time has set beside the guides, and the user has set back."""
    also(soft, plants.straight_lines("Wire", [(0.0, 0.0, 0.0), (0.8, 0.0, 0.0)]))
    run_operator("guide_shoot", arrangement=arrangement)
    loads, objects = guided(soft), set(bpy.data.objects)
    foot, settings = soft.data.bones["Bone.0"].plant_dynamics, soft.plant_dynamics
    foot.stiffness_factor, settings.let_go = 0.7, False
    with pytest.raises(RuntimeError, match="guided so already"):
        run_operator("guide_shoot", arrangement=arrangement)
    assert guided(soft) == loads
    assert set(bpy.data.objects) == objects
    assert (foot.stiffness_factor, settings.let_go) == (pytest.approx(0.7), False)


def test_where_one_of_the_bones_has_nothing_to_be_tied_to_none_is(soft, run_operator):
    """The only bone beside the shoot has no other but that."""
    bpy.ops.object.mode_set(mode="EDIT")
    bone = soft.data.edit_bones.new("Beside")
    bone.head, bone.tail, bone.parent = (0.1, 0.0, 0.0), (0.1, 0.1, 0.0), soft.data.edit_bones["Bone.0"]
    bpy.ops.object.mode_set(mode="POSE")
    soft.data.bones.active = soft.data.bones["Bone.5"]
    plants.select(soft, "Bone.5", "Beside")
    with pytest.raises(RuntimeError, match="has no other shoot to tie 'Beside' to"):
        run_operator("guide_shoot", arrangement="TIED")
    assert not len(soft.plant_dynamics.loads)


def test_leaves_are_no_part_of_the_shoot(fresh, run_operator):
    obj = plants.grow("broad_leaf")
    also(obj, plants.straight_lines("Wire", [(0.0, 0.0, 0.0), (0.0, 0.0, 0.3)]))
    run_operator("guide_shoot", arrangement="WIRE", every=1)
    assert {obj.data.bones[load.bone].plant_dynamics.organ for load in obj.plant_dynamics.loads} <= {"stem", "bud"}


def test_a_branch_is_guided_alone_when_one_of_its_bones_is_active(fresh, run_operator):
    obj = plants.chain(4)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    below = bones["Bone.1"]
    for i in range(3):
        bone = bones.new(f"Branch.{i}")
        bone.head, bone.tail = (0.2, i * 0.1, 0.0), (0.2, (i + 1) * 0.1, 0.0)
        bone.head_radius = bone.tail_radius = 0.004
        bone.parent = below
        below = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    obj.data.bones.active = obj.data.bones["Branch.1"]
    run_operator("guide_shoot", arrangement="GARLAND", slack=0.0)
    assert guided(obj) == [("HOLD", "Branch.2")]
    assert np.allclose(obj.plant_dynamics.loads[0].target.location, (0.2, 0.3, 0.0), atol=1e-6)


def test_a_rope_with_a_loose_foot_is_as_soft_as_any(soft, run_operator):
    """The foot's joint does not count for how far a level rope would hang down."""
    soft.plant_dynamics.stiffness_factor = 1.0
    run_operator("preset_apply", kind="plant", preset="Rope")
    alone = soft.plant_dynamics.young_modulus
    run_operator("guide_shoot", arrangement="GARLAND")
    run_operator("preset_apply", kind="plant", preset="Rope")
    assert soft.plant_dynamics.young_modulus == pytest.approx(alone, rel=0.5)


def test_stiff_bones_with_a_loose_foot_are_held_too(fresh, run_operator):
    obj = plants.chain(12)
    run_operator("make_dynamic")
    obj.data.bones["Bone.0"].plant_dynamics.stiffness_factor = 1e-4
    obj.plant_dynamics.young_modulus = 3000.0
    run_operator("add_hold")
    obj.plant_dynamics.loads[0].target.location = (0.6, 0.0, 0.0)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="POSE")
    obj.data.bones.active = obj.data.bones["Bone.8"]
    plants.select(obj, "Bone.3", "Bone.8")
    run_operator("add_tie")
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("play")
    for frame in range(1, 25):
        plants.show(frame)
        assert np.abs(plants.tip(obj, "Bone.8") - plants.tip(obj, "Bone.3")).max() < 1e-4
        assert np.abs(plants.tip(obj, "Bone.11") - (0.6, 0.0, 0.0)).max() < 1e-4
