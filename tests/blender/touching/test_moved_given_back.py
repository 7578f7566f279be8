# SPDX-License-Identifier: GPL-3.0-or-later
"""What plants move is given back as it was: by undo of Play and Bake, and by Esc in a bake."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, plant, primitive
from tests.blender.scenes.slow_work import Pressed
from tests.blender.scenes.touching.instancers import empty, stored_ball

LAST = 12
MODES = ("XYZ", "QUATERNION", "AXIS_ANGLE")


@pytest.fixture(params=MODES)
def obj(request, fresh, run_operator, select_only):
    """A limp chain, an instance below it, and two balls that fall on it: one that was drawn, and one that is held by
    keys at first."""
    bpy.context.scene.frame_end = LAST
    obj = plant(run_operator)
    empty("Stones", stored_ball().users_collection[0], (0.3, 0.0, 0.17))
    ground = collide(primitive("plane", "Ground", size=4.0))
    ground.plant_dynamics.collider.shape = "PLANE"
    drawn = primitive("uv_sphere", "Drawn", radius=0.03, location=(0.35, 0.0, 0.36))
    keyed = primitive("uv_sphere", "Keyed", radius=0.03, location=(0.15, 0.0, 0.36))
    for one in (drawn, keyed):
        one.rotation_mode, one.rotation_euler = request.param, (0.3, -0.2, 0.5)
        one.rotation_quaternion, one.rotation_axis_angle = (0.3, 0.4, -0.2, 0.84), (0.7, 0.2, 0.9, 0.4)
    plants.key_location(keyed, {1: (0.1, 0.0, 0.4), 5: (0.2, 0.0, 0.36)})
    for frame, held in ((1, True), (5, False)):
        keyed.plant_dynamics.thing.is_held = held
        keyed.keyframe_insert("plant_dynamics.thing.is_held", frame=frame)
    select_only(obj, drawn, keyed)
    run_operator("move_with_plant")
    select_only(obj)
    plants.show(1)
    return obj


def state():
    """Channels and animation of what is moved, by names, and all actions with their curves."""
    found = {}
    for name in ("Drawn", "Keyed"):
        one = bpy.data.objects[name]
        action = one.animation_data.action.name if one.animation_data and one.animation_data.action else ""
        kept = one.plant_dynamics.thing
        found[name] = (
            *one.location, one.rotation_mode, *one.rotation_euler, *one.rotation_quaternion, *one.rotation_axis_angle,
            action, one.animation_data is None, kept.is_kept, kept.is_baked,
        )  # fmt: skip
    for action in bpy.data.actions:
        found[action] = {key: keys.tobytes() for key, keys in plants.curves(action).items()}
    return {getattr(key, "name", key): value for key, value in found.items()}


def places():
    found = []
    for frame in range(1, LAST + 1):
        plants.show(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        for name in ("Drawn", "Keyed"):
            found.append(np.array(bpy.data.objects[name].evaluated_get(depsgraph).matrix_world))
    return np.array(found)


def play():
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}


def test_undo_of_play(obj):
    before, drawn = state(), places()
    plants.show(1)
    bpy.ops.ed.undo_push(message="before")
    play()
    assert np.abs(places() - drawn).max() > 0.01
    plants.show(7)
    bpy.ops.ed.undo_push(message="moved")
    while bpy.data.objects["Chain"].plant_dynamics.live:
        bpy.ops.ed.undo()
    plants.show(1)
    assert state() == before
    assert (places() == drawn).all()


@pytest.mark.parametrize("live", [False, True])
def test_undo_of_a_bake(obj, live):
    drawn = places()
    if live:
        play()
    plants.show(1)
    before = state()
    bpy.ops.ed.undo_push(message="before")
    assert bpy.ops.plant_dynamics.bake() == {"FINISHED"}
    baked = places()
    assert np.abs(baked - drawn).max() > 0.01
    bpy.ops.ed.undo_push(message="baked")
    bpy.ops.ed.undo()
    plants.show(1)
    assert state() == before
    assert np.abs(places() - (baked if live else drawn)).max() < 1e-6
    bpy.ops.ed.redo()
    assert (places() == baked).all()
    bpy.context.view_layer.objects.active = bpy.data.objects["Chain"]
    assert bpy.ops.plant_dynamics.clear_bake() == {"FINISHED"}
    assert (places() == drawn).all()


def slices_of_a_bake(fresh, obj, monkeypatch, check):
    """Give bakes up after so many slices and more, and check; bring the one to its end whose keys are being written.
    How many slices that is."""
    of_addon(fresh, "dynamics.kernels.warm_up").warm_up()
    baking, sessions = of_addon(fresh, "baking.bake"), of_addon(fresh, "dynamics.motion.sessions")
    operator = of_addon(fresh, "operators.results.bake").PLANT_DYNAMICS_OT_bake
    for slices in range(100):
        sessions.close_session(obj)
        pressed = Pressed(operator, baking.bake(bpy.context, obj, baking.BakeOptions(1, LAST)), monkeypatch)
        for _ in range(slices):
            pressed.gets("TIMER")
        if pressed.progress == 1.0:
            break
        assert pressed.gets("ESC") == {"CANCELLED"}
        check(slices)
    while not pressed.ended:
        assert pressed.gets("TIMER") <= {"RUNNING_MODAL", "FINISHED"}
    return slices


@pytest.mark.parametrize("live", [False, True])
def test_esc_in_a_bake(fresh, obj, live, monkeypatch):
    """At whatever time; until keys are written, when it goes on."""
    if live:
        play()
        plants.show(5)
    before, frame = state(), bpy.context.scene.frame_current

    def check(slices):
        assert bpy.context.scene.frame_current == frame
        assert state() == before, f"given up after {slices} slices"

    assert slices_of_a_bake(fresh, obj, monkeypatch, check) > LAST
    assert bpy.data.objects["Drawn"].plant_dynamics.thing.is_baked


def test_esc_in_baking_again_leaves_the_bake(fresh, obj, monkeypatch):
    assert bpy.ops.plant_dynamics.bake() == {"FINISHED"}
    baked = places()
    plants.show(1)
    before = state()
    bpy.data.objects["Ground"].location.z = 0.1

    def check(slices):
        assert state() == before, f"given up after {slices} slices"

    assert slices_of_a_bake(fresh, obj, monkeypatch, check) > LAST
    assert np.abs(places() - baked).max() > 0.01, "the ground is higher"
    assert bpy.ops.plant_dynamics.clear_bake() == {"FINISHED"}
    assert not bpy.data.objects["Drawn"].plant_dynamics.thing.is_kept


def test_undo_of_a_deletion_has_it_moved_again(obj, select_only):
    play()
    forth = places()
    plants.show(3)
    bpy.ops.ed.undo_push(message="before")
    select_only(bpy.data.objects["Drawn"])
    bpy.ops.object.delete()
    bpy.ops.ed.undo_push(message="deleted")
    bpy.context.view_layer.update()
    plants.show(LAST)
    bpy.ops.ed.undo()
    assert (places() == forth).all()
