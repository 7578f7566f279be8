# SPDX-License-Identifier: GPL-3.0-or-later
"""A constant of the L-system in the Grow panel, to be changed without editing the text."""

import math
from typing import Any

from bpy.app.translations import pgettext_n as n_
from bpy.props import BoolProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, PropertyGroup

_VALUE = n_("Value of this constant of the plant's text. Grow again to see what it does")


def _changed(self: "GrowConstant", context: Context) -> None:
    kept = self.value
    if self.has_range:
        kept = min(max(kept, self.lowest), self.highest)
    if self.is_whole:
        kept = round(kept)
    if kept != self.value:
        self.value = kept


def _set_value(self: "GrowConstant", value: float) -> None:
    self.value = value


def _shown_with(digits: int) -> Any:
    """The value once more: how many digits Blender shows is fixed for a property."""
    return FloatProperty(
        name="Value", description=_VALUE,
        precision=digits, step=max(1, 10 ** (3 - digits)), get=lambda self: self.value, set=_set_value,
    )  # fmt: skip


class GrowConstant(PropertyGroup):
    """Name and value of a constant, within the range that the text gives it."""

    name: StringProperty()
    value: FloatProperty(
        name="Value", description=_VALUE,
        precision=3, step=1, update=_changed,
    )  # fmt: skip
    value_1: _shown_with(1)
    value_2: _shown_with(2)
    value_4: _shown_with(4)
    value_5: _shown_with(5)
    count: IntProperty(
        name="Count", description=_VALUE,
        get=lambda self: round(self.value), set=_set_value,
    )  # fmt: skip
    default: FloatProperty()
    lowest: FloatProperty()
    highest: FloatProperty()
    has_range: BoolProperty()
    is_whole: BoolProperty()
    label: StringProperty()

    def shown(self) -> str:
        """The property to show: as many digits as the range and the text's own value ask for."""
        if self.is_whole:
            return "count"
        span = self.highest - self.lowest if self.has_range else abs(self.default)
        digits = 2 - math.floor(math.log10(span)) if span > 0.0 else 3
        written = f"{self.default:.6g}"
        digits = max(digits, len(written.partition(".")[2]) if "e" not in written else 5)
        digits = min(max(digits, 1), 5)
        return "value" if digits == 3 else f"value_{digits}"
