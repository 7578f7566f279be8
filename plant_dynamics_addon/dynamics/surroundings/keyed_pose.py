# SPDX-License-Identifier: GPL-3.0-or-later
"""What keys do to the springs of a plant: the pose in which they are relaxed, and how stiff they are."""

from typing import Any

import numpy as np

from ..rig.bone_animation import animated_rotations
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
