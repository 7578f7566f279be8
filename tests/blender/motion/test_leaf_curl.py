# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves that are curled up at rest, and unroll by keys."""

import math

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants


@pytest.fixture
def plant(fresh):
    """A plant whose leaves have several bones, without weight, in air that stands still."""
    bpy.context.scene.plant_dynamics.leaf_bones = 5
    obj = plants.grow("broad_leaf")
    obj.plant_dynamics.gravity_factor = 0.0
    bpy.context.scene.plant_dynamics.wind.source = "STILL"
    return obj


def whole_leaves(obj) -> list[list[str]]:
    """Names of the bones of each leaf, from its base on."""
    found = {}
    for bone in obj.data.bones:
        if bone.plant_dynamics.organ == "leaf":
            below = bone.parent
            row = found.pop(below.name, []) if below.plant_dynamics.organ == "leaf" else []
            found[bone.name] = [*row, bone.name]
    return list(found.values())


def turns(obj, names: list[str]) -> np.ndarray:
    """(k, 3) rad: rotation vectors of pose bones as they are shown."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    found = []
    for name in names:
        axis, angle = evaluated.pose.bones[name].matrix_basis.to_quaternion().to_axis_angle()
        found.append(np.array(axis) * (angle if angle <= math.pi else angle - 2.0 * math.pi))
    return np.array(found)


def test_every_bone_of_a_leaf_turns_by_its_share(plant, run_operator):
    leaves = whole_leaves(plant)
    assert max(map(len, leaves)) > 2
    plant.plant_dynamics.leaf_curl = 1.5
    run_operator("play")
    plants.show(1)
    for names in leaves:
        found = turns(plant, names)
        assert found[:, 0] == pytest.approx(np.full(len(names), 1.5 / len(names)), abs=1e-4)
        assert np.abs(found[:, 1:]).max() < 1e-4
    stems = [bone.name for bone in plant.data.bones if bone.plant_dynamics.organ == "stem"]
    assert np.abs(turns(plant, stems)).max() < 1e-5


def test_leaves_unroll_by_keys_as_played_and_baked(plant, run_operator):
    bpy.context.scene.frame_end = 30
    for frame, angle in ((1, 3.0), (20, 0.0)):
        plant.plant_dynamics.leaf_curl = angle
        plant.plant_dynamics.keyframe_insert("leaf_curl", frame=frame)
    run_operator("play")
    shown = plants.played(plant, range(1, 31))
    tip = whole_leaves(plant)[0]
    plants.show(1)
    assert turns(plant, tip)[:, 0].sum() == pytest.approx(3.0, abs=1e-3)
    plants.show(30)
    assert abs(turns(plant, tip)[:, 0].sum()) < 0.3, "it swings about the flat leaf"
    run_operator("bake")
    assert np.abs(plants.played(plant, range(1, 31)) - shown).max() < 1e-4
