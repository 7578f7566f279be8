# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the scene's force fields the plant feels, and which of them have no effect."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Panel, UILayout

from ..blender.view_layers import layer_of
from ..dynamics.surroundings.force_fields import FORCE_FIELDS, WEIGHTS, enabled_fields, what_is_left_out
from .base import SubPanel

#: More fields than this are counted only.
_MOST_ROWS = 12


class PLANT_DYNAMICS_PT_force_fields(SubPanel, Panel):
    bl_label = "Force Fields"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        weights = settings.fields
        layout.label(text="On this plant", icon="OUTLINER_OB_ARMATURE")
        layout.prop(weights, "collection")
        column = layout.column()
        for field in (fields := enabled_fields(obj, layer_of(obj, bpy.context.scene)))[:_MOST_ROWS]:
            why = FORCE_FIELDS.why_idle(field, settings, bpy.context.scene)
            note = f": {why}" if why else (f": {left_out}" if (left_out := what_is_left_out(field)) else "")
            row = column.row()
            row.active = not why
            row.label(text=field.name + note, icon="ERROR" if note else f"FORCE_{WEIGHTS[field.field.type].upper()}")
        if len(fields) > _MOST_ROWS:
            column.label(text=iface_("and {count} more").format(count=len(fields) - _MOST_ROWS))
        elif not fields:
            column.label(text="None. Add, Force Field makes one", icon="INFO")
        layout.prop(weights, "wind_fields")
        column = layout.column(align=True)
        column.prop(weights, "all", slider=True)
        for name in WEIGHTS.values():
            column.prop(weights, name, slider=True)
