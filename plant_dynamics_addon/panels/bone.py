# SPDX-License-Identifier: GPL-3.0-or-later
"""A bone's own physics, in the Bone tab."""

import bpy
from bpy.types import Context, Panel

from .bone_values import draw_bone


class PLANT_DYNAMICS_PT_bone(Panel):
    bl_label = "Plant Dynamics"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "bone"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = context.object
        return context.bone is not None and obj is not None and obj.plant_dynamics.is_dynamic

    def draw(self, context: Context) -> None:
        bone: bpy.types.Bone = context.bone
        draw_bone(context, self.layout, context.object, bone)
