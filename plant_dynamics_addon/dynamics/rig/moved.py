# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects plants move, and which plant moves an object."""

import bpy


def things_of(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """The objects that the plant moves, each once."""
    return list(dict.fromkeys(one.object for one in obj.plant_dynamics.things if one.object is not None))


def mover_of(obj: bpy.types.Object) -> bpy.types.Object | None:
    """The plant that moves the object, if there is one."""
    plant = obj.plant_dynamics.thing.plant
    return plant if plant is not None and obj in things_of(plant) else None


def is_gone(obj: bpy.types.Object, scene: bpy.types.Scene) -> bool:
    """Whether the scene has the object no more. Blender's Delete leaves, and evaluates, what is still named by others,
    as things are by their plants. At next to no cost where the object is seen."""
    return not any(obj.visible_get(view_layer=layer) for layer in scene.view_layers) and obj not in scene.objects[:]
