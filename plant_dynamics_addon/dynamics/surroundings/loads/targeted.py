# SPDX-License-Identifier: GPL-3.0-or-later
"""What loads share whose bones are drawn, held or led by another object."""

from collections.abc import Iterator
from typing import Any

import bpy
from bpy.props import FloatProperty, PointerProperty

from ....blender.evaluation_cache import EvaluationCache
from ....blender.moving_data import may_deform, may_move
from ....blender.view_layers import enabled_objects, layer_of
from ....errors import Fix, PlantError
from ..influence import Moment
from .load import Load

#: Of all such loads, so that they are declared once.
TARGET = {
    "target": PointerProperty(
        name="Object",
        type=bpy.types.Object,
        description="The object that draws, holds or leads the bone",
    ),
    "along": FloatProperty(
        name="Along Bone",
        description="Where on the bone: 0 at its head, 1 at its tip",
        default=1.0, min=0.0, max=1.0, subtype="FACTOR",
    ),
}  # fmt: skip


def hangs_on(target: bpy.types.Object, plant: bpy.types.Object) -> bool:
    """Whether the object is the plant, or one of its parents is."""
    above: bpy.types.Object | None = target
    while above is not None and above != plant:
        above = above.parent
    return above is not None


class Targeted(Load):
    """Loads with a target, which acts on one plant alone."""

    def targets(self, moment: Moment) -> Iterator[tuple[int, bpy.types.PropertyGroup, bpy.types.Object]]:
        """Those of this kind whose target is in the scene, with their rods and the evaluated targets. Raises PlantError
        where a target hangs on the plant."""
        enabled = moment.once(enabled_objects, moment.depsgraph.view_layer, None)
        for rod, load in self.acting(moment):
            if is_in_scene(moment.scene, load.target) and load.target.original in enabled:
                target = load.target.original
                if hangs_on(target, moment.obj):
                    raise PlantError(
                        "'{object}': '{target}' hangs on the plant that it pulls",
                        Fix('HANDLE', moment.obj.session_uid), object=moment.obj.name, target=target.name,
                    )
                yield rod, load, target.evaluated_get(moment.depsgraph)

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        return [load.target for load in self.own_targets(plant)]

    def own_targets(self, plant: bpy.types.Object) -> list[bpy.types.PropertyGroup]:
        return [load for load in plant.plant_dynamics.loads if load.kind == self.kind and load.target]

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return any(may_deform(one) or may_move(one) for one in self.objects(plant, scene, once))

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        if item.bone and item.target is None:
            return "Its object is gone or was never chosen: choose one in Loads, or remove the guide"
        if item.bone and not is_in_scene(scene, item.target):
            return "The object is not in this scene"
        if item.bone and item.target.original not in enabled_objects(layer_of(item.id_data, scene), None):
            return "The object is disabled in viewports, so that it is nowhere"
        return super().why_idle(item, settings, scene)


def is_in_scene(scene: bpy.types.Scene, target: bpy.types.Object | None) -> bool:
    """Whether the object is there, and not only named by something."""
    return target is not None and scene.objects.get(target.name) == target.original
