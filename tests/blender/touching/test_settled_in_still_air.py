# SPDX-License-Identifier: GPL-3.0-or-later
"""Wilted plants with blades lie on the ground in the first frame, where nothing blows."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import collide, of_addon, primitive

LAST = 6


@pytest.mark.parametrize(("preset", "stiffness"), [("rose", 0.05), ("broad_leaf", 0.02)])
def test_what_has_collapsed_lies_still(fresh, run_operator, preset, stiffness):
    """Blades rise in wind only: still air leaves it all the patience there is to find where it lies."""
    bpy.context.scene.frame_end = LAST
    obj = plants.grow(preset)
    obj.plant_dynamics.stiffness_factor, obj.plant_dynamics.start = stiffness, "settled"
    bpy.context.scene.plant_dynamics.wind.source = "STILL"
    run_operator("add_ground")
    run_operator("play")
    places = plants.played(obj, range(1, LAST + 1))[..., :3, 3]
    start = of_addon(fresh, "dynamics.motion.sessions").session_of(obj).known.equilibrium
    assert start.residual < 1e-8
    assert not start.sways
    assert np.abs(places - places[0]).max() < 1e-4


def test_what_hangs_over_a_rim_onto_a_box_lies_still(fresh, run_operator):
    """Leaves that friction holds in many places are left where they are, not thrown by what solves leave."""
    bpy.context.scene.frame_end = LAST
    obj = plants.grow("rose", pot=True)
    obj.plant_dynamics.stiffness_factor, obj.plant_dynamics.start = 0.02, "settled"
    bpy.context.scene.plant_dynamics.wind.source = "STILL"
    run_operator("add_ground")
    table = primitive("cube", "Table", size=1.0, location=(0.32, 0.2, 0.05))
    table.scale = (0.16, 0.24, 0.024)
    collide(table)
    bpy.context.view_layer.objects.active = obj
    run_operator("play")
    places = plants.played(obj, range(1, LAST + 1))[..., :3, 3]
    assert of_addon(fresh, "dynamics.motion.sessions").session_of(obj).known.equilibrium.residual < 1e-8
    assert np.abs(places - places[0]).max() < 1e-3
