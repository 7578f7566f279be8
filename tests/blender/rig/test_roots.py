# SPDX-License-Identifier: GPL-3.0-or-later
"""Stems that only the armature joins go in steps of their own: each as if it were alone."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

READER = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon.dynamics.rig.armature_reader"


def stems(roots: dict[str, int], run_operator) -> bpy.types.Object:
    """Level stems of so many bones each, side by side."""
    armature = bpy.data.armatures.new("Stems")
    obj = bpy.data.objects.new("Stems", armature)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for name, count in roots.items():
        below, y = None, 0.1 * int(name)
        for i in range(count):
            bone = armature.edit_bones.new(f"{name}.{i}")
            bone.head, bone.tail = (0.05 * i, y, 0.0), (0.05 * i + 0.05, y, 0.0)
            bone.head_radius = bone.tail_radius = 0.003
            bone.parent, below = below, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    run_operator("make_dynamic")
    return obj


@pytest.mark.parametrize(
    ("counts", "models"),
    [([20], [20]), ([20, 17, 16], [20, 17, 16]), ([3] * 13, [18, 21]), ([40, 3], [43]), ([5, 30, 2, 2], [39])],
)
def test_few_bones_go_with_their_neighbours(fresh, run_operator, counts, models):
    obj = stems({str(k): count for k, count in enumerate(counts)}, run_operator)
    plant = importlib.import_module(READER).read_armature(obj, obj.matrix_world)
    assert [part.rod_count for part in plant.models] == models
    assert plant.carriers == (None,) * len(models)
    assert plant.bones == tuple(f"{k}.{i}" for k, count in enumerate(counts) for i in range(count))


@pytest.mark.parametrize(("counts", "pinned"), [([20, 20, 20], [0]), ([20, 20], [1]), ([16, 1, 17, 16], [0, 1, 3])])
def test_what_stands_still_goes_with_what_bends(fresh, run_operator, counts, pinned):
    obj = stems({str(k): count for k, count in enumerate(counts)}, run_operator)
    for bone in obj.data.bones:
        bone.plant_dynamics.pinned = int(bone.name.split(".")[0]) in pinned
    plant = importlib.import_module(READER).read_armature(obj, obj.matrix_world)
    assert sum(part.rod_count for part in plant.models) == sum(counts)
    run_operator("play")
    plants.show(3)
    moved = [bone.matrix != bone.bone.matrix_local for bone in obj.pose.bones if not bone.bone.plant_dynamics.pinned]
    assert any(moved)


def test_many_small_stems_are_few_models(fresh, run_operator):
    obj = stems({str(k): 2 for k in range(800)}, run_operator)
    plant = importlib.import_module(READER).read_armature(obj, obj.matrix_world)
    assert len(plant.models) <= importlib.import_module(READER).MOST_MODELS
    assert sum(part.rod_count for part in plant.models) == 1600


def test_a_stem_moves_as_if_it_were_alone(fresh, run_operator):
    seen = {}
    for roots in ({"0": 16}, {"1": 20}, {"0": 16, "1": 20}):
        obj = stems(roots, run_operator)
        obj.plant_dynamics.young_modulus = 3000.0  # else it is chosen for the longest stem
        plants.key_location(obj, {1: (0.0, 0.0, 0.0), 6: (0.0, 0.2, 0.1)})
        run_operator("play")
        plants.show(8)
        for name in roots:
            tip = np.array(obj.pose.bones[f"{name}.{roots[name] - 1}"].matrix)
            assert np.array_equal(seen.setdefault(name, tip), tip)
        run_operator("reset")
        bpy.data.objects.remove(obj)
