# SPDX-License-Identifier: GPL-3.0-or-later
"""Drivers of the quaternions that the simulation writes to.

Blender evaluates drivers after everything else, so the bone would show their values and not the simulated ones. While
a bone is taken over they set a property beside it, which says how the bone is animated.
"""

import re

import bpy

from ...changes import object_changed

_QUATERNION = re.compile(r'pose\.bones\["(.+)"\]\.(rotation_quaternion)$')
_ASIDE = re.compile(r'pose\.bones\["(.+)"\]\.(plant_dynamics\.driven)$')


def turn_aside(obj: bpy.types.Object) -> None:
    """Have the drivers of bones that are taken over set the property."""
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        match = _QUATERNION.match(curve.data_path)
        bone = obj.pose.bones.get(bpy.utils.unescape_identifier(match[1])) if match else None
        if match and bone is not None and bone.plant_dynamics.is_kept:
            bone.plant_dynamics.driven[curve.array_index] = bone.rotation_quaternion[curve.array_index]
            curve.data_path = curve.data_path[: match.start(2)] + "plant_dynamics.driven"
            object_changed(obj)


def turn_back(obj: bpy.types.Object) -> None:
    """Have them set the quaternions again."""
    for curve in obj.animation_data.drivers if obj.animation_data else ():
        match = _ASIDE.match(curve.data_path)
        if match:
            curve.data_path = curve.data_path[: match.start(2)] + "rotation_quaternion"
            object_changed(obj)
