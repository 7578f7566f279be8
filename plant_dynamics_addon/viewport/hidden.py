# SPDX-License-Identifier: GPL-3.0-or-later
"""What has been grown inside of something that hides it, as in the cube that a new file begins with."""

from collections.abc import Sequence
from itertools import product

import bpy
import numpy as np
from bpy.types import Context
from mathutils import Vector


def hiding(context: Context, low: Sequence[float], high: Sequence[float]) -> bpy.types.Object | None:
    """The mesh around the middle of the box between these corners (m, world axes) that hides all of the box in the
    context's 3D view, if it has one and a mesh does. Who looks on from inside of that mesh sees the box."""
    space = context.space_data
    if space is None or space.type != "VIEW_3D" or space.shading.type == "WIREFRAME" or space.shading.show_xray:
        return None
    view = space.region_3d
    eye = view.view_location + view.view_rotation @ Vector((0.0, 0.0, view.view_distance))
    middle = (Vector(low) + Vector(high)) / 2
    points = [middle, *(Vector(corner) for corner in product(*zip(low, high, strict=True)))]
    return next((one for one in context.view_layer.objects if _is_around(one, middle) and all(
        _is_before(context, one, point, eye) for point in points)), None)  # fmt: skip


def _is_around(obj: bpy.types.Object, point: Vector) -> bool:
    """Whether an object is a mesh, drawn with its faces and no part of a plant or figure, within whose box the point
    (m, world axes) is."""
    if obj.type != "MESH" or obj.display_type not in ("SOLID", "TEXTURED") or not obj.visible_get():
        return False
    if (obj.parent is not None and obj.parent.type == "ARMATURE") or not obj.matrix_world.determinant():
        return False
    place, corners = np.array(obj.matrix_world.inverted() @ point), np.array(obj.bound_box)
    return bool(((corners.min(axis=0) < place) & (place < corners.max(axis=0))).all())


def _is_before(context: Context, obj: bpy.types.Object, point: Vector, eye: Vector) -> bool:
    """Whether the object is between a point and the eye (m, world axes)."""
    into = obj.matrix_world.inverted()
    begin, way = into @ point, into @ eye - into @ point
    return bool(obj.ray_cast(begin, way, distance=way.length, depsgraph=context.evaluated_depsgraph_get())[0])
