# SPDX-License-Identifier: GPL-3.0-or-later
"""Handles: objects that pull bones towards themselves."""

from typing import Any

import bpy

from ...blender.evaluation_cache import Once
from ...errors import Fix, PlantError
from .influence import Moment
from .loads import Load
from .samples import Pull, pull_columns


def hangs_on(target: bpy.types.Object, plant: bpy.types.Object) -> bool:
    """Whether the object is the plant, or one of its parents is."""
    above: bpy.types.Object | None = target
    while above is not None and above != plant:
        above = above.parent
    return above is not None


class Handles(Load):
    """Springs between objects and places on bones."""

    kind, icon, values = "PULL", "EMPTY_AXIS", ("target", "along", "stiffness", "damping")

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        in_scene = ((rod, load) for rod, load in self.acting(moment) if _is_in(moment.scene, load.target))
        world |= pull_columns([_pull(moment, rod, load) for rod, load in in_scene])

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: Once) -> list[bpy.types.Object]:
        return [load.target for load in self.own_targets(plant)]

    def own_targets(self, plant: bpy.types.Object) -> list[bpy.types.PropertyGroup]:
        return [load for load in plant.plant_dynamics.loads if load.kind == self.kind and load.target]

    def why_idle(self, load: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if load.bone and load.target is None:
            return "No handle is chosen: nothing pulls"
        if load.bone and not _is_in(scene, load.target):
            return "The handle is not in this scene"
        return super().why_idle(load, scene)


def _is_in(scene: bpy.types.Scene, target: bpy.types.Object | None) -> bool:
    return target is not None and scene.objects.get(target.name) == target.original


def _pull(moment: Moment, rod: int, load: bpy.types.PropertyGroup) -> Pull:
    handle = load.target.original
    if hangs_on(handle, moment.obj):
        raise PlantError(f"'{moment.obj.name}': the handle '{handle.name}' hangs on the plant that it pulls",
                         Fix("HANDLE", moment.obj.session_uid))  # fmt: skip
    target = handle.evaluated_get(moment.depsgraph).matrix_world.translation[:]
    return Pull(rod, load.along, target, load.stiffness * load.influence, load.damping * load.influence)
