# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that are moved from their rest places, by hand or by keys: what is to be done when the bones are scaled.

A bone's location is along the axes of its rest pose. An even scale makes it longer or shorter; an uneven one would also
turn it aside and bend its way, which keys on three channels cannot say.
"""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..blender.fcurves import actions_of, curve_lists, posed, read_keys
from ..errors import PlantError

#: Modifiers of curves that give the same way, only larger, when the keys are scaled.
_IN_PROPORTION = {"CYCLES", "STEPPED"}


def even_factor(matrix: Matrix) -> float | None:
    """By how much the matrix scales all directions alike, or None when it scales unevenly, mirrors or shears."""
    location, rotation, _ = matrix.decompose()
    deform = np.array(Matrix.LocRotScale(location, rotation, None).inverted() @ matrix)[:3, :3]
    factor = float(np.cbrt(np.linalg.det(deform)))
    return factor if factor > 0.0 and np.abs(deform - factor * np.eye(3)).max() <= 1e-3 * factor else None


class BoneLocations:
    """The bones of an armature object that are moved, as found before the scale is applied. Raises PlantError with what
    stands in the way of scaling them by this factor; without a factor the scale is no even one."""

    def __init__(self, obj: bpy.types.Object, factor: float | None):
        self._factor = factor
        free = {bone.name for bone in obj.pose.bones if not bone.bone.use_connect}
        self._bones = [obj.pose.bones[name] for name in free if obj.pose.bones[name].location.length > 0.0]
        self._curves: list[Any] = []
        if factor is not None and abs(factor - 1.0) < 1e-6:
            self._bones = []
            return
        if self._bones and factor is None:
            raise _refusal(obj, self._bones[0].name)
        for action, slot in _actions(obj):
            found = [curve for curves in curve_lists(action, slot) for curve in curves if _bone_of(curve) in free]
            moving = [curve for curve in found if _moves(curve)]
            if moving:
                if factor is None:
                    raise _refusal(obj, _bone_of(moving[0]))
                _check(obj, action, slot, moving)
                self._curves += moving
        data = obj.animation_data
        for driver in data.drivers if data is not None else ():
            if _bone_of(driver) in free:
                raise PlantError(
                    "The location of bone '{bone}' of '{object}' is driven, which cannot be scaled with it. "
                    "Remove the driver, or set the scale by hand",
                    bone=_bone_of(driver), object=obj.name,
                )

    def scale(self) -> None:
        """Scale them, now that the bones have been."""
        if self._factor is None:
            return
        for bone in self._bones:
            bone.location *= self._factor
        for curve in self._curves:
            keys, points = read_keys(curve), curve.keyframe_points
            for name in ("co", "handle_left", "handle_right"):
                keys[name][:, 1] *= self._factor
                points.foreach_set(name, keys[name].ravel())
            points.foreach_set("amplitude", (keys["amplitude"] * self._factor).ravel())
            curve.update()


def _refusal(obj: bpy.types.Object, bone: str) -> PlantError:
    return PlantError(
        "Bone '{bone}' of '{object}' is moved or has location keys, which only an even scale keeps in their "
        "places. Remove these (without keys by Alt+G), or set the scale by hand",
        bone=bone, object=obj.name,
    )


def _bone_of(curve: Any) -> str:
    """The bone whose location the curve says; an empty text of other curves."""
    bone, channel = posed(curve.data_path)
    return bone if channel == "location" else ""


def _moves(curve: Any) -> bool:
    """Whether the curve ever says anything but zero."""
    keys = read_keys(curve)
    values = np.concatenate([keys[name][:, 1] for name in ("co", "handle_left", "handle_right")])
    return bool(values.any() or len(curve.sampled_points) or _others(curve))


def _others(curve: Any) -> list[Any]:
    return [one for one in curve.modifiers if one.type not in _IN_PROPORTION]


def _actions(obj: bpy.types.Object) -> Iterator[tuple[bpy.types.Action, str]]:
    """The actions that animate the object or would after Clear Bake, each with the slot that does."""
    settings = obj.plant_dynamics
    kept = [(settings.action_before, settings.slot_before), (settings.baked_action, settings.baked_slot)]
    yield from dict.fromkeys(pair for pair in (*kept, *actions_of(obj.animation_data)) if pair[0] is not None)


def _check(obj: bpy.types.Object, action: bpy.types.Action, slot: str, curves: list[Any]) -> None:
    """Raise PlantError for curves that cannot be scaled, or not without moving something else."""
    bone = _bone_of(curves[0])
    if not action.is_editable:
        raise PlantError(
            "The action '{action}' moves bone '{bone}' of '{object}' and is linked, so that its keys cannot be "
            "scaled. Make it local",
            action=action.name, bone=bone, object=obj.name,
        )
    for other in bpy.data.objects:
        if other != obj and other.type == "ARMATURE" and (action, slot) in _actions(other):
            raise PlantError(
                "'{other}' is moved by the keys of the action '{action}' too. Make the action of '{object}' a "
                "single-user copy",
                other=other.name, action=action.name, object=obj.name,
            )
    for curve in curves:
        if _others(curve) or len(curve.sampled_points):
            raise PlantError(
                "The location of bone '{bone}' of '{object}' has a curve with modifiers or without keys, which "
                "cannot be scaled. Bake it to keys first",
                bone=_bone_of(curve), object=obj.name,
            )
