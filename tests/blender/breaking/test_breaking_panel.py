# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user presses and sees of breaking: woods, keys at a frame, and what has broken and when."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.breaking.coming_off import LAST, key_cut, module
from tests.blender.scenes.drawn_panels import Layout


def drawn(obj):
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_breaking.draw_plant(None, layout, obj, obj.plant_dynamics)
    return layout


@pytest.mark.parametrize(("wood", "fibres", "least", "most"), [("GREEN", 0.05, 30.0, 60.0), ("DRY", 0.0, 54.0, 110.0)])
def test_a_wood_sets_strengths_of_stems(cut, run_operator, wood, fibres, least, most):
    cut.data.bones["Bone.4"].plant_dynamics.organ = "leaf"
    run_operator("break_as", wood=wood)
    strengths = [bone.plant_dynamics.strength for bone in cut.data.bones]
    assert all(least < strength < most for strength in strengths[:4])
    assert strengths[4] == 0.0
    assert cut.plant_dynamics.breaks
    assert cut.plant_dynamics.fibres == pytest.approx(fibres)


def test_a_wood_for_the_selected_bones(cut, run_operator):
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(cut, "Bone.3")
    run_operator("break_as", wood="DRY")
    assert [bone.name for bone in cut.data.bones if bone.plant_dynamics.strength] == ["Bone.3"]


def test_cut_and_let_go_are_keyed_at_the_frame(cut, run_operator):
    cut.animation_data_clear()
    cut.pose.bones["Bone.2"].plant_dynamics_cut = False
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(cut, "Bone.1", "Bone.3")
    plants.show(7)
    run_operator("cut_here")
    run_operator("let_go_here")
    for frame, is_on in ((1, False), (6, False), (7, True), (12, True)):
        plants.show(frame)
        bones = cut.pose.bones
        assert [bone.plant_dynamics_cut for bone in bones] == [False, is_on, False, is_on, False], frame
        assert cut.plant_dynamics.let_go == is_on


def connected(run_operator):
    """A chain as it is drawn."""
    obj = plants.chain(4)
    run_operator("make_dynamic")
    assert all(bone.use_connect for bone in obj.data.bones[1:])
    return obj


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_dry_wood_lets_bones_come_off_at_once(fresh, run_operator, mode):
    obj = connected(run_operator)
    before = plants.matrices(obj)
    run_operator("break_as", wood="GREEN")
    assert all(bone.use_connect for bone in obj.data.bones[1:]), "it hangs on"
    bpy.ops.object.mode_set(mode=mode)
    if mode == "POSE":
        plants.select(obj, "Bone.2")
    run_operator("break_as", wood="DRY")
    assert obj.mode == mode
    assert not any(bone.use_connect for bone in obj.data.bones)
    assert (plants.matrices(obj) == before).all()
    run_operator("play")
    assert obj.plant_dynamics.live


def handle_of(obj, run_operator):
    run_operator("add_pull")
    return obj.plant_dynamics.loads[0].target


def skin_of(obj, _run_operator):
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata([(0, 0, 0), (0.1, 0, 0), (0, 0, 1)], [], [(0, 1, 2)])
    skin = bpy.data.objects.new("Skin", mesh)
    bpy.context.scene.collection.objects.link(skin)
    skin.parent = obj
    skin.modifiers.new("Armature", "ARMATURE").object = obj
    bpy.context.view_layer.update()
    return skin


@pytest.mark.parametrize("other", [handle_of, skin_of])
def test_with_what_belongs_to_the_plant_active(fresh, run_operator, select_only, other):
    """As after Pull Handle, or after a click on the skin."""
    obj = connected(run_operator)
    active = other(obj, run_operator)
    select_only(active)
    assert bpy.context.selected_objects == [active]
    run_operator("break_as", wood="DRY")
    assert not any(bone.use_connect for bone in obj.data.bones)
    assert (obj.mode, active.mode) == ("OBJECT", "OBJECT")
    assert bpy.context.view_layer.objects.active is active
    assert bpy.context.selected_objects == [active]


def test_a_hidden_plant_is_set_up_all_the_same(fresh, run_operator):
    obj = connected(run_operator)
    obj.hide_set(True)
    run_operator("break_as", wood="DRY")
    assert all(bone.plant_dynamics.strength for bone in obj.data.bones)


def test_what_is_cut_can_come_off_at_once(fresh, run_operator):
    obj = connected(run_operator)
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(obj, "Bone.2")
    run_operator("cut_here")
    assert [bone.name for bone in obj.data.bones if bone.use_connect] == ["Bone.1", "Bone.3"]
    run_operator("play")


def test_pinned_bones_are_not_cut(fresh, cut, run_operator):
    bpy.ops.object.mode_set(mode="POSE")
    plants.select(cut, "Bone.1")
    cut.data.bones["Bone.1"].plant_dynamics.pinned = True
    with pytest.raises(RuntimeError, match="pinned ones have no joint"):
        run_operator("cut_here")
    warnings = module(fresh, "rigging.warnings").rig_warnings
    assert not warnings(cut)
    cut.pose.bones["Bone.1"].plant_dynamics_cut = True
    assert "'Bone.1'" in warnings(cut)[0].text


def test_the_panel_tells_what_has_broken_and_when(fresh, cut, run_operator):
    key_cut(cut, "Bone.4", 9)
    run_operator("play")
    plants.show(LAST)
    told = " ".join(drawn(cut).texts)
    assert "'Bone.2' comes off at frame 6" in told
    assert "'Bone.4' comes off at frame 9" in told
    assert "2 bones have come off or cracked, the last at frame 9" in told
    assert "broken" not in told, "they were cut"
    session = module(fresh, "dynamics.motion.sessions").session_of(cut)
    session.drop_samples(8)
    assert session.breaks() == [(6, "Bone.2", 2)]


def test_of_one_that_has_come_off_one_line_says_all(cut, run_operator):
    run_operator("play")
    plants.show(LAST)
    assert [text for text in drawn(cut).texts if "Bone.2" in text or "1" in text] == ["'Bone.2' comes off at frame 6"]


def test_it_says_when_nothing_has_a_strength(cut, run_operator):
    run_operator("play")
    assert "no bone has a strength" not in "\n".join(drawn(cut).texts)
    cut.plant_dynamics.breaks = True
    plants.show(2)
    assert "no bone has a strength" in " ".join(drawn(cut).texts)


def test_the_state_is_that_of_the_frame(fresh, cut, run_operator):
    run_operator("play")
    plants.show(LAST)
    session = module(fresh, "dynamics.motion.sessions").session_of(cut)
    states = np.array([0 if (one := session.broken_at(f)) is None else one.state[2] for f in range(1, LAST + 1)])
    assert (states == np.where(np.arange(1, LAST + 1) < 6, 0, 2)).all()
