# SPDX-License-Identifier: GPL-3.0-or-later
"""The line from a branch to the mouse that drags it."""

import bpy
from mathutils import Vector

from .lines import Drawing, draw_lines

_ends: tuple[Vector, Vector] | None = None


def _draw() -> None:
    if _ends is not None:
        draw_lines(bpy.context, list(_ends))


_drawing = Drawing(_draw)


def begin() -> None:
    """Be ready to draw in the 3D views."""
    _drawing.switch(True)


def show(ends: tuple[Vector, Vector] | None) -> None:
    """Draw this line from now on, or none."""
    global _ends
    _ends = ends


def end() -> None:
    """Draw no more."""
    show(None)
    _drawing.switch(False)
