# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Stress: which bones would break and when, told of a motion that stays as it is."""

import importlib
import re
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.slow_work import Pressed

LAST = 24
ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


def measured(obj):
    return module("comparison.stresses").measured(obj)


def set_strength(obj, megapascals):
    for bone in obj.data.bones:
        bone.plant_dynamics.strength = megapascals


@pytest.fixture
def chain(fresh, run_operator):
    """Six horizontal bones of 0.1 m and 8 mm on a base that jerks upwards, at rest before that."""
    bpy.context.scene.frame_end = LAST
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.young_modulus = 2000.0
    plants.key_location(obj, {6: (0, 0, 0), 10: (0, 0, 0.15)})
    plants.show(3)
    return obj


def at_rest(obj):
    """(6,) Pa at the bones' first joints under the own weight: w (L - x)^2 / 2 over the section."""
    x = 0.1 * (np.arange(6) + 0.5 - 12**-0.5)
    weight = obj.plant_dynamics.density * np.pi * 0.004**2 * 9.80665
    return weight * (0.6 - x) ** 2 / 2.0 * 4.0 / (np.pi * 0.004**3)


def test_at_rest_it_is_that_of_a_cantilever(chain, run_operator):
    bpy.context.scene.frame_end = 5
    run_operator("measure_stress")
    found = measured(chain)
    assert found.bones == tuple(f"Bone.{i}" for i in range(6))
    assert found.largest == pytest.approx(at_rest(chain), rel=0.02)
    assert (found.first, found.last) == (1, 5)
    assert "No bone has a strength" in found.told()
    assert "'Bone.0'" in found.told()
    assert found.would_break() == []
    assert found.nearest() is None


def test_a_jerk_breaks_what_rest_does_not(chain, run_operator):
    """The stress of every frame, seen by measuring up to it."""
    by_frame = [module("commands").stress(chain, last_frame=frame).largest for frame in range(1, LAST + 1)]
    assert np.all(np.diff(by_frame, axis=0) >= 0.0)
    rest, largest = by_frame[0], by_frame[-1]
    assert largest[0] > 1.5 * rest[0]
    limit = 0.5e-6 * (rest[0] + largest[0])
    chain.data.bones["Bone.0"].plant_dynamics.strength = limit
    run_operator("measure_stress")
    found = measured(chain)
    assert found.would_break() == ["Bone.0"]
    over = 1 + next(i for i, row in enumerate(by_frame) if row[0] > 1e6 * limit)
    assert 6 < over == found.breaks[0]
    assert found.frame[0] == 1 + next(i for i, row in enumerate(by_frame) if row[0] == largest[0])
    most = float(f"{1e-6 * largest[0]:.3g}")
    assert found.told() == (
        f"Bones that would break: 1. First 'Bone.0' at frame {over}, up to {most:g} MPa of {limit:.3g}"
    )


def test_the_order_is_that_of_breaking(chain, run_operator):
    """A bone that is over its strength from the beginning comes first, whatever is farthest beyond its own later."""
    stress = module("commands").stress(chain, last_frame=1).largest * 1e-6
    for i, factor in enumerate((1.01, 0.5, 3000.0, 1000.0, 0.0, 5000.0)):
        chain.data.bones[i].plant_dynamics.strength = factor * stress[i]
    run_operator("measure_stress")
    found = measured(chain)
    assert found.would_break() == ["Bone.1", "Bone.0"]
    assert found.breaks[1] == 1 < found.breaks[0]
    assert found.nearest() == "Bone.1"
    for name in ("Bone.0", "Bone.1"):
        chain.data.bones[name].plant_dynamics.strength = 0.0
    run_operator("measure_stress")
    found = measured(chain)
    assert found.would_break() == []
    assert found.nearest() == "Bone.3"
    assert re.fullmatch(r"No bone would break. Nearest 'Bone.3' at frame \d+, [\d.e-]+ MPa of [\d.e+-]+", found.told())


def test_nothing_breaks_and_nothing_is_simulated_anew(chain, run_operator):
    run_operator("play")
    session = module("dynamics.motion.sessions").session_of(chain)
    before = plants.played(chain, range(1, LAST + 1))
    set_strength(chain, 1e-4)
    plants.show(7)
    run_operator("measure_stress")
    assert len(measured(chain).would_break()) == 6
    assert bpy.context.scene.frame_current == 7
    assert module("dynamics.motion.sessions").session_of(chain) is session
    assert np.array_equal(plants.played(chain, range(1, LAST + 1)), before)


