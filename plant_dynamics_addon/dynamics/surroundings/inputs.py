# SPDX-License-Identifier: GPL-3.0-or-later
"""All that acts on plants, and what it does to one of them at a frame, read from evaluated data in one place."""

from collections.abc import Mapping
from typing import Any

import bpy

from ....solver import Sample
from ...blender.evaluation_cache import EvaluationCache
from ...blender.moving_data import is_animated
from ...blender.timeline import others_handle
from ..rig.plant import Plant
from .colliders import Colliders
from .force_fields import FORCE_FIELDS
from .gravity import Gravity
from .influence import NO_FELLOWS, Fellow, Influence, Moment
from .keyed_pose import KeyedLengths, KeyedPose
from .loads.kinds import LOADS
from .moved_things import MovedThings
from .moving_base import MovingBase
from .samples import Surroundings
from .shelter.windbreaks import InShelter
from .winds import SceneAir

#: In the order in which they are read and asked: those first that move most often or are known at least cost. Each
#: group gives fields of a Sample that no other gives.
APART: tuple[tuple[Influence, ...], ...] = (
    (KeyedPose(),), (MovingBase(),), (KeyedLengths(),), tuple(LOADS.values()), (Gravity(),),
    (SceneAir(), InShelter(), FORCE_FIELDS), (Colliders(),), (MovedThings(),),
)  # fmt: skip
INFLUENCES: tuple[Influence, ...] = tuple(influence for influences in APART for influence in influences)


def read_sample(
    obj: bpy.types.Object,
    plant: Plant,
    scene: bpy.types.Scene,
    depsgraph: bpy.types.Depsgraph,
    once: EvaluationCache | None = None,
    fellows: Mapping[int, Fellow] = NO_FELLOWS,
) -> Sample:
    """The world of this plant at the depsgraph's frame. once: what has been read at this frame for other plants;
    fellows: as of Moment."""
    moment = Moment(obj, plant, scene, depsgraph, once or EvaluationCache(), fellows)
    world: dict[str, Any] = {}
    for influence in INFLUENCES:
        influence.read(moment, world)
    return Surroundings(**world)


def is_static(obj: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache | None = None) -> bool:
    """Whether nothing that acts on the plant can change with the frame: no animation, drivers, parents, constraints,
    and nobody else's code that may move it then."""
    once = once or EvaluationCache()
    if once(others_handle, "frame_change_pre") or once(others_handle, "frame_change_post"):
        return False
    return not any(influence.may_move(obj, scene, once) for influence in INFLUENCES)


def is_read_moving(obj: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache | None = None) -> bool:
    """Whether what is read of the plant only once, its size and its bones, may be other at other frames."""
    return is_animated(obj.data) or not is_static(obj, scene, once)


def own_targets(plant: bpy.types.Object) -> list[bpy.types.PropertyGroup]:
    """Loads whose target acts on this plant alone."""
    return [load for influence in INFLUENCES for load in influence.own_targets(plant)]
