# SPDX-License-Identifier: GPL-3.0-or-later
"""The shapes of objects that plants touch, from their meshes as they evaluate. A mesh that is as it was is not worked
out anew, however many triangles it has."""

import zlib
from collections.abc import Hashable
from typing import NamedTuple

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


class _Known(NamedTuple):
    """What a shape was made of."""

    mesh: _Mesh
    stretched: np.ndarray
    asked: str
    shape: Shape


_known: Memory[_Known] = Memory()


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


def shape_of(evaluated: bpy.types.Object, asked: str) -> Shape:
    """The shape that an evaluated object has where it is neither turned nor moved, but scaled: "MESH", or "BALL", "BOX"
    or "CAPSULE" about it; "AUTO": what it is to rounding. Raises Flaw."""
    stretched = stretched_by(evaluated.matrix_world)
    mesh = evaluated.to_mesh()
    try:
        read = _read(mesh)
        known = _known.of(evaluated)
        if known is not None and known.asked == asked and _equal((*known.mesh, known.stretched), (*read, stretched)):
            return known.shape
        shape = _made(mesh, read.positions, stretched, asked)
    finally:
        evaluated.to_mesh_clear()
    return _known.keep(evaluated, _Known(read, stretched, asked, shape)).shape


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


def _made(mesh: bpy.types.Mesh, positions: np.ndarray, stretched: np.ndarray, asked: str) -> Shape:
    with np.errstate(invalid="ignore", over="ignore"):
        vertices = positions.astype(np.float64) @ stretched.T
        if not (np.abs(vertices) < _FARTHEST).all():
            raise Flaw("NOT_NUMBERS")
    if asked in _ASKED:
        return _ASKED[asked](vertices)
    mesh.calc_loop_triangles()
    triangles = values_of(mesh.loop_triangles, "vertices", 3, np.int32)
    if np.linalg.det(stretched) < 0.0:
        triangles = np.ascontiguousarray(triangles[:, ::-1])
    solid = recognised(vertices, triangles) if asked == "AUTO" else None
    return solid or Shape("mesh", vertices=vertices.astype(np.float32), triangles=triangles)
