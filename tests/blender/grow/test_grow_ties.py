# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow Again: what other objects have tied to bones that are gone."""

import importlib

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.grown_fern import fern_in_panel


@pytest.fixture
def plant(fresh):
    fern_in_panel()
    assert bpy.ops.plant_dynamics.grow() == {"FINISHED"}
    return bpy.context.object


def module(addon, name):
    return importlib.import_module(f"{addon.__name__}.plant_dynamics_addon.{name}")


def linked(name, data=None):
    one = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(one)
    return one


def test_all_that_holds_a_bone_holds_another_when_it_is_gone(plant, fresh):
    last = "Stem.006"
    lamp, box, camera = (
        linked("Lamp"),
        linked("Box", bpy.data.meshes.new("Box")),
        linked("Eye", bpy.data.cameras.new("Eye")),
    )
    armature = lamp.constraints.new("ARMATURE").targets.new()
    armature.target, armature.subtarget = plant, last
    arm = plants.chain(3)
    reach = arm.pose.bones[2].constraints.new("IK")
    reach.target, reach.subtarget, reach.pole_target, reach.pole_subtarget = plant, last, plant, last
    of_plant = plant.pose.bones["Stem.001"].constraints.new("COPY_ROTATION")
    of_plant.target, of_plant.subtarget = plant, last
    hook, warp = box.modifiers.new("Hook", "HOOK"), box.modifiers.new("Warp", "UV_WARP")
    hook.object, hook.subtarget = plant, last
    warp.object_from, warp.bone_from, warp.object_to, warp.bone_to = plant, last, plant, "Stem.002"
    camera.data.dof.focus_object, camera.data.dof.focus_subtarget = plant, last
    variables = lamp.driver_add("location", 0).driver.variables
    place, value = variables.new(), variables.new()
    place.type = "TRANSFORMS"
    place.targets[0].id, place.targets[0].bone_target = plant, last
    value.targets[0].id, value.targets[0].data_path = plant, f'pose.bones["{last}"].rotation_quaternion[1]'
    material = bpy.data.materials.new("Glow")
    material.use_nodes = True
    shade = material.node_tree.driver_add("nodes[0].location", 0).driver.variables.new()
    shade.type = "TRANSFORMS"
    shade.targets[0].id, shade.targets[0].bone_target = plant, last
    other = linked("Other").constraints.new("CHILD_OF")
    other.target, other.subtarget = arm, arm.data.bones[1].name

    told = module(fresh, "commands").regrow(plant, constants={"count": 4})
    assert told == ["What held Stem.006 now holds Stem.004"]
    names = {
        "armature": armature.subtarget, "ik": reach.subtarget, "pole": reach.pole_subtarget, "own": of_plant.subtarget,
        "hook": hook.subtarget, "warp": warp.bone_from, "focus": camera.data.dof.focus_subtarget,
        "driver": place.targets[0].bone_target, "of nodes": shade.targets[0].bone_target,
    }  # fmt: skip
    assert names == dict.fromkeys(names, "Stem.004")
    assert value.targets[0].data_path == 'pose.bones["Stem.004"].rotation_quaternion[1]'
    assert (warp.bone_to, other.subtarget) == ("Stem.002", arm.data.bones[1].name), "what is still there"
