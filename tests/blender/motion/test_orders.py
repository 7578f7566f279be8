# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever frames are shown in whatever order, the poses are those of straight play, to the last bit.

The full form tries eight times as many orders.
"""

import random

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, busy_plant, module
from tests.blender.scenes.touching import busy_contact as touched
from tests.forms import IS_FULL

ORDERS = 200 if IS_FULL else 25


def order(chance: random.Random) -> list[int]:
    """Frames as an animator visits them: scrubbing both ways, jumps, play that drops frames, rests."""
    frames, frame = [], chance.choice(FRAMES)
    for _ in range(chance.randint(2, 6)):
        way = chance.choice(("jump", "scrub", "reverse", "dropping", "rest"))
        if way == "jump":
            frame = chance.choice(FRAMES)
            frames.append(frame)
        elif way == "rest":
            frames += [frame] * 2
        else:
            steps = {"scrub": (1,), "reverse": (-1,), "dropping": (1, 2, 3, 5)}[way]
            for _ in range(chance.randint(2, 10)):
                frame = min(max(frame + chance.choice(steps), FRAMES[0]), FRAMES[-1])
                frames.append(frame)
    return frames


@pytest.fixture(params=["loads", "contact"])
def straight(request, fresh, run_operator):
    """Name of a plant, live, how to look at all that moves, and that in all frames of straight play."""
    shown = plants.matrices if request.param == "loads" else touched.shown
    obj = busy_plant(3) if request.param == "loads" else touched.busy_contact()
    run_operator("play")
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    return obj.name, shown, np.array([plants.show(frame) or shown(obj) for frame in FRAMES])


@pytest.mark.timeout(3600)
def test_random_orders_show_what_straight_play_shows(fresh, straight):
    name, shown, poses = straight
    assert np.abs(np.diff(poses, axis=0)).max(axis=(1, 2, 3)).min() > 1e-5, "it moves in every frame"
    sessions, live = module(fresh, "dynamics.motion.sessions"), module(fresh, "dynamics.live.live")
    for number in range(ORDERS):
        chance = random.Random(number)
        if number % 3 == 0:
            plants.close_sessions(sessions)  # nothing is known: as after loading
        elif number % 3 == 1:
            live.forget_samples()  # all is to be looked at again: as after an edit
        if number % 5 == 2:
            undo_an_edit(name, chance.choice(FRAMES))
        elif number % 5 == 4:
            bake_and_clear(name, shown, poses, chance)
        for frame in order(chance):
            plants.show(frame)
            assert np.array_equal(shown(bpy.data.objects[name]), poses[frame - 1]), f"order {number}, frame {frame}"


def undo_an_edit(name: str, frame: int) -> None:
    """Change what the plant does at a frame, look, and undo it. All data are others then."""
    plants.show(frame)
    bpy.ops.ed.undo_push(message="Before")
    bpy.data.objects[name].plant_dynamics.gravity_factor = 0.5
    bpy.ops.ed.undo_push(message="After")
    plants.show(min(frame + 3, FRAMES[-1]))
    bpy.ops.ed.undo()
    assert bpy.data.objects[name].plant_dynamics.gravity_factor == 1.0


def bake_and_clear(name: str, shown, poses: np.ndarray, chance: random.Random) -> None:
    """Keys show the same in any order, and so does Play afterwards."""
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    assert bpy.ops.plant_dynamics.bake() == {"FINISHED"}
    for frame in order(chance):
        plants.show(frame)
        assert np.array_equal(shown(bpy.data.objects[name]), poses[frame - 1]), f"baked, frame {frame}"
    assert bpy.ops.plant_dynamics.clear_bake() == {"FINISHED"}
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}


def test_the_plant_that_touches_does_all_of_it(fresh, run_operator):
    """Of what orders are tried with: ground, ball, itself and what it moves are touched, and a bone comes off."""
    obj = touched.busy_contact()
    run_operator("play")
    plants.show(FRAMES[-1])
    session = module(fresh, "dynamics.motion.sessions").session_of(obj)
    points = [frame.contacts for frame in session.known.frames]
    others = {one for frame in points for one in frame.collider.tolist()}
    assert {0, 1} <= others, "ball and ground"
    assert min(others) < 0, "bones of its own"
    places = np.array([frame.things[0, :2] for frame in session.known.frames])
    assert np.linalg.norm(np.ptp(places, axis=0)) > 0.1, "what it moves is pushed along"
    assert [(frame, bone) for frame, bone, _ in session.breaks()] == [(touched.CUT, "Bone.3")]


def test_orders_differ_and_hold_all_kinds():
    orders = [order(random.Random(number)) for number in range(200)]
    assert len({tuple(frames) for frames in orders}) == 200
    steps = np.concatenate([np.diff(frames) for frames in orders])
    assert {-1, 0, 1, 2, 3, 5} <= set(steps.tolist())
    assert np.abs(steps).max() > 20
