# SPDX-License-Identifier: GPL-3.0-or-later
"""What has to be settled anew while frames are played does not hold the window: playing stops for the operator."""

import importlib
import math
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


def pose(obj):
    return np.array([bone.rotation_quaternion for bone in obj.pose.bones])


@pytest.fixture
def on_ground(fresh, run_operator):
    """A chain above ground that it may touch, live."""
    obj = plants.chain(4)
    run_operator("make_dynamic")
    run_operator("add_ground")
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    return obj


def test_what_may_settle_on_things_is_left_to_the_operator_while_playing(on_ground, run_operator, monkeypatch):
    showing, lagging, scene = module("dynamics.live.showing"), module("dynamics.live.lagging"), bpy.context.scene
    stood = pose(on_ground)
    on_ground.plant_dynamics.stiffness_factor = 0.5
    monkeypatch.setattr(showing, "is_playing", lambda: True)
    showing.update_live(scene, bpy.context.evaluated_depsgraph_get(), math.inf)
    assert lagging.lags(on_ground)
    assert np.array_equal(pose(on_ground), stood)
    monkeypatch.setattr(showing, "is_playing", lambda: False)
    run_operator("catch_up")
    assert not lagging.lags(on_ground)
    assert not np.array_equal(pose(on_ground), stood)


def test_playing_stops_for_the_operator_and_goes_on_afterwards(on_ground, monkeypatch):
    lagging, told = module("dynamics.live.lagging"), []
    windows = [SimpleNamespace(scene=bpy.context.scene)]
    played = SimpleNamespace(
        app=SimpleNamespace(
            is_job_running=lambda job: False, background=True, timers=SimpleNamespace(is_registered=lambda call: False)
        ),
        context=SimpleNamespace(window_manager=SimpleNamespace(windows=windows)),
        ops=SimpleNamespace(screen=SimpleNamespace(animation_play=lambda: told.append("plays"))),
    )
    monkeypatch.setattr(lagging, "bpy", played)
    monkeypatch.setattr(lagging, "is_playing", lambda: True)
    monkeypatch.setattr(lagging, "stop_playing", lambda: told.append("stops"))
    assert lagging.begin() is not None
    assert told == []  # whoever does not lag is not waited for
    lagging.note([on_ground], [on_ground])
    lagging.begin()
    assert told == ["stops"]
    stands = SimpleNamespace(is_animation_playing=False)
    lagging.play_on(stands)
    lagging.play_on(stands)
    assert told == ["stops", "plays"]
    lagging.begin()
    lagging.rest()
    lagging.play_on(stands)
    assert told == ["stops", "plays", "stops"]
    lagging.note([on_ground], [])
