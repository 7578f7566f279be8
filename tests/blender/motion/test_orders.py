# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever frames are shown in whatever order, the poses are those of straight play, to the last bit.

PLANT_DYNAMICS_ORDERS says how many orders are tried; CONTRIBUTING.md names the full form.
"""

import os
import random

import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, busy_plant, module

ORDERS = int(os.environ.get("PLANT_DYNAMICS_ORDERS", "25"))


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


@pytest.fixture
def straight(fresh, run_operator):
    """The plant, live, and its poses in all frames of straight play."""
    obj = busy_plant(3)
    run_operator("play")
    plants.close_sessions(module(fresh, "dynamics.motion.sessions"))
    return obj, plants.played(obj, FRAMES)


@pytest.mark.timeout(3600)
def test_random_orders_show_what_straight_play_shows(fresh, straight):
    obj, poses = straight
    assert np.abs(np.diff(poses[:, -1, :3, 3], axis=0)).max(axis=1).min() > 1e-5, "it moves in every frame"
    sessions, live = module(fresh, "dynamics.motion.sessions"), module(fresh, "dynamics.live.live")
    for number in range(ORDERS):
        chance = random.Random(number)
        if number % 3 == 0:
            plants.close_sessions(sessions)  # nothing is known: as after loading
        elif number % 3 == 1:
            live.forget_samples()  # all is to be looked at again: as after an edit
        for shown in order(chance):
            plants.show(shown)
            assert np.array_equal(plants.matrices(obj), poses[shown - 1]), f"order {number}, frame {shown}"


def test_orders_differ_and_hold_all_kinds():
    orders = [order(random.Random(number)) for number in range(200)]
    assert len({tuple(frames) for frames in orders}) == 200
    steps = np.concatenate([np.diff(frames) for frames in orders])
    assert {-1, 0, 1, 2, 3, 5} <= set(steps.tolist())
    assert np.abs(steps).max() > 20
