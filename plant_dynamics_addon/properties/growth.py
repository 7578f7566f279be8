# SPDX-License-Identifier: GPL-3.0-or-later
"""What a grown plant remembers of how it was grown, in the file."""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    FloatProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import PropertyGroup


class ChangedConstant(PropertyGroup):
    """A constant that was not as the text has it."""

    name: StringProperty()
    value: FloatProperty()


class Growth(PropertyGroup):
    """The preset, or the text itself, and all that the Grow panel said; see `grow.provenance`."""

    is_known: BoolProperty(options={"HIDDEN"})
    #: Age, seed, constants and Prune Below as JSON: the properties below have them only in single precision, a seed
    #: only below 2^31, and no age as 0. Empty in files of before.
    exact: StringProperty(options={"HIDDEN"})
    preset: StringProperty(options={"HIDDEN"})
    text_name: StringProperty(options={"HIDDEN"})
    text: StringProperty(options={"HIDDEN"})
    constants: CollectionProperty(type=ChangedConstant)
    steps: FloatProperty(options={"HIDDEN"})
    seed: IntProperty(options={"HIDDEN"})
    prune_below: FloatProperty(options={"HIDDEN"})
    detail: StringProperty(default="AUTO", options={"HIDDEN"})
    instanced: BoolProperty(options={"HIDDEN"})
    pot: BoolProperty(options={"HIDDEN"})
    pot_depth: FloatProperty(options={"HIDDEN"})
    #: What it grew around, one of both at most.
    around_object: PointerProperty(type=bpy.types.Object)
    around_collection: PointerProperty(type=bpy.types.Collection)
    colours: StringProperty(options={"HIDDEN"})
