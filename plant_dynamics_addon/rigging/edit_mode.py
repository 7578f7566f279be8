# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of an armature's bones that only Edit Mode allows."""

from collections.abc import Callable, Sequence

import bpy
from bpy.app.translations import pgettext_rpt as rpt_

from ..dynamics.rig.coming_off import disconnect, fastened_bones


def edit_mode_bones(
    obj: bpy.types.Object, change: Callable[[bpy.types.Armature, Sequence[str]], None], names: Sequence[str]
) -> None:
    """Have the bones changed in Edit Mode. What was known of bones by references is afterwards not valid any more."""
    layer = bpy.context.view_layer
    active, before = layer.objects.active, obj.mode
    layer.objects.active = obj  # what has Edit Mode is the view layer's active object, whatever the context says
    try:
        with bpy.context.temp_override(active_object=obj, object=obj, selected_objects=[obj]):
            bpy.ops.object.mode_set(mode="EDIT")
            try:
                change(obj.data, names)
            finally:
                bpy.ops.object.mode_set(mode=before)
    finally:
        layer.objects.active = active


def free_to_come_off(obj: bpy.types.Object) -> str:
    """Disconnect the simulated bones that may come off and that Blender would hold fast, and say so where there are
    such. They stay where they are. Of a hidden armature Play says it, for it cannot be in Edit Mode."""
    fast = fastened_bones(obj, [bone for bone in obj.data.bones if bone.plant_dynamics.use_physics])
    if not fast or not obj.visible_get():
        return ""
    edit_mode_bones(obj, disconnect, fast)
    return rpt_("; disconnected, so that they can come off: {count}").format(count=len(fast))
