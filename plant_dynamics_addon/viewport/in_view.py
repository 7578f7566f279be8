# SPDX-License-Identifier: GPL-3.0-or-later
"""Turning the 3D view to what has been found, and to what has been grown."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from bpy.types import Context
from bpy_extras.view3d_utils import location_3d_to_region_2d
from mathutils import Vector

#: Who is smaller than this share of the view, across and up, is lost in it; what is framed takes this one.
_LOST, _FRAMED = 0.2, 0.8


def bring_into_view(context: Context, point: Vector) -> None:
    """Have the context's 3D view, if it has one, look at the point (m, world axes) unless that is seen already, beside
    the sidebar. Its direction and distance stay; what a camera sees does too."""
    if _is_free(context) and not _seen(context, [point])[0]:
        context.space_data.region_3d.view_location = point


def frame(context: Context, low: Sequence[float], high: Sequence[float], *, is_only: bool) -> None:
    """Have the context's 3D view, if it has one, show the box between these corners (m, world axes) if nothing of it is
    seen; if it `is_only` what there is to see, also where a part is not or where it is lost in the view. The direction
    stays; what a camera sees does too."""
    if not _is_free(context):
        return
    corners = [Vector(corner) for corner in product(*zip(low, high, strict=True))]
    middle = (Vector(low) + Vector(high)) / 2
    seen = _seen(context, [middle, *corners])
    if not any(seen) or (is_only and (not all(seen) or _share(context, corners) < _LOST)):
        _show(context, middle, corners)


def _is_free(context: Context) -> bool:
    """Whether the context has a 3D view that may be turned."""
    space = context.space_data
    return space is not None and space.type == "VIEW_3D" and space.region_3d.view_perspective != "CAMERA"


def _size(context: Context) -> tuple[float, float, float]:
    """Width and height of the 3D view, and how much of the width the sidebar hides, pixels."""
    regions = {region.type: region for region in context.area.regions}
    beside = regions["UI"].width if context.preferences.system.use_region_overlap else 0
    return regions["WINDOW"].width, regions["WINDOW"].height, beside


def _places(context: Context, points: Sequence[Vector]) -> list[Vector | None]:
    """Where points are seen, pixels; None behind the view."""
    window = next(region for region in context.area.regions if region.type == "WINDOW")
    return [location_3d_to_region_2d(window, context.space_data.region_3d, point) for point in points]


def _seen(context: Context, points: Sequence[Vector]) -> list[bool]:
    """Whether points are seen beside the sidebar."""
    width, height, beside = _size(context)
    return [
        place is not None and 0.0 <= place.x < width - beside and 0.0 <= place.y < height
        for place in _places(context, points)
    ]


def _share(context: Context, points: Sequence[Vector]) -> float:
    """The larger of the shares of the view's width and height over which points spread that are all seen."""
    return float((np.ptp(_places(context, points), axis=0) / _size(context)[:2]).max())


def _show(context: Context, middle: Vector, points: Sequence[Vector]) -> None:
    """Look at the middle from where all points are seen in as much of the view as is to be filled."""
    view, (width, _, beside) = context.space_data.region_3d, _size(context)
    aside, up, ahead = np.abs([view.view_rotation.inverted() @ (point - middle) for point in points]).max(axis=0)
    # half of the width and height that are seen of what is at the middle, m for each metre of the view's distance
    half = 1.0 / np.array([view.window_matrix[0][0], view.window_matrix[1][1]])
    if not view.is_perspective:
        half, ahead = half / view.view_distance, 0.0
    half[0] *= max(0.2, 1.0 - 2.0 * beside / width)  # what is at the middle stays clear of the sidebar
    view.view_location = middle
    view.view_distance = ahead + max(aside / (_FRAMED * half[0]), up / (_FRAMED * half[1]))
