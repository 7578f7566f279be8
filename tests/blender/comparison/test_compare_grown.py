# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare of plants that are grown anew for each value: seeds, steps, constants."""

import importlib

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.comparisons import compare_now, module


def test_grown_anew_with_other_seeds_and_constants(fresh):
    bpy.context.scene.frame_end = 3
    obj = plants.grow("broad_leaf", pot=True)
    bpy.context.scene.plant_dynamics_compare.quantity = "SEED"
    row = module("comparison.row")
    scene = bpy.context.scene
    before = sorted(scene.objects.keys()), bpy.context.selected_objects, bpy.context.object
    seeds = compare_now(obj, row.CompareOptions("SEED", "0, 1", 1, 3)).places
    assert (sorted(scene.objects.keys()), bpy.context.selected_objects, bpy.context.object) == before
    tips = [np.array([bone.tail_local for bone in place.variant.obj.data.bones]) for place in seeds]
    own = np.array([bone.tail_local for bone in obj.data.bones])
    assert np.allclose(tips[0], own)
    assert not np.allclose(tips[1], own)
    assert all(len(place.variant.obj.children) == len(obj.children) == 3 for place in seeds)
    leaves = compare_now(obj, row.CompareOptions("CONSTANT", "4, 8", 1, 3, constant="leaves")).places
    count = [sum(bone.plant_dynamics.organ == "petiole" for bone in p.variant.obj.data.bones) for p in leaves]
    assert count == [4, 8]
    language = importlib.import_module("bl_ext.user_default.plant_dynamics.lsystem")
    with pytest.raises(language.LSystemError, match=r"no constant is called 'branches'; there is .*leaves"):
        compare_now(obj, row.CompareOptions("CONSTANT", "4", 1, 3, constant="branches"))
    bpy.context.scene.plant_dynamics.preset = "rose"
    seeds = compare_now(obj, row.CompareOptions("SEED", "0, 1", 1, 3)).places
    assert len(seeds[0].variant.obj.data.bones) == len(own), "whatever the panel says now"
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones[-1].tail.z += 0.01
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(module("errors").PlantError, match="have been edited since"):
        compare_now(obj, row.CompareOptions("SEED", "0, 1", 1, 3))
    obj.plant_dynamics.growth.is_known = False  # as of an older version
    with pytest.raises(module("errors").PlantError, match="does not say how"):
        compare_now(obj, row.CompareOptions("SEED", "0, 1", 1, 3))
