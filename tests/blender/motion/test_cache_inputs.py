# SPDX-License-Identifier: GPL-3.0-or-later
"""A change of an input drops the cached frames that it must, and no more; the poses are those of straight play."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, Counter, busy_plant, module, played_anew

LAST = FRAMES[-1]
ALL = 1  # the first frame to be simulated anew
NONE = LAST + 1


def scene():
    return bpy.context.scene


def key(owner, name, value, frame):
    setattr(owner, name, value)
    owner.keyframe_insert(name, frame=frame)
    straighten()


def straighten():
    """Linear keys, which change nothing before the key in front of them."""
    curves = module(ADDON, "blender.fcurves").all_curves
    for action in bpy.data.actions:
        for curve in curves(action):
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
            curve.update()


def rename(obj):
    obj.name = "Another name"


def rename_action(obj):
    obj.animation_data.action.name = "Another action"


def undo_something_else(obj):
    bpy.ops.ed.undo_push(message="Before")
    bpy.data.objects.new("Unrelated", None)
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()


def undo_a_setting(obj):
    bpy.ops.ed.undo_push(message="Before")
    obj.plant_dynamics.gravity_factor = 2.0
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()


#: What is changed, and the first frame that must be simulated again.
CHANGES = {
    "name of the plant": (rename, NONE),
    "name of the action": (rename_action, NONE),
    "options of the panel": (lambda obj: setattr(scene().plant_dynamics_bake, "step", 3), NONE),
    "cache on disk": (lambda obj: setattr(obj.plant_dynamics, "use_disk_cache", True), NONE),
    "active load": (lambda obj: setattr(obj.plant_dynamics, "active_load", 1), NONE),
    "name of a load": (lambda obj: setattr(obj.plant_dynamics.loads[0], "name", "Hand"), NONE),
    "last frame": (lambda obj: setattr(scene(), "frame_end", 60), NONE),
    "unrelated object": (lambda obj: plants.key_location(plants.chain(2, name="Still"), {1: (0, 0, 0)}), NONE),
    "an undo that changes nothing": (undo_something_else, NONE),
    "an undo of a setting": (undo_a_setting, NONE),
    "key of a load": (lambda obj: key(obj.plant_dynamics.loads[1], "influence", 0.9, 28), 21),
    "key of a handle": (lambda obj: key(obj.plant_dynamics.loads[0].target, "location", (0.2, 0.2, 0), 9), 2),
    "late key of the base": (lambda obj: key(obj, "location", (0.1, 0.1, 0.1), 34), 26),
    "key of the wind": (lambda obj: key(scene().plant_dynamics.wind, "speed", 9.0, 40), 2),
    "strength of a load": (lambda obj: setattr(obj.plant_dynamics.loads[0], "stiffness", 0.7), ALL),
    "late load": (lambda obj: setattr(obj.plant_dynamics.loads[1], "torque", 0.5), 6),
    "removed load": (lambda obj: bpy.ops.plant_dynamics.remove_load(), 6),
    "gravity": (lambda obj: setattr(obj.plant_dynamics, "gravity_factor", 0.8), ALL),
    "stiffness": (lambda obj: setattr(obj.plant_dynamics, "stiffness_factor", 0.8), ALL),
    "key of the stiffness": (lambda obj: key(obj.plant_dynamics, "stiffness_factor", 1.0, 10), NONE),
    "gusts": (lambda obj: setattr(scene().plant_dynamics.wind, "seed", 5), ALL),
    "air": (lambda obj: setattr(scene().plant_dynamics.wind, "air_density", 2.0), ALL),
    "material": (lambda obj: setattr(obj.plant_dynamics, "young_modulus", 250.0), ALL),
    "bone": (lambda obj: setattr(obj.data.bones[1].plant_dynamics, "use_physics", False), ALL),
    "strength of a bone": (lambda obj: setattr(obj.data.bones[1].plant_dynamics, "strength", 9.0), NONE),
    "start": (lambda obj: setattr(obj.plant_dynamics, "start", "drawn"), ALL),
    "run-up": (lambda obj: setattr(obj.plant_dynamics, "run_up", 2), ALL),
    "accuracy": (lambda obj: setattr(obj.plant_dynamics, "max_step", 0.002), ALL),
    "landing time": (lambda obj: setattr(obj.plant_dynamics, "landing_time", 0.01), ALL),
    "frame rate": (lambda obj: setattr(scene().render, "fps", 30), ALL),
}

ADDON = None


@pytest.fixture
def played(fresh, run_operator):
    global ADDON
    ADDON = fresh
    obj = busy_plant()
    straighten()
    run_operator("play")
    plants.show(LAST)
    return obj


def since_kept(addon, frame):
    """How many frames are simulated once more before this one: those since the last whose state is kept."""
    return (frame - 2) % module(addon, "dynamics.motion.known_frames").KEPT_EVERY if frame <= LAST else 0


@pytest.mark.parametrize("change", CHANGES)
def test_it_drops_what_it_must_and_no_more(fresh, played, change, monkeypatch, select_only):
    apply, first = CHANGES[change]
    select_only(played)
    uid = played.session_uid
    counter = Counter(fresh, monkeypatch)
    apply(played)
    bpy.context.view_layer.update()
    obj = next(one for one in bpy.data.objects if one.session_uid == uid)
    plants.show(LAST)
    starts, advances = counter.take()
    assert starts == (first == ALL)
    run_up = obj.plant_dynamics.run_up if first == ALL else 0
    assert advances == LAST - max(first, 2) + 1 + run_up + since_kept(fresh, max(first, 2))
    shown = plants.played(obj, FRAMES)
    assert np.array_equal(shown, played_anew(fresh, obj, FRAMES))


def test_a_new_force_field_counts_from_the_first_frame(fresh, played, monkeypatch):
    plants.show(25)
    counter = Counter(fresh, monkeypatch)
    bpy.ops.object.effector_add(type="FORCE", location=(1, 0, 0))
    bpy.context.object.field.strength = 3.0
    plants.show(25)
    assert counter.take() == (1, 24)
    assert np.array_equal(plants.played(played, FRAMES), played_anew(fresh, played, FRAMES))


@pytest.mark.parametrize("what", ["handle", "field", "carrier"])
def test_what_is_moved_by_hand_counts_from_that_frame_on(fresh, run_operator, monkeypatch, select_only, what):
    obj = busy_plant()
    bpy.ops.object.effector_add(type="FORCE", location=(1, 0, 0))
    field = bpy.context.object
    field.field.strength = 3.0
    select_only(obj)
    run_operator("add_pull")
    carrier = bpy.data.objects.new("Carrier", None)
    scene().collection.objects.link(carrier)
    obj.parent = carrier
    moved = {"handle": obj.plant_dynamics.loads[-1].target, "field": field, "carrier": carrier}[what]
    plants.show(1)
    run_operator("play")
    plants.show(LAST)
    plants.show(25)
    counter = Counter(fresh, monkeypatch)
    moved.location.z += 0.1
    bpy.context.view_layer.update()
    plants.show(25)
    assert counter.take() == (0, 1 + since_kept(fresh, 25))
    moved.location.z += 0.1
    bpy.context.view_layer.update()
    plants.show(25)
    assert counter.take() == (0, 1)
    plants.show(LAST)
    assert counter.take() == (0, LAST - 25)


def test_the_frame_at_which_a_plant_is_read_does_not_matter(fresh, played):
    """Its base turns: what rounding makes of its scale must not make another motion."""
    straight = plants.played(played, FRAMES)
    sessions = module(fresh, "dynamics.motion.sessions")
    for frame in (7, 18, 29):
        plants.close_sessions(sessions)
        plants.show(frame)
        assert np.array_equal(plants.matrices(played), straight[frame - 1])
        assert np.array_equal(plants.played(played, FRAMES), straight)
