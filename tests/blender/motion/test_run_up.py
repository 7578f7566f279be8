# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames that are simulated before the first one."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import busy_plant, module

RUN_UP = 20


def chain(run_operator, start="drawn", run_up=0):
    obj = plants.chain()
    run_operator("make_dynamic")
    obj.plant_dynamics.start, obj.plant_dynamics.run_up = start, run_up
    return obj


def test_the_first_frame_is_the_one_so_many_frames_later(fresh, run_operator):
    obj = chain(run_operator)
    run_operator("play")
    plain = plants.played(obj, range(1, 1 + 2 * RUN_UP))
    assert np.abs(plain[RUN_UP] - plain[0]).max() > 0.01
    obj.plant_dynamics.run_up = RUN_UP
    assert np.array_equal(plants.played(obj, range(1, 1 + RUN_UP)), plain[RUN_UP:])


def test_a_settled_plant_is_still_after_it(fresh, run_operator):
    obj = chain(run_operator, "settled", RUN_UP)
    run_operator("play")
    poses = plants.played(obj, range(1, 101))
    assert np.abs(poses[:, :, :3, 3] - poses[0, :, :3, 3]).max() < 1e-4


def test_the_world_of_the_first_frame_is_held(fresh, run_operator):
    """Keys before the first frame do not count, nor does the time of gusts and of fields' noise go by."""
    obj = busy_plant(3)
    bpy.ops.object.effector_add(type="TURBULENCE", location=(0.1, 0.0, 0.0))
    bpy.context.object.field.strength, bpy.context.object.field.noise = 5.0, 2.0
    obj.plant_dynamics.run_up, obj.plant_dynamics.start = 400, "drawn"
    obj.plant_dynamics.damping_time = 0.5
    plants.show(1)
    run_operator("play")
    plants.show(1)
    long = plants.matrices(obj)
    obj.plant_dynamics.run_up = 300
    plants.show(1)
    assert np.abs(plants.matrices(obj) - long).max() < 1e-4, "in a world that is held it comes to rest"
    obj.plant_dynamics.run_up = 0
    obj.plant_dynamics.start = "settled"
    plants.show(1)
    assert np.abs(plants.matrices(obj) - long).max() < 5e-3, "where it settles"


def test_bake_and_python_have_it(fresh, run_operator):
    commands = module(fresh, "commands")
    obj = chain(run_operator, run_up=RUN_UP)
    run_operator("play")
    shown = plants.played(obj, range(1, 11))
    commands.bake([obj], last_frame=10)
    assert np.abs(plants.played(obj, range(1, 11)) - shown).max() < 1e-6


def test_what_went_wrong_in_it_is_told(fresh, run_operator):
    obj = chain(run_operator)
    session = module(fresh, "dynamics.motion.sessions")
    for run_up, expected in ((0, False), (5, True)):
        obj.plant_dynamics.run_up = run_up
        obj.plant_dynamics.max_step, obj.plant_dynamics.halvings = 0.1, 0
        obj.plant_dynamics.step_error = 1e-6
        run_operator("play")
        plants.show(1)
        session.session_of(obj).drop_samples(2)
        assert (session.session_of(obj).known.coarse_share() > 0.0) == expected


@pytest.mark.parametrize("run_up", [-3, 20000])
def test_its_range(fresh, run_operator, run_up):
    obj = chain(run_operator, run_up=run_up)
    assert 0 <= obj.plant_dynamics.run_up <= 10000
