# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures that several tests of this room use."""

import bpy
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.comparisons import LAST


@pytest.fixture
def pulled(fresh, run_operator):
    """A chain whose base moves, and a keyed handle that pulls its tip and lets go."""
    bpy.context.scene.frame_end = LAST
    obj = plants.chain()
    run_operator("make_dynamic")
    plants.key_location(obj, {1: (0, 0, 0), 6: (0.05, 0.02, 0)})
    bpy.ops.object.empty_add(location=(0.55, 0.0, 0.1))
    handle = bpy.context.object
    plants.key_location(handle, {1: (0.55, 0, 0.1), 8: (0.5, 0.1, 0.2)})
    load = obj.plant_dynamics.loads.add()
    load.kind, load.bone, load.target, load.stiffness = "PULL", "Bone.5", handle, 20.0
    for frame, influence in ((9, 1.0), (10, 0.0)):
        load.influence = influence
        load.keyframe_insert("influence", frame=frame)
    bpy.context.view_layer.objects.active = obj
    plants.show(1)
    return obj
