# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solver gets to know of breaking: strengths, fibres and cuts, of bones and of the whole plant."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


@pytest.fixture
def chain(fresh, run_operator):
    obj = plants.chain(4)
    run_operator("make_dynamic")
    run_operator("disconnect_bones")
    return obj


def plant_of(addon, obj):
    return module(addon, "dynamics.rig.armature_reader").read_armature(obj, obj.matrix_world)


def cut_at(addon, obj, frame):
    """(m,) what the sample of the frame says of cuts, by bones' names; None without any."""
    plant = plant_of(addon, obj)
    plants.show(frame)
    read = module(addon, "dynamics.surroundings.inputs").read_sample
    cut = read(obj, plant, bpy.context.scene, bpy.context.evaluated_depsgraph_get()).cut
    return None if cut is None else {plant.bones[i] for i in np.flatnonzero(cut)}


def test_bones_have_their_strength_if_the_plant_breaks(fresh, chain):
    chain.data.bones["Bone.1"].plant_dynamics.strength = 40.0
    strength = plant_of(fresh, chain).parts[0].strength
    assert np.isinf(strength).all()
    chain.plant_dynamics.breaks = True
    strength = plant_of(fresh, chain).parts[0].strength
    assert strength[1] == pytest.approx(40e6)
    assert np.isinf(np.delete(strength, 1)).all()  # a strength of 0 is not known


def test_bones_hang_on_by_their_own_fibres_or_the_plants(fresh, chain):
    chain.plant_dynamics.fibres = 0.2
    chain.data.bones["Bone.2"].plant_dynamics.fibres = 0.0
    assert plant_of(fresh, chain).parts[0].fibres == pytest.approx([0.2, 0.2, 0.0, 0.2])


def test_a_bone_is_cut_from_its_key_on(fresh, chain):
    bone = chain.pose.bones["Bone.2"]
    for frame, cut in ((1, False), (5, True)):
        bone.plant_dynamics_cut = cut
        bone.keyframe_insert("plant_dynamics_cut", frame=frame)
    assert cut_at(fresh, chain, 4) is None
    assert cut_at(fresh, chain, 5) == {"Bone.2"}
    assert cut_at(fresh, chain, 9) == {"Bone.2"}


def test_the_whole_plant_is_let_go_where_it_stands(fresh, chain):
    chain.plant_dynamics.let_go = True
    assert cut_at(fresh, chain, 1) == {"Bone.0"}
    chain.data.bones["Bone.0"].plant_dynamics.pinned = True
    assert cut_at(fresh, chain, 1) == {"Bone.1"}


def test_a_welded_bone_is_not_cut(fresh, chain):
    chain.data.bones["Bone.2"].plant_dynamics.pinned = True
    for name in ("Bone.2", "Bone.3"):
        chain.pose.bones[name].plant_dynamics_cut = True
    assert cut_at(fresh, chain, 1) == {"Bone.3"}


def comes_off_by_a_cut(obj):
    obj.pose.bones["Bone.1"].plant_dynamics_cut = True


def comes_off_by_breaking(obj):
    obj.plant_dynamics.breaks = True
    obj.data.bones["Bone.1"].plant_dynamics.strength = 40.0


@pytest.mark.parametrize("comes_off", [comes_off_by_a_cut, comes_off_by_breaking])
def test_connected_bones_are_refused_and_mended_by_one_click(fresh, run_operator, comes_off):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    plant_of(fresh, obj)
    heads = [bone.head_local.copy() for bone in obj.data.bones]
    comes_off(obj)
    with pytest.raises(module(fresh, "errors").PlantError, match=r"'Bone\.1' may come off") as refused:
        plant_of(fresh, obj)
    mending = module(fresh, "operators.fixes").mending
    (button,) = mending(obj, refused.value.fix)
    run_operator(button.operator.partition(".")[2])
    assert not mending(obj, refused.value.fix)
    assert [bone.head_local for bone in obj.data.bones] == heads
    plant_of(fresh, obj)


def test_what_hangs_on_may_stay_connected(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    comes_off_by_breaking(obj)
    obj.plant_dynamics.fibres = 0.1
    assert plant_of(fresh, obj).parts[0].strength[1] == pytest.approx(40e6)
