# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects as lines in the world, as they evaluate, but without thickness."""

import bpy
import numpy as np
from mathutils.geometry import interpolate_bezier


def wire_of(evaluated: bpy.types.Object) -> tuple[np.ndarray, bool, bool]:
    """Points (k, 3) m, world axes, of the first line of an evaluated curve object; whether it is closed, and whether it
    is smooth. No points where it has none."""
    splines = evaluated.data.splines
    if not len(splines):
        return np.zeros((0, 3)), False, True
    first = splines[0]
    points, closed = _line_of_mesh(evaluated), bool(first.use_cyclic_u)
    if points is None:
        points = _line_of_spline(first)
    matrix = np.array(evaluated.matrix_world)
    return points @ matrix[:3, :3].T + matrix[:3, 3], closed, first.type != "POLY"


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
