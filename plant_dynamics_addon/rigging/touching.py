# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects are made colliders, and a plant touches them."""

import bpy

from ..changes import all_inputs_changed
from ..dynamics.solids.touched import CURVES
from ..errors import PlantError

#: Plants stay so far (m) away: the least that Blender's Collision physics can say.
_THICKNESS = 0.001


def make_collider(obj: bpy.types.Object) -> None:
    """Give the object Collision physics, or ours where Blender has none for it."""
    if obj.type in CURVES:
        obj.plant_dynamics.collider.use = True
        return
    if not any(modifier.type == "COLLISION" for modifier in obj.modifiers):
        obj.modifiers.new("Collision", "COLLISION")
    obj.collision.use = True
    obj.collision.thickness_outer = _THICKNESS


def have_touch(plant: bpy.types.Object, colliders: list[bpy.types.Object]) -> None:
    """Have the plant touch these too."""
    contact = plant.plant_dynamics.contact
    if contact.collide_with == "NOTHING" or (contact.collide_with == "COLLECTION" and contact.collection is None):
        contact.collide_with = "SCENE"
    if contact.collide_with == "COLLECTION":
        for obj in colliders:
            if obj.name not in contact.collection.all_objects:
                contact.collection.objects.link(obj)
    all_inputs_changed()


def refuse_linked_collection(plant: bpy.types.Object) -> None:
    """Raise PlantError where nothing can be added to what the plant touches."""
    contact = plant.plant_dynamics.contact
    if contact.collide_with == "COLLECTION" and contact.collection is not None and not contact.collection.is_editable:
        raise PlantError(
            "The collection '{collection}' is linked: make it local, or choose another in Collide With",
            collection=contact.collection.name,
        )
