# SPDX-License-Identifier: GPL-3.0-or-later
"""Live plants that are not posed for their scene's frame yet: to simulate it would have taken too long at once."""

import math
from collections.abc import Collection
from time import perf_counter

import bpy

from ...blender.timeline import frame_handler_paused, is_playing, stop_playing
from ...memory import Memory
from . import at_work

#: Seconds for which nothing more is asked for, as while a slider is dragged, before the operator begins.
_PAUSE = 0.2

#: Seconds after Esc in which nobody has asked for anything yet: what was put back then is shown again.
AFTER_ESC = 1.0

_lagging: Memory[bool] = Memory()
_rests_until = -math.inf
_plays_on = False


def note(plants: Collection[bpy.types.Object], late: Collection[bpy.types.Object]) -> None:
    """Of a scene's live plants these lag behind the frame that is shown; in the window an operator catches up soon."""
    for obj in plants:
        _lagging.forget(obj)
    for obj in late:
        _lagging.keep(obj, True)
    if late:
        catch_up_soon()


def lags(obj: bpy.types.Object) -> bool:
    """Whether the object does not show its motion at the scene's frame."""
    return obj.session_uid in _lagging


def catch_up_soon() -> None:
    """Have the operator begin in a window, when nothing more is asked for."""
    if perf_counter() < _rests_until:
        return
    if bpy.app.timers.is_registered(begin):
        if is_playing():  # and asks for more at every frame
            return
        bpy.app.timers.unregister(begin)
    if not bpy.app.background and not at_work.is_going_on():
        bpy.app.timers.register(begin, first_interval=_PAUSE)


def rest() -> None:
    """Esc: what lags behind does so until something is asked for again."""
    global _rests_until, _plays_on
    _rests_until, _plays_on = perf_counter() + AFTER_ESC, False


def begin() -> float | None:
    """Have the operator begin where a scene lags, as a timer asks for it; in how many s to ask again, if at all. What
    still lags while frames are played has to be settled first: they are played on when it has been."""
    global _plays_on
    if at_work.is_going_on() or bpy.app.is_job_running("RENDER"):
        return _PAUSE
    if is_playing():
        if any(lags(obj) for window in bpy.context.window_manager.windows for obj in window.scene.objects):
            stop_playing()
            _plays_on = True
        return _PAUSE
    for window in bpy.context.window_manager.windows:
        if any(lags(obj) for obj in window.scene.objects):
            with bpy.context.temp_override(window=window, screen=window.screen, scene=window.scene):
                if bpy.ops.plant_dynamics.catch_up.poll():
                    bpy.ops.plant_dynamics.catch_up("INVOKE_DEFAULT")
                    break
    return None


def play_on(screen: bpy.types.Screen | None) -> None:
    """Play frames again that were stopped so that the operator could begin; without a screen not any more."""
    global _plays_on
    if _plays_on and screen is not None and not screen.is_animation_playing:
        with frame_handler_paused():  # what this changes is no edit
            bpy.ops.screen.animation_play()
    _plays_on = False
