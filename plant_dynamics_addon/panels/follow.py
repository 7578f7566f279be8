# SPDX-License-Identifier: GPL-3.0-or-later
"""How far bones move as they are animated, of the whole armature and of the active bone."""

import bpy
from bpy.types import Context, Panel, UILayout

from ..dynamics.rig.keyed.constraints import may_follow
from ..properties import FOLLOWING
from .base import SubPanel
from .material import draw_let_go
from .presets import draw_icon


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
