# SPDX-License-Identifier: GPL-3.0-or-later
"""The efforts that 3D views show."""

from collections.abc import Iterator

import bpy

from .efforts import measured
from .keys import EFFORT, EFFORT_KEYS


def shown_efforts(scene: bpy.types.Scene) -> Iterator[tuple[bpy.types.Object, dict[str, float]]]:
    """Armatures of the scene that show their efforts, and these at the scene's frame by the bones' names: as measured,
    or as keyed where nothing has been measured since the file was opened."""
    for obj in scene.objects:
        if obj.type != "ARMATURE" or not obj.plant_dynamics.show_effort:
            continue
        found = measured(obj)
        if found is not None and found.first <= scene.frame_current <= found.last:
            row = found.effort[scene.frame_current - found.first].tolist()
            yield obj, dict(zip(found.bones, row, strict=True))
        elif found is None and EFFORT_KEYS.are_there(obj):
            yield obj, {bone.name: bone[EFFORT] for bone in obj.pose.bones if isinstance(bone.get(EFFORT), float)}
