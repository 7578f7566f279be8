# SPDX-License-Identifier: GPL-3.0-or-later
"""Live plants that are not posed for the scene's frame yet: to simulate it would have taken too long at once."""

from collections.abc import Iterable

import bpy

from ...memory import Memory
from . import at_work

#: Seconds for which nothing more is asked for, as while a slider is dragged, before the operator begins.
_PAUSE = 0.2

_lagging: Memory[bool] = Memory()


def note(plants: Iterable[bpy.types.Object], late: Iterable[bpy.types.Object]) -> None:
    """Of a scene's live plants these lag behind the frame that is shown; in the window an operator catches up soon."""
    for obj in plants:
        _lagging.forget(obj)
    late = list(late)
    for obj in late:
        _lagging.keep(obj, True)
    if bpy.app.timers.is_registered(_begin):
        bpy.app.timers.unregister(_begin)
    if late and not bpy.app.background and not at_work.is_going_on():
        bpy.app.timers.register(_begin, first_interval=_PAUSE)


def lags(obj: bpy.types.Object) -> bool:
    """Whether the object does not show its motion at the scene's frame."""
    return obj.session_uid in _lagging


def _begin() -> float | None:
    if at_work.is_going_on():
        return _PAUSE
    windows = bpy.context.window_manager.windows
    if not any(window.screen.is_animation_playing for window in windows):
        with bpy.context.temp_override(window=windows[0]):
            bpy.ops.plant_dynamics.catch_up("INVOKE_DEFAULT")
    return None
