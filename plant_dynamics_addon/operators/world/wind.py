# SPDX-License-Identifier: GPL-3.0-or-later
"""Winds and media to begin with."""

import bpy
from bpy.props import EnumProperty
from bpy.types import Context

from ....solver import AIR_DENSITY
from ...dynamics.surroundings.winds import has_direction
from ...presets.apply import apply_preset
from ..common import AtOnce, described

_MEDIA = {
    "AIR": {"air_density": AIR_DENSITY, "buoyancy": False},
    "WATER": {"air_density": 1000.0, "buoyancy": True},
}

#: The preset that comes with the extension, for each of the operator's.
WINDS = {"STILL": "Still Air", "BREEZE": "Breeze", "WIND": "Wind", "STORM": "Storm"}


class PLANT_DYNAMICS_OT_wind_preset(AtOnce):
    """Set the wind of the whole scene, in which all its plants stand, also those to come: speed, gustiness and size \
of gusts. Its direction stays. Leaves pass through each other in it unless Itself is on (Contact)"""

    bl_idname = "plant_dynamics.wind_preset"
    bl_label = "Wind Preset"

    preset: EnumProperty(
        name="Wind",
        items=[
            ("STILL", "Still Air", "No wind, and air as the medium; motion through it is slowed down"),
            ("BREEZE", "Breeze", "3 m/s, Beaufort 2: leaves rustle"),
            ("WIND", "Wind", "8 m/s, Beaufort 5: small trees sway"),
            ("STORM", "Storm", "20 m/s, Beaufort 8: a gale, twigs break off"),
        ],
        default="BREEZE",
    )

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "preset")

    def act(self, context: Context) -> None:
        apply_preset(context, "wind", WINDS[self.preset])
        wind = context.scene.plant_dynamics.wind
        if not has_direction(wind):  # as it is while one is typed in; the buttons shall do what they say
            wind.property_unset("direction")


class PLANT_DYNAMICS_OT_medium_preset(AtOnce):
    """Set what the scene's plants stand in: its density, and whether it carries them"""

    bl_idname = "plant_dynamics.medium_preset"
    bl_label = "Medium"

    medium: EnumProperty(
        name="Medium",
        items=[
            ("AIR", "Air", "1.225 kg/m³, without buoyancy"),
            ("WATER", "Water", "1000 kg/m³ with buoyancy: what is lighter rises, all motion is slow. A current of "
             "1 m/s presses as a wind of 29 m/s does"),
        ],
    )  # fmt: skip

    @classmethod
    def description(cls, context: Context, properties: bpy.types.OperatorProperties) -> str:
        return described(cls, properties, "medium")

    def act(self, context: Context) -> None:
        wind = context.scene.plant_dynamics.wind
        wind.use_air = True
        for name, value in _MEDIA[self.medium].items():
            setattr(wind, name, value)
