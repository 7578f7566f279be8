# SPDX-License-Identifier: GPL-3.0-or-later
"""What acts on one plant from frame to frame: until anything is edited only what may move by itself is read anew.

Blender tells what it evaluates, but not why: of much it tells at every frame, whatever is told besides was edited.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import bpy

from ....solver import Sample
from ...blender.evaluation_cache import EvaluationCache
from ...blender.fcurves import curve_lists, slot_of
from ...blender.moving_data import is_animated, is_evaluated_always
from ...blender.timeline import others_handle
from ...changes import version
from ..rig.plant import Plant
from ..surroundings.influence import NO_FELLOWS, Fellow, Influence, Moment
from ..surroundings.inputs import APART
from ..surroundings.samples import Surroundings

#: What F-curves of an object may set while nothing of the plant changes but where it stands.
_PLACE = {"location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle"}

#: Of more F-curves it is not asked what they set.
_MOST = 10

#: More items than this are not asked one by one whether Blender tells of them at every frame.
_MANY = 100

#: Where others may change what acts on a plant.
_HANDLERS = ("frame_change_pre", "frame_change_post", "depsgraph_update_pre", "depsgraph_update_post")

_edits = 0
#: Whether Blender tells of items at every frame, by their session_uid, as long as nothing is edited.
_always: dict[int, bool] = {}


def note_edits(depsgraph: bpy.types.Depsgraph) -> None:
    """Blender has evaluated a scene. To be called each time, before a world is read, for it tells once only."""
    global _edits
    updates = depsgraph.updates
    if len(updates) > _MANY or any(not _is_told_always(update.id.original) for update in updates):
        _edits += 1
        _always.clear()


def _is_told_always(item: bpy.types.ID) -> bool:
    uid = item.session_uid
    if uid not in _always:
        _always[uid] = is_evaluated_always(item) if isinstance(item, bpy.types.Object) else _has_keys(item)
    return _always[uid]


def _has_keys(item: bpy.types.ID) -> bool:
    return isinstance(item, bpy.types.Action) or (hasattr(item, "animation_data") and is_animated(item))


class Standing:
    """The world of a plant as it was last read."""

    def __init__(self) -> None:
        self._as_of: Hashable = None
        self._fellows: Mapping[int, Fellow] = NO_FELLOWS
        self._moving: frozenset[int] = frozenset()
        self._kept: dict[int, dict[str, Any]] = {}

    def read(
        self, obj: bpy.types.Object, plant: Plant, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph,
        once: EvaluationCache, fellows: Mapping[int, Fellow],
    ) -> tuple[Sample, Hashable]:  # fmt: skip
        """The world of the plant at the depsgraph's frame, and as of what it stands still. Raises PlantError."""
        self._look(obj, scene, depsgraph, once, fellows)
        moment = Moment(obj, plant, scene, depsgraph, once, fellows)
        world: dict[str, Any] = {}
        for k, influences in enumerate(APART):
            if k in self._kept:
                world |= self._kept[k]
                continue
            before = set(world)
            for influence in influences:
                influence.read(moment, world)
            if k not in self._moving:
                self._kept[k] = {name: value for name, value in world.items() if name not in before}
        return Surroundings(**world), self._as_of if self._stands_still else None

    @property
    def _stands_still(self) -> bool:
        return len(self._kept) == len(APART)

    def still(
        self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph,
        fellows: Mapping[int, Fellow],
    ) -> Hashable:  # fmt: skip
        """None where something moves or has been edited since the world was read, else something that stays the same
        as long as it does."""
        as_before = self._stands_still and fellows is self._fellows and self._as_of == _state(obj, scene, depsgraph)
        return self._as_of if as_before else None

    def _look(
        self, obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph, once: EvaluationCache,
        fellows: Mapping[int, Fellow],
    ) -> None:  # fmt: skip
        """Forget what was kept if anything has been edited, and see what may move."""
        state = _state(obj, scene, depsgraph)
        if fellows is self._fellows and state is not None and state == self._as_of:
            return
        self._as_of, self._fellows, self._kept = state, fellows, {}
        self._moving = frozenset(
            k for k, influences in enumerate(APART)
            if state is None or any(_may_be_other(influence, obj, scene, once) for influence in influences)
        )  # fmt: skip


def _may_be_other(
    influence: Influence, obj: bpy.types.Object, scene: bpy.types.Scene, once: EvaluationCache
) -> bool:  # fmt: skip
    """Whether it may be other at another frame though nobody is known to have edited anything."""
    others = (one for one in influence.objects(obj, scene, once) if one != obj)
    return influence.may_move(obj, scene, once) or any(map(is_evaluated_always, others))


def _state(obj: bpy.types.Object, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> Hashable:
    """What stays the same as long as nothing is edited. None where anything may change without an edit, for others act
    at each frame or edit, or keys are of more than where the plant stands."""
    if any(map(others_handle, _HANDLERS)) or not _is_merely_carried(obj):
        return None
    # Of the scale nobody is told where the object has keys besides.
    return _edits, version(obj), *obj.scale, *obj.delta_scale, scene.session_uid, depsgraph.view_layer.name


def _is_merely_carried(obj: bpy.types.Object) -> bool:
    """Whether keys of the object, if there are any, only say where it stands."""
    data = obj.animation_data
    if data is None:
        return True
    if data.drivers or data.nla_tracks:
        return False
    lists = curve_lists(data.action, slot_of(data)) if data.action is not None else []
    return sum(map(len, lists)) <= _MOST and all(curve.data_path in _PLACE for curves in lists for curve in curves)
