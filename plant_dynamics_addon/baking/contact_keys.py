# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact forces as keyed custom properties of pose bones and of the plant, which drivers and materials can read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import bpy
import numpy as np

from ..blender.fcurves import (
    all_curves,
    assign,
    curve_owner,
    find_owner,
    plain_keys,
    property_path,
    remove_curves,
    replace_keys,
    slot_of,
)
from ..blender.timeline import frame_handler_paused
from ..blender.versions import has_slots
from ..errors import PlantError

#: In N: of a bone what pushes and rubs it, of the plant's object the sum of its bones'.
PROPERTY = "contact_force"

#: A custom property of actions that were made for the keys.
_MADE = "plant_dynamics_contact"

_HOW = {"description": "Contact force in N", "min": 0.0}


def has_contact_keys(obj: bpy.types.Object) -> bool:
    """Whether any have been written."""
    return any(map(_is_ours, (obj, *obj.pose.bones)))


def write_contact_keys(obj: bpy.types.Object, forces: Mapping[str, np.ndarray], first: int) -> None:
    """Key the forces (frames,) N of bones, by their names, from the frame first on, in place of those there were.

    Bones that touch nothing have the property too, without keys, so that drivers of it stay valid.
    """
    every = {property_path(PROPERTY, bone): values for bone, values in forces.items()}
    every[property_path(PROPERTY)] = np.sum(list(forces.values()), axis=0)
    with _unheard():
        _clear(obj)
        for one in (obj, *(obj.pose.bones[bone] for bone in forces)):
            one[PROPERTY] = 0.0
            one.id_properties_ui(PROPERTY).update(**_HOW)
        keyed = {path: values for path, values in every.items() if values.any()}
        owner = _present_owner(obj) if keyed else None
        for path, values in keyed.items():
            _write(owner, path, values, first)


def clear_contact_keys(obj: bpy.types.Object) -> None:
    """Take properties and keys away, and the action where it was made for them and there is nothing else in it."""
    with _unheard():
        _clear(obj)


@contextmanager
def _unheard() -> Iterator[None]:
    """What is keyed meanwhile does not act on the motion, which is not looked at again for it."""
    bpy.context.view_layer.update()
    with frame_handler_paused():
        yield
        bpy.context.view_layer.update()


def refuse_other_use(obj: bpy.types.Object) -> None:
    """Raise PlantError where the object or one of its bones has a property of that name which was not written here."""
    for one in (obj, *obj.pose.bones):
        if PROPERTY in one and not _is_ours(one):
            where = obj.name if one == obj else f"{obj.name}: {one.name}"
            raise PlantError(f"'{where}' has a custom property '{PROPERTY}' of its own: rename it first")


def _is_ours(one: Any) -> bool:
    """Whether an object or pose bone has the property as it is written here; the user's own differ in description."""
    if not isinstance(one.get(PROPERTY), float):
        return False
    return one.id_properties_ui(PROPERTY).as_dict().get("description") == _HOW["description"]


def refuse_linked(obj: bpy.types.Object) -> None:
    """Raise PlantError where the object's action cannot be changed."""
    action = obj.animation_data.action if obj.animation_data else None
    if action is not None and not action.is_editable:
        raise PlantError(f"The action '{action.name}' is linked: make it local to key the plant in it")


def _present_owner(obj: bpy.types.Object) -> Any:
    """What holds the curves that animate the object; no other slot of its action shall begin to act."""
    data = obj.animation_data or obj.animation_data_create()
    action = data.action
    if action is None:
        action = bpy.data.actions.new(f"{obj.name} Contact")
        action[_MADE] = True
    if has_slots() and not slot_of(data):
        slot = action.slots.new(id_type="OBJECT", name=obj.name)
        assign(data, action, slot.identifier)
    return curve_owner(obj, action)


def _write(owner: Any, path: str, values: np.ndarray, first: int) -> None:
    points = np.stack([first + np.arange(len(values)), values], axis=1)
    before, after = np.diff(values, prepend=np.nan) == 0.0, np.diff(values, append=np.nan) == 0.0
    curve = owner.fcurves.find(path) or owner.fcurves.new(path)  # which stays where a property is removed by hand
    replace_keys(curve, plain_keys(points[~(before & after)]))


def _clear(obj: bpy.types.Object) -> None:
    ours = {"" if one == obj else one.name: one for one in (obj, *obj.pose.bones) if _is_ours(one)}
    for one in ours.values():
        del one[PROPERTY]
    paths = {property_path(PROPERTY, bone) if bone else property_path(PROPERTY) for bone in ours}
    data = obj.animation_data
    owner = find_owner(data.action, slot_of(data)) if data else None
    own = [] if owner is None else [curve.data_path for curve in owner.fcurves if curve.data_path in paths]
    if not own:
        return
    remove_curves(owner, own)
    action = data.action
    if action.get(_MADE) and not all_curves(action):
        assign(data, None, "")
        if action.users == 0:
            bpy.data.actions.remove(action)
