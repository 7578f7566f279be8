# SPDX-License-Identifier: GPL-3.0-or-later
"""The Empties that hold a plant's bones come along with these when another plant is grown in its place."""

import bpy
from mathutils import Vector

from ..blender.fcurves import actions_of, curve_lists


class Handles:
    """Made while the plant has its old bones; afterwards the handles are moved as far as what they hold has moved."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._obj = obj
        self._before = _held(obj)

    def come_along(self) -> None:
        """Move each handle, with its keys, as its bone's tip has moved."""
        now = _held(self._obj)
        for handle in self._before.keys() & now.keys():
            way = now[handle] - self._before[handle]
            handle.location += way
            for curve in _location_curves(handle):
                _shift(curve, way[curve.array_index])


def _held(obj: bpy.types.Object) -> dict[bpy.types.Object, Vector]:
    """The world's place of the tip that each handle holds, as drawn: of those that nothing else leads or uses."""
    bones, placed = obj.data.bones, {}
    for load in obj.plant_dynamics.loads:
        if load.target is not None and load.target not in placed and load.bone in bones and _is_free(load.target):
            placed[load.target] = obj.matrix_basis @ bones[load.bone].tail_local
    return placed if obj.parent is None else {}


def _is_free(handle: bpy.types.Object) -> bool:
    """Whether it is an Empty that stands for itself, with an action of its own if it has any."""
    data = handle.animation_data
    shared = data is not None and (data.drivers or any(used[0].users > 1 for used in actions_of(data) if used[0]))
    return handle.type == "EMPTY" and handle.is_editable and not (handle.parent or handle.constraints or shared)


def _location_curves(handle: bpy.types.Object) -> list[bpy.types.FCurve]:
    data = handle.animation_data
    used = actions_of(data) if data is not None else ()
    curves = [curve for one in used for curves in curve_lists(*one) for curve in curves]
    return [curve for curve in curves if curve.data_path == "location"]


def _shift(curve: bpy.types.FCurve, way: float) -> None:
    for key in curve.keyframe_points:
        key.co_ui.y += way  # takes the key's handles along
