# SPDX-License-Identifier: GPL-3.0-or-later
"""What deforms holds as it deforms, in Play, scrubbed and baked, also where nothing else moves."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants

FRAMES = range(1, 31)


def shape_keys(shape):
    shape.shape_key_add(name="Basis")
    key = shape.shape_key_add(name="Higher")
    for point in key.data:
        point.co.z += 0.2
    for frame, value in ((1, 0.0), (15, 1.0), (30, 0.3)):
        key.value = value
        key.keyframe_insert("value", frame=frame)


def keyed_points(shape):
    spline = shape.data.splines[0]
    for point in spline.bezier_points or spline.points:
        names = ("co", "handle_left", "handle_right") if spline.type == "BEZIER" else ("co",)
        for name in names:
            place = getattr(point, name).copy()
            for frame, way in ((1, 0.0), (15, 0.2), (30, 0.05)):
                there = place.copy()
                there.z += way
                setattr(point, name, there)
                point.keyframe_insert(name, frame=frame)


def a_hook(shape):
    empty = bpy.data.objects.new("Hook", None)
    bpy.context.scene.collection.objects.link(empty)
    hook = shape.modifiers.new("Hook", "HOOK")
    hook.object = empty
    if shape.type == "CURVE":
        spline = shape.data.splines[0]
        count = 3 * len(spline.bezier_points) or len(spline.points)
    else:
        count = len(shape.data.vertices)
    hook.vertex_indices_set(list(range(count)))
    plants.key_location(empty, {1: (0.0, 0.0, 0.0), 15: (0.0, 0.0, 0.2), 30: (0.0, 0.0, 0.1)})


@pytest.mark.parametrize(
    ("button", "deforms"),
    [("add_wire", shape_keys), ("add_wire", keyed_points), ("add_wire", a_hook), ("add_surface", shape_keys),
     ("add_surface", a_hook)],
)  # fmt: skip
def test_baked_as_played(soft, run_operator, button, deforms):
    bpy.context.scene.frame_end = FRAMES[-1]
    run_operator(button)
    shape = soft.plant_dynamics.loads[0].target
    deforms(shape)
    bpy.context.view_layer.objects.active = soft
    plants.show(1)
    run_operator("play")
    played = plants.played(soft, FRAMES)
    assert np.abs(played - played[0]).max() > 0.03
    run_operator("reset")
    run_operator("bake")
    assert np.abs(plants.played(soft, FRAMES) - played).max() < 1e-5