def test_it_is_told_until_the_plant_changes(chain, run_operator):
    run_operator("measure_stress")
    assert measured(chain) is not None
    chain.data.bones[0].plant_dynamics.strength = 5.0
    assert measured(chain) is None
    run_operator("measure_stress")
    chain.plant_dynamics.density = 500.0
    assert measured(chain) is None


class Layout:
    """Takes down what a panel offers and writes."""

    def __init__(self):
        self.texts, self.operators = [], []

    def label(self, text="", icon="NONE", translate=True):
        self.texts.append(text)

    def operator(self, name, **_):
        self.operators.append((name, SimpleNamespace(select=False)))
        return self.operators[-1][1]

    def column(self, **_):
        return self

    row = column


def test_the_panel_shows_it(chain, run_operator):
    panel = module("panels.material")
    layout = Layout()
    panel.draw_stress(layout, chain)
    assert layout.texts == []
    assert [(name, given.select) for name, given in layout.operators] == [
        ("plant_dynamics.measure_stress", False), ("plant_dynamics.measure_stress", True),
    ]  # fmt: skip
    run_operator("measure_stress")
    panel.draw_stress(layout, chain)
    assert " ".join(layout.texts) == measured(chain).told()


def selected(obj):
    return [bone.name for bone in module("rigging.bone_selection").selected_bones(obj)]


def test_bones_that_would_break_are_selected(chain, run_operator):
    run_operator("measure_stress", select=True)
    assert chain.mode == "OBJECT", "none would"
    for name in ("Bone.1", "Bone.2"):
        chain.data.bones[name].plant_dynamics.strength = 1e-4
    chain.data.bones["Bone.3"].plant_dynamics.strength = 1e4
    run_operator("measure_stress")
    assert chain.mode == "OBJECT"
    run_operator("measure_stress", select=True)
    assert chain.mode == "POSE"
    assert selected(chain) == ["Bone.1", "Bone.2"]
    chain.data.bones["Bone.2"].plant_dynamics.strength = 0.0
    run_operator("measure_stress", select=True)
    assert selected(chain) == ["Bone.1"]


def test_bones_of_the_mesh_that_is_active_are_selected(chain, run_operator, select_only):
    mesh = bpy.data.objects.new("Skin", bpy.data.meshes.new("Skin"))
    bpy.context.scene.collection.objects.link(mesh)
    mesh.parent = chain
    select_only(mesh)
    set_strength(chain, 1e-4)
    run_operator("measure_stress", select=True)
    assert (bpy.context.object, chain.mode) == (chain, "POSE")
    bpy.ops.object.mode_set(mode="OBJECT")
    chain.hide_set(True)
    select_only(mesh)
    with pytest.raises(RuntimeError, match="is hidden"):
        bpy.ops.plant_dynamics.measure_stress(select=True)


def test_what_does_not_bend_is_not_told(chain, run_operator):
    set_strength(chain, 1e-4)
    chain.data.bones["Bone.2"].plant_dynamics.pinned = True
    chain.data.bones["Bone.5"].plant_dynamics.use_physics = False
    chain.data.bones["Bone.0"].plant_dynamics.use_physics = False
    run_operator("measure_stress")
    assert measured(chain).bones == ("Bone.1", "Bone.3", "Bone.4")
    assert sorted(measured(chain).would_break()) == ["Bone.1", "Bone.3", "Bone.4"]


def test_a_baked_plant_needs_its_cache(chain, run_operator):
    run_operator("bake")
    run_operator("measure_stress")
    of_bake = measured(chain).largest
    module("dynamics.motion.sessions").close_session(chain)
    with pytest.raises(RuntimeError, match="not in the cache"):
        bpy.ops.plant_dynamics.measure_stress()
    run_operator("clear_bake")
    plants.show(1)
    run_operator("measure_stress")
    assert measured(chain).largest == pytest.approx(of_bake, rel=1e-9)


