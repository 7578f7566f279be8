# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's gravity, times the plant's own factor."""

from typing import Any

import bpy

from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import is_animated
from .influence import Influence, Moment


class Gravity(Influence):
    """Blender's own, which tells nobody when it is changed."""

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        # A tuple of numbers, of which the solver knows that nobody changes it.
        factor = moment.settings.gravity_factor
        world["gravity"] = tuple(factor * one for one in self.of_scene(moment.scene_now) or (0.0, 0.0, 0.0))

    def of_scene(self, scene: bpy.types.Scene) -> tuple[float, ...] | None:
        return tuple(scene.gravity) if scene.use_gravity else None

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        return once(is_animated, scene)
