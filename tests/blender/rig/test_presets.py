# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets: those that come along, and the user's own in Blender's preset folder."""

import importlib
import json
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants

KINDS = ("plant", "contact", "wind", "bake")


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


@pytest.fixture
def files(fresh):
    """The preset files, with none of the user's."""
    files = module(fresh, "presets.files")
    for kind in KINDS:
        for name in files.own(kind):
            files.delete(kind, name)
    return files


@pytest.fixture
def chain(files, run_operator):
    obj = plants.chain(4)
    run_operator("make_dynamic")
    return obj


def settings(kind, obj):
    scene, own = bpy.context.scene, obj.plant_dynamics
    of_kinds = {"plant": own, "contact": own, "wind": scene.plant_dynamics.wind, "bake": scene.plant_dynamics_bake}
    return of_kinds[kind]


def test_every_shipped_preset_sets_what_it_holds(chain, files, run_operator):
    count = 0
    for kind in KINDS:
        for name in files.shipped(kind):
            run_operator("preset_apply", kind=kind, preset=name)
            fitted = {"young_modulus"} if files.level_sag(kind, name) is not None else set()  # to the plant's size
            for key, value in files.read(kind, name).items():
                if key in fitted:
                    continue
                assert getattr(settings(kind, chain), key) == pytest.approx(value), (kind, name, key)
            count += 1
    assert {"Herb", "Shrub", "Tree", "Grass", "Underwater", "Paper", "Cartoon Floppy"} <= set(files.shipped("plant"))
    assert {"Leaf", "Twig", "Hair on Skin", "Bouncy", "Burr", "Wet Leaf"} == set(files.shipped("contact"))
    assert count >= 19


def test_shipped_plant_presets_hold_all_that_makes_them(files):
    """So that one after another gives the same as one alone."""
    held = [set(files.read("plant", name)) for name in files.shipped("plant")]
    always = {"young_modulus", "density", "hollow", "damping_mode", "damping_factor", "air_factor", "gravity_factor"}
    assert all(always <= one for one in held)


@pytest.mark.parametrize("name", ["Herb", "Shrub", "Tree", "Grass", "Underwater", "Paper", "Cartoon Floppy"])
def test_plant_presets_move(chain, run_operator, name):
    run_operator("preset_apply", kind="plant", preset=name)
    run_operator("play")
    heights = [plants.tip(chain, "Bone.3")[2] for frame in range(1, 6) if plants.show(frame) is None]
    assert -0.4 < min(heights) < -1e-6


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [("plant", "density", 432.5), ("contact", "friction", 0.75), ("wind", "speed", 6.25), ("bake", "step", 3)],
)
def test_a_preset_of_ones_own(chain, files, run_operator, kind, key, value):
    own = settings(kind, chain)
    before = getattr(own, key)
    setattr(own, key, value)
    run_operator("preset_add", kind=kind, preset=" My own-1 ")
    path = files.user_folder(kind) / "My own-1.json"
    assert Path(bpy.utils.user_resource("SCRIPTS")) in path.parents
    assert path.parent.parent.parent.name == "presets"
    assert json.loads(path.read_text())["values"][key] == value
    setattr(own, key, before)
    run_operator("preset_apply", kind=kind, preset="My own-1")
    assert getattr(own, key) == pytest.approx(value)
    run_operator("preset_remove", kind=kind, preset="My own-1")
    assert not path.exists()
    assert files.own(kind) == []


def test_shipped_presets_cannot_be_deleted_or_written(chain, files):
    folder = Path(files.__file__).parent / "plant"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(RuntimeError, match="no preset of yours"):
        bpy.ops.plant_dynamics.preset_remove(kind="plant", preset="Tree")
    for name in ("Tree", "tree"):
        with pytest.raises(RuntimeError, match="comes with Plant Dynamics"):
            bpy.ops.plant_dynamics.preset_add(kind="plant", preset=name)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("name", ["", "../up", "a/b", "a\\b", ".hidden", "x" * 80, "C:evil"])
