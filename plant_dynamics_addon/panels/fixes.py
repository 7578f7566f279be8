# SPDX-License-Identifier: GPL-3.0-or-later
"""What was refused, has gone wrong or is to be known of a plant, with the buttons that mend it."""

import bpy
from bpy.types import Context, Panel, UILayout

from ..dynamics.live.live import problem_of, trouble_of
from ..dynamics.live.refusals import refusal_of
from ..dynamics.rig.armature_reader import is_evenly_scaled
from ..errors import Fix
from ..operators.fixes import mending
from ..plants import active_plant
from ..rigging.warnings import rig_warnings
from .base import PlantPanel, message


def draw_buttons(layout: UILayout, obj: bpy.types.Object, fix: Fix | None) -> None:
    """The buttons that mend it, side by side."""
    row = layout.row(align=True)
    for button in mending(obj, fix):
        operator = row.operator(button.operator, text=button.text, icon="MODIFIER")
        for name, value in button.properties.items():
            setattr(operator, name, value)


def draw_problem(context: Context, layout: UILayout, obj: bpy.types.Object) -> None:
    """What ended the motion or was refused last, as long as it is so."""
    refusal, problem = refusal_of(obj), problem_of(obj)
    fix = refusal.fix if refusal else None
    if fix is not None and mending(obj, fix):
        message(context, layout, problem or str(refusal))
    elif not is_evenly_scaled(obj.matrix_world):
        fix = Fix("SCALE", obj.session_uid)
        message(context, layout, problem or "Scaled unevenly or mirrored")
    elif problem:
        message(context, layout, problem)
    draw_buttons(layout, obj, fix)


def draw_rig_warnings(context: Context, layout: UILayout, obj: bpy.types.Object) -> None:
    """What should be known of single bones."""
    for warning in rig_warnings(obj):
        message(context, layout, warning.text, "INFO")
        draw_buttons(layout, obj, warning.fix)


class PLANT_DYNAMICS_PT_trouble(PlantPanel, Panel):
    """Above all else: that what is seen is not how the plant would move."""

    bl_label = "Trouble"
    bl_options = {"HIDE_HEADER"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        plant = active_plant(context)
        return plant is not None and trouble_of(plant) is not None

    def draw(self, context: Context) -> None:
        plant = active_plant(context)
        trouble = trouble_of(plant)
        box = self.layout.box()
        box.alert = True
        message(context, box, trouble.told(plant))
        box.alert = False
        draw_buttons(box, plant, trouble.fix(plant))
