# SPDX-License-Identifier: GPL-3.0-or-later
"""Dynamics: material, damping, loads, accuracy, play and bake."""

import bpy
from bpy.types import Context, Panel, UILayout, UIList

from ...solver import LIMITED, NUMBA_AVAILABLE, NUMBA_PROBLEM, STOPPED
from ..dynamics.live import problem_of
from ..dynamics.session import session_of
from ..operators.common import active_armature, active_plant


class _PlantPanel:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plant"


class _SubPanel(_PlantPanel):
    bl_parent_id = "PLANT_DYNAMICS_PT_plant"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return active_plant(context) is not None

    def draw(self, context: Context) -> None:
        self.layout.use_property_split = True
        plant = active_plant(context)
        self.draw_plant(self.layout, plant, plant.plant_dynamics)

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        """What the panel shows."""


class PLANT_DYNAMICS_PT_plant(_PlantPanel, Panel):
    bl_label = "Dynamics"

    def draw(self, context: Context) -> None:
        layout = self.layout
        obj = active_armature(context)
        if not NUMBA_AVAILABLE:
            layout.label(text="Running without numba: very slow", icon="ERROR")
            layout.label(text=NUMBA_PROBLEM)
        if obj is None or not obj.plant_dynamics.is_dynamic:
            layout.operator("plant_dynamics.make_dynamic", icon="PHYSICS")
            return
        settings = obj.plant_dynamics
        row = layout.row()
        row.label(text=obj.name, icon="OUTLINER_OB_ARMATURE")
        row.operator("plant_dynamics.remove_dynamics", text="", icon="X")
        layout.use_property_split = True
        layout.prop(settings, "start")
        playing = context.screen.is_animation_playing and settings.live
        row = layout.row(align=True)
        row.scale_y = 1.4
        row.operator("plant_dynamics.play", text="Pause" if playing else "Play", icon="PAUSE" if playing else "PLAY")
        row.operator("plant_dynamics.reset", icon="LOOP_BACK")
        _draw_status(layout, obj, playing)


#: Share of the weight's moment that may be out of balance before the panel says so.
_UNSETTLED = 1e-4


def _draw_status(layout: UILayout, obj: bpy.types.Object, playing: bool) -> None:
    """What the user should know: problems first."""
    problem = problem_of(obj)
    session = session_of(obj)
    if problem:
        layout.label(text=problem, icon="ERROR")
    elif obj.plant_dynamics.is_baked:
        layout.label(text="Baked: changes show after Bake Again", icon="CHECKMARK")
    elif session is not None and obj.plant_dynamics.live and not playing:
        # The sidebar is not redrawn while playing, so a number would be stale.
        layout.label(text=f"Cached: frames {session.start_frame} to {session.end_frame}", icon="TIME")
        frame, status = session.first_problem()
        if status == LIMITED:
            layout.label(text=f"Frame {frame}: too fast, slowed down", icon="ERROR")
        elif status == STOPPED:
            layout.label(text=f"Frame {frame}: not finite, stopped", icon="ERROR")
        if session.settle_residual is not None and session.settle_residual > _UNSETTLED:
            layout.label(text="Not quite settled at the start", icon="INFO")


class PLANT_DYNAMICS_PT_material(_SubPanel, Panel):
    bl_label = "Material"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.prop(settings, "stiffness_factor")
        if settings.bones_have_materials:
            layout.label(text="Set per bone (Bone tab)", icon="BONE_DATA")
            return
        column = layout.column(align=True)
        column.use_property_decorate = False
        column.prop(settings, "young_modulus")
        column.prop(settings, "poisson")
        column.prop(settings, "density")
        column = layout.column()
        column.use_property_decorate = False
        column.prop(settings, "radius_source")
        if settings.radius_source == "FIXED":
            column.prop(settings, "radius")


class PLANT_DYNAMICS_PT_damping(_SubPanel, Panel):
    bl_label = "Damping"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        layout.prop(settings, "damping_factor")
        if settings.bones_have_materials:
            layout.label(text="Time set per bone (Bone tab)", icon="BONE_DATA")
        else:
            layout.prop(settings, "damping_time")
        layout.prop(settings, "joint_damping")


_LOAD_ICONS = {"PULL": "EMPTY_AXIS", "FORCE": "FORCE_FORCE", "TWIST": "FORCE_VORTEX"}


class PLANT_DYNAMICS_UL_loads(UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_property, index=0, flt_flag=0):
        row = layout.split(factor=0.72)
        row.prop(item, "name", text="", emboss=False, icon=_LOAD_ICONS[item.kind])
        row.prop(item, "influence", text="", emboss=False)


class PLANT_DYNAMICS_PT_loads(_SubPanel, Panel):
    bl_label = "Loads"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.prop(settings, "gravity_factor")
        row = layout.row(align=True)
        for kind in ("pull", "force", "twist"):
            row.operator(f"plant_dynamics.add_{kind}")
        if not settings.loads:
            return
        row = layout.row()
        row.template_list("PLANT_DYNAMICS_UL_loads", "", settings, "loads", settings, "active_load", rows=2)
        row.operator("plant_dynamics.remove_load", text="", icon="REMOVE")
        if not 0 <= settings.active_load < len(settings.loads):
            return
        load = settings.loads[settings.active_load]
        column = layout.column()
        column.prop_search(load, "bone", obj.data, "bones")
        for name in {"PULL": ("target", "stiffness"), "FORCE": ("force",), "TWIST": ("torque",)}[load.kind]:
            column.prop(load, name)
        if load.kind == "PULL" and load.target and load.target.users_scene == ():
            column.label(text="The handle is not in this scene", icon="ERROR")
        column.prop(load, "influence")


class PLANT_DYNAMICS_PT_accuracy(_SubPanel, Panel):
    bl_label = "Accuracy"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.use_property_decorate = False
        layout.prop(settings, "layout")
        layout.prop(settings, "scheme")
        layout.prop(settings, "max_step")


class PLANT_DYNAMICS_PT_bake(_SubPanel, Panel):
    bl_label = "Bake"

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        column = layout.column(align=True)
        column.scale_y = 1.2
        column.operator("plant_dynamics.bake", text="Bake Again" if settings.is_baked else "Bake", icon="REC")
        if settings.is_baked:
            column.operator("plant_dynamics.clear_bake", icon="TRASH")
            layout.label(text=settings.baked_action.name if settings.baked_action else "", icon="ACTION")
