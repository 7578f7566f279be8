# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plant moves, put elsewhere by hand while the plant plays."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, plant, primitive

FRAMES = range(1, 21)


@pytest.fixture
def obj(fresh, run_operator):
    """A chain along X at 0.3 m above a ground."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plant(run_operator)
    ground = collide(primitive("plane", "Ground", size=4.0))
    ground.plant_dynamics.collider.shape = "PLANE"
    return obj


@pytest.fixture
def ball(obj, run_operator, select_only):
    """One above the chain's end, turned."""
    ball = primitive("uv_sphere", "Ball", radius=0.03, location=(0.35, 0.0, 0.36))
    ball.rotation_euler = (0.3, -0.2, 0.5)
    select_only(obj, ball)
    run_operator("move_with_plant")
    select_only(obj)
    return ball


def places(one, frames=FRAMES):
    """(frames, 4, 4) world matrices when the frames are shown one after the other."""
    found = []
    for frame in frames:
        plants.show(frame)
        found.append(np.array(one.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world))
    return np.array(found)


@pytest.mark.parametrize("run_up", [0, 5])
@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "QUATERNION", "AXIS_ANGLE"])
def test_at_the_first_frame_it_begins_there(obj, ball, run_operator, mode, run_up):
    ball.rotation_mode, obj.plant_dynamics.run_up = mode, run_up
    if run_up:
        ball.location.z = 0.8  # it falls meanwhile, in other air from elsewhere
    drawn = np.array(ball.location)
    run_operator("play")
    forth = places(ball)
    plants.show(1)
    away = np.array((-0.1, 0.02, 0.2))
    ball.location = np.array(ball.location) + away
    ball.rotation_quaternion = (0.5, 0.5, 0.5, 0.5)
    bpy.context.view_layer.update()
    put = np.array(ball.matrix_world)
    again = places(ball)
    assert np.abs(again[0] - put).max() < (1e-3 if run_up else 1e-5)
    assert np.abs(again[-1] - forth[-1]).max() > 1e-3
    for frame in (12, 3, 20, 7):
        assert (places(ball, [frame])[0] == again[frame - 1]).all()
    run_operator("reset")
    bpy.context.view_layer.update()
    assert ball.rotation_mode == mode
    assert ball.location[:] == pytest.approx(drawn + away, abs=1e-5)
    assert np.abs(np.array(ball.matrix_world)[:3, :3] - put[:3, :3]).max() < 1e-5


def test_what_else_is_edited_at_the_first_frame_leaves_it_where_it_began(obj, ball, run_operator):
    run_operator("play")
    forth, kept = places(ball), ball.plant_dynamics.thing.location[:]
    plants.show(1)
    bpy.data.objects["Ground"].location.x += 0.5
    obj.location.x += 0.0
    bpy.context.view_layer.update()
    assert ball.plant_dynamics.thing.location[:] == kept
    assert np.abs(places(ball) - forth).max() < 1e-6


def test_at_a_later_frame_it_goes_on_as_it_did(obj, ball, run_operator):
    run_operator("play")
    forth = places(ball)
    plants.show(9)
    ball.location.z += 0.2
    bpy.context.view_layer.update()
    assert (places(ball) == forth).all()


def test_keys_of_its_place_are_not_taken_for_it(obj, ball, run_operator):
    """It is held, and carried along by them."""
    plants.key_location(ball, {1: (0.3, 0.0, 0.4), 9: (0.3, 0.0, 0.5)})
    for frame, held in ((1, True), (5, False)):
        ball.plant_dynamics.thing.is_held = held
        ball.keyframe_insert("plant_dynamics.thing.is_held", frame=frame)
    run_operator("play")
    forth = places(ball)
    plants.show(1)
    ball.location.x += 0.1
    bpy.context.view_layer.update()
    assert (places(ball) == forth).all()
