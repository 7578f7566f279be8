# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the scene stands in time, and walking through its frames without being called back at each."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import floor

import bpy

_paused = False


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


def handler_is_paused() -> bool:
    """Whether somebody walks through frames, so that the frame handler has nothing to do."""
    return _paused


@contextmanager
def frame_handler_paused() -> Iterator[None]:
    """While code walks through frames by itself."""
    global _paused
    before, _paused = _paused, True
    try:
        yield
    finally:
        _paused = before
