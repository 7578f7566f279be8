# SPDX-License-Identifier: GPL-3.0-or-later
"""Constants of an L-system in the Grow panel, and plants of any age."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes.grown_fern import text_in_panel

TEXT = """let angle = 30  # [0..90 deg] how far branches lean out
let count = 3   # [1..6] pieces
let plain = 0.1
let twice = 2*plain
axiom: A(0)
steps: 6
A(n) : n < count -> F(plain, 0.002) [ +(angle) F(plain, 0.001) ] A(n + 1)
"""


@pytest.fixture
def options(fresh):
    return text_in_panel(TEXT)


def shown(options):
    return {one.name: round(one.value, 5) for one in options.constants}


def grown():
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    return bpy.context.object


def test_all_that_is_not_computed_is_listed(options):
    assert shown(options) == {"angle": 30.0, "count": 3.0, "plain": 0.1}
    assert options.constants["angle"].label == "How far branches lean out (deg)"


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("rise = 18  # [8..24] pieces of flower stem", "Pieces of flower stem"),
        ("height = 2  # [1..3 m] of the stem", "Height of the stem (m)"),
        ("r0 = 0.01", "r0"),
        ("r0 = 0.01  # [0.001..0.1 m]", "r0 (m)"),
    ],
)
def test_labels_begin_with_words(options, line, label):
    options.text.from_string(f"let {line}\naxiom: F(1, 0.1)\n")
    bpy.ops.plant_dynamics.show_constants()
    assert [one.label for one in options.constants] == [label]


def test_counts_are_whole_numbers_in_the_panel(options):
    one = options.constants["count"]
    one.count = 5
    assert (one.count, one.value) == (5, 5.0)
    one.count = 40
    assert (one.count, one.value) == (6, 6.0), "the text's range"
    assert len(grown().data.bones) == 12
    assert [bool(constant.is_whole) for constant in options.constants] == [False, True, False]


def test_compare_suggests_the_names(options, addon):
    module = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.properties.compare")
    found = module.names_of_constants(bpy.context.scene.plant_dynamics_compare, bpy.context, "ang")
    assert found == [("angle", "How far branches lean out (deg)")]


def test_values_change_the_plant_and_stay_in_their_range(options):
    assert len(grown().data.bones) == 6
    options.constants["count"].value = 4.6
    assert options.constants["count"].value == 5.0
    options.constants["angle"].value = 200.0
    assert options.constants["angle"].value == 90.0
    obj = grown()
    assert len(obj.data.bones) == 10
    level = [bone for bone in obj.data.bones if abs((bone.tail_local - bone.head_local).z) < 1e-6]
    assert len(level) == 5


def test_values_of_the_text_come_back(options):
    options.constants["count"].value = 4.0
    bpy.ops.plant_dynamics.reset_constants()
    assert [one.value for one in options.constants] == [one.default for one in options.constants]
    assert len(grown().data.bones) == 6


def test_too_many_bones_are_refused_with_a_length_that_leaves_fewer(options, addon, monkeypatch):
    module = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.grow.from_text")
    monkeypatch.setattr(module, "MOST_BONES", 3)
    options.text.from_string("axiom: F(0.05) F(0.2) F(0.0123) F(0.1) F(0.012)\n")
    with pytest.raises(RuntimeError, match=r"5 bones, more than 3\. Take a smaller Age, or Prune Below 0\.013 m in"):
        grown()
    options.prune_below = 0.013
    assert len(grown().data.bones) == 3


def test_an_edited_text_keeps_the_values_that_are_still_there(options):
    options.constants["angle"].value = 60.0
    options.text.from_string(TEXT.replace("let count = 3   # [1..6] pieces", "let count = 2"))
    assert len(grown().data.bones) == 4
    assert shown(options) == {"angle": 60.0, "count": 2.0, "plain": 0.1}
    options.text.from_string(TEXT + "A(n")
    with pytest.raises(RuntimeError, match="line 8"):
        bpy.ops.plant_dynamics.grow()


def test_another_preset_has_its_own_constants(fresh):
    options = bpy.context.scene.plant_dynamics
    listed = {}
    for name in ("rose", "shrub", "rose"):
        options.preset = name
        listed.setdefault(name, []).append(shown(options))
    assert listed["rose"][0] == listed["rose"][1] != listed["shrub"][0]


def test_compare_grows_with_the_values_of_the_panel(options, run_operator):
    options.constants["count"].value = 4
    grown()
    bpy.context.scene.frame_end = 2
    settings = bpy.context.scene.plant_dynamics_compare
    settings.quantity, settings.constant, settings.values = "CONSTANT", "plain", "0.1, 0.15"
    run_operator("compare")
    scene = next(scene for scene in bpy.data.scenes if scene.plant_dynamics_compare.holds_comparison)
    plants = [obj for obj in scene.objects if obj.type == "ARMATURE"]
    assert sorted(len(obj.data.bones) for obj in plants) == [8, 8]
    assert np.ptp([obj.data.bones[0].length for obj in plants]) == pytest.approx(0.05, abs=1e-6)


def test_a_plant_between_two_steps(options):
    tall = []
    for age in (2.0, 2.5, 3.0):
        options.steps = age
        obj = grown()
        tall.append(max(bone.tail_local.length for bone in obj.data.bones))
    assert tall[0] < tall[1] < tall[2]


def test_the_first_plant_of_a_new_file_has_its_sliders_once_it_is_grown(fresh):
    options = bpy.context.scene.plant_dynamics
    assert not options.constants
    grown()
    lsystem = importlib.import_module(f"{fresh.__name__}.lsystem")
    (preset,) = (one for one in lsystem.presets() if one.name == options.preset)
    assert [one.name for one in options.constants] == [one.name for one in preset.sliders if not one.is_computed]
