# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects have simulation data in memory, and which of it no longer fits what the file says.

Properties report changes here without knowing who simulates.
"""

from collections import Counter
from collections.abc import Callable

import bpy

from .flag import Flag

#: session_uid of objects whose settings or bones have changed since they were last read.
_changed: set[int] = set()
#: session_uid of objects whose loads or other values that can be animated have changed since they were last sampled.
_inputs_changed: set[int] = set()
_listeners: list[Callable[[], None]] = []
#: How often an object has changed in any way, by session_uid: what was measured of it is out of date after that.
_changes: Counter[int] = Counter()
_unheard = Flag()
#: with unheard(): what is set meanwhile is no change.
unheard = _unheard.set


def object_changed(obj: bpy.types.ID) -> None:
    """A setting of the object has changed."""
    if _unheard.is_set():
        return
    _changed.add(obj.session_uid)
    _changes[obj.session_uid] += 1


def armature_changed(armature: bpy.types.ID) -> None:
    """A bone's setting or shape has changed."""
    if not _unheard.is_set():
        for obj in _objects_of(armature):
            object_changed(obj)


def armature_touched(armature: bpy.types.ID) -> None:
    """Blender tells of a change, though the bones are as they were: they are read again, what was measured holds."""
    if not _unheard.is_set():
        _changed.update(obj.session_uid for obj in _objects_of(armature))


def _objects_of(armature: bpy.types.ID) -> list[bpy.types.Object]:
    return [obj for obj in bpy.data.objects if obj.data == armature]


def take_changed(obj: bpy.types.Object) -> bool:
    """Whether the object has changed since this was last asked."""
    if obj.session_uid in _changed:
        _changed.remove(obj.session_uid)
        return True
    return False


def is_changed(obj: bpy.types.Object) -> bool:
    """Whether the object has changed since take_changed was last asked."""
    return obj.session_uid in _changed


def inputs_changed(obj: bpy.types.ID) -> None:
    """A load, or another value that can be animated, has been changed by the user."""
    if _unheard.is_set():
        return
    _inputs_changed.add(obj.session_uid)
    _changes[obj.session_uid] += 1
    tell_listeners()


def scene_inputs_changed(scene: bpy.types.ID) -> None:
    """What acts on all plants of the scene has been changed by the user."""
    for obj in scene.objects:
        if obj.type == "ARMATURE" and obj.plant_dynamics.is_dynamic:
            inputs_changed(obj)


def all_inputs_changed() -> None:
    """What acts on all plants of the file has been changed, from outside of it."""
    for scene in getattr(bpy.data, "scenes", ()):  # Blender shows no data while it enables add-ons
        scene_inputs_changed(scene)


def version(obj: bpy.types.ID) -> int:
    """How often the object has changed; what was found out about it holds while this number stays."""
    return _changes[obj.session_uid]


def forget_all() -> None:
    """No object has changed: their file is left."""
    _changed.clear()
    _inputs_changed.clear()
    _changes.clear()


def tell_listeners() -> None:
    """The user has changed something that the present frame should show."""
    for listener in () if _unheard.is_set() else _listeners:
        listener()


def listen_to_inputs(listener: Callable[[], None]) -> None:
    """Have the function called when the user changes inputs or settings."""
    _listeners.append(listener)


def stop_listening() -> None:
    """Call nobody any more."""
    _listeners.clear()


def are_inputs_changed(obj: bpy.types.ID) -> bool:
    """Whether the object's inputs have changed since take_inputs_changed was last asked."""
    return obj.session_uid in _inputs_changed


def take_inputs_changed() -> set[int]:
    """The session_uid of the objects whose inputs have changed since this was last asked."""
    changed = set(_inputs_changed)
    _inputs_changed.clear()
    return changed
