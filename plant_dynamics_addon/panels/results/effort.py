# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard the joints work in whatever animation the armature has."""

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Panel, UILayout

from ...effort.efforts import measured, rounded
from ...effort.keys import EFFORT_KEYS
from ..base import SubPanel, message

_MOST_ROWS = 5


class PLANT_DYNAMICS_PT_effort(SubPanel, Panel):
    bl_label = "Effort"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_plant(self, layout: UILayout, obj: bpy.types.Object, settings: bpy.types.PropertyGroup) -> None:
        layout.operator("plant_dynamics.measure_effort", icon="CON_ROTLIKE")
        row = layout.row(align=True)
        row.operator("plant_dynamics.key_effort", icon="KEYTYPE_KEYFRAME_VEC")
        if EFFORT_KEYS.are_there(obj):
            row.operator("plant_dynamics.clear_effort", text="", icon="X")
        layout.operator("plant_dynamics.plot_effort", icon="GRAPH")
        layout.prop(settings, "show_effort")
        found = measured(obj)
        if found is None:
            return
        message(bpy.context, layout, found.told(), "INFO")
        column = layout.column(align=True)
        hardest = found.hardest(_MOST_ROWS)
        for bone, effort, frame, moment in hardest:
            text = iface_("{bone}: {effort:g}, {moment:g} N m at frame {frame}")
            text = text.format(bone=bone, effort=rounded(effort), moment=rounded(moment), frame=frame)
            column.label(text=text, translate=False, icon="BONE_DATA")
        if hardest:
            bone, frame, moment = found.strongest()
            text = iface_("The largest moment: {moment:g} N m, '{bone}' at frame {frame}")
            text = text.format(bone=bone, moment=rounded(moment), frame=frame)
            column.label(text=text, translate=False, icon="CON_ROTLIKE")
        for text in found.cautions:
            message(bpy.context, layout, text, "ERROR")
