# SPDX-License-Identifier: GPL-3.0-or-later
"""Grow: from an L-system to a plant."""

import re

from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, Panel, PropertyGroup, UILayout

from ..grow.labels import said
from ..grow.options import changed_constants, full_age
from ..operators.growing.grow import PLANT_DYNAMICS_OT_grow, grown_plant
from ..operators.growing.open_object import PLANT_DYNAMICS_OT_open_object
from .base import PlantPanel, message, play_button, progress
from .fixes import draw_trouble

#: Heights of the chosen plant's picture and of those in the chooser, in lines of the panel.
_PICTURE, _IN_CHOOSER = 6.0, 7.0

#: Under more constants the Dynamics panel's Play is below the edge of most windows.
_FEW = 4

#: Of more constants than this, as files of L-studio have them, the list begins closed, for what is below it to be seen.
_MANY = 12

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
            column = layout.column(align=True)
            row = column.row(align=True)
            row.use_property_split = False  # for the four to have the room
            row.prop(options, "group", expand=True)
            column.template_icon_view(options, "picture", show_labels=True, scale=_PICTURE, scale_popup=_IN_CHOOSER)
            column.prop(options, "preset", text="")
            layout.operator("plant_dynamics.preset_to_text", icon="TEXT")
        else:
            layout.template_ID(options, "text", new="text.new", open="text.open")
            if not progress(layout, PLANT_DYNAMICS_OT_open_object.doing):
                layout.operator("plant_dynamics.choose_object", icon="FILE_FOLDER")
        if options.sees_solids:
            column = layout.column(align=True)
            column.prop(options, "grows_around")
            if options.grows_around != "NOTHING":
                column.prop(options, f"around_{options.grows_around.lower()}", text="")
        column = layout.column(align=True)
        column.prop(options, "age")
        age = full_age(options)
        if age is not None:
            row = column.row()
            row.alignment = "RIGHT"
            row.label(text=iface_("Fully grown: {steps}").format(steps=age), translate=False)
        # a text's own seed is one of its constants
        column.prop(options, "seed", text="Added to Its Seeds" if _has_seed(options) else None)
        layout.prop(options, "pot")
        _draw_buttons(context, layout, options)
        _draw_constants(context, layout, options)


class PLANT_DYNAMICS_PT_grow_options(PlantPanel, Panel):
    """What changes the look, and how finely the plant is divided."""

    bl_label = "Options"
    bl_parent_id = "PLANT_DYNAMICS_PT_grow"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name in ("detail", "leaf_bones", "instance_leaves", "prune_below"):
            layout.prop(context.scene.plant_dynamics, name)


def _draw_buttons(context: Context, layout: UILayout, options: PropertyGroup) -> None:
    """Grow, and what may be done with a grown plant; above the constants, of which each plant has others, so that they
    stay where they are."""
    row = layout.row(align=True)
    row.scale_y = 1.4
    if progress(row, PLANT_DYNAMICS_OT_grow.doing):
        return
    row.operator("plant_dynamics.grow", icon="OUTLINER_OB_CURVES")
    plant = grown_plant(context)
    if plant is None:
        return
    row.operator("plant_dynamics.regrow", icon="FILE_REFRESH")
    row.operator("plant_dynamics.growth_to_panel", text="", icon="EYEDROPPER")
    if plant.plant_dynamics.is_baked:
        layout.operator("plant_dynamics.clear_bake")
    elif len(options.constants) > _FEW:
        play_button(context, layout, plant.plant_dynamics)
        draw_trouble(context, layout, plant)


def _has_seed(options: PropertyGroup) -> bool:
    """Whether one of the constants is a seed, as files of L-studio have them."""
    return any("seed" in re.split(r"[\W_]+", constant.label.lower()) for constant in options.constants)


def _draw_constants(context: Context, layout: UILayout, options: PropertyGroup) -> None:
    """The constants of the L-system, or what lists them."""
    if not options.constants:
        layout.operator("plant_dynamics.show_constants", icon="OPTIONS")
        return
    listed: UILayout | None = layout
    if len(options.constants) > _MANY:
        header, listed = layout.panel("plant_dynamics_constants", default_closed=True)
        header.label(text=iface_("{count} Constants").format(count=len(options.constants)), translate=False)
    if listed is None:
        return
    column = listed.column(align=True)
    column.use_property_split = False
    for constant in options.constants:
        label = said(constant.label, iface_)
        fits = len(label) <= _LONGEST
        if not fits:
            message(context, column, label, "NONE")
        column.prop(constant, constant.shown(), text=label if fits else "", translate=False)
    if changed_constants(options):
        listed.operator("plant_dynamics.reset_constants", icon="LOOP_BACK")
