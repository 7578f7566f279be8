# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant of which a branch is cut off."""

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.breaking.coming_off import LAST, key_cut


@pytest.fixture
def cut(fresh, run_operator):
    """A chain on a moving, scaled and turned object, whose third bone is cut at frame 6."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    obj = plants.chain(5)
    run_operator("make_dynamic")
    run_operator("disconnect_bones")
    obj.plant_dynamics.damping_time = 0.02
    obj.scale, obj.rotation_euler = (1.5, 1.5, 1.5), (0.3, -0.2, 1.0)
    plants.key_location(obj, {1: (0.2, 0.0, 1.0), 4: (0.2, 0.0, 1.0), LAST: (0.4, 0.3, 1.1)})
    key_cut(obj, "Bone.2", 6)
    return obj
