# SPDX-License-Identifier: GPL-3.0-or-later
"""Where plants touch things, and the forces there, as crosses and arrows in the 3D views."""

from collections.abc import Iterable

import bpy
import numpy as np
from mathutils import Vector

from ...solver import ContactPoints
from .lines import SourcedDrawing, arrow_lines, draw_lines, drawn_bounds

#: Over the plant's size: an arrow of a force as large as the plant's weight, the longest one, and half of a cross. The
#: plant rests on many points, so that four times the force is twice as long.
_WEIGHT, _LONGEST, _CROSS = 0.4, 1.0, 0.006


def lines_of(touched: ContactPoints, size: float, weight: float, arrow_length: float = 1.0) -> list[Vector]:
    """Ends of the lines, two by two, for a plant of this size (m) and weight (N), and arrows times so long."""
    lines: list[Vector] = []
    for point, force in zip(touched.point.tolist(), touched.force.tolist(), strict=True):
        at, along = Vector(point), Vector(force)
        for axis in np.eye(3).tolist():
            lines += [at - _CROSS * size * Vector(axis), at + _CROSS * size * Vector(axis)]
        share = arrow_length * min(_WEIGHT * (along.length / weight) ** 0.5, _LONGEST) if weight > 0.0 else 0.0
        if share * size > 0.0:
            lines += arrow_lines(at, at + along.normalized() * (share * size))
    return lines


def is_wanted(obj: bpy.types.Object) -> bool:
    """Whether what the object touches is to be seen."""
    return obj.type == "ARMATURE" and obj.plant_dynamics.contact.show_in_viewport


def draw(context: bpy.types.Context, told: Iterable[tuple[bpy.types.Object, float, ContactPoints]]) -> None:
    """Draw what plants of these weights (N) touch."""
    lines: list[Vector] = []
    for plant, weight, touched in told:
        low, high = drawn_bounds(plant)
        lines += lines_of(touched, float((high - low).max()), weight, plant.plant_dynamics.contact.arrow_length)
    if lines:
        draw_lines(context, lines)


drawing = SourcedDrawing(draw, is_wanted)
