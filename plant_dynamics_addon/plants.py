# SPDX-License-Identifier: GPL-3.0-or-later
"""Which plants there are, and which of them the user means."""

import bpy


def dynamic_objects(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Plants of the scene that can be simulated."""
    return [obj for obj in scene.objects if obj.type == "ARMATURE" and obj.plant_dynamics.is_dynamic]


def active_armature(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active armature; of a plant's mesh, pot or pull handle, the armature it belongs to; while something else is
    active, as a camera or a force field, the only plant that is selected, or that the scene has."""
    active = context.object
    obj = active
    while obj is not None and obj.type != "ARMATURE":
        obj = obj.parent
    if obj is None:
        plants = dynamic_objects(context.scene)
        pulled = (p for p in plants if active and any(load.target == active for load in p.plant_dynamics.loads))
        chosen = [plant for plant in plants if plant in context.selected_objects]
        only = chosen if len(chosen) == 1 else plants
        return next(pulled, only[0] if len(only) == 1 else None)
    return obj


def active_plant(context: bpy.types.Context) -> bpy.types.Object | None:
    """The active armature if it is dynamic."""
    obj = active_armature(context)
    return obj if obj is not None and obj.plant_dynamics.is_dynamic else None


def chosen_plants(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The active plant and all other selected ones that can be changed."""
    active = active_plant(context)
    selected = [obj for obj in context.selected_objects if obj.type == "ARMATURE" and obj.plant_dynamics.is_dynamic]
    return [obj for obj in dict.fromkeys([*([active] if active else []), *selected]) if not is_linked(obj)]


def is_linked(obj: bpy.types.Object) -> bool:
    """Whether the object belongs to another file, so that changes to it would be lost."""
    return not obj.is_editable
