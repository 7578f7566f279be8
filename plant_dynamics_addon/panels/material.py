# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plant is made of: material, friction, how far its joints go, and what breaks them."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Panel, UILayout

from ..comparison.stresses import measured as measured_stresses
from ..dynamics.measure.frequencies import measured
from ..dynamics.motion.sessions import session_of
from ..material_columns import plant_columns
from .base import SubPanel, message


class PLANT_DYNAMICS_PT_material(SubPanel, Panel):
    bl_label = "Material"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        for one in plant_columns("JOINT"):
            layout.prop(settings, one.name)
        target = "SELECTED" if obj.mode == "POSE" else "PLANT"
        text = "Material of Selected Bones" if target == "SELECTED" else "Measured Material"
        menu = layout.operator_menu_enum("plant_dynamics.set_material", "material", text=text, icon="PRESET")
        menu.target = target
        if settings.bones_have_materials:
            layout.label(text="Each bone has its own: see Bones", icon="BONE_DATA")
        column = layout.column(align=True)
        column.use_property_decorate = False
        for one in plant_columns("MATERIAL", "SIZE"):
            if not (one.grown and settings.bones_have_materials):
                column.prop(settings, one.name)
        if not settings.bones_have_materials:
            column = layout.column()
            column.use_property_decorate = False
            column.prop(settings, "radius_source")
            if settings.radius_source == "FIXED":
                column.prop(settings, "radius")


class PLANT_DYNAMICS_PT_damping(SubPanel, Panel):
    bl_label = "Damping"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        for one in plant_columns("DAMPING"):
            if not (one.is_factor or one.acts_in(settings.damping_mode)):
                continue
            if one.grown and settings.bones_have_materials:
                layout.label(text="Each bone has its own: see Bones", icon="BONE_DATA")
            else:
                layout.prop(settings, one.name)
        if settings.damping_mode == "CONSTANT" and settings.joint_damping == 0.0:
            layout.label(text="0: no damping", icon="INFO")
        layout.operator("plant_dynamics.measure_frequencies", icon="DRIVER_TRANSFORM")
        found, session = measured(obj), session_of(obj)
        if found is not None:
            layout.label(text=f"{', '.join(f'{hertz:.3g}' for hertz in found.hertz)} Hz")
            layout.label(text=iface_("First damped {share:.3g} %, without air").format(share=100.0 * found.ratio))
        elif session is not None and session.known.first_mode is not None:
            layout.label(text=iface_("First mode: {hertz:.3g} Hz").format(hertz=session.known.first_mode))


class PLANT_DYNAMICS_PT_limits(SubPanel, Panel):
    bl_label = "Limits"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        limits = plant_columns("LIMIT")
        switches = {one.switch for one in limits}
        for one in limits:
            if one.switch:
                row = layout.row(align=True, heading=one.of_plant.keywords["name"])
                row.prop(settings, one.switch, text="")
                column = row.column()
                column.active = getattr(settings, one.switch)
                column.prop(settings, one.name, text="")
            elif one.name not in switches:
                layout.prop(settings, one.name)


class PLANT_DYNAMICS_PT_breaking(SubPanel, Panel):
    bl_label = "Breaking"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        column = layout.column()
        column.use_property_decorate = False
        for one in plant_columns("BREAKING"):
            row = column.row()
            row.active = not one.switch or getattr(settings, one.switch)
            row.prop(settings, one.name)
        draw_stress(layout, obj)
        layout.prop(settings, "let_go")


def draw_stress(layout: UILayout, obj: bpy.types.Object) -> None:
    """Which bones would break."""
    row = layout.row(align=True)
    row.operator("plant_dynamics.measure_stress", icon="MOD_SIMPLEDEFORM")
    row.operator("plant_dynamics.measure_stress", text="", icon="RESTRICT_SELECT_OFF").select = True
    found = measured_stresses(obj)
    if found is not None:
        message(bpy.context, layout, found.told(), "ERROR" if any(found.would_break()) else "INFO")
