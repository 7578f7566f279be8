# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare: a plant with other values side by side, beside footage, and its plots."""

from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, Panel, PropertyGroup, UILayout

from ...comparison.output import folder_text
from ...comparison.quantities import QUANTITIES
from ...plants import active_plant
from ..base import PlantPanel


class _ComparePanel(PlantPanel):
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        self.layout.use_property_split = True
        self.layout.use_property_decorate = False
        self.draw_settings(context, self.layout, context.scene.plant_dynamics_compare)

    def draw_settings(self, context: Context, layout: UILayout, settings: PropertyGroup) -> None:
        """What the panel shows."""


class PLANT_DYNAMICS_PT_compare(_ComparePanel, Panel):
    bl_label = "Compare"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return active_plant(context) is not None or context.scene.plant_dynamics_compare.holds_comparison

    def draw_settings(self, context: Context, layout: UILayout, settings: PropertyGroup) -> None:
        column = layout.column()
        column.prop(settings, "quantity")
        if settings.quantity == "CONSTANT":
            column.prop(settings, "constant")
        unit = QUANTITIES[settings.quantity].unit
        column.prop(settings, "values", text=f"{iface_('Values')} ({unit})" if unit else "Values")
        row = layout.row()
        row.scale_y = 1.4
        row.operator("plant_dynamics.compare", icon="MOD_ARRAY")


class PLANT_DYNAMICS_PT_compare_picture(_ComparePanel, Panel):
    bl_label = "Picture"
    bl_parent_id = "PLANT_DYNAMICS_PT_compare"

    def draw_settings(self, context: Context, layout: UILayout, settings: PropertyGroup) -> None:
        for name in ("width", "samples", "spacing", "plots"):
            layout.prop(settings, name)


class PLANT_DYNAMICS_PT_compare_output(_ComparePanel, Panel):
    bl_label = "Output"
    bl_parent_id = "PLANT_DYNAMICS_PT_compare"

    def draw_settings(self, context: Context, layout: UILayout, settings: PropertyGroup) -> None:
        layout.prop(settings, "folder")
        if (text := folder_text(context.scene)) != settings.folder:
            layout.label(text="As in Preferences:", icon="INFO")
            layout.label(text=text, icon="BLANK1", translate=False)
        layout.prop(settings, "stills")
        row = layout.row(align=True)
        row.operator("plant_dynamics.render_shot", text="Stills", icon="RENDER_STILL").kind = "STILLS"
        row.operator("plant_dynamics.render_shot", text="Movie", icon="RENDER_ANIMATION").kind = "MOVIE"
        layout.operator("plant_dynamics.plot_motion", icon="GRAPH")
        layout.operator("plant_dynamics.beside_footage", icon="FILE_MOVIE")
