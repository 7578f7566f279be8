# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of objects that plants touch, from their meshes as they evaluate. A mesh that is as it was is not worked
out anew, however many triangles it has."""

import zlib
from collections.abc import Hashable
from typing import NamedTuple
from weakref import WeakValueDictionary

import bpy
import numpy as np
from mathutils import Matrix

from ...blender.in_bulk import values_of
from ...blender.plain_values import plain_values
from ...memory import Memory
from .shapes import Shape, ball_about, box_about, capsule_about, recognised

#: Shapes that are given for any mesh, by what the property calls them.
_ASKED = {"BALL": ball_about, "BOX": box_about, "CAPSULE": capsule_about}

#: Digits of scales: in those behind, they change with the object's rotation.
_DIGITS = 6

_HANDLES = ("handle_left", "handle_right")

#: No vertex (m) is farther away.
_FARTHEST = 1e9


class Flaw(Exception):
    """Why an object can be no collider: a key of the texts that say it."""


class _Mesh(NamedTuple):
    """positions (v, 3), corners (loops,) and where faces begin among these."""

    positions: np.ndarray
    corners: np.ndarray
    begins: np.ndarray


class Solids:
    """Which solids a mesh is at the scales at which it stands. asked: "MESH", or "BALL", "BOX" or "CAPSULE" about it;
    "AUTO": what it is to rounding."""

    def __init__(self, read: _Mesh, triangles: np.ndarray, asked: str) -> None:
        self.read, self.asked = read, asked
        self._triangles = triangles
        self._known: WeakValueDictionary[bytes, Shape] = WeakValueDictionary()  # as long as anybody has them

    def at(self, matrix: Matrix) -> Shape:
        """The solid where it is neither turned nor moved, but scaled as by the matrix. Raises Flaw."""
        stretched = stretched_by(matrix)
        key = (stretched + 0.0).tobytes()  # which has no zero below zero
        shape = self._known.get(key)
        if shape is None:
            shape = self._known[key] = _made(self.read.positions, self._triangles, stretched, self.asked)
        return shape


#: Of an object's mesh, and of those that its geometry nodes make beside it, by their numbers.
_known: Memory[dict[int, Solids]] = Memory()


def stretched_by(matrix: Matrix) -> np.ndarray:
    """(3, 3): what the object's matrix does beside turning and moving: scale, mirroring and shear. Raises Flaw."""
    whole = np.array(matrix)[:3]
    if not np.isfinite(whole).all():
        raise Flaw("NOT_NUMBERS")
    lengths = np.linalg.norm(whole[:, :3], axis=0)
    if lengths.min() <= 1e-6 * lengths.max() or abs(np.linalg.det(whole[:, :3] / lengths)) < 1e-6:
        raise Flaw("SCALE")
    turned = np.array(matrix.to_quaternion().to_matrix())
    stretched = turned.T @ whole[:, :3]
    unit = 2.0 ** np.floor(np.log2(np.abs(stretched).max()))
    return np.round(stretched / unit, _DIGITS) * unit


def solids_of(evaluated: bpy.types.Object, asked: str) -> Solids:
    """Those of an evaluated object. Raises Flaw."""
    mesh = evaluated.to_mesh()
    try:
        return solids_of_mesh(evaluated, 0, mesh, asked)
    finally:
        evaluated.to_mesh_clear()


def solids_of_mesh(evaluated: bpy.types.Object, number: int, mesh: bpy.types.Mesh | None, asked: str) -> Solids:
    """Those of a mesh that is one of the evaluated object's. Raises Flaw."""
    read = _read(mesh)
    own = _known.setdefault(evaluated.original.session_uid, {})
    known = own.get(number)
    if known is None or known.asked != asked or not _equal(known.read, read):
        known = own[number] = Solids(read, _triangles_of(mesh, asked), asked)
    return known


def drawn_as(obj: bpy.types.Object) -> Hashable:
    """What the user has drawn of the object: equal as long as that is."""
    if obj.type != "MESH":
        splines = getattr(obj.data, "splines", ())
        points = [values_of(one.points, "co", 4) for one in splines]
        points += [values_of(one.bezier_points, name, 3) for one in splines for name in ("co", *_HANDLES)]
        return plain_values(obj.data), tuple(one.tobytes() for one in points)
    mesh = obj.data
    ends = values_of(mesh.vertices, "co", 3), values_of(mesh.loops, "vertex_index", kind=np.int32)
    return len(mesh.polygons), *(zlib.crc32(one) for one in ends)


def _read(mesh: bpy.types.Mesh | None) -> _Mesh:
    if mesh is None or not len(mesh.polygons):
        raise Flaw("NO_FACES")
    places, corners = mesh.attributes["position"].data, mesh.attributes[".corner_vert"].data
    return _Mesh(
        values_of(places, "vector", 3), values_of(corners, "value", kind=np.int32)[:, 0],
        values_of(mesh.polygons, "loop_start", kind=np.int32)[:, 0],
    )  # fmt: skip


def _equal(some: tuple[np.ndarray, ...], others: tuple[np.ndarray, ...]) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(some, others, strict=True))


def _triangles_of(mesh: bpy.types.Mesh, asked: str) -> np.ndarray:
    """(t, 3) where the shape depends on them."""
    if asked in _ASKED:
        return np.zeros((0, 3), dtype=np.int32)
    mesh.calc_loop_triangles()
    return values_of(mesh.loop_triangles, "vertices", 3, np.int32)


def _made(positions: np.ndarray, triangles: np.ndarray, stretched: np.ndarray, asked: str) -> Shape:
    with np.errstate(invalid="ignore", over="ignore"):
        vertices = positions.astype(np.float64) @ stretched.T
        if not (np.abs(vertices) < _FARTHEST).all():
            raise Flaw("NOT_NUMBERS")
    if asked in _ASKED:
        return _ASKED[asked](vertices)
    if np.linalg.det(stretched) < 0.0:
        triangles = np.ascontiguousarray(triangles[:, ::-1])
    solid = recognised(vertices, triangles) if asked == "AUTO" else None
    return solid or Shape("mesh", vertices=vertices.astype(np.float32), triangles=triangles)
