# SPDX-License-Identifier: GPL-3.0-or-later
"""The direction of the scene's wind: without one nothing blows, and the arrow in the view shows it."""

import importlib
import math

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.field_scenes import SPOTS, library


def test_without_a_direction_nothing_blows(fresh):
    """Keyed through zero, gusts go on passing; else the air is still."""
    winds = library(fresh, "surroundings.winds")
    settings = bpy.context.scene.plant_dynamics.wind
    settings.source, settings.speed = "GUSTS", 9.0
    points = np.array(SPOTS)
    assert np.abs(winds.read_wind(bpy.context.scene)(points, 0.0)).max() > 1.0
    settings.direction = (0.0, 0.0, 0.0)
    nothing = winds.read_wind(bpy.context.scene)
    assert not nothing(points, 0.0).any()
    assert nothing.passing == 9.0
    assert not winds.has_direction(settings)


def test_the_arrow_is_there_only_where_it_can_be_drawn(fresh):
    """Its lines end in the wind's direction and grow with the speed; without a window nothing is drawn."""
    from mathutils import Vector

    module = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.viewport.wind_arrow")
    bpy.context.scene.plant_dynamics.wind.show_in_viewport = True
    assert module.drawing.handle is None
    short, long = (module.arrow(Vector((0, 2, 0)), speed, Vector((1, 1, 1)), 1.0) for speed in (4.0, 12.0))
    assert (long[1] - long[0]).normalized() == Vector((0, 1, 0))
    assert (long[1] - long[0]).length == pytest.approx(3.0 * (short[1] - short[0]).length)
    assert module.arrow(Vector((0, 0, 0)), 5.0, Vector(), 1.0) == []
    assert module.arrow(Vector((0, 0, 1)), 0.0, Vector(), 1.0) == []
    assert all(math.isfinite(x) for x in module.arrow(Vector((0, 0, -1)), 5.0, Vector(), 1.0)[-1])
    module.draw()  # nor does it fail where there is nothing to draw in


def test_the_arrow_keeps_its_place_while_the_plant_moves(fresh, run_operator):
    module = importlib.import_module(f"{fresh.__name__}.plant_dynamics_addon.viewport.wind_arrow")
    plant = plants.chain(4)
    run_operator("make_dynamic")
    plant.location = (1.0, 0.0, 0.0)
    bpy.context.view_layer.update()
    center, size = module.place(bpy.context)
    assert center.x == pytest.approx(1.2, abs=1e-3)
    plant.pose.bones[0].rotation_mode = "XYZ"
    plant.pose.bones[0].rotation_euler = (1.5, 0.0, 0.0)
    bpy.context.view_layer.update()
    assert module.place(bpy.context) == (center, size)
