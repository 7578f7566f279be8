# SPDX-License-Identifier: GPL-3.0-or-later
"""A constant of the L-system in the Grow panel, to be changed without editing the text."""

from bpy.props import BoolProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, PropertyGroup


def _changed(self: "GrowConstant", context: Context) -> None:
    kept = self.value
    if self.has_range:
        kept = min(max(kept, self.lowest), self.highest)
    if self.is_whole:
        kept = round(kept)
    if kept != self.value:
        self.value = kept


def _count(self: "GrowConstant") -> int:
    return round(self.value)


def _set_count(self: "GrowConstant", count: int) -> None:
    self.value = count


class GrowConstant(PropertyGroup):
    """Name and value of a constant, within the range that the text gives it."""

    name: StringProperty()
    value: FloatProperty(
        name="Value", description="Value of this constant of the L-system. Grow again to see what it does",
        precision=3, step=10, update=_changed,
    )  # fmt: skip
    count: IntProperty(
        name="Count", description="Number of this in the L-system. Grow again to see what it does",
        get=_count, set=_set_count,
    )  # fmt: skip
    default: FloatProperty()
    lowest: FloatProperty()
    highest: FloatProperty()
    has_range: BoolProperty()
    is_whole: BoolProperty()
    label: StringProperty()
