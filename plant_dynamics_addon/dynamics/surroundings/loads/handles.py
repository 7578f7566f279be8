# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles: objects that pull bones towards themselves."""

from typing import Any

import bpy
from bpy.props import FloatProperty

from ..influence import Moment
from ..samples import Pull, pull_columns
from .holds import put_empty
from .load import AddButton, NewLoad
from .targeted import TARGET, Targeted


class Handles(Targeted):
    """Springs between objects and places on bones."""

    item = ("PULL", "Pull", "An object draws the bone towards itself")
    icon = "EMPTY_AXIS"
    button = AddButton(
        "Pull Handle", "Add an Empty at the active bone's tip (or the farthest tip) that draws it along while its "
        "influence is above 0"
    )  # fmt: skip
    properties = TARGET | {
        "stiffness": FloatProperty(
            name="Strength (N/m)",
            description="Spring between handle and bone. Higher values hold the bone closer; any value is stable",
            default=100.0, min=0.0, soft_max=10000.0, max=1e12,
        ),
        "damping": FloatProperty(
            name="Damping (N s/m)",
            description="Brakes the bone as it moves against the handle. Higher values calm what swings on the spring",
            default=0.0, min=0.0, soft_max=100.0, max=1e12,
        ),
    }  # fmt: skip

    labels = {"target": "Handle", "damping": "Damping"}  # with its unit it would be cut off

    def begin(self, new: NewLoad) -> None:
        put_empty(new, "Handle", "SPHERE", new.tip())
        new.load.stiffness = new.plant.handle_stiffness(new.rod)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        pulls = [_pull(*one) for one in self.targets(moment)]
        if pulls:
            world |= pull_columns(pulls)

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if item.bone and item.target is None:
            return "No handle is chosen: nothing pulls"
        return super().why_idle(item, settings, scene)


def _pull(rod: int, load: bpy.types.PropertyGroup, handle: bpy.types.Object) -> Pull:
    target = handle.matrix_world.translation[:]
    return Pull(rod, load.along, target, load.stiffness * load.influence, load.damping * load.influence)
