# SPDX-License-Identifier: GPL-3.0-or-later
"""Options of the Compare panel, and what a comparison's scene remembers."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, PropertyGroup

from ..blender.versions import RELATIVE_PATH
from ..comparison.quantities import QUANTITIES

_ITEMS = [(q.name, q.label, q.description, q.number) for q in QUANTITIES.values()]


def _quantity_changed(self: "CompareSettings", context: Context) -> None:
    quantity = QUANTITIES[self.quantity]
    self.values = quantity.usual or ", ".join(quantity.names())


def names_of_constants(self: "CompareSettings", context: Context, edit_text: str) -> list[tuple[str, str]]:
    """The names, with what the Grow panel calls them."""
    return [(one.name, one.label) for one in context.scene.plant_dynamics.constants if edit_text in one.name]


class CompareSettings(PropertyGroup):
    """What Compare compares, and how its picture is taken."""

    quantity: EnumProperty(
        name="Quantity", description="What differs from plant to plant", items=_ITEMS, update=_quantity_changed
    )
    values: StringProperty(
        name="Values",
        description="Values with commas between, one plant for each: 50, 100, 0.2 GPa. 2x is twice the plant's present "
        "value, 100:400:4 are four values from 100 to 400",
        default="0.5x, 1x, 2x",
    )
    constant: StringProperty(
        name="Name", description="Name of a constant, a line 'let name = ...' of the plant's L-system",
        search=names_of_constants, search_options={"SUGGESTION"},
    )  # fmt: skip
    width: IntProperty(
        name="Width", description="Width of the picture; its height fits the plants", default=1280, min=64, max=16384,
        subtype="PIXEL",
    )  # fmt: skip
    samples: IntProperty(
        name="Samples", description="Cycles samples per pixel: more is cleaner and slower", default=24, min=1, max=4096
    )
    spacing: FloatProperty(
        name="Spacing", description="Distance of the plants: at 1 they come near, but never touch", default=1.0,
        min=0.1, soft_min=0.5, soft_max=3.0, max=100.0,
    )  # fmt: skip
    plots: BoolProperty(
        name="Plots",
        description="Also write plots of all plants' tips and energies, and tables, to the folder",
        default=False,
    )
    folder: StringProperty(
        name="Folder", description="Where pictures, movies, plots and tables go. // is this file's folder",
        default="//comparison/", subtype="DIR_PATH", options=RELATIVE_PATH,
    )  # fmt: skip
    stills: StringProperty(
        name="Stills", description="Frames to render, with commas between. Empty: first, middle and last"
    )
    holds_comparison: BoolProperty(options={"HIDDEN"})
