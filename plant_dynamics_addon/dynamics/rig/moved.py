# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects plants move, and which plant moves an object."""

import bpy


def things_of(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The objects that the plant moves, each once. What the copy of a plant lists may be its original's."""
    listed = dict.fromkeys(one.object for one in obj.plant_dynamics.things if one.object is not None)
    return [one for one in listed if one.plant_dynamics.thing.plant == obj]


def mover_of(obj: bpy.types.Object) -> bpy.types.Object | None:
    """The plant that moves the object, if there is one."""
    plant = obj.plant_dynamics.thing.plant
    return plant if plant is not None and obj in things_of(plant) else None


def things_in(scene: bpy.types.Scene, obj: bpy.types.Object) -> list[bpy.types.Object]:
    """Those of them that the scene has. Blender's Delete leaves, and evaluates, what is still named by others, as
    things are by their plants. At next to no cost where all are seen."""
    things = things_of(obj)
    seen = [any(one.visible_get(view_layer=layer) for layer in scene.view_layers) for one in things]
    if all(seen):
        return things
    there = {one.session_uid for one in scene.objects}
    return [one for one in things if one.session_uid in there]
