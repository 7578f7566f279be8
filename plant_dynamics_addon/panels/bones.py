# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are simulated, ways to set many of them at once, and the active bone's own values."""

import bpy
from bpy.types import Context, Panel, UILayout

from ..dynamics.rig.keyed.constraints import may_follow
from ..plants import active_plant
from ..properties import FOLLOWING
from .base import SubPanel
from .bone_values import draw_bone
from .material import draw_let_go
from .presets import draw_icon


class PLANT_DYNAMICS_PT_bones(SubPanel, Panel):
    bl_label = "Bones"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.operator_menu_enum("plant_dynamics.simulate_bones", "bones", text="Simulate", icon="PHYSICS")
        layout.operator_menu_enum("plant_dynamics.select_level", "above", text="Select Branch Level")
        layout.operator_menu_enum("plant_dynamics.edit_bones", "quantity", text="Edit Bones", icon="BONE_DATA")
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


class PLANT_DYNAMICS_PT_follow(SubPanel, Panel):
    """How far bones move as they are keyed or led, and how they come back."""

    bl_label = "Follow"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: Context) -> None:
        draw_icon(self.layout, "follow")

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        whole = settings.following
        layout.prop(whole, "share")
        column = layout.column()
        column.active = may_follow(obj)
        for name in ("recovery", "damping_ratio", "largest_moment"):
            _draw_value(column, whole, name)
        if whole.largest_moment == 0.0:
            column.label(text="Moment 0: no limit", icon="INFO")
        column.prop(whole, "show_reference")
        draw_let_go(layout.column(), settings)
        column = layout.column()
        column.active = may_follow(obj)
        bone = obj.data.bones.active
        if bone is not None and obj.mode == "POSE":
            column.label(text=bone.name, icon="BONE_DATA", translate=False)
            for name in FOLLOWING:
                _draw_value(column, obj.pose.bones[bone.name], name)


def _draw_value(layout: UILayout, owner: bpy.types.bpy_struct, name: str) -> None:
    """A property, whose label would be cut off with its unit where it is long."""
    if name.endswith("largest_moment"):
        layout.prop(owner, name, text="Moment (N m)")
    else:
        layout.prop(owner, name)


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
