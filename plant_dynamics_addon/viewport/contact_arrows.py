# SPDX-License-Identifier: GPL-3.0-or-later
"""Where plants touch things, and the forces there, as crosses and arrows in the 3D views.

Blender calls the function that draws only while a plant of the file wants it, and never without a window.
"""

from collections.abc import Callable, Iterable
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from mathutils import Vector

from ...solver import ContactPoints
from .lines import Drawing, arrow_lines, draw_lines, drawn_bounds, redraw_3d

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


def refresh() -> None:
    """Begin to draw, or stop, as the file's plants want it."""
    objects = () if bpy.app.background else getattr(bpy.data, "objects", ())  # no data while add-ons are enabled
    _drawing.switch(any(obj.plant_dynamics.contact.show_in_viewport for obj in objects if obj.type == "ARMATURE"))
    redraw_3d()


def draw() -> None:
    """Draw what is touched in the view that Blender draws."""
    context = bpy.context
    scene, space = context.scene, context.space_data
    if _source is None or any(part is None for part in (scene, space, context.region, context.region_data)):
        return
    if not space.overlay.show_overlays:
        return
    lines: list[Vector] = []
    for plant, weight, touched in _source(scene):
        low, high = drawn_bounds(plant)
        lines += lines_of(touched, float((high - low).max()), weight)
    if lines:
        draw_lines(context, lines)


_drawing = Drawing(draw)


@persistent
def _file_changed(*_: Any) -> None:
    refresh()


_HANDLERS = ("load_post", "undo_post", "redo_post")


def register(source: Source) -> None:
    """Draw from now on what the source tells, where it is wanted, also after loading and undo."""
    global _source
    _source = source
    for name in _HANDLERS:
        getattr(bpy.app.handlers, name).append(_file_changed)
    refresh()


def unregister() -> None:
    """Stop drawing."""
    for name in _HANDLERS:
        getattr(bpy.app.handlers, name).remove(_file_changed)
    _drawing.switch(False)
