# SPDX-License-Identifier: GPL-3.0-or-later
"""Torques about their own axis on every bone from the root to the one that is named."""

from typing import Any

import bpy
import numpy as np
from bpy.props import FloatProperty
from mathutils import Vector

from ...rig.plant import Plant
from ..influence import Moment
from .load import AddButton, Load, NewLoad


def _direction(bone: bpy.types.Bone) -> Vector:
    return (bone.tail_local - bone.head_local).normalized()


class Twists(Load):
    """A new one turns the tip by a quarter of a turn."""

    item = ("TWIST", "Twist", "A torque about its own axis on every bone from the root to this bone")
    icon = "FORCE_VORTEX"
    button = AddButton(
        "Twist", "Add a torque that twists the stem from the root to the active bone (or to the end of the stem)"
    )
    properties = {
        "torque": FloatProperty(
            name="Torque (N m)",
            description="Twisting torque on each bone",
            default=0.001, soft_min=-1.0, soft_max=1.0, min=-1e9, max=1e9, precision=5,
        ),
    }  # fmt: skip

    def bone_of(self, obj: bpy.types.Object, plant: Plant) -> bpy.types.Bone:
        """The end of the way from the first root that always goes on as straight as possible."""
        bone = obj.data.bones[plant.names[0]]
        while children := [child for child in bone.children if child.name in plant.names]:
            bone = max(children, key=lambda child: _direction(child).dot(_direction(child.parent)))
        return bone

    def begin(self, new: NewLoad) -> None:
        new.load.torque = new.plant.torque_for_twist(new.rod, np.pi / 2.0)

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        for rod, load in self.acting(moment):
            if load.influence:
                twist = world.setdefault("twist", np.zeros(moment.plant.model.rod_count))
                twist[moment.plant.chain(rod)] += load.torque * load.influence
