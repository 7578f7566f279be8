# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects have simulation data in memory, and which of it no longer fits what the file says.

Properties report changes here without knowing who simulates.
"""

from collections.abc import Callable

import bpy

#: session_uid of objects whose settings or bones have changed since they were last read.
_changed: set[int] = set()
#: session_uid of objects whose loads or other values that can be animated have changed since they were last sampled.
_inputs_changed: set[int] = set()
_listeners: list[Callable[[], None]] = []


def object_changed(obj: bpy.types.ID) -> None:
    """A setting of the object has changed."""
    _changed.add(obj.session_uid)


def armature_changed(armature: bpy.types.ID) -> None:
    """A bone's setting or shape has changed."""
    for obj in bpy.data.objects:
        if obj.data == armature:
            _changed.add(obj.session_uid)


def take_changed(obj: bpy.types.Object) -> bool:
    """Whether the object has changed since this was last asked."""
    if obj.session_uid in _changed:
        _changed.remove(obj.session_uid)
        return True
    return False


def inputs_changed(obj: bpy.types.ID) -> None:
    """A load, or another value that can be animated, has been changed by the user."""
    _inputs_changed.add(obj.session_uid)
    for listener in _listeners:
        listener()


def listen_to_inputs(listener: Callable[[], None]) -> None:
    """Have the function called when inputs change."""
    _listeners.append(listener)


def stop_listening() -> None:
    """Call nobody any more."""
    _listeners.clear()


def take_inputs_changed() -> set[int]:
    """The session_uid of the objects whose inputs have changed since this was last asked."""
    changed = set(_inputs_changed)
    _inputs_changed.clear()
    return changed
