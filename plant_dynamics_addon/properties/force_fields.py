# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the scene's force fields a plant feels."""

import bpy
from bpy.props import EnumProperty, FloatProperty, PointerProperty
from bpy.types import Context, PropertyGroup

from ..changes import inputs_changed


def _changed(self: "FieldWeights", context: Context) -> None:
    inputs_changed(self.id_data)


def _weight(name: str, fields: str) -> FloatProperty:
    return FloatProperty(
        name=name,
        description=f"How strongly {fields} move the plant: 0 not at all, 1 as they move particles of mass 1. "
        "Can be keyed",
        default=1.0, min=0.0, soft_max=1.0, max=200.0, precision=3, update=_changed,
    )  # fmt: skip


class FieldWeights(PropertyGroup):
    """As Blender's own field weights of particles and cloth, for one plant."""

    collection: PointerProperty(
        name="Collection",
        description="Only force fields of this collection move the plant. Empty: all of the scene",
        type=bpy.types.Collection, update=_changed,
    )  # fmt: skip
    wind_fields: EnumProperty(
        name="Wind Fields",
        description="What a force field of type Wind is to the plant",
        items=[
            ("AIR", "Blow",
             "Strength is the speed of moving air in m/s: leaves and thin stems give way most, and it presses with "
             "the square of the speed. Without air it pushes"),
            ("FORCE", "Push",
             "Strength is an acceleration in m/s² of everything alike, as of particles: 9.81 is as strong as gravity"),
        ],
        update=_changed,
    )  # fmt: skip
    all: _weight("All", "all force fields")
    wind: _weight("Wind", "wind fields")
    force: _weight("Force", "force fields of type Force")
    vortex: _weight("Vortex", "vortices")
    magnetic: _weight("Magnetic", "magnetic fields")
    harmonic: _weight("Harmonic", "harmonic fields")
    turbulence: _weight("Turbulence", "turbulence fields")
    drag: _weight("Drag", "drag fields")
