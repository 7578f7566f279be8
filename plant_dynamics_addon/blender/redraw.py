# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing views again."""

from time import perf_counter

import bpy

#: Seconds for which Blender shows a report, and after which it is drawn again.
_REPORTED, _AGAIN = 5.0, 0.3

_until = 0.0


def redraw_views() -> None:
    """Draw the 3D views with their sidebars again, which show what no property says."""
    for area in _views():
        area.tag_redraw()


def redraw_sidebars() -> None:
    """Draw only their sidebars again, which costs little in large scenes."""
    for area in _views():
        for region in area.regions:
            if region.type == "UI":
                region.tag_redraw()


def redraw_status_bars_soon() -> None:
    """Draw the status bars again and again while they show a report: Blender itself does so only within a second of it,
    in which a large plant may be drawn for the first time."""
    global _until
    _until = perf_counter() + _REPORTED
    if not bpy.app.timers.is_registered(redraw_status_bars):
        bpy.app.timers.register(redraw_status_bars, first_interval=0.0)


def redraw_status_bars() -> float | None:
    """Draw the status bars again, but where an operator at work says something; returns when to do it next, s."""
    for window in bpy.context.window_manager.windows:
        if not window.modal_operators:
            window.workspace.status_text_set(None)
    return _AGAIN if perf_counter() < _until else None


def _views() -> list[bpy.types.Area]:
    windows = bpy.context.window_manager.windows
    return [area for window in windows for area in window.screen.areas if area.type == "VIEW_3D"]
