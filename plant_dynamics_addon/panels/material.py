# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plant is made of: material, friction, how far its joints go, and what breaks them."""

import bpy
import numpy as np
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Panel, UILayout

from ..comparison.stresses import measured as measured_stresses
from ..dynamics.measure.frequencies import measured
from ..dynamics.motion.sessions import session_of
from ..dynamics.rig.broken_bones import OFF
from ..material_columns import plant_columns
from ..rigging.skin.whole_skins import whole_skins
from ..rigging.warnings import named
from .base import SubPanel, message

#: More breaks than this are counted only.
_MOST_ROWS = 12


class PLANT_DYNAMICS_PT_material(SubPanel, Panel):
    bl_label = "Material"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        for one in plant_columns("JOINT"):
            layout.prop(settings, one.name)
        if settings.growth.is_known:
            layout.prop(settings, "leaf_curl")
        target = "SELECTED" if obj.mode == "POSE" else "PLANT"
        text = "Material of Selected Bones" if target == "SELECTED" else "Measured Material"
        menu = layout.operator_menu_enum("plant_dynamics.set_material", "material", text=text, icon="PRESET")
        menu.target = target
        if settings.bones_have_materials:
            layout.label(text="Each bone has its own: see Bones", icon="BONE_DATA")
        column = layout.column(align=True)
        column.use_property_decorate = False
        for one in plant_columns("MATERIAL", "SIZE", "SECTION"):
            if not (one.grown and settings.bones_have_materials):
                column.prop(settings, one.name)
        if not settings.bones_have_materials:
            column = layout.column()
            column.use_property_decorate = False
            column.prop(settings, "radius_source")
            if settings.radius_source == "FIXED":
                column.prop(settings, "radius")
            column.operator("plant_dynamics.skin_radii", icon="MOD_SKIN")


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
        row = layout.row(align=True)
        for wood, text in (("GREEN", "Green Wood"), ("DRY", "Dry Wood")):
            row.operator("plant_dynamics.break_as", text=text).wood = wood
        column = layout.column()
        column.use_property_decorate = False
        for one in plant_columns("BREAKING"):
            row = column.row()
            row.active = not one.switch or getattr(settings, one.switch)
            row.prop(settings, one.name)
        draw_stress(layout, obj)
        column = layout.column()
        bone = obj.data.bones.active
        if bone is not None and obj.mode == "POSE":
            text = iface_("Cut {bone}").format(bone=bone.name)
            column.prop(obj.pose.bones[bone.name], "plant_dynamics_cut", text=text)
        column.operator("plant_dynamics.cut_here", icon="KEYTYPE_KEYFRAME_VEC")
        draw_let_go(column, settings)
        _draw_whole_skins(layout, obj)
        layout.operator("plant_dynamics.part_skin", icon="MOD_EDGESPLIT")
        _draw_breaks(layout, obj)


def stretched_skins(obj: bpy.types.Object) -> list[str]:
    """Names of the plant's skins that are in one piece where bones have come off in the frames that are known."""
    session = session_of(obj)
    off = {bone for _, bone, state in session.breaks() if state == OFF} if session is not None else set()
    return whole_skins(obj, off) if off else []


def _draw_whole_skins(layout: UILayout, obj: bpy.types.Object) -> None:
    """Above the button that mends it: what is stretched where bones have come off."""
    whole = stretched_skins(obj)
    if whole:
        text = iface_("Stretched between the parts, for the skin is one piece where bones come off: {skins}")
        message(bpy.context, layout, text.format(skins=named(whole)), "ERROR")


def _draw_breaks(layout: UILayout, obj: bpy.types.Object) -> None:
    """What has broken in the frames that are known, and what never will."""
    session = session_of(obj)
    if session is None:
        return
    found = session.breaks()
    if len(found) > 1:  # by a cut or a break
        text = iface_("{count} bones have come off or cracked, the last at frame {frame}")
        message(bpy.context, layout, text.format(count=len(found), frame=found[-1][0]), "INFO")
    column = layout.column(align=True)
    for frame, bone, state in found[:_MOST_ROWS]:
        text = iface_("'{bone}' comes off at frame {frame}")
        if state != OFF:
            text = iface_("'{bone}' cracks at frame {frame}")
        icon = "INFO" if len(found) == 1 else "NONE"
        column.label(text=text.format(bone=bone, frame=frame), translate=False, icon=icon)
    if len(found) > _MOST_ROWS:
        column.label(text=iface_("and {count} more").format(count=len(found) - _MOST_ROWS))
    if obj.plant_dynamics.breaks and not any(np.isfinite(part.strength).any() for part in session.plant.parts):
        message(bpy.context, layout, "Nothing breaks by itself: no bone has a strength", "ERROR")


def draw_let_go(layout: UILayout, settings: bpy.types.PropertyGroup) -> None:
    """Whether the plant falls, and from which frame on."""
    layout.prop(settings, "let_go")
    layout.operator("plant_dynamics.let_go_here", icon="KEYTYPE_KEYFRAME_VEC")


def draw_stress(layout: UILayout, obj: bpy.types.Object) -> None:
    """Which bones would break."""
    row = layout.row(align=True)
    row.operator("plant_dynamics.measure_stress", icon="MOD_SIMPLEDEFORM")
    row.operator("plant_dynamics.measure_stress", text="", icon="RESTRICT_SELECT_OFF").select = True
    found = measured_stresses(obj)
    if found is not None:
        message(bpy.context, layout, found.told(), "ERROR" if any(found.would_break()) else "INFO")