def test_names_that_are_no_file_names_are_refused(chain, files, name):
    with pytest.raises(RuntimeError, match="Give it a name"):
        bpy.ops.plant_dynamics.preset_add(kind="plant", preset=name)
    assert files.own("plant") == []
    with pytest.raises(RuntimeError, match="no preset"):
        bpy.ops.plant_dynamics.preset_remove(kind="plant", preset=name)


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "[1, 2]",
        '{"preset_of": "wind", "values": {}}',
        '{"preset_of": "plant", "values": {"density": "heavy"}}',
        '{"preset_of": "plant", "values": {"density": NaN}}',
        '{"preset_of": "plant", "values": {"damping_mode": "NONE"}}',
        '{"preset_of": "plant", "values": {"density": 5.0, "use_bend_limit": 1}}',
    ],
)
def test_a_broken_file_is_refused_and_changes_nothing(chain, files, text):
    (files.user_folder("plant", create=True) / "Broken.json").write_text(text)
    before = {name: getattr(chain.plant_dynamics, name) for name in ("density", "use_bend_limit", "damping_mode")}
    with pytest.raises(RuntimeError, match=r"Broken|cannot be"):
        bpy.ops.plant_dynamics.preset_apply(kind="plant", preset="Broken")
    assert {name: getattr(chain.plant_dynamics, name) for name in before} == before


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("plant", '{"hollow": 0.25, "density": %s}' % ("[" * 100000 + "]" * 100000), "too deep"),
        ("plant", '{"hollow": 0.25, "density": [[[]]]}', "cannot be a list"),
        ("plant", '{"hollow": 0.25, "density": 1%s}' % ("0" * 400), "density.*only from"),
        ("plant", '{"hollow": 0.25, "density": 1%s}' % ("0" * 5000), "cannot be read"),
        ("plant", '{"hollow": 0.25, "density": 1e300}', "density.*only from"),
        ("plant", '{"hollow": 0.25, "density": -5}', "density.*only from"),
        ("plant", '{"hollow": 1.5}', "hollow.*only from 0 to"),
        ("bake", '{"part_only": true, "step": 99999999999}', "step.*only from 1 to 1000"),
        ("bake", '{"part_only": true, "step": 1001}', "step.*only from 1 to 1000"),
        ("bake", '{"part_only": true, "step": 0}', "step.*only from 1 to 1000"),
        ("bake", '{"part_only": true, "target": "\\ud800"}', "target"),
        ("wind", '{"speed": 7.0, "custom": "\\ud800"}', "custom"),
        ("wind", '{"speed": 7.0, "custom": "a\\u0000b"}', "custom"),
    ],
)  # fmt: skip
def test_what_a_stranger_wrote_is_refused_as_a_whole(chain, files, fresh, kind, values, message):
    names = module(fresh, "presets.kinds").KINDS[kind].names
    (files.user_folder(kind, create=True) / "Odd.json").write_text(f'{{"preset_of": "{kind}", "values": {values}}}')
    before = {name: getattr(settings(kind, chain), name) for name in names}
    with pytest.raises(RuntimeError, match=message) as caught:
        bpy.ops.plant_dynamics.preset_apply(kind=kind, preset="Odd")
    assert "Traceback" not in str(caught.value)
    assert len(str(caught.value)) < 500
    assert {name: getattr(settings(kind, chain), name) for name in names} == before


def test_what_is_saved_at_the_ends_of_ranges_can_be_applied(chain, files, run_operator, fresh):
    for kind in KINDS:
        own = settings(kind, chain)
        for end in ("hard_min", "hard_max"):
            for name in module(fresh, "presets.kinds").KINDS[kind].names:
                prop = own.bl_rna.properties[name]
                if prop.type in ("INT", "FLOAT"):
                    setattr(own, name, getattr(prop, end))
            run_operator("preset_add", kind=kind, preset="Ends")
            run_operator("preset_apply", kind=kind, preset="Ends")


def test_names_of_other_properties_are_not_set(chain, files, run_operator):
    """A preset from a stranger reaches nothing but the settings it is of."""
    values = {"density": 500.0, "is_dynamic": False, "baked_track": "x", "__class__": "y"}
    path = files.user_folder("plant", create=True) / "Odd.json"
    path.write_text(json.dumps({"preset_of": "plant", "values": values}))
    run_operator("preset_apply", kind="plant", preset="Odd")
    assert chain.plant_dynamics.density == 500.0
    assert chain.plant_dynamics.is_dynamic


def test_a_grown_plant_keeps_its_proportions(files, run_operator):
    obj = plants.grow("shrub")
    before = [bone.plant_dynamics.young_modulus for bone in obj.data.bones]
    run_operator("preset_apply", kind="plant", preset="Tree")
    after = [bone.plant_dynamics.young_modulus for bone in obj.data.bones]
    assert after[0] == pytest.approx(8000.0)
    assert [a / b for a, b in zip(after, before, strict=True)] == pytest.approx([8000.0 / before[0]] * len(after))


def test_the_list_has_a_minus_for_own_presets_and_a_plus(chain, files, run_operator, fresh):
    run_operator("preset_add", kind="wind", preset="Mine")
    drawn = []

    class Layout:
        ui_units_x = 0

        def column(self, **_):
            return self

        row = column

        def prop(self, data, name, **_):
            drawn.append((name, None, None))

        def operator(self, name, text=None, icon="NONE", **_):
            button = SimpleNamespace()
            drawn.append((name.split(".")[1], button, icon))
            return button

    panel = bpy.types.PLANT_DYNAMICS_PT_wind_presets.__bases__[0]()  # without Blender's part
    panel.layout, panel.kind = Layout(), "wind"
    bpy.context.window_manager.preset_name = "New"
    panel.draw(bpy.context)
    buttons = [(name, button.preset, icon) for name, button, icon in drawn if button is not None]
    assert buttons == [
        *(("preset_apply", name, "NONE") for name in files.shipped("wind")),
        ("preset_apply", "Mine", "NONE"),
        ("preset_remove", "Mine", "REMOVE"),
        ("preset_add", "New", "ADD"),
    ]
    for name in ("plant", "wind", "bake_options", "bake"):
        assert hasattr(bpy.types, f"PLANT_DYNAMICS_PT_{name}")
