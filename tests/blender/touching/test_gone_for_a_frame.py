# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders that are gone at some frames and come back: what lies on them."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, plant, primitive
from tests.blender.scenes.touching.instancers import empty, stored

FRAMES = range(1, 31)
GONE = 18


@pytest.fixture
def obj(fresh, run_operator, select_only):
    """A limp chain that falls on a table from near above it, with a ball that the plant moves."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plant(run_operator, height=0.02)
    ball = primitive("uv_sphere", "Ball", radius=0.03, location=(0.2, 0.2, 0.04))
    select_only(obj, ball)
    run_operator("move_with_plant")
    return obj


def table():
    return collide(primitive("cube", "Table", size=1.0, location=(0.2, 0.0, -0.5)))


def instanced():
    thing = table()
    thing.location = (0.0, 0.0, 0.0)
    return empty("Tables", stored(thing), (0.2, 0.0, -0.5))


def disabled(thing):
    return thing, "hide_viewport", True


def without_physics(thing):
    return thing.modifiers["Collision"], "show_viewport", False


def key(how, frames):
    """Have it gone at these frames."""
    owner, path, gone = how
    for frame in FRAMES:
        setattr(owner, path, gone if frame in frames else not gone)
        owner.keyframe_insert(path, frame=frame)


def played(fresh, obj):
    """Of the plant and of the ball: (frames, bones, 4, 4) and (frames, 3)."""
    of_addon(fresh, "dynamics.live.live").stop_live(obj)
    bpy.context.view_layer.objects.active = obj
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    poses, places = [], []
    for frame in FRAMES:
        plants.show(frame)
        poses.append(plants.matrices(obj))
        ball = bpy.data.objects["Ball"].evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append(np.array(ball.matrix_world.translation))
    return np.array(poses), np.array(places)


WAYS = {
    "disabled": (table, disabled),
    "its physics": (table, without_physics),
    "instances": (instanced, disabled),
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_falls_through_what_is_gone_for_one_frame(fresh, obj, way):
    make, gone = WAYS[way]
    thing = make()
    poses, places = played(fresh, obj)
    assert np.abs(places[GONE:] - places[GONE]).max() < 1e-3, "it lies"
    key(gone(thing), [GONE])
    again, places_again = played(fresh, obj)
    world = of_addon(fresh, "dynamics.motion.sessions").session_of(obj).recording.worlds[GONE - 1]
    assert not world.colliders, "it is gone"
    assert np.array_equal(again, poses)
    assert np.array_equal(places_again, places)


def test_it_lets_go_from_the_frame_on_at_which_it_is_gone(fresh, obj):
    poses, _ = played(fresh, obj)  # nothing holds it
    thing = table()
    lying, _ = played(fresh, obj)
    key(disabled(thing), range(GONE, FRAMES[-1] + 1))
    again, _ = played(fresh, obj)
    assert np.array_equal(again[:GONE], lying[:GONE])
    assert again[GONE, -1, 2, 3] < lying[GONE, -1, 2, 3] - 1e-3
    assert poses[GONE, -1, 2, 3] < lying[GONE, -1, 2, 3] - 0.1


def test_what_it_overlaps_as_it_comes_back_is_left_alone(fresh, obj):
    """It has fallen into where the table is again, and is not thrown out of it."""
    thing = table()
    _, lies = played(fresh, obj)
    key(disabled(thing), range(GONE, GONE + 4))
    _, fallen = played(fresh, obj)
    assert fallen[GONE + 3, 2] < lies[GONE, 2] - 0.05
    assert (np.diff(fallen[GONE:, 2]) < 0.0).all()


def test_what_moves_and_is_gone_for_one_frame_is_not_gone_through_either(fresh, obj):
    """It stands for that frame, and catches up in the next one."""
    thing, top = table(), 0.5
    for frame, height in ((1, -0.5), (12, -0.5), (28, -0.3)):
        thing.location.z = height
        thing.keyframe_insert("location", frame=frame)
    key(disabled(thing), [GONE])
    _, places = played(fresh, obj)
    assert places[27, 2] > places[12, 2] + 0.15
    for frame in FRAMES:
        plants.show(frame)
        if frame != GONE:
            assert places[frame - 1, 2] > thing.location.z + top + 0.028
