# SPDX-License-Identifier: GPL-3.0-or-later
"""Removing loads: what animates them goes and stays with them."""

import importlib
from itertools import pairwise

import bpy
import pytest
from mathutils import Vector

from tests.blender.scenes import plants

KEYS = {1: (0.1, 0.2), 2: (0.3, 0.4), 3: (0.5, 0.6)}  # load number + 1: influence at frames 1 and 11


@pytest.fixture
def loaded(fresh, run_operator, select_only):
    """A chain with three forces, whose influences are keyed and whose torques are driven; its location is keyed too."""
    obj = plants.chain(3)
    run_operator("make_dynamic")
    for number, values in enumerate(KEYS.values()):
        run_operator("add_force")
        load = obj.plant_dynamics.loads[number]
        load.name = f"Load {number}"
        for frame, value in zip((1, 11), values, strict=True):
            load.influence = value
            load.keyframe_insert("influence", frame=frame)
        obj.driver_add(f"plant_dynamics.loads[{number}].torque").driver.expression = str(10 + number)
    plants.key_location(obj, {1: (0, 0, 0), 11: (1, 0, 0)})
    return obj


def shown(obj):
    """Influences and torques of the loads at frames 1 and 11."""
    found = {}
    for frame in (1, 11):
        plants.show(frame)
        for load in obj.plant_dynamics.loads:
            found.setdefault(load.name, []).append((round(load.influence, 3), round(load.torque, 3)))
    return found


def remove(obj, number):
    obj.plant_dynamics.active_load = number
    assert bpy.ops.plant_dynamics.remove_load() == {"FINISHED"}


@pytest.mark.parametrize("number", [0, 1, 2])
def test_keys_and_drivers_go_with_the_removed_load_and_stay_with_the_others(loaded, number):
    before = shown(loaded)
    assert before["Load 1"] == [(0.3, 11), (0.4, 11)]
    remove(loaded, number)
    del before[f"Load {number}"]
    assert shown(loaded) == before
    paths = {path for path, _ in plants.curves(loaded.animation_data.action)}
    assert paths == {"location", *(f"plant_dynamics.loads[{i}].influence" for i in (0, 1))}
    assert len(loaded.animation_data.drivers) == 2
    bpy.ops.plant_dynamics.add_force()
    loaded.plant_dynamics.loads[2].influence = 1.0
    plants.show(11)
    assert loaded.plant_dynamics.loads[2].influence == 1.0, "a new load has no keys yet"


def test_keys_of_a_removed_load_do_not_come_back_with_the_action_from_before_a_bake(loaded, run_operator):
    bpy.context.scene.frame_end = 5
    run_operator("bake")
    remove(loaded, 0)
    run_operator("clear_bake")
    assert shown(loaded)["Load 1"] == [(0.3, 11), (0.4, 11)]
    assert "Load 0" not in shown(loaded)


def test_keys_of_a_removed_load_are_deleted_in_nla_strips(loaded):
    data = loaded.animation_data
    action, data.action = data.action, None
    track = data.nla_tracks.new()
    track.strips.new("Strip", 1, action)
    remove(loaded, 0)
    assert shown(loaded)["Load 1"] == [(0.3, 11), (0.4, 11)]


def test_other_objects_in_the_action_keep_their_curves(loaded):
    if "slots" not in bpy.types.Action.bl_rna.properties:
        pytest.skip("actions have no slots in this Blender")
    other = plants.chain(2, name="Other")
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    assert bpy.ops.plant_dynamics.add_force() == {"FINISHED"}
    action = loaded.animation_data.action
    other.animation_data_create().action = action
    other.animation_data.action_slot = action.slots.new(id_type="OBJECT", name="Other")
    other.plant_dynamics.loads[0].keyframe_insert("influence", frame=1)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    assert len(bags) == 2
    bpy.context.view_layer.objects.active = loaded
    remove(loaded, 0)
    assert [curve.data_path for curve in bags[1].fcurves] == ["plant_dynamics.loads[0].influence"]


def test_undo_gives_load_and_keys_back(loaded):
    before, name = shown(loaded), loaded.name
    bpy.ops.ed.undo_push(message="before")
    remove(loaded, 1)
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert shown(bpy.data.objects[name]) == before


