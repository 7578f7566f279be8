# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window is told of while frames are played, when Blender draws neither sidebars nor the status bar itself."""

import bpy
from bpy.app.translations import pgettext_iface as iface_

from ...blender.redraw import redraw_views
from ..motion.session import Session
from ..motion.trouble import Trouble
from .live import live_sessions

_told: list[tuple[Trouble | None, int]] = []  # trouble and how much has broken
_is_recording = False  # and the status bar says so


def tell(scene: bpy.types.Scene) -> None:
    """A frame is shown: draw the panels if there is trouble or a break that they do not show, and say how far the
    scene's frames are known while they are played for the first time, which may be slower than later."""
    global _told
    if bpy.app.background:
        return
    sessions = live_sessions(scene)
    now = [(session.trouble(), len(session.known.breaks())) for session in sessions]
    if now != _told:
        _told = now
        redraw_views()
    _tell_recording(scene, sessions)


def _tell_recording(scene: bpy.types.Scene, sessions: list[Session]) -> None:
    global _is_recording
    known = min((session.recording.end_frame for session in sessions), default=scene.frame_end)
    screen, workspace = bpy.context.screen, bpy.context.workspace
    if known >= scene.frame_end or screen is None or workspace is None or not screen.is_animation_playing:
        end_telling()
        return
    text = iface_("Simulating while it plays: {share} % done. Once through, it plays faster   |   Esc: stop")
    share = (known - scene.frame_start + 1) / (scene.frame_end - scene.frame_start + 1)
    workspace.status_text_set(text.format(share=f"{100.0 * max(0.0, share):.0f}"))
    _is_recording = True


def end_telling() -> None:
    """Playing has ended: say nothing more."""
    global _is_recording
    if _is_recording and bpy.context.workspace is not None:
        bpy.context.workspace.status_text_set(None)
        _is_recording = False
