# SPDX-License-Identifier: GPL-3.0-or-later
"""A load on one plant."""

from itertools import count
from typing import Any

from bpy.props import EnumProperty, FloatProperty, StringProperty
from bpy.types import Context, PropertyGroup

from ..changes import inputs_changed, object_changed
from ..dynamics.surroundings.loads.kinds import LOADS


def _changed(self: "PlantLoad", context: Context) -> None:
    inputs_changed(self.id_data)


def _kind_changed(self: "PlantLoad", context: Context) -> None:
    for one in {self.id_data, self.other_object} - {None}:
        object_changed(one)  # what holds bones decides where these bend
    inputs_changed(self.id_data)


def _bone_changed(self: "PlantLoad", context: Context) -> None:
    _name_after_bone(self)
    inputs_changed(self.id_data)


def _name_after_bone(load: "PlantLoad") -> None:
    """Call a load by its bone and its kind, as no other one, unless its owner has named it."""
    if load.name != load.given_name:
        return
    name = f"{load.bone} {load.kind.capitalize()}"
    taken = {one.name for one in load.id_data.plant_dynamics.loads if one != load}
    numbered = (f"{name}.{number:03}" for number in count(1))
    load.name = load.given_name = name if name not in taken else next(one for one in numbered if one not in taken)


def _of_kinds() -> type:
    """A base class with the properties of all kinds."""
    declared: dict[str, Any] = {}
    for load in LOADS.values():
        if taken := {name for name, prop in load.properties.items() if declared.get(name, prop) is not prop}:
            raise TypeError(f"the load {load.kind} declares again what another one has: {', '.join(taken)}")
        declared |= load.properties
    for prop in declared.values():
        prop.keywords.setdefault("update", _changed)
    return type("OfKinds", (), {"__annotations__": declared})


class PlantLoad(_of_kinds(), PropertyGroup):
    """One row of the Loads list. Influence and whatever numbers a kind has can be keyed. other_name: what the object is
    called to which the bone is tied, to be told of when it is gone; given_name: that after its bone, which may be
    changed."""

    kind: EnumProperty(name="Kind", items=[load.item for load in LOADS.values()], update=_kind_changed)
    bone: StringProperty(
        name="Bone", description="The bone that is pulled, or the last one twisted", update=_bone_changed
    )
    influence: FloatProperty(
        name="Influence",
        description="How much the load acts. Key it from 1 to 0 to let the plant go",
        default=1.0, min=0.0, max=1.0, subtype="FACTOR", update=_changed,
    )  # fmt: skip
    other_name: StringProperty(options={"HIDDEN"})
    given_name: StringProperty(options={"HIDDEN"})
