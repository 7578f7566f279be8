# SPDX-License-Identifier: GPL-3.0-or-later
"""A script animates what nothing had animated before, and renders at once: pictures are those of the bake."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.renders import film, watched

LAST = 8


def wind_by_a_driver(obj, scene):
    scene.driver_add("plant_dynamics.wind.speed").driver.expression = "3 * frame"


def gravity_by_keys(obj, scene):
    for frame, value in ((1, -9.8), (LAST, 5.0)):
        scene.gravity[2] = value
        scene.keyframe_insert("gravity", index=2, frame=frame)


def place_by_a_parent(obj, scene):
    obj.parent = bpy.data.objects.new("Truck", None)
    scene.collection.objects.link(obj.parent)
    plants.key_location(obj.parent, {1: (0, 0, 0), LAST: (0.5, 0, 0)})


def gravity_by_a_driver(obj, scene):
    scene.driver_add("gravity", 2).driver.expression = "-9.8 + 2 * frame"


def own_place(obj, scene):
    plants.key_location(obj, {1: (0, 0, 0), LAST: (0, 0.5, 0)})


def moved_keys(obj, scene):
    """Keys that were there already."""
    for curve in plants.all_curves(scene.animation_data.action):
        curve.keyframe_points[1].co.y = 9.0
        curve.update()


ANIMATED = [wind_by_a_driver, gravity_by_keys, place_by_a_parent]


@pytest.fixture
def chain(fresh, run_operator):
    """In wind."""
    bpy.context.scene.frame_end = LAST
    obj = plants.chain(4)
    run_operator("make_dynamic")
    run_operator("wind_preset", preset="WIND")
    return obj


@pytest.mark.parametrize("animate", ANIMATED, ids=lambda one: one.__name__)
def test_a_render_shows_what_was_animated_since(chain, run_operator, tmp_path, animate):
    scene, obj = bpy.context.scene, chain
    run_operator("play")
    still = plants.played(obj, range(1, LAST + 1))
    film(tmp_path)
    animate(obj, scene)
    with watched(obj) as seen:
        bpy.ops.render.render(animation=True)
    run_operator("bake")
    with watched(obj) as baked:
        bpy.ops.render.render(animation=True)
    assert np.abs(plants.matrices(obj) - still[-1]).max() > 1e-3, "it acts"
    assert max(np.abs(seen[frame] - baked[frame]).max() for frame in range(1, LAST + 1)) < 1e-5


@pytest.mark.parametrize(
    "animate", [*ANIMATED, gravity_by_a_driver, own_place, moved_keys], ids=lambda one: one.__name__
)
def test_frames_that_a_script_draws_one_by_one_show_it_too(chain, run_operator, tmp_path, animate):
    """What is keyed between two of them is evaluated with the next one."""
    scene, obj = bpy.context.scene, chain
    if animate == moved_keys:
        gravity_by_keys(obj, scene)
    run_operator("play")
    still = plants.played(obj, range(1, LAST + 1))
    film(tmp_path)
    scene.frame_set(3)
    animate(obj, scene)
    seen = {}
    for frame in range(4, LAST + 1):
        scene.frame_set(frame)
        bpy.ops.render.render(write_still=True)
        seen[frame] = plants.matrices(obj)
    run_operator("bake")
    baked = dict(zip(range(1, LAST + 1), plants.played(obj, range(1, LAST + 1)), strict=True))
    assert np.abs(baked[LAST] - still[-1]).max() > 1e-3, "it acts"
    assert max(np.abs(seen[frame] - baked[frame]).max() for frame in range(4, LAST + 1)) < 1e-5
