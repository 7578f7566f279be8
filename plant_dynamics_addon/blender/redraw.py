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


def _views() -> list[bpy.types.Area]:
    windows = bpy.context.window_manager.windows
    return [area for window in windows for area in window.screen.areas if area.type == "VIEW_3D"]
