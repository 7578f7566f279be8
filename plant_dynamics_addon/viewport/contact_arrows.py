# SPDX-License-Identifier: GPL-3.0-or-later
"""Where plants touch things, and the forces there, as crosses and arrows in the 3D views."""

from collections.abc import Callable, Iterable

import bpy
import numpy as np
from mathutils import Vector

from ...solver import ContactPoints
from .lines import WantedDrawing, arrow_lines, draw_lines, drawn_bounds, view_drawn

#: Over the plant's size: an arrow of a force as large as the plant's weight, the longest one, and half of a cross. The
#: plant rests on many points, so that four times the force is twice as long.
_WEIGHT, _LONGEST, _CROSS = 0.4, 1.0, 0.006


#: Plants of a scene whose contacts are to be seen, their weights (N) and what they touch.
Source = Callable[[bpy.types.Scene], Iterable[tuple[bpy.types.Object, float, ContactPoints]]]

_source: Source | None = None


def lines_of(touched: ContactPoints, size: float, weight: float) -> list[Vector]:
    """Ends of the lines, two by two, for a plant of this size (m) and weight (N)."""
    lines: list[Vector] = []
    for point, force in zip(touched.point.tolist(), touched.force.tolist(), strict=True):
        at, along = Vector(point), Vector(force)
        for axis in np.eye(3).tolist():
            lines += [at - _CROSS * size * Vector(axis), at + _CROSS * size * Vector(axis)]
        share = min(_WEIGHT * (along.length / weight) ** 0.5, _LONGEST) if weight > 0.0 else 0.0
        if share * size > 0.0:
            lines += arrow_lines(at, at + along.normalized() * (share * size))
    return lines


def is_wanted(obj: bpy.types.Object) -> bool:
    """Whether what the object touches is to be seen."""
    return obj.type == "ARMATURE" and obj.plant_dynamics.contact.show_in_viewport


def draw() -> None:
    """Draw what is touched in the view that Blender draws."""
    context = view_drawn()
    if _source is None or context is None:
        return
    lines: list[Vector] = []
    for plant, weight, touched in _source(context.scene):
        low, high = drawn_bounds(plant)
        lines += lines_of(touched, float((high - low).max()), weight)
    if lines:
        draw_lines(context, lines)


drawing = WantedDrawing(draw, "objects", is_wanted)


def register(source: Source) -> None:
    """Draw from now on what the source tells, where it is wanted."""
    global _source
    _source = source
    drawing.register()
