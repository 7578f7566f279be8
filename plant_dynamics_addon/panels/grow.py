# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow: from an L-system to a plant."""

from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, Panel, PropertyGroup, UILayout

from ..grow.options import full_age
from ..operators.growing.grow import grown_plant
from .base import PlantPanel, message

#: Longer labels of constants, in letters, have a line of their own.
_LONGEST = 26


class PLANT_DYNAMICS_PT_grow(PlantPanel, Panel):
    bl_label = "Grow"

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        options = context.scene.plant_dynamics
        layout.row().prop(options, "source", expand=True)
        if options.source == "PRESET":
            layout.prop(options, "preset")
            layout.operator("plant_dynamics.preset_to_text", icon="TEXT")
        else:
            layout.template_ID(options, "text", new="text.new", open="text.open")
        _draw_constants(context, layout, options)
        column = layout.column(align=True)
        column.prop(options, "age")
        age = full_age(options)
        if age is not None:
            row = column.row()
            row.alignment = "RIGHT"
            row.label(text=iface_("Fully grown: {steps}").format(steps=age), translate=False)
        column.prop(options, "seed")
        column.prop(options, "prune_below")
        column = layout.column(align=True)
        column.prop(options, "detail")
        column.prop(options, "leaf_bones")
        column.prop(options, "instance_leaves")
        column.prop(options, "pot")
        row = layout.row(align=True)
        row.scale_y = 1.4
        row.operator("plant_dynamics.grow", icon="OUTLINER_OB_CURVES")
        plant = grown_plant(context)
        if plant is not None:
            row.operator("plant_dynamics.regrow", icon="FILE_REFRESH")
            row.operator("plant_dynamics.growth_to_panel", text="", icon="EYEDROPPER")
            if plant.plant_dynamics.is_baked:
                layout.operator("plant_dynamics.clear_bake")


def _draw_constants(context: Context, layout: UILayout, options: PropertyGroup) -> None:
    """The constants of the L-system, or what lists them."""
    if not options.constants:
        layout.operator("plant_dynamics.show_constants", icon="OPTIONS")
        return
    column = layout.column(align=True)
    column.use_property_split = False
    for constant in options.constants:
        fits = len(constant.label) <= _LONGEST
        if not fits:
            message(context, column, constant.label, "NONE")
        column.prop(constant, constant.shown(), text=constant.label if fits else "", translate=False)
