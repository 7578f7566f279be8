# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects as lines in the world, as they evaluate, but without thickness."""

import bpy
import numpy as np
from mathutils.geometry import interpolate_bezier

from ....solver import Curve
from ...memory import Memory

#: Whether objects, by their numbers, had a line when they were read last.
_had_line: Memory[bool] = Memory()


def wire_of(evaluated: bpy.types.Object) -> Curve | None:
    """The first line of an evaluated curve object; None where it has no length, or places that are not numbers."""
    splines = evaluated.data.splines
    found = _line_of(evaluated, splines[0]) if len(splines) else None
    _had_line[evaluated.original.session_uid] = found is not None
    return found


def had_no_length(obj: bpy.types.Object) -> bool:
    """Whether a curve object had no line when it was read last."""
    return _had_line.of(obj) is False


def _line_of(evaluated: bpy.types.Object, first: bpy.types.Spline) -> Curve | None:
    points = _line_of_mesh(evaluated)
    if points is None:
        points = _line_of_spline(first)
    matrix = np.array(evaluated.matrix_world)
    places = points @ matrix[:3, :3].T + matrix[:3, 3]
    if len(places) < 2 or not np.isfinite(places).all() or (places == places[0]).all():
        return None
    return Curve(places, bool(first.use_cyclic_u), first.type != "POLY", evaluated.name)


def _line_of_mesh(evaluated: bpy.types.Object) -> np.ndarray | None:
    """The first line of what the curve evaluates to, with all that its modifiers do; None where that has faces."""
    mesh = evaluated.to_mesh()
    try:
        if mesh is None or len(mesh.polygons) or not len(mesh.vertices):
            return None
        places, edges = np.empty(3 * len(mesh.vertices)), np.empty(2 * len(mesh.edges), dtype=np.int32)
        mesh.vertices.foreach_get("co", places)
        mesh.edges.foreach_get("vertices", edges)
        # Points of a line follow one another; the first that its neighbour does not follow ends it.
        follows = {int(one) for one, other in edges.reshape(-1, 2) if other == one + 1}
        count = next(i for i in range(len(mesh.vertices)) if i not in follows) + 1
        return places.reshape(-1, 3)[:count]
    finally:
        evaluated.to_mesh_clear()


def _line_of_spline(spline: bpy.types.Spline) -> np.ndarray:
    """The line that a spline draws, of one with thickness."""
    if spline.type != "BEZIER":
        return np.array([point.co[:3] for point in spline.points])
    knots = list(spline.bezier_points)
    pairs = list(zip(knots, knots[1:] + knots[:1] if spline.use_cyclic_u else knots[1:], strict=False))
    found = [knots[0].co]
    for one, other in pairs:
        piece = interpolate_bezier(one.co, one.handle_right, other.handle_left, other.co, spline.resolution_u + 1)
        found += piece[1:]
    return np.array(found[:-1] if spline.use_cyclic_u else found, dtype=float)
