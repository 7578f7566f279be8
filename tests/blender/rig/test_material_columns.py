# SPDX-License-Identifier: GPL-3.0-or-later
"""A row of the table of materials is all that a quantity takes: properties, panels, edits, presets, comparisons."""

import importlib
from types import SimpleNamespace

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout

#: Numbers of the quantities that scenes in files may have chosen.
IN_FILES = [
    "YOUNG", "RADIUS", "LENGTH", "DENSITY", "DAMPING", "DAMPING_TIME", "DAMPING_RATIO", "GRAVITY", "WIND", "MATERIAL",
    "LAYOUT", "SEGMENTS", "SCHEME", "MAX_STEP", "STEP_ERROR", "START", "STEPS", "SEED", "CONSTANT",
]  # fmt: skip


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


@pytest.fixture
def columns(fresh):
    return module(fresh, "material_columns").COLUMNS.values()


@pytest.fixture
def chain(fresh, run_operator):
    obj = plants.chain(2)
    run_operator("make_dynamic")
    return obj


def is_number(prop):
    return prop is not None and prop.function is bpy.props.FloatProperty


def test_plants_and_bones_have_the_properties(columns, chain):
    for column in columns:
        for prop, owner in ((column.of_plant, chain), (column.of_bone, chain.data.bones[0])):
            assert bool(prop) == hasattr(owner.plant_dynamics, column.name), column.name


def test_the_panels_of_a_plant_draw_all(columns, chain):
    layout, settings = Layout(), chain.plant_dynamics
    for mode in ("TIME", "CONSTANT", "RATIO"):
        settings.damping_mode = mode
        for name in ("material", "damping", "limits", "drag", "contact", "breaking"):
            getattr(bpy.types, f"PLANT_DYNAMICS_PT_{name}").draw_plant(None, layout, chain, settings)
    bpy.types.PLANT_DYNAMICS_PT_wind.draw(SimpleNamespace(layout=layout), bpy.context)
    assert {column.name for column in columns if column.of_plant} <= set(layout.properties)


def test_a_bones_panel_draws_all_once(fresh, columns, chain):
    layout = Layout()
    module(fresh, "panels.bone_values").draw_bone(bpy.context, layout, chain, chain.data.bones[0])
    drawn = [name for name in layout.properties if name in {column.name for column in columns}]
    assert sorted(drawn) == sorted(column.name for column in columns if column.of_bone)


class Closed(Layout):
    """Panels within it are closed."""

    def panel(self, *_, **__):
        return self, None


def test_a_bones_panel_is_short_and_says_what_the_bone_has_of_its_own(fresh, chain):
    layout, physics = Closed(), chain.data.bones[0].plant_dynamics
    physics.blade_area, physics.bend_limit, physics.twist_limit = 0.001, 0.5, 0.25
    module(fresh, "panels.bone_values").draw_bone(bpy.context, layout, chain, chain.data.bones[0])
    assert layout.properties == ["use_physics", "organ", "pinned", "use_body"]
    assert [text for text in layout.texts if "own" in text] == ["Limits: 2 of its own", "Air: 1 of its own"]
    assert {"Size and Material", "Damping and Joint", "Contact", "Breaking"} <= set(layout.texts)


@pytest.mark.parametrize(("mode", "shown"), [
    ("TIME", ["damping_mode", "damping_factor", "damping_time", "joint_damping"]),
    ("CONSTANT", ["damping_mode", "damping_factor", "joint_damping"]),
    ("RATIO", ["damping_mode", "damping_factor", "damping_ratio"]),
])  # fmt: skip
def test_damping_shows_what_acts_in_the_mode(chain, mode, shown):
    layout, chain.plant_dynamics.damping_mode = Layout(), mode
    bpy.types.PLANT_DYNAMICS_PT_damping.draw_plant(None, layout, chain, chain.plant_dynamics)
    assert layout.properties == shown


def test_bones_are_edited_and_copied_by_all(fresh, columns):
    editing = module(fresh, "rigging.bone_editing")
    of_bones = sorted(column.name for column in columns if column.of_bone)
    edited = [column.name for found in editing.QUANTITIES.values() for column in found]
    edited += [name for _, name in editing.STATES.values() if name in of_bones]
    edited += [column.name for column in editing.CHOICES.values()]
    assert sorted(edited) == of_bones
    copied = {name for _, names in editing.GROUPS.values() for name in names}
    assert set(of_bones) <= copied
    assert not set(editing.QUANTITIES) & set(editing.STATES)


def test_presets_hold_all_that_plants_have(fresh, columns):
    held = module(fresh, "presets.kinds").KINDS["plant"].names
    assert {column.name for column in columns if column.of_plant} <= set(held)


def test_all_numbers_of_a_plant_are_compared(fresh, columns):
    quantities = module(fresh, "comparison.quantities").QUANTITIES
    for column in columns:
        assert bool(column.compared) == is_number(column.of_plant), column.name
        assert not column.compared or quantities[column.of_quantity].number == column.compared.number
    items = bpy.context.scene.plant_dynamics_compare.bl_rna.properties["quantity"].enum_items
    assert [item.identifier for item in sorted(items, key=lambda item: item.value)][: len(IN_FILES)] == IN_FILES
    assert [item.value for item in items] == list(range(len(items)))
