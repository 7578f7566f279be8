# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the Grow panel, and the scene's air."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty
from bpy.types import PropertyGroup

from .preset_items import preset_items
from .wind import WindSettings

_PRESETS = preset_items()


class GrowOptions(PropertyGroup):
    """What Grow grows, and the air that all plants of the scene stand in."""

    wind: PointerProperty(type=WindSettings)

    source: EnumProperty(
        name="Source",
        items=[
            ("PRESET", "Preset", "A plant that comes with the add-on"),
            ("TEXT", "Text", "An L-system in a text of this file"),
        ],
    )
    preset: EnumProperty(name="Plant", description="The plant to grow", items=_PRESETS, default="broad_leaf")
    text: PointerProperty(name="Text", description="The text with the L-system", type=bpy.types.Text)
    steps: IntProperty(
        name="Steps",
        description="Derivation steps: how far the plant has developed. 0: as many as the text says",
        default=0, min=0, soft_max=40, max=1000,
    )  # fmt: skip
    seed: IntProperty(name="Seed", description="Another seed gives another plant where the text uses chance", min=0)
    prune_below: FloatProperty(
        name="Prune Below",
        description="Leave out segments that are shorter than this, such as shoots that have only just appeared",
        default=0.0001, min=0.00001, soft_max=0.01, precision=4, unit="LENGTH",
    )  # fmt: skip
    pot: BoolProperty(name="Pot", description="Add a pot with soil that moves with the plant", default=False)
