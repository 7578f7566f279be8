# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant remembers what it was grown from: the panel can have it again, and Python can grow it with a change."""

import importlib
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from tests.blender.scenes import plants
from tests.blender.scenes.grown_fern import text_in_panel

TEXT = """name: Fern
steps: 6
let angle = 30  # [0..90 deg] how far branches lean out
axiom: A(0)
A(n) : n < 6 -> F(0.1, 0.004) [ +(angle) ~Leaf(0.1, 0.04) ] A(n + 1)
"""


@pytest.fixture
def options(fresh):
    return text_in_panel(TEXT)


@pytest.fixture
def plant(options):
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    return bpy.context.object


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def again():
    assert bpy.ops.plant_dynamics.regrow() == {"FINISHED"}


def has_copies(obj):
    return any(child.plant_dynamics.grown_part == "ORGANS" for child in obj.children)


def heads(obj):
    return np.array([bone.head_local for bone in obj.data.bones])


def test_a_plant_remembers_its_preset(fresh, select_only):
    options = bpy.context.scene.plant_dynamics
    options.preset = "orchid"
    options.steps, options.seed, options.detail = 20.0, 4, "LOW"
    options.constants[0].value = options.constants[0].lowest
    wanted = {one.name: one.value for one in options.constants}
    options.pot, options.instance_leaves, options.prune_below = True, True, 0.002
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    orchid = bpy.context.object
    bones = heads(orchid)
    options.preset = "rose"
    options.seed, options.detail, options.pot, options.instance_leaves = 0, "AUTO", False, False
    options.prune_below = 0.0001
    assert bpy.ops.plant_dynamics.growth_to_panel() == {"FINISHED"}
    assert (options.source, options.preset, options.steps, options.seed) == ("PRESET", "orchid", 20.0, 4)
    assert (options.detail, options.pot, options.instance_leaves) == ("LOW", True, True)
    assert options.prune_below == pytest.approx(0.002)
    assert {one.name: one.value for one in options.constants} == wanted
    again()
    np.testing.assert_array_equal(heads(orchid), bones)


