# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles: objects that pull bones towards themselves."""

from typing import Any

import bpy
from bpy.props import FloatProperty, PointerProperty

from ....blender.evaluation_cache import EvaluationCache
from ....errors import Fix, PlantError
from ..influence import Moment
from ..samples import Pull, pull_columns
from .load import AddButton, Load, NewLoad


def hangs_on(target: bpy.types.Object, plant: bpy.types.Object) -> bool:
    """Whether the object is the plant, or one of its parents is."""
    above: bpy.types.Object | None = target
    while above is not None and above != plant:
        above = above.parent
    return above is not None


class Handles(Load):
    """Springs between objects and places on bones."""

    item = ("PULL", "Pull", "An object draws the bone towards itself")
    icon = "EMPTY_AXIS"
    button = AddButton(
        "Pull Handle", "Add an Empty at the active bone's tip (or the farthest tip) that draws it along while its "
        "influence is above 0"
    )  # fmt: skip
    properties = {
        "target": PointerProperty(
            name="Handle",
            type=bpy.types.Object,
            description="The bone is drawn towards this object's origin",
        ),
        "along": FloatProperty(
            name="Along Bone",
            description="Where the bone is pulled: 0 at its head, 1 at its tip",
            default=1.0, min=0.0, max=1.0, subtype="FACTOR",
        ),
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

    def begin(self, new: NewLoad) -> None:
        handle = bpy.data.objects.new(f"{new.bone.name} Handle", None)
        handle.empty_display_type = "SPHERE"
        handle.empty_display_size = max(0.02, 0.05 * max(new.obj.dimensions[:]))
        handle.location = new.tip()
        new.load.target = handle
        new.load.stiffness = new.plant.handle_stiffness(new.rod)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        in_scene = ((rod, load) for rod, load in self.acting(moment) if _is_in(moment.scene, load.target))
        pulls = [_pull(moment, rod, load) for rod, load in in_scene]
        if pulls:
            world |= pull_columns(pulls)

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        return [load.target for load in self.own_targets(plant)]

    def own_targets(self, plant: bpy.types.Object) -> list[bpy.types.PropertyGroup]:
        return [load for load in plant.plant_dynamics.loads if load.kind == self.kind and load.target]

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if item.bone and item.target is None:
            return "No handle is chosen: nothing pulls"
        if item.bone and not _is_in(scene, item.target):
            return "The handle is not in this scene"
        return super().why_idle(item, settings, scene)


def _is_in(scene: bpy.types.Scene, target: bpy.types.Object | None) -> bool:
    return target is not None and scene.objects.get(target.name) == target.original


def _pull(moment: Moment, rod: int, load: bpy.types.PropertyGroup) -> Pull:
    handle = load.target.original
    if hangs_on(handle, moment.obj):
        raise PlantError(f"'{moment.obj.name}': the handle '{handle.name}' hangs on the plant that it pulls",
                         Fix("HANDLE", moment.obj.session_uid))  # fmt: skip
    target = handle.evaluated_get(moment.depsgraph).matrix_world.translation[:]
    return Pull(rod, load.along, target, load.stiffness * load.influence, load.damping * load.influence)
