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
    before = obj.mode
    with bpy.context.temp_override(active_object=obj, object=obj, selected_objects=[obj]):
        bpy.ops.object.mode_set(mode="EDIT")
        change(obj.data, names)
        bpy.ops.object.mode_set(mode=before)


def free_to_come_off(obj: bpy.types.Object) -> str:
    """Disconnect the simulated bones that may come off and that Blender would hold fast, and say so where there are
    such. They stay where they are. Of a hidden armature Play says it, for it cannot be in Edit Mode."""
    fast = fastened_bones(obj, [bone for bone in obj.data.bones if bone.plant_dynamics.use_physics])
    if not fast or not obj.visible_get():
        return ""
    edit_mode_bones(obj, disconnect, fast)
    return rpt_("; disconnected, so that they can come off: {count}").format(count=len(fast))
