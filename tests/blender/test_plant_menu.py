# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu of presets in the Grow panel."""

import importlib

import bpy


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
    assert (numbers["broad_leaf"], numbers["rose"]) == (18691137, 1293533818)
