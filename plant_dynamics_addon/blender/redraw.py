# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing views again."""

import bpy


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
    """Draw the status bars again once all else has been drawn: Blender itself does so only for a second after a report,
    in which a large plant may be drawn for the first time."""
    bpy.app.timers.register(redraw_status_bars, first_interval=0.0)


def redraw_status_bars() -> None:
    """Draw the status bars again, but where an operator at work says something."""
    for window in bpy.context.window_manager.windows:
        if not window.modal_operators:
            window.workspace.status_text_set(None)


def _views() -> list[bpy.types.Area]:
    windows = bpy.context.window_manager.windows
    return [area for window in windows for area in window.screen.areas if area.type == "VIEW_3D"]
