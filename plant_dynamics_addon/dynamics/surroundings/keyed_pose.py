# SPDX-License-Identifier: GPL-3.0-or-later
"""What keys do to the joints of a plant: the pose in which their springs are relaxed, how stiff they are, and which
ones are cut."""

from typing import Any

import numpy as np

from ..rig.bone_animation import animated_rotations
from ..rig.coming_off import is_fastened, refuse_fastened
from .influence import Influence, Moment


class KeyedPose(Influence):
    """Its keys and drivers are those of the object, which the moving base has asked for."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        plant, settings = moment.plant, moment.evaluated.plant_dynamics
        world["stiffness_scale"] = moment.settings.stiffness_factor
        if len(plant.animated):
            how = plant.animated_index, plant.animated_modes, plant.animated_sources, settings.animation_influence
            pose = np.tile([1.0, 0.0, 0.0, 0.0], (plant.model.rod_count, 1))
            pose[plant.animated] = animated_rotations(moment.obj, moment.evaluated, *how)
            world["pose"] = pose
        cut = _cut_rods(moment)
        if cut.any():
            world["cut"] = cut


def _cut_rods(moment: Moment) -> np.ndarray:
    """(m,) 1 for the rods that are cut, else 0."""
    plant, settings = moment.plant, moment.settings
    cut, bones = np.zeros(plant.model.rod_count), settings.id_data.pose.bones
    for rod, index in zip(plant.cuttable.tolist(), plant.cuttable_index.tolist(), strict=True):
        cut[rod] = bones[index].plant_dynamics_cut
    if settings.let_go:
        standing = [moment.obj.data.bones[plant.bones[rod]] for rod in plant.standing.tolist()]
        refuse_fastened(moment.obj, [bone.name for bone in standing if is_fastened(bone)])
        cut[plant.standing] = 1.0
    return cut
