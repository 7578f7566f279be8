# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a bake can put its keys, and the keys it made."""

import bpy

from tests.blender.scenes import plants

HAS_SLOTS = "slots" in bpy.types.Action.bl_rna.properties
TARGETS = ["NEW", "OVERWRITE", "NLA"] + (["SLOT"] if HAS_SLOTS else [])


def baked_curves(obj):
    """The quaternion curves that animate the object, by path and index."""
    settings, data = obj.plant_dynamics, obj.animation_data
    action = settings.baked_action
    if HAS_SLOTS:
        handle = action.slots[0].handle if settings.baked_to == "NLA" else data.action_slot.handle
        bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
        curves = next(bag.fcurves for bag in bags if bag.slot_handle == handle)
    else:
        curves = action.fcurves
    return {(c.data_path, c.array_index): c for c in curves if c.data_path.endswith(plants.POSES)}
