# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tied to single bones of a plant by their names: loads, children, constraints, modifiers, cameras, drivers."""

import re
from collections.abc import Iterator

import bpy
import numpy as np
from bpy.app.translations import pgettext_rpt as rpt_

from ...blender.drivers import driver_targets
from ...relations import is_to_another, ties_between


class Ties:
    """Made while the plant has its old bones, to be mended when it has new ones."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._obj = obj
        self._before = _tips(obj)

    def mend(self) -> list[str]:
        """What was tied to a bone that is gone is tied to the one of its organ that ends nearest; says what."""
        now, moved = _tips(self._obj), {}

        def instead_of(bone: str) -> str:
            if bone in now or bone not in self._before:
                return ""
            moved[bone] = _nearest(self._before[bone], now)
            return moved[bone]

        for owner, name in _tied(self._obj):
            if bone := instead_of(getattr(owner, name)):
                setattr(owner, name, bone)
        for target in driver_targets():
            path = _BONE.match(target.data_path) if target.id in (self._obj, self._obj.data) else None
            if path and (bone := instead_of(bpy.utils.unescape_identifier(path[1]))):
                before, after = path.string[: path.start(1)], path.string[path.end(1) :]
                target.data_path = before + bpy.utils.escape_identifier(bone) + after
        text = rpt_("What held {old} now holds {new}")
        return [text.format(old=old, new=new) for old, new in moved.items()]


_Tip = tuple[str, np.ndarray]
_Tie = tuple[bpy.types.bpy_struct, str]

#: Properties that name a bone, of constraints, their targets, modifiers, depth of field, drivers and objects; and the
#: ones that say of which armature object it is.
_NAMES = (
    ("subtarget", "target"), ("subtarget", "object"), ("pole_subtarget", "pole_target"),
    ("bone_from", "object_from"), ("bone_to", "object_to"), ("focus_subtarget", "focus_object"),
    ("bone_target", "id"), ("parent_bone", "parent"),
)  # fmt: skip
_BONE = re.compile(r'^(?:pose\.)?bones\["((?:[^"\\]|\\.)*)"\]')


def _tips(obj: bpy.types.Object) -> dict[str, _Tip]:
    """Organ, and where it ends in the object's space, of all bones."""
    return {bone.name: (bone.plant_dynamics.organ, np.array(bone.tail_local)) for bone in obj.data.bones}


def _nearest(gone: _Tip, now: dict[str, _Tip]) -> str:
    organ, place = gone
    alike = {name: tip for name, tip in now.items() if tip[0] == organ} or now
    return min(alike, key=lambda name: float(np.linalg.norm(alike[name][1] - place)))


def _tied(obj: bpy.types.Object) -> Iterator[_Tie]:
    """Everything that names a bone of the object, and the property that does."""
    for load in obj.plant_dynamics.loads:
        yield load, "bone"
        if not is_to_another(load):
            yield load, "other_bone"
    for other in bpy.data.objects:
        if not other.is_editable:
            continue
        if other.type == "ARMATURE" and other != obj:
            yield from ((load, "other_bone") for load in ties_between(other) if load.other_object == obj)
        if other.parent_type == "BONE":
            yield from _named(other, obj)
        yield from _constrained(other.constraints, obj)
        for bone in other.pose.bones if other.pose is not None else ():
            yield from _constrained(bone.constraints, obj)
        for modifier in other.modifiers:
            yield from _named(modifier, obj)
    for camera in bpy.data.cameras:
        if camera.is_editable:
            yield from _named(camera.dof, obj)
    for target in driver_targets():
        yield from _named(target, obj)


def _constrained(constraints: bpy.types.bpy_prop_collection, obj: bpy.types.Object) -> Iterator[_Tie]:
    for constraint in constraints:
        yield from _named(constraint, obj)
        for target in getattr(constraint, "targets", ()):
            yield from _named(target, obj)


def _named(owner: bpy.types.bpy_struct, obj: bpy.types.Object) -> Iterator[_Tie]:
    for name, of_object in _NAMES:
        if hasattr(owner, name) and getattr(owner, of_object, None) == obj:
            yield owner, name
