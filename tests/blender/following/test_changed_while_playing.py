# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints that a script changes while a plant plays, of which nobody is told before the next frame."""

import numpy as np
import pytest

from tests.blender.scenes import plants
from tests.blender.scenes.characters.led_chains import (
    FRAMES,
    WAY,
    child_of,
    holder,
    ik_that_stretches,
    rigged,
    spline_ik,
)


def unmuted(obj):
    ik_that_stretches(obj)
    obj.pose.bones["Bone.4"].constraints[0].mute = True
    return lambda: setattr(obj.pose.bones["Bone.4"].constraints[0], "mute", False)


def of_more_influence(obj):
    obj.pose.bones["Bone.3"].constraints.new("COPY_ROTATION").target = holder(WAY, 0.4)
    obj.pose.bones["Bone.3"].constraints[0].influence = 0.0
    return lambda: setattr(obj.pose.bones["Bone.3"].constraints[0], "influence", 1.0)


def that_moves_too(obj):
    child_of(obj)
    held = obj.pose.bones["Bone.2"].constraints[0]
    held.use_location_x = held.use_location_y = held.use_location_z = False
    return lambda: setattr(held, "use_location_x", True)


def that_fits(obj):
    spline_ik(obj)
    ik = obj.pose.bones["Bone.4"].constraints[0]
    ik.y_scale_mode = "NONE"
    for bone in obj.data.bones:
        bone.inherit_scale = "NONE"
    return lambda: setattr(ik, "y_scale_mode", "FIT_CURVE")


def that_stretches(obj):
    ik_that_stretches(obj)
    for bone in obj.pose.bones:
        bone.ik_stretch = 0.0
    return lambda: [setattr(bone, "ik_stretch", 0.3) for bone in obj.pose.bones]


def keyed_influence(obj):
    of_more_influence(obj)
    held = obj.pose.bones["Bone.3"].constraints[0]

    def key():
        for frame, influence in {1: 0.0, 10: 1.0}.items():
            held.influence = influence
            held.keyframe_insert("influence", frame=frame)

    return key


@pytest.mark.parametrize(
    "prepare", [unmuted, of_more_influence, that_moves_too, that_fits, that_stretches, keyed_influence]
)
def test_a_constraint_that_is_changed_while_it_plays_leads_from_then_on_and_is_baked_so(fresh, run_operator, prepare):
    changes = []

    def keyed(obj):
        for bone in obj.pose.bones:
            for frame, angle in {1: 0.0, 14: 0.2, 30: -0.1}.items():
                bone.rotation_mode, bone.rotation_euler = "XYZ", (angle, 0.3 * angle, 0.0)
                bone.keyframe_insert("rotation_euler", frame=frame)
        changes.append(prepare(obj))

    obj = rigged(run_operator, keyed)
    run_operator("play")
    plants.played(obj, FRAMES)
    changes[0]()  # of which nobody is told before the next frame
    straight = plants.played(obj, FRAMES)
    run_operator("bake")
    assert np.abs(plants.played(obj, FRAMES) - straight).max() < 1e-5
    run_operator("clear_bake")
    drawn = plants.played(obj, FRAMES)
    assert np.abs(straight - drawn)[..., :3, 3].max() < 2e-3
