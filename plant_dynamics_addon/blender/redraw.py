# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing views again."""

import bpy


def redraw_views() -> None:
    """Draw the 3D views with their sidebars again, which show what no property says."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()
