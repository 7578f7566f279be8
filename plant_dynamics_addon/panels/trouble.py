# SPDX-License-Identifier: GPL-3.0-or-later
"""Above all else: that what is seen is not how the plant would move."""

from bpy.types import Context, Panel

from ..dynamics.live.live import trouble_of
from ..plants import active_plant
from .base import PlantPanel, message
from .fixes import draw_buttons


class PLANT_DYNAMICS_PT_trouble(PlantPanel, Panel):
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
