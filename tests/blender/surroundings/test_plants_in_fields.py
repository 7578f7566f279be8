# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants move in force fields: played, baked, in any order, and with fields of any strength."""

import math

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.field_scenes import add_field, change, library


def young_plant(run_operator):
    """A stem with three leaves and their bud, which has a third of the bones."""
    options = bpy.context.scene.plant_dynamics
    options.preset = "broad_leaf"
    options.age = 4.0
    run_operator("grow")
    return bpy.context.object


@pytest.mark.parametrize("start", ["settled", "drawn", "keep_shape"])
def test_a_wind_that_pushes_is_gravity_aslant(fresh, run_operator, start):
    """The whole way, by Play: the same poses as with the scene's gravity turned instead."""
    scene = bpy.context.scene
    scene.frame_end = 12
    obj = plants.grow("broad_leaf")
    obj.plant_dynamics.start = start
    obj.plant_dynamics.fields.wind_fields = "FORCE"
    bpy.ops.object.effector_add(type="WIND", rotation=(0.0, math.pi / 2, 0.0))
    wind = bpy.context.object
    change(wind, {"strength": 4.0, "flow": 0.0})
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    pushed = plants.played(obj, range(1, 13))
    run_operator("reset")
    bpy.data.objects.remove(wind)
    drawn = plants.matrices(obj)
    scene.gravity = (4.0, 0.0, -9.81)
    run_operator("play")
    aslant = plants.played(obj, range(1, 13))
    assert np.abs(pushed - aslant).max() < 1e-5
    if start != "keep_shape":
        assert np.abs(pushed[-1] - drawn).max() > 0.01


def test_a_wind_that_blows_is_the_panels_wind(fresh, run_operator):
    """An even wind of the field in still air, and an even wind of the panel; half of each; none in a collection."""
    scene = bpy.context.scene
    scene.frame_end = 10
    settings = scene.plant_dynamics.wind
    obj = plants.grow("broad_leaf")
    obj.plant_dynamics.flutter = 0.0  # of eddies among leaves only the panel's wind knows
    bpy.ops.object.effector_add(type="WIND", rotation=(0.0, math.pi / 2, 0.0))
    wind = bpy.context.object
    bpy.context.view_layer.objects.active = obj
    poses = []
    settings.turbulence_intensity = 0.0
    for strength, speed in ((6.0, 0.0), (0.0, 6.0), (3.0, 3.0)):
        wind.field.strength, settings.speed = strength, speed
        settings.source = "GUSTS" if speed > 0.0 else "STILL"
        run_operator("play")
        poses.append(plants.played(obj, range(1, 11)))
        run_operator("reset")
    still = plants.matrices(obj)
    assert np.abs(poses[0][-1] - still).max() > 0.01
    assert np.abs(poses[0] - poses[1]).max() < 1e-5
    assert np.abs(poses[0] - poses[2]).max() < 1e-5


def test_preview_equals_bake_in_any_order_with_fields_that_move(fresh, run_operator):
    scene = bpy.context.scene
    scene.frame_end = 24
    obj = young_plant(run_operator)
    force = add_field("FORCE", strength=-8.0, falloff_power=1.0)
    plants.key_location(force, {1: (1, 0, 0.3), 24: (-1, 0.4, 0.3)})
    wind = add_field("WIND", strength=5.0, noise=3.0, seed=3)
    wind.parent = force
    turbulence = add_field("TURBULENCE", strength=2.0, size=0.2)
    turbulence.field.keyframe_insert("strength", frame=1)
    turbulence.field.strength = 8.0
    turbulence.field.keyframe_insert("strength", frame=20)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    straight = plants.played(obj, range(1, 25))
    assert np.ptp(straight[:, :, :3, 3], axis=0).max() > 0.005
    run_operator("reset")
    run_operator("play")
    for frame in (20, 3, 24, 11, 12, 1):
        plants.show(frame)
        assert np.array_equal(plants.matrices(obj), straight[frame - 1])
    run_operator("reset")
    run_operator("bake")
    baked = plants.played(obj, range(1, 25))
    assert np.abs(baked - straight).max() < 1e-5


def test_a_field_changed_by_hand_acts_from_that_frame_on(fresh, run_operator):
    scene = bpy.context.scene
    scene.frame_end = 20
    obj = plants.grow("broad_leaf")
    field = add_field("FORCE", strength=0.0)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    still = plants.played(obj, range(1, 6))
    assert np.abs(still - still[0]).max() < 1e-4
    field.field.strength = -10.0
    plants.show(6)
    moved = plants.played(obj, range(6, 16))
    assert np.abs(moved[-1] - still[0]).max() > 1e-3


EXTREMES = [
    ("DRAG", {"linear_drag": 2.0, "quadratic_drag": 2.0}), ("WIND", {"strength": 50.0, "flow": 10.0}),
    ("FORCE", {"strength": -1000.0, "flow": 10.0}), ("FORCE", {"strength": 1000.0, "falloff_power": 10.0}),
    ("VORTEX", {"strength": 20.0}), ("HARMONIC", {"strength": 1000.0}), ("MAGNET", {"strength": 1000.0}),
    ("TURBULENCE", {"strength": 500.0, "size": 0.02}), ("WIND", {"strength": 20.0, "noise": 10.0}),
    ("FORCE", {"strength": 1e6, "use_gravity_falloff": True}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "settings"), EXTREMES)
@pytest.mark.parametrize("start", ["settled", pytest.param("drawn", marks=pytest.mark.full)])
def test_strong_fields_leave_poses_finite(fresh, run_operator, kind, settings, start):
    """At 24 frames a second, or the plant says that it is refused."""
    scene = bpy.context.scene
    scene.frame_end = 4
    obj = young_plant(run_operator)
    obj.plant_dynamics.start = start
    add_field(kind, **settings)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    assert np.isfinite(plants.played(obj, range(1, 5))).all()
    assert not library(fresh, "live.live").problem_of(obj)
