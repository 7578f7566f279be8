# SPDX-License-Identifier: GPL-3.0-or-later
"""Curve objects as lines in the world, as they evaluate, but without thickness.

The solver joins points by a smooth spline. Corners are kept by points that come nearer and nearer to them from both
sides, between which the spline has no room to be round.
"""

from itertools import accumulate, pairwise

import bpy
import numpy as np
from mathutils.geometry import interpolate_bezier

from ....solver import Curve
from ...memory import Memory

#: Where the way in and the way out of a knot differ by more than this angle (rad), it is a corner.
_CORNER = 0.1

#: As shares of the way from a corner to the next point, where points are added to keep it.
_TOWARDS_CORNER = 0.25 ** np.arange(8, 0, -1)

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
    points = _with_corners(points, _corners(first, len(points)), first.use_cyclic_u)
    matrix = np.array(evaluated.matrix_world)
    places = points @ matrix[:3, :3].T + matrix[:3, 3]
    if len(places) < 2 or not np.isfinite(places).all() or (places == places[0]).all():
        return None
    is_straight = first.type == "POLY" or (first.type == "NURBS" and first.order_u == 2)
    return Curve(places, bool(first.use_cyclic_u), not is_straight, evaluated.name)


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
    found = [spline.bezier_points[0].co]
    for (one, other), count in zip(_pieces(spline), _counts(spline), strict=True):
        piece = interpolate_bezier(one.co, one.handle_right, other.handle_left, other.co, count + 1)
        found += piece[1:]
    return np.array(found[:-1] if spline.use_cyclic_u else found, dtype=float)


def _pieces(spline: bpy.types.Spline) -> list[tuple[bpy.types.BezierSplinePoint, bpy.types.BezierSplinePoint]]:
    """The knots at both ends of each piece of a Bezier spline."""
    knots = list(spline.bezier_points)
    return list(zip(knots, knots[1:] + knots[:1] if spline.use_cyclic_u else knots[1:], strict=False))


def _counts(spline: bpy.types.Spline) -> list[int]:
    """Of how many straight lines each piece is drawn: one that is straight by its handles of one."""
    is_straight = (one.handle_right_type == other.handle_left_type == "VECTOR" for one, other in _pieces(spline))
    return [1 if one else spline.resolution_u for one in is_straight]


def _corners(spline: bpy.types.Spline, count: int) -> list[int]:
    """Which of so many points that are drawn are corners of a Bezier spline; none where modifiers have made others."""
    places = list(accumulate(_counts(spline), initial=0)) if spline.type == "BEZIER" else [0]
    if places[-1] + (not spline.use_cyclic_u) != count:
        return []
    knots = list(zip(places, spline.bezier_points, strict=False))  # the first of a ring is its last place too
    return [place for place, knot in (knots if spline.use_cyclic_u else knots[1:-1]) if _is_corner(knot)]


def _is_corner(knot: bpy.types.BezierSplinePoint) -> bool:
    into, out = knot.co - knot.handle_left, knot.handle_right - knot.co
    return bool(into.angle(out, 0.0) > _CORNER)


def _with_corners(points: np.ndarray, corners: list[int], is_closed: bool) -> np.ndarray:
    """The points and those that keep corners."""
    ring = np.concatenate([points, points[:1]]) if is_closed else points
    found = []
    for i, (start, end) in enumerate(pairwise(ring)):
        begins, ends = i in corners, (i + 1) % len(points) in corners
        shares = [0.0, *(_TOWARDS_CORNER if begins else ()), *(1.0 - _TOWARDS_CORNER[::-1] if ends else ())]
        found += [start + share * (end - start) for share in shares]
    return np.array(found if is_closed else [*found, points[-1]])
