# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are simulated, ways to set many of them at once, and the active bone's own values."""

import bpy
from bpy.types import Context, Panel, UILayout

from ..plants import active_plant
from .base import SubPanel
from .bone_values import draw_bone


class PLANT_DYNAMICS_PT_bones(SubPanel, Panel):
    bl_label = "Bones"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.operator_menu_enum("plant_dynamics.simulate_bones", "bones", text="Simulate", icon="PHYSICS")
        layout.operator_menu_enum("plant_dynamics.select_level", "above", text="Select Branch Level")
        layout.operator_menu_enum("plant_dynamics.edit_bones", "quantity", text="Edit Bones", icon="BONE_DATA")
        layout.operator("plant_dynamics.make_leaves", icon="MESH_PLANE")
        layout.prop(obj.data, "display_type")
        layout.prop(obj, "show_in_front", text="Bones In Front")
        row = layout.row(heading="Use Keys")
        row.prop(settings, "follow_animation", text="")
        column = row.column()
        column.active = settings.follow_animation
        column.prop(settings, "animation_influence", text="")
        column = layout.column()
        column.active = settings.follow_animation
        column.prop(settings, "lengths")
        if obj.mode != "POSE":
            layout.label(text="Single bones: in Pose Mode", icon="INFO")


class PLANT_DYNAMICS_PT_active_bone(SubPanel, Panel):
    """Here, so that nobody has to leave the view: the same as the Bone tab's."""

    bl_label = "Active Bone"
    bl_parent_id = "PLANT_DYNAMICS_PT_bones"

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_plant(context)
        return obj is not None and obj.mode == "POSE" and obj.data.bones.active is not None

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        bone = obj.data.bones.active
        layout.label(text=bone.name, icon="BONE_DATA", translate=False)
        draw_bone(bpy.context, layout, obj, bone)
