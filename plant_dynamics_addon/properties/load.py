# SPDX-License-Identifier: GPL-3.0-or-later
"""A load on one plant: an Empty that pulls a bone, a force on a bone, or a torque that twists a stem."""

import bpy
from bpy.props import EnumProperty, FloatProperty, FloatVectorProperty, PointerProperty, StringProperty
from bpy.types import Context, PropertyGroup

from ..changes import inputs_changed


def _changed(self: "PlantLoad", context: Context) -> None:
    inputs_changed(self.id_data)


class PlantLoad(PropertyGroup):
    """One row of the Loads list. Influence and torque can be keyed."""

    kind: EnumProperty(
        name="Kind",
        items=[
            ("PULL", "Pull", "An object draws the bone towards itself"),
            ("FORCE", "Force", "A constant force, in world directions, on the middle of the bone"),
            ("TWIST", "Twist", "A torque about its own axis on every bone from the root to this bone"),
        ],
        update=_changed,
    )
    bone: StringProperty(name="Bone", description="The bone that is pulled, or the last one twisted", update=_changed)
    target: PointerProperty(
        name="Handle",
        type=bpy.types.Object,
        description="The bone is drawn towards this object's origin",
        update=_changed,
    )
    along: FloatProperty(
        name="Along Bone",
        description="Where the bone is pulled: 0 at its head, 1 at its tip",
        default=1.0, min=0.0, max=1.0, subtype="FACTOR", update=_changed,
    )  # fmt: skip
    influence: FloatProperty(
        name="Influence",
        description="How much the load acts. Key it from 1 to 0 to let the plant go",
        default=1.0, min=0.0, max=1.0, subtype="FACTOR", update=_changed,
    )  # fmt: skip
    stiffness: FloatProperty(
        name="Strength (N/m)",
        description="Spring between handle and bone. Higher values hold the bone closer; any value is stable",
        default=100.0, min=0.0, soft_max=10000.0, max=1e12, update=_changed,
    )  # fmt: skip
    damping: FloatProperty(
        name="Damping (N s/m)",
        description="Brakes the bone as it moves against the handle. Higher values calm what swings on the spring",
        default=0.0, min=0.0, soft_max=100.0, max=1e12, update=_changed,
    )  # fmt: skip
    force: FloatVectorProperty(
        name="Force (N)",
        description="Force on the bone along the world's axes",
        size=3, default=(0.1, 0.0, 0.0), min=-1e9, max=1e9, subtype="XYZ", precision=3, update=_changed,
    )  # fmt: skip
    torque: FloatProperty(
        name="Torque (N m)",
        description="Twisting torque on each bone",
        default=0.001, soft_min=-1.0, soft_max=1.0, min=-1e9, max=1e9, precision=5, update=_changed,
    )  # fmt: skip
