# SPDX-License-Identifier: GPL-3.0-or-later
"""Bake: the buttons, and below them where the keys go and which there are."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, Panel, UILayout

from ...operators.results.bake import PLANT_DYNAMICS_OT_bake, draw_choices
from ...properties.bake import BAKE_CHOICES
from ..base import SubPanel, progress
from ..presets import draw_icon


class PLANT_DYNAMICS_PT_bake(SubPanel, Panel):
    bl_label = "Bake"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        choices = bpy.context.scene.plant_dynamics_bake
        column = layout.column(align=True)
        column.scale_y = 1.2
        if progress(column, PLANT_DYNAMICS_OT_bake.doing):
            return
        text = "Bake Again" if settings.is_baked else "Bake"
        operator = column.operator("plant_dynamics.bake", text=text, icon="REC")
        for name in BAKE_CHOICES:
            setattr(operator, name, getattr(choices, name))
        if settings.is_baked:
            row = column.row(align=True)
            row.operator("plant_dynamics.clear_bake", icon="TRASH").plants = "ACTIVE"
            row.operator("plant_dynamics.clear_bake", text="All").plants = "SCENE"
            name = settings.baked_action.name if settings.baked_action else ""
            layout.label(text=name, translate=False, icon="NLA" if settings.baked_to == "NLA" else "ACTION")
            if settings.baked_last > settings.baked_first:
                text = iface_("Frames {first} to {last}").format(first=settings.baked_first, last=settings.baked_last)
                layout.label(text=text, icon="TIME")


class PLANT_DYNAMICS_PT_bake_options(SubPanel, Panel):
    bl_label = "Options"
    bl_parent_id = "PLANT_DYNAMICS_PT_bake"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: Context) -> None:
        draw_icon(self.layout, "bake")

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        draw_choices(layout, bpy.context.scene.plant_dynamics_bake)
