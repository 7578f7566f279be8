# SPDX-License-Identifier: GPL-3.0-or-later
"""The questions that are put to everything that acts on plants, whatever it is."""

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import bpy

from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import may_move
from ...blender.view_layers import is_written_back
from ..rig.plant import Plant


class Fellow(NamedTuple):
    """A plant of those that are simulated together, and which of them it is."""

    number: int
    plant: Plant


NO_FELLOWS: Mapping[int, Fellow] = MappingProxyType({})


class Moment:
    """A plant, with what is simulated of it, in a scene at the depsgraph's frame. once: what has been read at this
    frame for other plants; fellows: those that are simulated together with it, by the session_uid of their objects.

    evaluated: the object with its animation, constraints and parents applied; settings, loads, scene_now: the plant's
    settings and loads, and the scene, as they are keyed
    """

    def __init__(
        self, obj: bpy.types.Object, plant: Plant, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph,
        once: EvaluationCache, fellows: Mapping[int, Fellow] = NO_FELLOWS,
    ):  # fmt: skip
        self.obj, self.plant, self.scene, self.depsgraph, self.once = obj, plant, scene, depsgraph, once
        self.fellows, self.evaluated = fellows, obj.evaluated_get(depsgraph)
        self._is_written = once(is_written_back, scene)
        self.scene_now = scene if self._is_written else scene.evaluated_get(depsgraph)
        self.look_up()

    def look_up(self) -> None:
        """Find the settings and loads: again where the object was evaluated once more (see led_pose), which frees what
        it had."""
        self.settings: bpy.types.PropertyGroup = (self.obj if self._is_written else self.evaluated).plant_dynamics
        self.loads = tuple(self.settings.loads)


class Influence:
    """One kind of what acts on plants. Whatever most kinds have not is answered here.

    A frame on disk is known again by the digest of the sample that was read, so all by which a kind acts is in there.
    """

    def read(self, moment: Moment, world: dict[str, Any]) -> None:
        """Add what it does to the plant to the world, a Sample's fields by their names. Raises PlantError."""
        raise NotImplementedError

    def objects(
        self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache
    ) -> Iterable[bpy.types.Object]:
        """Those by which it acts on the plant, also where they are switched off."""
        return ()

    def enabled(
        self, plant: bpy.types.Object, layer: bpy.types.ViewLayer, once: EvaluationCache
    ) -> Iterable[bpy.types.Object]:
        """Those of the objects that the user can switch off and has not."""
        return ()

    def of_scene(self, scene: bpy.types.Scene) -> Hashable:
        """What is set of it in Blender's own settings of the scene."""
        return None

    def of_object(self, obj: bpy.types.Object) -> Hashable:
        """What is set of it in Blender's own settings of an object, but not where it stands."""
        return ()

    def may_move(self, plant: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache) -> bool:
        """Whether it may be other at other frames."""
        return any(map(may_move, self.objects(plant, scene, once)))

    def why_idle(self, item: Any, settings: bpy.types.PropertyGroup, scene: bpy.types.Scene) -> str:
        """Why an item of this kind, a load or a force field, has no effect on a plant with these settings in the scene,
        or an empty string."""
        return ""

    def own_targets(self, plant: bpy.types.Object) -> list[bpy.types.PropertyGroup]:
        """Loads whose target acts on this plant alone, so that each has one of its own where plants are repeated."""
        return []
