# SPDX-License-Identifier: GPL-3.0-or-later
"""An arrow in the 3D view that says where the scene's wind blows to and how fast."""

import bpy
from mathutils import Vector

from ..plants import active_plant
from ..user_choices import user_choice
from .lines import WantedDrawing, arrow_lines, draw_lines, drawn_bounds, view_drawn

#: The arrow is so much of the plant's size long per m/s, but never shorter or longer than these shares of it.
_LENGTH_PER_SPEED, _SHORTEST, _LONGEST = 0.05, 0.15, 1.5

#: Without a plant, at the 3D cursor: this share of the view's distance counts as the size.
_SIZE_IN_VIEW = 0.2


def is_wanted(wind: bpy.types.PropertyGroup) -> bool:
    """Whether the scene or the user's preferences ask for the arrow."""
    return bool(wind.show_in_viewport or user_choice("show_wind_arrow", False))


def arrow(direction: Vector, speed: float, center: Vector, size: float) -> list[Vector]:
    """Ends of the arrow's lines, two by two: it ends beside something of this size (m) about the center (m).

    Without a direction or speed nothing blows, and there are none.
    """
    if direction.length < 1e-6 or not speed > 0.0:
        return []
    along = direction.normalized()
    length = size * min(max(_LENGTH_PER_SPEED * speed, _SHORTEST), _LONGEST)
    tip = center - along * (0.6 * size)
    return arrow_lines(tip - along * length, tip)


def place(context: bpy.types.Context) -> tuple[Vector, float]:
    """Centre (m) and size (m) of the active plant, or of what is about the 3D cursor."""
    plant = active_plant(context)
    if plant is not None and plant.data.bones:
        low, high = drawn_bounds(plant)
        size = float((high - low).max())
        if size > 1e-6:
            return Vector((low + high) / 2.0), size
    return context.scene.cursor.location.copy(), _SIZE_IN_VIEW * context.region_data.view_distance


def draw() -> None:
    """Draw the arrow in the view that Blender draws, if it is wanted there."""
    context = view_drawn()
    if context is None:
        return
    wind = context.scene.plant_dynamics.wind
    if not (is_wanted(wind) and wind.use_air and wind.source == "GUSTS"):
        return
    lines = arrow(Vector(wind.direction), wind.speed, *place(context))
    if lines:
        draw_lines(context, lines)


drawing = WantedDrawing(draw, "scenes", lambda scene: is_wanted(scene.plant_dynamics.wind))
