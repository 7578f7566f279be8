# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the scene stands in time, and walking through its frames without being called back at each."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import floor
from time import perf_counter

import bpy

from ..flag import Flag

_OWN = __name__.rpartition(".blender.")[0]


def place_in_time(scene: bpy.types.Scene) -> tuple[int, float]:
    """The last whole frame, and how far it is from there to the next, from 0 to below 1.

    Before frame 0 Blender counts both of its numbers the other way.
    """
    time = scene.frame_current + scene.frame_subframe
    frame = floor(time)
    return frame, time - frame


def show_again(scene: bpy.types.Scene) -> None:
    """Evaluate the scene anew where it stands."""
    frame, share = place_in_time(scene)
    scene.frame_set(frame, subframe=share)


_paused = Flag()
#: handler_is_paused(): whether somebody walks through frames, so that the frame handler has nothing to do.
handler_is_paused = _paused.is_set
#: with frame_handler_paused(): while code walks through frames by itself.
frame_handler_paused = _paused.set

_returns = Flag()
#: scene_returns(): whether who walks through frames goes back to where the scene stood.
scene_returns = _returns.is_set


def return_to(scene: bpy.types.Scene, place: tuple[int, float]) -> None:
    """Stand again where the scene stood (see place_in_time), after a walk through its frames."""
    with frame_handler_paused(), _returns.set():
        scene.frame_set(place[0], subframe=place[1])


class OutOfSight:
    """Work that walks through a scene's frames slice by slice, of which nobody is to see any: between its slices the
    scene stands where it stood, or where the user has gone meanwhile."""

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._scene, self._home = scene, place_in_time(scene)
        self._elsewhere: tuple[int, float] | None = None  # where the work has left the scene
        self.cost = 0.0
        """Seconds that going back took the last time."""

    @contextmanager
    def at_work(self, goes_on: bool = True) -> Iterator[None]:
        """A slice of the work, which begins with the scene as the last one left it, unless that is to be no more."""
        shown = place_in_time(self._scene)
        if goes_on and self._elsewhere is not None:
            frame, share = self._elsewhere
            with frame_handler_paused():
                self._scene.frame_set(frame, subframe=share)
        try:
            yield
        finally:
            left = place_in_time(self._scene)
            self._elsewhere = None if left in (shown, self._home) else left
            if left != shown:
                begun = perf_counter()
                return_to(self._scene, shown)
                self.cost = perf_counter() - begun


def is_playing() -> bool:
    """Whether frames are played in a window; Blender calls it playing too when somebody drags through the timeline."""
    screens = [window.screen for window in bpy.context.window_manager.windows]
    return any(screen.is_animation_playing for screen in screens) and not any(screen.is_scrubbing for screen in screens)


def stop_playing() -> None:
    """Stop playing at the frame that is shown."""
    for window in bpy.context.window_manager.windows:
        if window.screen.is_animation_playing:
            with bpy.context.temp_override(window=window, screen=window.screen, scene=window.scene):
                bpy.ops.screen.animation_cancel(restore_frame=False)


def others_handle(when: str) -> bool:
    """Whether scripts or other add-ons are called then: one of bpy.app.handlers, as "frame_change_post"."""
    modules = (getattr(one, "__module__", None) or "" for one in getattr(bpy.app.handlers, when))
    return any(not module.startswith(_OWN) for module in modules)


@contextmanager
def at_first_frame(scene: bpy.types.Scene, needed: bool = True) -> Iterator[None]:
    """The scene shows its first frame, where that is needed."""
    frame, share = place_in_time(scene)
    if not needed or (frame == scene.frame_start and not share):
        yield
        return
    with frame_handler_paused():
        scene.frame_set(scene.frame_start)
        try:
            yield
        finally:
            return_to(scene, (frame, share))
