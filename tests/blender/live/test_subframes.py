# SPDX-License-Identifier: GPL-3.0-or-later
"""Between whole frames: a live plant stands as its bake would, nothing is simulated there, motion blur sees it."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, busy_plant, module
from tests.blender.scenes.renders import film, watched

MOMENTS = [(0, 0.5), (1, 0.5), (6, 0.25), (13, 0.75), (39, 0.5)]


@pytest.fixture
def live(fresh, run_operator):
    """A live plant and its poses of straight play."""
    obj = busy_plant(3)
    run_operator("play")
    return obj, plants.played(obj, FRAMES)


def show(frame: int, share: float) -> None:
    bpy.context.scene.frame_set(frame, subframe=share)
    bpy.context.view_layer.update()


def at_moments(obj: bpy.types.Object) -> np.ndarray:
    poses = []
    for frame, share in MOMENTS:
        show(frame, share)
        poses.append(plants.matrices(obj))
    return np.array(poses)


def test_between_frames_a_plant_stands_as_its_bake(live, run_operator):
    obj, straight = live
    shown = at_moments(obj)
    assert np.abs(shown[2] - straight[5]).max() > 1e-4
    run_operator("bake")
    assert np.allclose(at_moments(obj), shown, atol=2e-6)


def test_nothing_is_sampled_between_frames(fresh, live):
    """Whatever was shown between them, whole frames are those of straight play."""
    obj, straight = live
    sessions = module(fresh, "dynamics.motion.sessions")
    for known in (True, False):
        if not known:
            plants.close_sessions(sessions)
        for frame, share, then in ((10, 0.5, 11), (20, 0.99, 20), (3, 0.01, 4), (30, 0.5, 31), (12, 0.5, 12)):
            show(frame, share)
            between = plants.matrices(obj)
            end = sessions.session_of(obj).recording.end_frame
            assert end == (41 if known else max(end, frame + 1))
            plants.show(then)
            assert np.array_equal(plants.matrices(obj), straight[then - 1]), f"frame {then} after {frame + share}"
            show(frame, share)
            assert np.array_equal(plants.matrices(obj), between)
    assert np.array_equal(plants.played(obj, FRAMES), straight)


def test_a_plant_that_nothing_moves_between_frames(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    obj.plant_dynamics.start = "drawn"
    bpy.context.scene.frame_end = 12
    run_operator("play")
    straight = plants.played(obj, range(1, 13))
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    show(7, 0.5)
    assert bpy.context.scene.frame_current == 7
    between = plants.matrices(obj)
    low, high = np.minimum(straight[6], straight[7]), np.maximum(straight[6], straight[7])
    assert (between > low - 1e-4).all()
    assert (between < high + 1e-4).all()
    assert np.array_equal(plants.played(obj, range(1, 13)), straight)


@pytest.mark.parametrize("played", [0, 20, 40])
def test_bake_where_the_scene_stands_between_frames(fresh, live, run_operator, played):
    obj, straight = live
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    if played:
        plants.show(played)
    show(20, 0.5)
    run_operator("bake")
    assert (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe) == (20, 0.5)
    assert np.allclose(plants.played(obj, FRAMES), straight, atol=2e-6)


def test_play_and_walks_keep_a_moment_before_frame_0(fresh, live):
    frames = module(fresh, "blender.timeline")
    show(-1, 0.25)
    assert frames.place_in_time(bpy.context.scene) == (-1, 0.25)
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    assert frames.place_in_time(bpy.context.scene) == (-1, 0.25)


def test_what_is_moved_by_hand_between_frames_acts_from_the_next_on(fresh, run_operator):
    obj = plants.chain(3)
    run_operator("make_dynamic")
    run_operator("add_pull")
    bpy.context.scene.frame_end = 30
    obj.keyframe_insert("location", frame=1)
    run_operator("play")
    before = plants.played(obj, range(1, 31))
    show(10, 0.5)
    obj.plant_dynamics.loads[0].target.location.z += 0.2
    bpy.context.view_layer.update()
    show(10, 0.75)
    between = plants.matrices(obj)
    now = plants.played(obj, range(11, 31))
    assert np.abs(now[-1] - before[-1]).max() > 1e-3
    show(10, 0.75)
    assert np.array_equal(plants.matrices(obj), between)


def test_motion_blur_sees_the_pose_of_the_moment(live, run_operator, tmp_path):
    obj, _ = live
    scene = film(tmp_path)
    scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, 0.5
    plants.show(12)
    with watched(obj) as seen:
        bpy.ops.render.render()
    assert {11.75, 12.0, 12.25} <= seen.keys()
    run_operator("bake")
    with watched(obj) as baked:
        bpy.ops.render.render()
    for moment, pose in baked.items():
        sign = np.sign((pose * seen[moment]).sum(axis=1, keepdims=True))
        assert np.allclose(seen[moment] * sign, pose, atol=1e-6), moment
    assert np.abs(seen[11.75] - seen[12.25]).max() > 1e-4


def test_the_blur_of_the_last_frame_is_known(live, tmp_path, capsys):
    obj, _ = live
    scene = film(tmp_path)
    scene.render.use_motion_blur = True
    plants.show(FRAMES[-1])
    with watched(obj) as seen:
        bpy.ops.render.render()
    assert "without" not in capsys.readouterr().out
    assert np.abs(seen[40.25] - seen[40.0]).max() > 1e-5


def test_a_render_simulates_motion_that_is_not_known(fresh, live, tmp_path):
    obj, _ = live
    scene = film(tmp_path)
    scene.render.use_motion_blur = True
    plants.show(10)
    with watched(obj) as known:
        bpy.ops.render.render()
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    with watched(obj) as seen:
        bpy.ops.render.render()
    assert module(fresh, "dynamics.motion.sessions").session_of(obj).recording.end_frame == 11
    assert known.keys() == seen.keys() >= {9.75, 10.0, 10.25}
    assert all(np.array_equal(seen[moment], known[moment]) for moment in seen)
