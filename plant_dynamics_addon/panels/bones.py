# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones are simulated, and ways to set many of them at once."""

import bpy
from bpy.types import Panel, UILayout

from .base import SubPanel


class PLANT_DYNAMICS_PT_bones(SubPanel, Panel):
    bl_label = "Bones"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.operator_menu_enum("plant_dynamics.simulate_bones", "bones", text="Simulate", icon="PHYSICS")
        layout.operator_menu_enum("plant_dynamics.select_level", "above", text="Select Branch Level")
        layout.operator("plant_dynamics.copy_to_selected", icon="COPYDOWN")
        layout.label(text="Values: Bone tab", icon="BONE_DATA")
        row = layout.row(heading="Follow Keys")
        row.prop(settings, "follow_animation", text="")
        column = row.column()
        column.active = settings.follow_animation
        column.prop(settings, "animation_influence", text="")
