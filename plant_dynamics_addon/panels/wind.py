# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's air and wind, and how the plant takes it."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.app.translations import pgettext_n as n_
from bpy.types import Context, Panel, PropertyGroup, UILayout

from ..dynamics.surroundings.winds import GIVEN, has_direction
from ..material_columns import plant_columns
from ..operators.world.wind import WINDS
from ..plants import active_plant
from ..presets.apply import is_applied
from .base import PlantPanel, SubPanel
from .presets import draw_icon

#: The winds of the row above all settings, and their speeds (m/s).
_WINDS = {"STILL": (n_("Still"), 0.0), "BREEZE": (n_("Breeze"), 3.0), "WIND": (n_("Wind"), 8.0),
          "STORM": (n_("Storm"), 20.0)}  # fmt: skip


def draw_winds(context: Context, layout: UILayout) -> None:
    """One press sets the scene's wind; the one that blows is pressed in. How fast a breeze is that Grow or the user has
    chosen stands above, for a button has no room for it; in its place that a wind has no direction, as while one number
    of it is typed after the other: nothing below may move under the mouse then."""
    wind = context.scene.plant_dynamics.wind
    chosen = next((name for name in _WINDS if wind.is_given and WINDS[name] == GIVEN), None)
    blows = chosen or next((name for name in _WINDS if is_applied(context, "wind", WINDS[name])), None)
    column = layout.column(align=True)
    text = iface_("Wind of the whole scene, m/s")
    if wind.use_air and (chosen or (blows is None and wind.source == "GUSTS")):
        text = iface_("Wind of the whole scene: {speed} m/s").format(speed=f"{wind.speed:.3g}")
    if not _draw_lost_direction(column, wind):
        column.label(text=text, translate=False, icon="FORCE_WIND")
    row = column.row(align=True)
    for name, (text, speed) in _WINDS.items():
        label = iface_(text) if name == chosen or not speed else f"{iface_(text)} {speed:.0f}"
        row.operator("plant_dynamics.wind_preset", text=label, translate=False, depress=name == blows).preset = name


def _draw_lost_direction(layout: UILayout, wind: PropertyGroup) -> bool:
    """Whether a wind that blows has none, which is told then."""
    if wind.source != "GUSTS" or has_direction(wind):
        return False
    layout.label(text="No direction: nothing blows", icon="ERROR")
    return True


class PLANT_DYNAMICS_PT_wind(SubPanel, Panel):
    bl_label = "Air and Wind"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: Context) -> None:
        self.layout.prop(context.scene.plant_dynamics.wind, "use_air", text="")

    def draw_header_preset(self, context: Context) -> None:
        draw_icon(self.layout, "wind")

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        wind = context.scene.plant_dynamics.wind
        layout.active = wind.use_air
        layout.label(text="For all plants of the scene", icon="SCENE_DATA")
        layout.prop(wind, "source")
        if wind.source == "CUSTOM":
            layout.prop(wind, "custom")
            if not wind.custom:
                layout.label(text="Choose a script wind", icon="INFO")
        elif wind.source == "GUSTS":
            layout.prop(wind, "speed")
            row = layout.row()
            row.prop(wind, "direction")
            column = row.column(align=True)
            column.use_property_split = False
            for axis in range(3):
                column.prop(wind, "direction", index=axis, text="")
            _draw_lost_direction(layout, wind)
            layout.prop(wind, "show_in_viewport")
            layout.prop(wind, "turbulence_intensity")
            layout.prop(wind, "length_scale")
            layout.prop(wind, "shelter")
            layout.prop(wind, "seed")
        plant = active_plant(context)
        if plant is not None:
            layout.label(text="For this plant", icon="ARMATURE_DATA")
            layout.prop(plant.plant_dynamics, "flutter")


class _WindPanel(PlantPanel):
    bl_parent_id = "PLANT_DYNAMICS_PT_wind"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: Context) -> None:
        wind = context.scene.plant_dynamics.wind
        self.layout.use_property_split = True
        self.layout.active = wind.use_air
        self.draw_wind(self.layout, wind)

    def draw_wind(self, layout: UILayout, wind: bpy.types.PropertyGroup) -> None:
        """What the panel shows."""


class PLANT_DYNAMICS_PT_gusts(_WindPanel, Panel):
    bl_label = "Gusts"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return context.scene.plant_dynamics.wind.source == "GUSTS"

    def draw_wind(self, layout: UILayout, wind: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        layout.prop(wind, "spectrum")
        row = layout.row(align=True, heading="Loop")
        row.prop(wind, "use_loop", text="")
        column = row.column()
        column.active = wind.use_loop
        column.prop(wind, "loop_frames", text="")
        layout.prop(wind, "height_exponent")
        if wind.height_exponent > 0.0:
            layout.prop(wind, "reference_height")


class PLANT_DYNAMICS_PT_medium(_WindPanel, Panel):
    bl_label = "Medium"

    def draw_wind(self, layout: UILayout, wind: bpy.types.PropertyGroup) -> None:
        row = layout.row(align=True)
        for medium in ("AIR", "WATER"):
            row.operator("plant_dynamics.medium_preset", text=medium.capitalize()).medium = medium
        layout.prop(wind, "air_density", text="Density")  # with its unit it would be cut off
        layout.prop(wind, "buoyancy")


class PLANT_DYNAMICS_PT_drag(SubPanel, Panel):
    bl_label = "Drag of This Plant"
    bl_parent_id = "PLANT_DYNAMICS_PT_wind"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        for group in ("AIR", "DRAG"):
            column = layout.column(align=True)
            for one in plant_columns(group):
                if one.name != "flutter":  # stands with the wind
                    column.prop(settings, one.name)
        layout.label(text="Blade areas: in Bones", icon="BONE_DATA")
