# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as surfaces in the world, as they evaluate and as they are shaded."""

import bpy
import numpy as np

from ....solver import SolverError, Surface
from ...blender.in_bulk import values_of
from ...memory import Memory

_Read = tuple[np.ndarray, ...]

#: Of objects by their numbers: what was read of them, and the surface that this is.
_known: Memory[tuple[_Read, Surface | None]] = Memory()


def sheet_of(evaluated: bpy.types.Object) -> Surface | None:
    """The surface of an evaluated object, the same one as long as its mesh is as it was; None where it has no faces, or
    none with an area, or places that are not numbers."""
    number = evaluated.original.session_uid
    mesh = evaluated.to_mesh()
    try:
        if mesh is None or not len(mesh.polygons):
            _known[number] = (), None
            return None
        mesh.calc_loop_triangles()
        read = (
            values_of(mesh.vertices, "co", 3), values_of(mesh.loop_triangles, "vertices", 3, np.int32),
            values_of(mesh.loop_triangles, "loops", 3, np.int32), values_of(mesh.corner_normals, "vector", 3),
            np.array(evaluated.matrix_world),
        )  # fmt: skip
    finally:
        evaluated.to_mesh_clear()
    known = _known.get(number)
    if known is None or not (known[0] and all(map(np.array_equal, known[0], read))):
        known = _known[number] = read, _surface(*read, evaluated.name)
    return known[1]


def had_no_area(obj: bpy.types.Object) -> bool:
    """Whether an object had no surface when it was read last."""
    known = _known.of(obj)
    return known is not None and known[1] is None


def _surface(
    places: np.ndarray, triangles: np.ndarray, corners: np.ndarray, normals: np.ndarray, matrix: np.ndarray, name: str
) -> Surface | None:
    """In world axes, in which normals are at right angles to what they were at right angles to."""
    at_corners, triangles = normals.astype(np.float64)[corners], triangles.astype(np.int64)
    is_flat = (at_corners == at_corners[:, :1]).all(axis=(1, 2))  # of a face whose corners may not lie in a plane
    a, b, c = places.astype(np.float64)[triangles[is_flat]].transpose(1, 0, 2)
    at_corners[is_flat] = np.cross(b - a, c - a)[:, None]
    linear = matrix[:3, :3]
    x, y, z = linear
    adjugate = np.array([np.cross(y, z), np.cross(z, x), np.cross(x, y)])
    surface = Surface(
        places.astype(np.float64) @ linear.T + matrix[:3, 3], triangles, at_corners @ adjugate.T, name=name,
    )  # fmt: skip
    try:
        surface.checked()
    except SolverError:
        return None
    return surface
