# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides: bones of a plant tied to each other, which closes loops."""

from typing import Any

import bpy
from bpy.props import FloatProperty, StringProperty

from ....errors import Fix, PlantError
from ..influence import Moment
from .guiding import HARDNESS, add, hold
from .load import AddButton, Load, NewLoad
from .targeted import TARGET


class BoneTies(Load):
    """A string of no length between two bones."""

    item = ("TIE", "Tied", "The bone is tied to another bone of the plant")
    icon = "LINKED"
    button = AddButton(
        "Tie", "Tie the active bone's tip (or the farthest tip) to another selected bone, or to the bone whose tip is "
        "nearest"
    )  # fmt: skip
    properties = {"along": TARGET["along"]} | {
        "other_bone": StringProperty(name="To Bone", description="The bone to which this one is tied"),
        "other_along": FloatProperty(
            name="Along It",
            description="Where on the other bone: 0 at its head, 1 at its tip",
            default=1.0, min=0.0, max=1.0, subtype="FACTOR",
        ),
    } | HARDNESS  # fmt: skip

    def begin(self, new: NewLoad) -> None:
        other = _selected_beside(new) or _nearest_to(new)
        if other is not None:
            new.load.other_bone = other.name

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load in self.acting(moment):
            if load.other_bone and load.other_bone != load.bone:
                try:
                    other = moment.plant.rod_of(load.other_bone)
                except PlantError as error:
                    raise PlantError(str(error), Fix("LOST_LOAD", moment.obj.session_uid)) from None
                add(world, hold(moment, rod, load, "rod", other_rod=other, other_along=load.other_along))

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if item.bone and not item.other_bone:
            return "No other bone is chosen: nothing ties this one"
        if item.bone and item.bone == item.other_bone:
            return "A bone cannot be tied to itself: choose another one"
        return super().why_idle(item, settings, scene)


def _selected_beside(new: NewLoad) -> bpy.types.Bone | None:
    """Another selected bone, where one is."""
    chosen = {one.name for one in bpy.context.selected_pose_bones or () if one.id_data == new.obj}
    return next((bone for bone in new.obj.data.bones if bone.name in chosen - {new.bone.name}), None)


def _nearest_to(new: NewLoad) -> bpy.types.Bone | None:
    """The bone whose tip is nearest to this one's, of those that neither carry it nor are carried by it."""
    line = {new.bone, *new.bone.parent_recursive, *new.bone.children_recursive}
    simulated = set(new.plant.bones)
    others = [bone for bone in new.obj.data.bones if bone not in line and bone.name in simulated]
    tip = new.bone.tail_local
    return min(others, key=lambda bone: (bone.tail_local - tip).length, default=None)