def test_the_plant_is_active_again_when_its_active_handle_lost_its_load(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("add_pull")
    handle = bpy.context.object
    assert handle != obj
    run_operator("remove_load")
    assert bpy.context.object == obj
    assert bpy.context.selected_objects == [obj]
    assert handle.name in bpy.context.scene.objects


def test_a_removed_load_no_longer_acts_on_a_live_plant(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("play")
    plants.show(5)
    free = plants.tip(obj, "Bone.2")
    run_operator("add_force")
    obj.plant_dynamics.loads[0].force = (0.0, 0.5, 0.0)
    plants.show(5)
    assert plants.tip(obj, "Bone.2")[1] > 0.001
    run_operator("remove_load")
    plants.show(5)
    assert plants.tip(obj, "Bone.2") == pytest.approx(free, abs=1e-9)


def test_the_panel_says_why_a_load_does_nothing(fresh, run_operator):
    inputs = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.surroundings.inputs")
    obj, scene = plants.chain(3), bpy.context.scene
    run_operator("make_dynamic")
    run_operator("add_pull")
    load = obj.plant_dynamics.loads[0]

    def why_idle(load, scene):
        return inputs.LOADS[load.kind].why_idle(load, obj.plant_dynamics, scene)

    assert why_idle(load, scene) == ""
    scene.collection.objects.unlink(load.target)
    assert "not in this scene" in why_idle(load, scene)
    bpy.data.objects.remove(load.target)
    assert "No handle is chosen" in why_idle(load, scene)
    load.kind = "TWIST"
    assert why_idle(load, scene) == ""
    load.bone = ""
    assert "No bone is chosen" in why_idle(load, scene)


def test_damping_of_a_handle_calms_what_swings_on_it(fresh, run_operator, select_only):
    """A soft chain without any damping of its own hangs on a jerked handle's spring, and swings on it, or hardly."""
    swings = {}
    bpy.context.scene.plant_dynamics.wind.use_air = False
    for damping in (0.0, 0.5):
        obj = plants.chain(3, name=f"Damped {damping}")
        run_operator("make_dynamic")
        settings = obj.plant_dynamics
        settings.stiffness_factor, settings.damping_mode, settings.joint_damping = 0.01, "CONSTANT", 0.0
        run_operator("add_pull")
        load = settings.loads[0]
        load.stiffness, load.damping = 20.0, damping
        plants.key_location(load.target, {1: load.target.location, 3: load.target.location + Vector((0, 0, 0.1))})
        bpy.context.scene.frame_end = 60
        run_operator("play")
        tips = []
        for frame in range(1, 61):
            plants.show(frame)
            tips.append((obj.matrix_world @ obj.pose.bones[-1].tail).z)
        swings[damping] = sum(abs(after - before) for before, after in pairwise(tips[10:]))
    assert 0.0 < swings[0.5] < 0.1 * swings[0.0], swings


def test_lift_carries_the_bone_and_what_grows_from_it(fresh, run_operator, select_only):
    """A chain that lies in the air: lifted from its second bone on by its weight, only the first one hangs."""
    obj = plants.chain(4)
    run_operator("make_dynamic")
    obj.plant_dynamics.start = "settled"
    reader = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.rig.armature_reader")
    inputs = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.dynamics.surroundings.inputs")
    obj.data.bones.active = obj.data.bones[1]
    run_operator("add_lift")
    load = obj.plant_dynamics.loads[0]
    assert (load.kind, load.bone, load.lift) == ("LIFT", obj.data.bones[1].name, 1.0)
    load.influence = 0.5
    plant = reader.read_armature(obj, obj.matrix_world)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    assert inputs.read_sample(obj, plant, bpy.context.scene, depsgraph).lift.tolist() == [0.0, 0.5, 0.5, 0.5]
    load.influence = 0.0
    depsgraph.update()
    assert inputs.read_sample(obj, plant, bpy.context.scene, depsgraph).lift is None


@pytest.mark.parametrize("by_strip", [False, True])
def test_another_plant_that_shares_the_keys_keeps_them(loaded, by_strip):
    other = loaded.copy()
    other.name = "Other"
    bpy.context.scene.collection.objects.link(other)
    if by_strip:
        for data in (loaded.animation_data, other.animation_data):
            action, slot = data.action, getattr(data, "action_slot", None)
            strip = data.nla_tracks.new().strips.new("Keys", 1, action)
            data.action = None
            if slot is not None:
                strip.action_slot = slot
    before = shown(other)
    remove(loaded, 0)
    assert shown(other) == before
    assert shown(loaded) == {name: values for name, values in before.items() if name != "Load 0"}


def test_drivers_that_read_a_load_go_on_reading_it(loaded):
    reader = bpy.data.objects.new("Reader", None)
    bpy.context.scene.collection.objects.link(reader)
    driver = reader.driver_add("location", 0).driver
    driver.expression = "read"
    variable = driver.variables.new()
    variable.name, variable.targets[0].id = "read", loaded
    variable.targets[0].data_path = "plant_dynamics.loads[2].influence"
    remove(loaded, 1)
    plants.show(11)
    assert reader.location.x == pytest.approx(KEYS[3][1])
