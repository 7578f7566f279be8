# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones are coloured by their efforts at the scene's frame, as measured or as keyed."""

import bpy
import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.collider_scenes import of_addon
from tests.blender.scenes.effort.animated import key_turn, measured, over, stick

LAST = 8


@pytest.fixture
def obj(fresh):
    over(LAST, 24)
    obj = stick((1.0, 0.0, 0.0), count=2, length=0.2)
    key_turn(obj.pose.bones[0], 0.5 * np.sin(np.arange(LAST)))
    return obj


def shown(fresh):
    return dict(of_addon(fresh, "effort.shown").shown_efforts(bpy.context.scene))


def test_efforts_of_the_frame_are_shown_where_they_are_wanted(fresh, obj, run_operator):
    found = measured(obj)
    plants.show(5)
    assert shown(fresh) == {}
    obj.plant_dynamics.show_effort = True
    assert shown(fresh)[obj] == pytest.approx(dict(zip(found.bones, found.effort[4], strict=True)))
    plants.show(LAST + 1)
    assert shown(fresh) == {}
    run_operator("key_effort")
    plants.show(6)
    of_addon(fresh, "memory").forget_all()
    assert shown(fresh)[obj] == pytest.approx(dict(zip(found.bones, found.effort[5], strict=True)), rel=1e-5)


def test_lines_lie_along_the_posed_bones_in_their_colours(fresh, obj):
    colours = of_addon(fresh, "viewport.bone_colours")
    obj.location.z = 1.0
    plants.show(4)
    ends, tints = colours.lines_of(obj, {"Bone.0": 0.0, "Bone.1": 5.0, "Gone": 1.0})
    poses = plants.matrices(obj)
    expected = [end for pose in poses for end in (pose[:3, 3], pose[:3, 3] + 0.2 * pose[:3, 1])]
    assert np.array(ends) == pytest.approx(np.array(expected), abs=1e-6)
    (r, _, b, _), (red, _, blue, _) = tints[0], tints[2]
    assert b > 0.8 > r
    assert red > 0.7 > blue
    assert colours.colour_of(1.0)[:2] == pytest.approx((1.0, 0.7))


def test_what_was_measured_holds_until_the_bones_change(fresh, obj):
    found = measured(obj)
    obj.plant_dynamics.show_effort = True  # Blender tells of a changed armature for any property of its object
    bpy.context.view_layer.update()
    assert of_addon(fresh, "effort.efforts").measured(obj) is found
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones["Bone.1"].tail.z += 0.1
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert of_addon(fresh, "effort.efforts").measured(obj) is None
