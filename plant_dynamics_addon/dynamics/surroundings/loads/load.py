# SPDX-License-Identifier: GPL-3.0-or-later
"""What all kinds of loads share. Each is an influence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import bpy

from ....errors import Fix, PlantError
from ...rig.armature_reader import GUIDES
from ...rig.plant import Plant
from ..influence import Influence, Moment
from .bone_choice import end_bone, farthest_bone


class AddButton(NamedTuple):
    """What adds a load of a kind: the button's label and its tooltip."""

    label: str
    tooltip: str


@dataclass(frozen=True)
class NewLoad:
    """A load that is being added: to a bone of an object, which is the rod with this index of the plant.

    tip: where the bone's tip is now, or will be when the plant begins to play (m, world axes); shown: where it is seen
    """

    load: bpy.types.PropertyGroup
    obj: bpy.types.Object
    bone: bpy.types.Bone
    plant: Plant
    rod: int
    tip: Callable[[], tuple[float, float, float]]
    shown: Callable[[], tuple[float, float, float]]


class Load(Influence):
    """The loads of one kind.

    item: identifier, name and description of the kind; properties: what is set of it, in the panel's order, beside
    name, bone and influence; labels: what some of them are called in the panel
    """

    item: tuple[str, str, str]
    icon: str
    button: AddButton
    properties: dict[str, Any]
    labels: dict[str, str] = {}

    @property
    def kind(self) -> str:
        """The identifier."""
        return self.item[0]

    def bone_of(self, obj: bpy.types.Object, plant: Plant) -> bpy.types.Bone:
        """The bone that a new one acts on where no bone is active."""
        return (end_bone if self.kind in GUIDES else farthest_bone)(obj, plant)

    def begin(self, new: NewLoad) -> None:
        """Set what a new one begins with, so that it is seen to act."""

    def acting(self, moment: Moment) -> Iterator[tuple[int, bpy.types.PropertyGroup]]:
        """The loads of this kind with their rods. Raises PlantError for a bone that is not there."""
        for load in moment.loads:
            if load.kind == self.kind and load.bone:
                try:
                    rod = moment.plant.rod_of(load.bone)
                except PlantError as error:
                    raise PlantError(str(error), Fix("LOST_LOAD", moment.obj.session_uid)) from None
                yield rod, load

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        return "" if item.bone else "No bone is chosen to act on"
