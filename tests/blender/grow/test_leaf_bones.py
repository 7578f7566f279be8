# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves of several bones, by how many leaves there are or as is asked for; and plants of before, which have one."""

import importlib
import json

import bpy
import numpy as np
import pytest


@pytest.fixture
def commands(fresh):
    return importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.commands")


def leaves(obj):
    return [bone for bone in obj.data.bones if bone.plant_dynamics.organ == "leaf"]


def per_leaf(obj):
    """Bones from each leaf's base to its tip."""
    own = leaves(obj)
    bases = [bone for bone in own if bone.parent.plant_dynamics.organ != "leaf"]
    return len(own) / len(bases)


def skin_of(obj):
    return next(child for child in obj.children if child.plant_dynamics.grown_part == "SKIN")


@pytest.mark.parametrize(("name", "bones"), [("broad_leaf", 5), ("shrub", 3), ("fern", 1)])
def test_few_leaves_bend_in_themselves(commands, name, bones):
    assert per_leaf(commands.grow(name)) == bones


def test_as_many_as_are_asked_for(commands):
    plant = commands.grow("potted_plant", leaf_bones=2)
    assert per_leaf(plant) == 2
    assert commands.regrow(plant, leaf_bones=4) == []
    assert per_leaf(plant) == 4
    assert bpy.context.scene.plant_dynamics.leaf_bones == 4


def test_a_leaf_has_its_outline_and_area_whatever_its_bones(commands):
    areas, sizes = [], []
    for bones in (1, 4):
        plant = commands.grow("broad_leaf", leaf_bones=bones)
        areas.append(sum(bone.plant_dynamics.blade_area for bone in leaves(plant)))
        corners = np.array(skin_of(plant).bound_box)
        sizes.append(np.ptp(corners, axis=0))
    assert areas[1] == pytest.approx(areas[0], rel=0.05)
    np.testing.assert_allclose(sizes[1], sizes[0], rtol=0.1)


def test_a_plant_of_before_grows_again_with_one(commands):
    plant = commands.grow("broad_leaf", leaf_bones=1)
    growth = plant.plant_dynamics.growth
    before = json.loads(growth.exact)
    del before["leaf_bones"]
    growth.exact = json.dumps(before)
    commands.regrow(plant, detail="LOW")
    assert per_leaf(plant) == 1


def test_single_leaves_can_be_copies_and_others_cannot(commands):
    parts = [
        {child.plant_dynamics.grown_part for child in commands.grow("fern", leaf_bones=1, instanced=True).children},
        {child.plant_dynamics.grown_part for child in commands.grow("potted_plant", leaf_bones=3).children},
    ]
    assert "ORGANS" in parts[0]
    assert "ORGANS" not in parts[1]


def test_grown_plants_flutter_until_told_otherwise(commands):
    plant = commands.grow("potted_plant")
    settings = plant.plant_dynamics
    assert settings.flutter == 1.0
    settings.flutter = settings.blade_rigidity = 0.0
    commands.regrow(plant, seed=3)
    assert (settings.flutter, settings.blade_rigidity) == (0.0, 0.0)


@pytest.mark.parametrize("name", ["orchid", "broad_leaf", "sunflower", "tropical"])
def test_the_widest_leaves_roll_up_from_ten_metres_a_second_on(commands, name):
    plant = commands.grow(name)
    settings = plant.plant_dynamics
    widest = max(bone.plant_dynamics.blade_area / bone.length for bone in plant.data.bones)
    pressure = 1.225 * settings.blade_drag_normal * (0.5 * widest) ** 3
    speed = np.sqrt(16e-3 * settings.blade_rigidity / pressure)
    assert speed == pytest.approx(10.0, rel=0.05) or (settings.blade_rigidity == 1.0 and speed > 10.0)


@pytest.mark.parametrize("name", ["broad_leaf", "potted_plant", "tropical"])
def test_bones_lie_in_their_blades(commands, name):
    plant = commands.grow(name)
    skin = skin_of(plant)
    own = leaves(plant)
    whole = {bone.name: sum(one.length for one in own) / len(own) * per_leaf(plant) for bone in own}
    off = [
        (skin.closest_point_on_mesh(place)[1] - place).length / whole[bone.name]
        for bone in own
        for place in (bone.head_local, bone.tail_local)
    ]
    assert max(off) < 0.02, "in lengths of a leaf; straight bones are 0.12 below their blades"
