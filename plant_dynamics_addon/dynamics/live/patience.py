# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a frame may take to be shown."""

import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import bpy

#: Seconds in which a frame is shown, or left to the operator that catches up with progress and Esc.
LONGEST = 0.1

_nobody_waits = False


@contextmanager
def nobody_waits() -> Iterator[None]:
    """Frames that the add-on itself shows meanwhile are shown to the user only."""
    global _nobody_waits
    before, _nobody_waits = _nobody_waits, True
    try:
        yield
    finally:
        _nobody_waits = before


def patience_of_caller() -> float:
    """Seconds that a frame may take, for handlers to ask: without end where a script has gone to the frame, for it
    looks at once at what is there, while frames are played, for each is only one more, and without a window."""
    from_a_script = sys._getframe(1).f_back is not None and not _nobody_waits
    if from_a_script or bpy.app.background:
        return math.inf
    windows = bpy.context.window_manager.windows
    return math.inf if any(window.screen.is_animation_playing for window in windows) else LONGEST
