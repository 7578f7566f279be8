# SPDX-License-Identifier: GPL-3.0-or-later
"""What of an armature is not simulated: the base on which a plant moves, which is the object or bones that carry
simulated ones, and the bones that are led along with these."""

from typing import Any

import bpy
import numpy as np

from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import may_move
from ...errors import PlantError
from ..rig.armature_reader import is_evenly_scaled
from ..rig.keyed.reference import channels_along
from ..rig.leaders import carrying_bones
from .influence import Influence, Moment


class MovingBase(Influence):
    """Positions and orientations of the plant's carriers. Behind KeyedPose, which has the object evaluated with the
    constraints that are set aside: those may lead carriers too."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        matrix, bones = moment.evaluated.matrix_world, moment.evaluated.pose.bones
        if matrix.determinant() < 0.0:
            raise PlantError(
                "'{object}' becomes mirrored: its scale or that of what it hangs on is animated to below zero. "
                "Keep it above",
                object=moment.obj.name,
            )
        if matrix.determinant() > 0.0 and not is_evenly_scaled(matrix):
            raise PlantError(
                "'{object}' becomes scaled unevenly, which its bones cannot follow: key its scale evenly, or the scale "
                "of a bone that carries the others",
                object=moment.obj.name,
            )
        names = moment.plant.carriers
        carriers = {name: matrix if name is None else matrix @ bones[name].matrix for name in set(names)}
        poses = {name: carrier.decompose() for name, carrier in carriers.items()}
        world["base_position"] = np.array([poses[name][0][:] for name in names])
        world["base_orientation"] = np.array([poses[name][1][:] for name in names])
        if moment.plant.along.names:
            world["along"] = channels_along(moment.plant, moment.evaluated)

    def objects(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> list[bpy.types.Object]:
        return [plant]

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return may_move(plant) or is_carried(plant)


def is_carried(plant: bpy.types.Object) -> bool:
    """Whether the plant, or a bone that carries it, follows something else."""
    if plant.parent or plant.constraints:
        return True
    return any(plant.pose.bones[name].constraints for name in carrying_bones(plant))
