# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts that move things when the frame changes: nothing of it is seen in the scene's animation."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import module

FRAMES = range(1, 31)


@pytest.fixture(params=["frame_change_pre", "frame_change_post"])
def moved(request, fresh):
    """A plant whose base a script's handler moves."""
    bpy.context.scene.frame_end = FRAMES[-1]
    obj = plants.chain(4)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}

    def move(scene, *_):
        obj.location = (0.0, 0.02 * scene.frame_current, 0.01 * np.sin(scene.frame_current))

    handlers = getattr(bpy.app.handlers, request.param)
    handlers.append(move)
    yield obj
    handlers.remove(move)


def test_play_jumps_and_bake_are_the_same(fresh, run_operator, moved):
    run_operator("play")
    straight = plants.played(moved, FRAMES)
    local = np.linalg.inv(straight[:, :1]) @ straight
    assert np.abs(np.diff(local[2:], axis=0)).max(axis=(1, 2, 3)).min() > 1e-6, "it moves on its base"
    sessions = module(fresh, "dynamics.motion.sessions")
    for begun in ("played", "reset", "forgotten", "forgotten at a later frame"):
        if begun == "reset":
            run_operator("reset")
            run_operator("play")
        elif begun != "played":
            plants.show(1 if begun == "forgotten" else 24)
            plants.close_sessions(sessions)
        for frame in (30, 5, 22, 11, 23, 2):
            plants.show(frame)
            assert np.array_equal(plants.matrices(moved), straight[frame - 1]), (begun, frame)
    run_operator("bake")
    assert np.abs(plants.played(moved, FRAMES) - straight).max() < 1e-5


def test_without_such_handlers_frames_need_not_be_looked_at(fresh):
    obj = plants.chain(3)
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    is_static = module(fresh, "dynamics.surroundings.inputs").is_static
    assert is_static(obj, bpy.context.scene)

    def nothing(*_):
        pass

    bpy.app.handlers.frame_change_pre.append(nothing)
    try:
        assert not is_static(obj, bpy.context.scene)
    finally:
        bpy.app.handlers.frame_change_pre.remove(nothing)
