# SPDX-License-Identifier: GPL-3.0-or-later
"""What was measured of an armature as keyed custom properties of its pose bones and of its object, which drivers and
materials can read, and how they are taken away again without anything of the user's own."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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

#: A custom property of actions that were made for such keys, of whatever was measured.
_MADE = "plant_dynamics_contact"

#: Of a property: values (frames,) or one number by bones' names; those of the object by an empty name.
Values = Mapping[str, np.ndarray | float]


@dataclass(frozen=True)
class KeyedProperties:
    """Custom properties that belong together. what: names an action that is made for them; described: by their names
    what Blender shows of them, by which they are told from properties of the user's own."""

    what: str
    described: Mapping[str, str]

    def are_there(self, obj: bpy.types.Object) -> bool:
        """Whether any have been written."""
        return any(self._is_ours(one, name) for one in (obj, *obj.pose.bones) for name in self.described)

    def write(self, obj: bpy.types.Object, found: Mapping[str, Values], first: int) -> None:
        """Key the values, by the properties' names, from the frame first on, in place of those there were.

        What is always 0, or one number only, has the property too, without keys, so that drivers of it stay valid.
        """
        keyed: dict[str, np.ndarray] = {}
        with _unheard():
            self._clear(obj)
            for name, values in found.items():
                for bone, own in values.items():
                    one = obj.pose.bones[bone] if bone else obj
                    one[name] = 0.0 if isinstance(own, np.ndarray) else own
                    one.id_properties_ui(name).update(description=self.described[name], min=0.0)
                    if isinstance(own, np.ndarray) and own.any():
                        keyed[property_path(name, bone)] = own
            owner = self._present_owner(obj) if keyed else None
            for path, own in keyed.items():
                _write(owner, path, own, first)

    def clear(self, obj: bpy.types.Object) -> None:
        """Take properties and keys away, and the action where it was made for them and there is nothing else in it."""
        with _unheard():
            self._clear(obj)

    def refuse_other_use(self, obj: bpy.types.Object) -> None:
        """Raise PlantError where the object or one of its bones has a property of such a name which was not written
        here."""
        for one in (obj, *obj.pose.bones):
            for name in self.described:
                if name in one and not self._is_ours(one, name):
                    where = obj.name if one == obj else f"{obj.name}: {one.name}"
                    raise PlantError(
                        "'{where}' has a custom property '{name}' of its own: rename it first",
                        where=where, name=name,
                    )

    def _is_ours(self, one: Any, name: str) -> bool:
        """Whether an object or pose bone has the property as it is written here; the user's own differ in
        description."""
        if not isinstance(one.get(name), float):
            return False
        return one.id_properties_ui(name).as_dict().get("description") == self.described[name]

    def _present_owner(self, obj: bpy.types.Object) -> Any:
        """What holds the curves that animate the object; no other slot of its action shall begin to act."""
        data = obj.animation_data or obj.animation_data_create()
        action = data.action
        if action is None:
            action = bpy.data.actions.new(f"{obj.name} {self.what}")
            action[_MADE] = True
        if has_slots() and not slot_of(data):
            slot = action.slots.new(id_type="OBJECT", name=obj.name)
            assign(data, action, slot.identifier)
        return curve_owner(obj, action)

    def _clear(self, obj: bpy.types.Object) -> None:
        paths = set()
        for one in (obj, *obj.pose.bones):
            for name in self.described:
                if self._is_ours(one, name):
                    del one[name]
                    paths.add(property_path(name, "" if one == obj else one.name))
        data = obj.animation_data
        owner = find_owner(data.action, slot_of(data)) if data else None
        own = [] if owner is None else [curve.data_path for curve in owner.fcurves if curve.data_path in paths]
        if not own:
            return
        remove_curves(owner, own)
        action = data.action
        if action is not None and action.get(_MADE) and not all_curves(action):
            assign(data, None, "")
            if action.users == 0:
                bpy.data.actions.remove(action)


@contextmanager
def _unheard() -> Iterator[None]:
    """What is keyed meanwhile does not act on the motion, which is not looked at again for it."""
    bpy.context.view_layer.update()
    with frame_handler_paused():
        yield
        bpy.context.view_layer.update()


def refuse_linked(obj: bpy.types.Object) -> None:
    """Raise PlantError where the object's action cannot be changed, or is not on the scene's frames."""
    data = obj.animation_data
    if data is None:
        return
    if data.use_tweak_mode:
        raise PlantError(
            "A strip of '{object}' is being tweaked in the NLA: leave it with Tab to key the plant",
            object=obj.name,
        )
    if data.action is not None and not data.action.is_editable:
        raise PlantError(
            "The action '{action}' is linked: make it local to key the plant in it",
            action=data.action.name,
        )


def _write(owner: Any, path: str, values: np.ndarray, first: int) -> None:
    points = np.stack([first + np.arange(len(values)), values], axis=1)
    before, after = np.diff(values, prepend=np.nan) == 0.0, np.diff(values, append=np.nan) == 0.0
    curve = owner.fcurves.find(path) or owner.fcurves.new(path)  # which stays where a property is removed by hand
    replace_keys(curve, plain_keys(points[~(before & after)]))
