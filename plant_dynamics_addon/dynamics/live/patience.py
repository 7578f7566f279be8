# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a frame may take to be shown."""

import math
import sys
import threading
from time import perf_counter

import bpy

from ...blender.timeline import is_playing
from ...flag import Flag

#: Seconds in which a frame is shown, or left to the operator that catches up with progress and Esc.
LONGEST = 0.1

#: Who goes on to the very next frame so soon (s) walks through the frames, and each is only one more.
_WALKING = 0.1

#: Operators in which Blender itself walks through frames in the window and takes each as it is.
_WALKERS = {"RENDER_OT_opengl", "RENDER_OT_render", "OBJECT_OT_paths_calculate", "POSE_OT_paths_calculate"}

_nobody_waits = Flag()
#: with nobody_waits(): frames that the add-on itself shows meanwhile are shown to the user only.
nobody_waits = _nobody_waits.set
_last = (0, 0, -math.inf)  # a scene's session_uid, the frame it went to last, and when that was shown


def patience_of_caller(scene: bpy.types.Scene) -> float:
    """Seconds that a frame of the scene may take, for handlers to ask: without end where somebody takes each frame as
    it is, as scripts and exporters do, while frames are played, and without a window."""
    from_a_script = sys._getframe(1).f_back is not None and not _nobody_waits.is_set()
    if from_a_script or bpy.app.background or threading.current_thread() is not threading.main_thread():
        return math.inf
    if is_playing() or any(_walks(window) for window in bpy.context.window_manager.windows):
        return math.inf
    uid, frame, shown = _last
    is_next = uid == scene.session_uid and scene.frame_current == frame + scene.frame_step
    return math.inf if is_next and perf_counter() - shown < _WALKING else LONGEST


def frame_shown(scene: bpy.types.Scene) -> None:
    """For handlers to tell that they are done with a frame."""
    global _last
    _last = scene.session_uid, scene.frame_current, perf_counter()


def _walks(window: bpy.types.Window) -> bool:
    return any(operator.bl_idname in _WALKERS for operator in getattr(window, "modal_operators", ()))