def test_a_baked_plant_is_measured_as_it_moved(chain, run_operator):
    """Its own keys are not what it follows: neither its stress nor its energy is that of springs that do."""
    plots = module("comparison.plots")
    energies = module("commands").simulate(chain).energies
    run_operator("bake")
    assert plots.measure(bpy.context, chain, LAST).energies == pytest.approx(energies, rel=1e-9)


def test_frames_before_the_first_are_refused(chain):
    with pytest.raises(module("errors").PlantError, match="before the scene's first"):
        module("commands").stress(chain, last_frame=0)


def test_esc_leaves_the_scene_as_it_was(chain, monkeypatch):
    module("dynamics.kernels.warm_up").warm_up()
    work = module("comparison.stresses").measure(bpy.context, chain, LAST)
    pressed = Pressed(module("operators.results.stress").PLANT_DYNAMICS_OT_measure_stress, work, monkeypatch)
    for _ in range(LAST):
        assert pressed.gets("TIMER") == {"RUNNING_MODAL"}
    assert pressed.gets("ESC") == {"CANCELLED"}
    assert pressed.said == ["Measurement cancelled"]
    assert bpy.context.scene.frame_current == 3
    assert measured(chain) is None


TEXT = """\
steps: 1
material stem young=5e9 density=900 poisson=0.3 strength=5.7e7
axiom: F(0.1, 0.01) F(0.1, 0.01) [ +(40) @strength(2e6) F(0.1, 0.004) ~Leaf(0.1, 0.03) ]
"""


def test_a_grown_plant_has_the_strength_of_its_text(fresh, tmp_path):
    path = tmp_path / "strong.lsys"
    path.write_text(TEXT, encoding="utf-8")
    bones = module("commands").grow(str(path)).data.bones
    found = sorted(round(bone.plant_dynamics.strength, 3) for bone in bones if bone.plant_dynamics.organ == "stem")
    assert found == [2.0, 57.0, 57.0]


def test_a_text_that_says_nothing_gives_none(fresh):
    obj = plants.grow("rose")
    assert {bone.plant_dynamics.strength for bone in obj.data.bones} == {0.0}


def test_a_measured_material_brings_its_strength(chain, run_operator):
    set_strength(chain, 1.0)
    run_operator("set_material", material="oak_green")
    assert [bone.plant_dynamics.strength for bone in chain.data.bones] == pytest.approx([57.0] * 6)
    run_operator("set_material", material="bamboo")
    assert [bone.plant_dynamics.strength for bone in chain.data.bones] == pytest.approx([57.0] * 6), "none is known"
    bpy.ops.object.mode_set(mode="POSE")
    module("rigging.bone_selection").select_bones(chain, {"Bone.2"})
    run_operator("set_material", material="poplar_dry", target="SELECTED")
    assert chain.data.bones["Bone.2"].plant_dynamics.strength == pytest.approx(59.0)
    assert chain.data.bones["Bone.3"].plant_dynamics.strength == pytest.approx(57.0)


def test_strength_of_many_bones(chain, run_operator):
    run_operator("edit_bones", quantity="STRENGTH", operation="SET", value=40.0, by="NAME", pattern="Bone.[01]")
    run_operator("edit_bones", quantity="STRENGTH", operation="MULTIPLY", factor=0.5, by="ALL")
    assert [bone.plant_dynamics.strength for bone in chain.data.bones] == pytest.approx([20.0, 20.0, 0, 0, 0, 0])
    chain.data.bones.active = chain.data.bones["Bone.0"]
    bpy.ops.object.mode_set(mode="POSE")
    module("rigging.bone_selection").select_bones(chain, {"Bone.4"})
    run_operator("copy_to_selected", groups={"MATERIAL"})
    assert chain.data.bones["Bone.4"].plant_dynamics.strength == pytest.approx(20.0)
    run_operator("edit_bones", quantity="STRENGTH", operation="SET", value=0.0, by="ALL")
    assert {bone.plant_dynamics.strength for bone in chain.data.bones} == {0.0}


def test_the_command_line_tells_it(chain, tmp_path, capsys):
    set_strength(chain, 1e-4)
    path = tmp_path / "chain.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert module("command_line").run(["simulate", str(path), "--last", "4"]) == 0
    assert "break" not in capsys.readouterr().out
    assert module("command_line").run(["simulate", str(path), "--last", "4", "--stress"]) == 0
    assert "Chain: Bones that would break: 6. First 'Bone." in capsys.readouterr().out
