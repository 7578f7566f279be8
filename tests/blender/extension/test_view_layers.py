# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant is simulated in the first view layer that has it; in the others it only shows that motion."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import Counter, module

FRAMES = range(1, 25)


def swinging() -> bpy.types.Object:
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(4)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    plants.key_location(obj, {1: (0.0, 0.0, 0.0), 5: (0.0, 0.0, 0.0), 15: (0.2, 0.2, 0.0)})
    return obj


def in_a_collection(obj: bpy.types.Object, name: str) -> None:
    made = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(made)
    made.objects.link(obj)
    bpy.context.scene.collection.objects.unlink(obj)


def layer_without(name: str) -> bpy.types.ViewLayer:
    layer = bpy.context.scene.view_layers.new(f"Without {name}")
    layer.layer_collection.children[name].exclude = True
    return layer


def blowing(plant) -> bpy.types.Object:
    bpy.ops.object.effector_add(type="WIND", location=(0.0, 0.0, 0.0), rotation=(0.0, 1.5, 0.0))
    field = bpy.context.object
    field.field.strength = 5.0
    in_a_collection(field, "Fields")
    bpy.context.view_layer.objects.active = plant
    return field


def poses(obj, frames):
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(np.array([bone.rotation_quaternion for bone in obj.pose.bones]))
    return np.array(found)


@pytest.mark.parametrize("keyed", [False, True], ids=["weights", "keyed weights"])
def test_fields_that_a_second_layer_excludes_act_at_all_frames(fresh, run_operator, monkeypatch, keyed):
    obj = swinging()
    blowing(obj)
    if keyed:
        for frame, value in ((1, 0.0), (24, 2.0)):
            obj.plant_dynamics.fields.wind = value
            obj.plant_dynamics.fields.keyframe_insert("wind", frame=frame)
            obj.plant_dynamics.gravity_factor = value
            obj.plant_dynamics.keyframe_insert("gravity_factor", frame=frame)
    run_operator("play")
    alone = poses(obj, FRAMES)
    layer_without("Fields")
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    counter = Counter(fresh, monkeypatch)
    straight = poses(obj, FRAMES)
    assert counter.take() == (1, len(FRAMES) - 1), "nothing is simulated twice"
    assert np.array_equal(straight, alone)
    for jumps in ([5, 20, 3, 24], [24, 2, 9]):
        assert np.array_equal(poses(obj, jumps), straight[np.array(jumps) - 1])
        plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    run_operator("bake")
    assert np.abs(poses(obj, FRAMES) - straight).max() < 1e-6


@pytest.mark.parametrize("shown", [0, 1])
def test_whichever_layer_is_shown_play_and_bake_are_the_same(fresh, run_operator, tmp_path, shown):
    obj = swinging()
    blowing(obj)
    other = layer_without("Fields")
    scene = bpy.context.scene
    for frame, value in ((1, 0.0), (24, 2.0)):
        obj.plant_dynamics.gravity_factor = obj.plant_dynamics.fields.wind = value
        obj.plant_dynamics.keyframe_insert("gravity_factor", frame=frame)
        obj.plant_dynamics.fields.keyframe_insert("wind", frame=frame)
    run_operator("add_pull")
    for frame, value in ((5, 1.0), (9, 0.0)):
        obj.plant_dynamics.loads[0].influence = value
        obj.plant_dynamics.loads[0].keyframe_insert("influence", frame=frame)
    for frame, value in ((1, 1.0), (20, 4.0)):
        scene.plant_dynamics.wind.source, scene.plant_dynamics.wind.speed = "GUSTS", value
        scene.plant_dynamics.wind.keyframe_insert("speed", frame=frame)
        scene.gravity[0] = value
        scene.keyframe_insert("gravity", frame=frame)
    layer = (scene.view_layers[0], other)[shown]
    bpy.context.window.view_layer = layer
    layer.objects.active = obj
    obj.select_set(True, view_layer=layer)
    assert bpy.context.view_layer == layer
    run_operator("play")
    straight = poses(obj, FRAMES)
    assert np.abs(straight[20] - straight[3]).max() > 0.01
    for jumps in ([11, 4], [20, 3, 24]):
        plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
        assert np.array_equal(poses(obj, jumps), straight[np.array(jumps) - 1])
    path = str(tmp_path / "layers.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for jumps in ([11, 4], [4, 5, 20, 3, 24]):
        bpy.ops.wm.open_mainfile(filepath=path)  # Blender has not evaluated anything for the other layer
        assert np.array_equal(poses(bpy.data.objects["Chain"], jumps), straight[np.array(jumps) - 1])
    obj = bpy.data.objects["Chain"]
    run_operator("bake")
    assert np.abs(poses(obj, FRAMES) - straight).max() < 1e-6
    forces = module(fresh, "dynamics.motion.sessions").session_of(obj).recording.worlds[5].wind
    assert callable(forces), "the field blows"


def test_a_plant_that_the_first_layer_has_not_is_simulated_in_the_next(fresh, run_operator, monkeypatch):
    obj = swinging()
    run_operator("play")
    alone = poses(obj, FRAMES)
    in_a_collection(obj, "Plants")
    scene = bpy.context.scene
    scene.view_layers.new("Second")
    scene.view_layers[0].layer_collection.children["Plants"].exclude = True
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    counter = Counter(fresh, monkeypatch)
    assert np.array_equal(poses(obj, FRAMES), alone)
    assert counter.take() == (1, len(FRAMES) - 1)


def test_another_layer_shows_the_motion_when_frames_are_not_known(fresh, run_operator):
    obj = swinging()
    blowing(obj)
    other = layer_without("Fields")
    run_operator("play")
    straight = poses(obj, FRAMES)
    scene, showing = bpy.context.scene, module(fresh, "dynamics.live.showing")
    scene.frame_set(9)
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    showing.update_live(scene, other.depsgraph)  # Blender has called for this layer alone
    assert scene.frame_current == 9
    assert np.array_equal([bone.rotation_quaternion for bone in obj.pose.bones], straight[8])


def test_the_panel_lists_the_fields_that_act(fresh, run_operator):
    obj = swinging()
    field = blowing(obj)
    layer_without("Fields")
    layers, fields = module(fresh, "blender.view_layers"), module(fresh, "dynamics.surroundings.force_fields")
    assert fields.enabled_fields(obj, layers.layer_of(obj, bpy.context.scene)) == [field]
