# SPDX-License-Identifier: GPL-3.0-or-later
"""Ropes to be held, and plants to be tied to each other."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.guides.tied_plants import FRAMES, tie


@pytest.fixture
def soft(fresh, run_operator):
    """A level chain of 0.6 m, soft as a rope."""
    obj = plants.chain(6)
    run_operator("make_dynamic")
    obj.plant_dynamics.stiffness_factor = 1e-3
    return obj


@pytest.fixture
def grown(fresh, run_operator, select_only):
    """Makes chains, all as soft as a rope."""
    bpy.context.scene.frame_end = FRAMES[-1]

    def made(name, location, turned=0.0, count=4, stiffer=1.0):
        obj = plants.chain(count, name=name)
        obj.location, obj.rotation_euler.y = location, turned
        bpy.context.view_layer.update()
        select_only(obj)
        run_operator("make_dynamic")
        obj.plant_dynamics.stiffness_factor = 1e-2
        for bone in obj.data.bones:
            bone.plant_dynamics.stiffness_factor = stiffer
        return obj

    return made


@pytest.fixture
def both(grown):
    """A vine along X, and an upright stake of so many times its stiffness where it ends."""
    return grown("Vine", (0.0, 0.0, 0.0), count=5), grown("Stake", (0.4, 0.02, -0.4), -0.5 * np.pi, 4, 20.0)


@pytest.fixture
def tied(both):
    tie(both[0], "Bone.4", both[1], "Bone.3")
    return both
