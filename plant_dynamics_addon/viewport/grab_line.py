# SPDX-License-Identifier: GPL-3.0-or-later
"""The line from a branch to the mouse that drags it."""

import bpy
from mathutils import Vector

from .lines import draw_lines

_handle: object | None = None
_ends: tuple[Vector, Vector] | None = None


def begin() -> None:
    """Be ready to draw in the 3D views."""
    global _handle
    if _handle is None:
        _handle = bpy.types.SpaceView3D.draw_handler_add(_draw, (), "WINDOW", "POST_VIEW")


def show(ends: tuple[Vector, Vector] | None) -> None:
    """Draw this line from now on, or none."""
    global _ends
    _ends = ends


def end() -> None:
    """Draw no more."""
    global _handle
    show(None)
    if _handle is not None:
        bpy.types.SpaceView3D.draw_handler_remove(_handle, "WINDOW")
        _handle = None


def _draw() -> None:
    if _ends is not None:
        draw_lines(bpy.context, list(_ends))