def test_a_plant_remembers_its_text_as_it_was(plant, options, tmp_path):
    own = options.text
    options.source = "PRESET"
    assert bpy.ops.plant_dynamics.growth_to_panel() == {"FINISHED"}
    assert (options.source, options.text) == ("TEXT", own)
    own.write("# edited since\n")
    assert bpy.ops.plant_dynamics.growth_to_panel() == {"FINISHED"}
    assert options.text != own, "the edited text stays, too"
    assert options.text.as_string() == TEXT
    found = options.text
    assert bpy.ops.plant_dynamics.growth_to_panel() == {"FINISHED"}
    assert options.text == found, "no third one"
    bpy.data.texts.remove(found)
    path = str(tmp_path / "fern.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    options = bpy.context.scene.plant_dynamics
    assert bpy.ops.plant_dynamics.growth_to_panel() == {"FINISHED"}
    assert options.text.as_string() == TEXT


def test_the_recipe_goes_with_a_regrown_plant(plant, options):
    options.constants["angle"].value = 44.0
    options.steps = 4.5
    again()
    growth = plant.plant_dynamics.growth
    assert (growth.steps, [(one.name, one.value) for one in growth.constants]) == (4.5, [("angle", 44.0)])


def test_a_preset_of_another_version_is_told(plant, fresh):
    plant.plant_dynamics.growth.preset = "no_longer_there"
    with pytest.raises(RuntimeError, match="no_longer_there"):
        bpy.ops.plant_dynamics.growth_to_panel()


def test_from_python(fresh):
    commands = module(fresh, "commands")
    rose = commands.grow("rose", steps=20, seed=2, detail="LOW", instanced=True)
    assert has_copies(rose), "instances were asked for"
    young = heads(rose)
    rose.matrix_world = Matrix.Translation((3.0, 0.0, 0.0))
    assert commands.regrow(rose, steps=30, seed=3) == []
    growth = rose.plant_dynamics.growth
    assert (growth.preset, growth.steps, growth.seed, growth.detail) == ("rose", 30.0, 3, "LOW")
    assert has_copies(rose)
    assert len(rose.data.bones) != len(young)
    assert rose.matrix_basis[0][3] == 3.0
    commands.regrow(rose, steps=20, seed=2)
    np.testing.assert_array_equal(heads(rose), young)
    with pytest.raises(module(fresh, "errors").PlantError, match="was not grown"):
        commands.regrow(plants.chain(3), steps=3)


def test_no_step_is_not_the_full_age(fresh):
    commands = module(fresh, "commands")
    path = Path(bpy.app.tempdir) / "fern.lsys"
    path.write_text("steps: 5\naxiom: F(0.1, 0.01) A\nA -> F(0.1, 0.01) A\n", encoding="utf-8")
    young, full = commands.grow(str(path), steps=0), commands.grow(str(path))
    assert (len(young.data.bones), len(full.data.bones)) == (1, 6)
    bones = young.data
    commands.regrow(young, detail="LOW")
    commands.regrow(full, detail="LOW")
    assert (len(young.data.bones), len(full.data.bones)) == (1, 6)
    assert young.data == bones, "only the look is another"
    commands.regrow(young, steps=None)
    assert len(young.data.bones) == 6
    commands.regrow(young, steps=0)
    assert len(young.data.bones) == 1
    assert bpy.ops.plant_dynamics.growth_to_panel() == {"FINISHED"}
    again()
    assert len(young.data.bones) == 1
    bpy.context.scene.plant_dynamics.steps = 0.0
    again()
    assert len(young.data.bones) == 6


SHARP = """steps: 1
let x = 0.5  # [0..1]
axiom: A
A : x < 0.3 -> F(0.1, 0.01)
A : x >= 0.3 -> F(0.1, 0.01) F(0.1, 0.01)
"""


def test_numbers_are_kept_exactly(fresh, tmp_path):
    commands = module(fresh, "commands")
    path = tmp_path / "sharp.lsys"
    path.write_text(SHARP, encoding="utf-8")
    obj = commands.grow(str(path), constants={"x": 0.29999999999}, seed=2**40 + 1, prune_below=0.00123)
    assert np.float32(0.29999999999) >= 0.3
    assert len(obj.data.bones) == 1
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "sharp.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "sharp.blend"))
    (obj,) = commands.plants()
    bones = obj.data
    commands.regrow(obj, detail="LOW")
    assert obj.data == bones
    recipe = module(fresh, "grow.provenance").recipe_of_plant(obj)
    assert (recipe.seed, recipe.constants, recipe.prune_below) == (2**40 + 1, {"x": 0.29999999999}, 0.00123)
    commands.regrow(obj, seed=3)
    assert len(obj.data.bones) == 1
    assert bpy.ops.plant_dynamics.growth_to_panel() == {"FINISHED"}
    again()
    assert len(obj.data.bones) == 1, "the panel has nothing changed"


def test_a_seed_beyond_the_panels_is_told(fresh):
    commands = module(fresh, "commands")
    tree = commands.grow("winter_tree", seed=2**31, steps=5)
    bones = heads(tree)
    told = module(fresh, "grow.options").show_recipe_of(bpy.context.scene.plant_dynamics, tree)
    assert [str(2**31) in line for line in told] == [True]
    commands.regrow(tree, detail="LOW", seed=4)
    assert heads(tree).shape != bones.shape or (heads(tree) != bones).any()
    commands.regrow(tree, seed=2**31)
    np.testing.assert_array_equal(heads(tree), bones)


def test_what_files_of_before_say_is_still_understood(plant, fresh):
    growth = plant.plant_dynamics.growth
    growth.exact, growth.steps, growth.seed = "", 4.5, 7
    found = module(fresh, "grow.provenance").recipe_of_plant(plant)
    assert (found.steps, found.seed, found.constants) == (4.5, 7, {})
    growth.steps = 0.0
    assert module(fresh, "grow.provenance").recipe_of_plant(plant).steps is None


def test_from_the_command_line(fresh, tmp_path, capsys):
    commands, line = module(fresh, "commands"), module(fresh, "command_line")
    commands.grow("rose", steps=20, constants={"pieces": 15})
    path = tmp_path / "rose.blend"
    commands.save(path)
    assert line.run(["regrow", str(path), "--steps", "24", "--constant", "bend=3"]) == 1
    assert "bend" in capsys.readouterr().err
    assert line.run(["regrow", str(path), "--steps", "24", "--seed", "5"]) == 0
    assert "Rose:" in capsys.readouterr().out
    commands.open_file(path)
    growth = commands.plants()[0].plant_dynamics.growth
    assert (growth.preset, growth.steps, growth.seed) == ("rose", 24.0, 5)
    assert [(one.name, one.value) for one in growth.constants] == [("pieces", 15.0)]
    assert line.run(["regrow", str(path), "broad_leaf", "--output", str(tmp_path / "other.blend")]) == 0
    commands.open_file(tmp_path / "other.blend")
    assert commands.plants()[0].plant_dynamics.growth.preset == "broad_leaf"
