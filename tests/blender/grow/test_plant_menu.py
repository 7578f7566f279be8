# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu of presets in the Grow panel."""

import importlib

import bpy
import numpy
import pytest


def items():
    return bpy.types.Scene.bl_rna.properties["plant_dynamics"].fixed_type.properties["preset"].enum_items


def test_the_menu_has_every_plant_once_below_its_group(addon):
    presets = importlib.import_module(f"{addon.__name__}.lsystem").presets()
    module = importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.properties.preset_items")
    listed, group = {}, None
    for name, title, *_ in module.preset_items():
        if name:
            assert name not in listed
            listed[name] = (group, title)
        else:
            group = title
    assert listed == {preset.name: (preset.group, preset.title) for preset in presets}
    assert {item.identifier: item.description for item in items() if item.identifier} == {
        preset.name: preset.description for preset in presets
    }


def test_a_new_scene_begins_with_the_broad_leaf_plant(fresh):
    assert bpy.context.scene.plant_dynamics.preset == "broad_leaf"


def test_files_remember_plants_by_numbers_of_their_own(fresh):
    numbers = {item.identifier: item.value for item in items() if item.identifier}
    assert len(set(numbers.values())) == len(numbers)
    # these hold for ever: files have them
    assert (numbers["broad_leaf"], numbers["rose"]) == (3827843, 3376372)


def test_menus_can_pass_all_numbers_on(fresh):
    """The button of a menu hands a chosen number on in single precision."""
    groups = [kind for kind in (bpy.types.Scene, bpy.types.Object, bpy.types.Bone) for kind in settings_of(kind)]
    assert len(groups) > 5
    for group in groups:
        for prop in group.bl_rna.properties:
            if prop.type == "ENUM":
                for item in prop.enum_items:
                    assert float(numpy.float32(item.value)) == item.value, (group, prop.identifier, item.identifier)


def settings_of(kind):
    """The add-on's property groups of a kind of data, with those inside them."""
    waiting = [prop.fixed_type for prop in kind.bl_rna.properties if prop.identifier.startswith("plant_dynamics")]
    found = []
    while waiting:
        group = waiting.pop()
        found.append(group)
        waiting += [
            prop.fixed_type
            for prop in group.bl_rna.properties
            if prop.type in {"POINTER", "COLLECTION"} and prop.fixed_type.bl_rna.identifier.startswith("Plant")
        ]
    return found


def test_a_plant_of_another_version_is_asked_for(fresh):
    options = bpy.context.scene.plant_dynamics
    options["preset"] = 12345
    assert options.preset == ""
    panel = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.grow.options")
    assert panel.full_age(options) is None, "the panel is drawn all the same"
    with pytest.raises(RuntimeError, match="Choose a plant in the Grow panel"):
        bpy.ops.plant_dynamics.grow()
