# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels of the Plant tab share."""

import bpy
from bpy.types import Context, UILayout

from ..operators.common import active_plant


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
