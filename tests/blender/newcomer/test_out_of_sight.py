# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that walks through the scene's frames is not seen to: between its slices the scene stands where it stood."""

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.slow_work import LAST, Pressed, looking_ahead


@pytest.fixture
def chain(fresh):
    obj = plants.chain()
    bpy.ops.plant_dynamics.make_dynamic()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    plants.key_location(obj, {1: (0.0, 0.0, 0.0), LAST: (0.3, 0.0, 0.0)})
    scene.frame_set(4, subframe=0.5)
    return obj


def pressed(fresh, monkeypatch, work):
    return Pressed(bpy.types.PLANT_DYNAMICS_OT_play, work, monkeypatch)


def place():
    scene = bpy.context.scene
    return scene.frame_current + scene.frame_subframe


def to_the_end(operator):
    """Where the scene stands whenever Blender may draw."""
    seen = []
    while not operator.ended:
        operator.gets("TIMER", "NOTHING")
        seen.append(place())
    return seen


def test_play_looks_ahead_out_of_sight(fresh, chain, monkeypatch):
    walked = []
    bpy.app.handlers.frame_change_post.append(lambda scene, _: walked.append(scene.frame_current))
    seen = to_the_end(pressed(fresh, monkeypatch, looking_ahead(fresh, 100.0)))
    assert set(range(1, LAST + 2)) <= set(walked), "it did look"
    assert len(seen) > LAST
    assert set(seen) == {4.5}


def test_work_finds_the_scene_where_it_left_it(fresh, chain, monkeypatch):
    scene, found = bpy.context.scene, []

    def work():
        for frame in (2, 9, 30):
            scene.frame_set(frame)
            yield 0.5
            found.append((scene.frame_current, round(chain.matrix_world.translation.x, 4)))
            yield 0.5
        scene.frame_set(4, subframe=0.5)

    places = []
    for frame in (2, 9, 30):
        scene.frame_set(frame)
        places.append((frame, round(chain.matrix_world.translation.x, 4)))
    scene.frame_set(4, subframe=0.5)
    assert set(to_the_end(pressed(fresh, monkeypatch, work()))) == {4.5}
    assert found == places


def test_who_goes_to_another_frame_meanwhile_stays_there(fresh, chain, monkeypatch):
    operator = pressed(fresh, monkeypatch, looking_ahead(fresh, 100.0))
    for _ in range(3):
        operator.gets("TIMER", "NOTHING")
    bpy.context.scene.frame_set(6)
    assert set(to_the_end(operator)) == {6.0}


def test_esc_leaves_the_scene_where_it_is_seen(fresh, chain, monkeypatch):
    operator = pressed(fresh, monkeypatch, looking_ahead(fresh, 100.0))
    for _ in range(3):
        operator.gets("TIMER", "NOTHING")
    assert operator.gets("ESC") == {"CANCELLED"}
    assert place() == 4.5
