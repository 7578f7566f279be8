# SPDX-License-Identifier: GPL-3.0-or-later
"""Efforts and moments of joints as keyed custom properties of pose bones, which drivers and materials can read."""

import bpy

from ..baking.keyed_properties import KeyedProperties
from .efforts import Efforts

#: Of a bone; of the object the largest effort of its bones.
EFFORT, MOMENT, PEAK = "joint_effort", "joint_moment", "joint_effort_peak"

EFFORT_KEYS = KeyedProperties(
    "Effort",
    {
        EFFORT: "Moment of the joint over what holds the bone out level",
        MOMENT: "Moment of the joint in N m",
        PEAK: "Largest effort of the joint in all frames",
    },
)


def write_effort_keys(obj: bpy.types.Object, found: Efforts) -> None:
    """Key what was measured of the object in place of what was keyed before."""
    effort, moment = found.effort, found.moment
    efforts = {"": effort.max(axis=1), **dict(zip(found.bones, effort.T, strict=True))}
    written = {
        EFFORT: efforts,
        MOMENT: dict(zip(found.bones, moment.T, strict=True)),
        PEAK: {bone: float(values.max()) for bone, values in efforts.items()},
    }
    EFFORT_KEYS.write(obj, written, found.first)
