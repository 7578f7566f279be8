# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels of the Plant tab share."""

from textwrap import wrap

import bpy
from bpy.app.translations import pgettext_iface as iface_
from bpy.types import Context, UILayout

from ..plants import active_plant

_MARGIN, _LETTER = 60.0, 6.5  # pixels at scale 1: panel's edges and icon, and what a letter takes


def message(context: Context, layout: UILayout, text: str, icon: str = "ERROR") -> None:
    """Labels with the whole text, in as many lines as the width of the region makes of it."""
    width = context.region.width / context.preferences.system.ui_scale if context.region else 300.0
    column = layout.column(align=True)
    for number, line in enumerate(wrap(iface_(text), max(16, int((width - _MARGIN) / _LETTER)))):
        column.label(text=line, translate=False, icon="BLANK1" if number and icon != "NONE" else icon)


class PlantPanel:
    """A panel in the Plant tab of the 3D View's sidebar."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plant"


class SubPanel(PlantPanel):
    """A panel below Dynamics, which is there while a plant is active."""

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
