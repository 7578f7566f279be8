# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines in the 3D views, in the theme's colour of gizmos."""

from collections.abc import Callable

import bpy
from mathutils import Vector

_WIDTH = 3.0  # pixels


class Drawing:
    """A function that Blender calls, while it is on, whenever it draws a 3D view."""

    def __init__(self, draw: Callable[[], None]) -> None:
        self._draw = draw
        self.handle: object | None = None  # None while it is off

    def switch(self, on: bool) -> None:
        """On or off."""
        if on and self.handle is None:
            self.handle = bpy.types.SpaceView3D.draw_handler_add(self._draw, (), "WINDOW", "POST_VIEW")
        elif self.handle is not None and not on:
            bpy.types.SpaceView3D.draw_handler_remove(self.handle, "WINDOW")
            self.handle = None


def draw_lines(context: bpy.types.Context, lines: list[Vector]) -> None:
    """Draw lines between the points, two by two, in world coordinates. Call while a region is being drawn."""
    import gpu  # where there is no window this module is read too
    from gpu_extras.batch import batch_for_shader

    r, g, b, *_ = context.preferences.themes[0].user_interface.gizmo_primary
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    batch = batch_for_shader(shader, "LINES", {"pos": [tuple(point) for point in lines]})
    shader.bind()
    shader.uniform_float("viewportSize", (context.region.width, context.region.height))
    shader.uniform_float("lineWidth", _WIDTH * context.preferences.system.pixel_size)
    shader.uniform_float("color", (r, g, b, 1.0))
    gpu.state.blend_set("ALPHA")
    batch.draw(shader)
    gpu.state.blend_set("NONE")
