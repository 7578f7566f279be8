# SPDX-License-Identifier: GPL-3.0-or-later
"""An armature whose material nobody has chosen is made stiff enough to carry itself."""

import importlib

import numpy as np
import pytest

from tests.blender.scenes import plants

STIFFEST = 12000.0  # MPa
ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon.dynamics.rig"


def sag_of(obj):
    reader, natural = (importlib.import_module(f"{ADDON}.{name}") for name in ("armature_reader", "natural"))
    return natural.level_sag(reader.read_armature(obj, obj.matrix_world).model)


def test_a_level_beam_sags_as_in_the_book(fresh, run_operator):
    """w L^4 / (8 E I), for a solid round beam rho g L^4 / (2 E r^2)."""
    obj = plants.chain(20, length=0.03)
    run_operator("make_dynamic")
    settings = obj.plant_dynamics
    exact = settings.density * 9.81 * 0.6**3 / (2.0 * settings.young_modulus * 1e6 * 0.004**2)
    assert sag_of(obj) == pytest.approx(exact, rel=1e-4)


def test_a_slender_armature_is_stiffened_until_it_carries_itself(fresh, run_operator):
    obj = plants.chain(20, length=0.07)
    run_operator("make_dynamic")
    assert 1000.0 < obj.plant_dynamics.young_modulus < STIFFEST
    assert sag_of(obj) == pytest.approx(0.12, rel=1e-4)
    run_operator("play")
    plants.show(1)
    assert -0.2 * 1.4 < plants.tip(obj, "Bone.19")[2] < -0.05 * 1.4


def test_nothing_is_stiffer_than_wood(fresh, run_operator, capfd):
    """A tree whose long way to the tip would take 17 GPa, and a thread of 4 m that no wood holds up."""
    tree = plants.chain(20, length=0.1)
    run_operator("make_dynamic")
    assert (tree.plant_dynamics.young_modulus, tree.plant_dynamics.start) == (STIFFEST, "settled")
    assert "Young's: 12000 MPa, as wood has" in capfd.readouterr().out
    thread = plants.chain(20, length=0.2, name="Thread")
    run_operator("make_dynamic")
    assert (thread.plant_dynamics.young_modulus, thread.plant_dynamics.start) == (STIFFEST, "keep_shape")
    assert "Held out level it would not carry its weight" in capfd.readouterr().out


def test_what_is_chosen_stays(fresh, run_operator):
    obj = plants.chain(20, length=0.2)
    obj.plant_dynamics.young_modulus = 20.0
    run_operator("make_dynamic")
    assert obj.plant_dynamics.young_modulus == 20.0
    stiff = plants.chain(6, name="Stiff")
    run_operator("make_dynamic")
    assert np.isclose(stiff.plant_dynamics.young_modulus, 300.0)


@pytest.mark.parametrize("own", [False, True])
def test_bones_as_they_are_extruded_get_one_radius(fresh, run_operator, own):
    """Blender ends a new bone with a tenth of its length; where all envelopes are Blender's own they say nothing."""
    import bpy

    bpy.ops.object.armature_add()
    obj = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    for way in ((0, 0, 1), (0, 0, 0.8), (0.8, 0, 0), (0.6, 0, 0)):
        bpy.ops.armature.extrude_move(TRANSFORM_OT_translate={"value": way})
    if own:
        obj.data.edit_bones[2].tail_radius = 0.021
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    assert (obj.plant_dynamics.radius_source == "FIXED") == (not own)


@pytest.mark.parametrize(("step", "chosen"), [(0.02, 300.0), (2.0, None)])
def test_large_armatures_with_new_envelopes_are_of_wood_and_no_barrels(fresh, run_operator, step, chosen):
    """Of one radius as thick as green stems would need, a tree of 10 m would be 0.7 m thick to its last twig."""
    import bpy

    obj = plants.chain(5, length=step)
    for bone in obj.data.bones:
        bone.head_radius = bone.tail_radius = 0.1 * step
    run_operator("make_dynamic")
    settings = obj.plant_dynamics
    assert settings.radius_source == "FIXED"
    assert settings.radius < 0.0201 * 5 * step
    assert sag_of(obj) == pytest.approx(0.12, rel=0.05)
    if chosen is None:
        assert 600.0 < settings.young_modulus < STIFFEST
    else:
        assert settings.young_modulus == chosen
    own = plants.chain(5, length=step, name="Own")
    for bone in own.data.bones:
        bone.head_radius = bone.tail_radius = 0.1 * step
    own.plant_dynamics.young_modulus = 300.0
    run_operator("make_dynamic")
    assert own.plant_dynamics.young_modulus == 300.0
    assert bpy.context.object == own
