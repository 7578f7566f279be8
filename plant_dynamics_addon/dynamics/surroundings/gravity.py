# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's gravity, times the plant's own factor."""

from typing import Any

import bpy
import numpy as np

from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import is_animated
from .influence import Influence, Moment


class Gravity(Influence):
    """Blender's own, which tells nobody when it is changed."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        world["gravity"] = moment.once(self._acceleration, moment.scene_now) * moment.settings.gravity_factor

    def _acceleration(self, scene: bpy.types.Scene) -> np.ndarray:
        return np.array(self.of_scene(scene) or (0.0, 0.0, 0.0))

    def of_scene(self, scene: bpy.types.Scene) -> tuple[float, ...] | None:
        return tuple(scene.gravity) if scene.use_gravity else None

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return once(is_animated, scene)
