# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left over from plants whose armatures were deleted, and Delete Plant in Blender's own menus."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, Menu, Panel

from ..grow.objects.parts import left_over
from ..operators.growing.grow import grown_plant
from .base import PlantPanel, message

#: So many objects are named.
_MOST = 4

#: Blender's menus that have its own Delete.
_MENUS = ["VIEW3D_MT_object", "VIEW3D_MT_object_context_menu", "OUTLINER_MT_object"]


class PLANT_DYNAMICS_PT_left_over(PlantPanel, Panel):
    """Above all else: that deleting an armature has left the rest of the plant behind."""

    bl_label = "Left Over"
    bl_options = {"HIDE_HEADER"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return bool(left_over(context.scene))

    def draw(self, context: Context) -> None:
        box, left = self.layout.box(), left_over(context.scene)
        names = ", ".join([*(obj.name for obj in left[:_MOST]), *["..."] * (len(left) > _MOST)])
        message(context, box, iface_("Left over from a deleted plant: {names}").format(names=names), boxed=True)
        row = box.row(align=True)
        row.operator("plant_dynamics.remove_left_over", text="Remove", icon="TRASH")
        row.operator("plant_dynamics.keep_left_over", text="Keep")


def _draw_delete(self: Menu, context: Context) -> None:
    """Below Blender's own Delete, which takes only the armature, where a plant is selected."""
    if grown_plant(context) is not None:
        self.layout.operator("plant_dynamics.delete_plant", icon="TRASH")


def add_to_menus() -> None:
    """Have Blender's menus offer Delete Plant."""
    for name in _MENUS:
        getattr(bpy.types, name).append(_draw_delete)


def remove_from_menus() -> None:
    """Have them offer it no more."""
    for name in _MENUS:
        getattr(bpy.types, name).remove(_draw_delete)
