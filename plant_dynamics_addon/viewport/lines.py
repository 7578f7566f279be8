# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines in a 3D view, in the theme's colour of gizmos."""

import bpy
from mathutils import Vector

_WIDTH = 3.0  # pixels


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
