# SPDX-License-Identifier: GPL-3.0-or-later
"""Wilted plants with blades lie on the ground in the first frame, where nothing blows."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon

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
