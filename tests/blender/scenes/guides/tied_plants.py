# SPDX-License-Identifier: GPL-3.0-or-later
"""Ties between armatures: how they are made, and how far apart their ends are."""

import bpy
import numpy as np

from tests.blender.scenes import plants
from tests.blender.scenes.drawn_panels import Layout

FRAMES = range(1, 13)


def tie(obj, bone, other, other_bone):
    load = obj.plant_dynamics.loads.add()
    load.name, load.kind, load.bone, load.other_bone = "Tied", "TIE", bone, other_bone
    load.other_object = other
    return load


def go_live():
    assert bpy.ops.plant_dynamics.play() == {"FINISHED"}
    plants.show(1)


def gap(one, other, one_bone="Bone.4", other_bone="Bone.3"):
    return np.abs(plants.tip(one, one_bone) - plants.tip(other, other_bone)).max()


def gaps(one, other, *bones):
    found = []
    for frame in FRAMES:
        plants.show(frame)
        found.append(gap(one, other, *bones))
    return max(found)


def told(obj):
    """The texts and operators of the panel of loads."""
    bpy.context.view_layer.objects.active = obj
    layout = Layout()
    bpy.types.PLANT_DYNAMICS_PT_loads.draw_plant(None, layout, obj, obj.plant_dynamics)
    return " ".join(layout.texts), [name.partition(".")[2] for name, _ in layout.operators]


def key_base(obj, keys=((1, 0.4), (12, 0.45))):
    for frame, x in keys:
        obj.location.x = x
        obj.keyframe_insert("location", index=0, frame=frame)
