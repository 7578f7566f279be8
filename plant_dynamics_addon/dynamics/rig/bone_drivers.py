# SPDX-License-Identifier: GPL-3.0-or-later
"""Drivers of the quaternions that the simulation writes to.

Blender evaluates drivers after everything else, so the bone would show their values and not the simulated ones. While
a bone is taken over they set a property beside it, which says how the bone is animated.
"""

from collections.abc import Container

import bpy

from ...blender.fcurves import posed
from ...changes import object_changed

#: Where the simulation writes to, and the property that drivers set meanwhile.
_QUATERNION, ASIDE = "rotation_quaternion", "plant_dynamics.driven"


def turn_aside(obj: bpy.types.Object) -> None:
    """Have the drivers of bones that are taken over set the property."""
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        name, channel = posed(curve.data_path)
        bone = obj.pose.bones.get(name)
        if channel == _QUATERNION and bone is not None and bone.plant_dynamics.is_kept:
            bone.plant_dynamics.driven[curve.array_index] = bone.rotation_quaternion[curve.array_index]
            curve.data_path = curve.data_path.removesuffix(_QUATERNION) + ASIDE
            object_changed(obj)


def turn_back(obj: bpy.types.Object, bones: Container[str]) -> None:
    """Have those of these bones set the quaternions again."""
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        name, channel = posed(curve.data_path)
        if channel == ASIDE and name in bones:
            curve.data_path = curve.data_path.removesuffix(ASIDE) + _QUATERNION
            object_changed(obj)
