# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces, shapes and skinned surfaces as arrays, and how they are put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .arrays import Array, Index

# What a face is made of; one material each, in this order.
PARTS = ("stem", "leaf", "petal", "flower_centre", "sepal", "fruit", "bark")


@dataclass(frozen=True)
class Faces:
    """Faces between numbered vertices, counter-clockwise seen from outside."""

    quads: Index  # (q, 4)
    quad_uv: Array  # (q, 4, 2)
    quad_part: Index  # (q) index into PARTS
    quad_under: Array  # (q) 1 on the lower side of leaves and petals, 0 elsewhere
    triangles: Index  # (t, 3)
    triangle_uv: Array  # (t, 3, 2)
    triangle_part: Index  # (t)
    triangle_under: Array  # (t)

    def repeated(self, copies: int, vertices: int) -> dict[str, NDArray]:
        """All arrays by name, of as many copies with so many vertices each."""
        shift = (np.arange(copies) * vertices)[:, None, None]
        numbered = {name: (getattr(self, name) + shift).reshape(-1, size) for name, size in _CORNERS.items()}
        tiled = {name: np.tile(each, (copies,) + (1,) * (each.ndim - 1)) for name, each in vars(self).items()}
        return tiled | numbered


_CORNERS = {"quads": 4, "triangles": 3}


def faces_of(part: str, quads: Index, quad_uv: Array, triangles: Index, triangle_uv: Array) -> Faces:
    """Faces of one part, none of them on a lower side."""
    code, count = PARTS.index(part), (len(quads), len(triangles))
    parts, under = ([np.full(number, value) for number in count] for value in (code, 0.0))
    return Faces(quads, quad_uv, parts[0], under[0], triangles, triangle_uv, parts[1], under[1])


@dataclass(frozen=True)
class Shape(Faces):
    """Faces and their vertices."""

    vertices: Array  # (v, 3)


@dataclass(frozen=True)
class Surface(Shape):
    """A shape in the plant's frame (m) with the bones that its vertices follow.

    A bone index is the index of its segment in the skeleton. Where a vertex names a bone
    more than once, only one of the weights is above 0.
    """

    bones: Index  # (v, b)
    weights: Array  # (v, b), rows sum to 1
    segment: Index  # (v) the segment a vertex belongs to
    girth: Array  # (v) m, radius of the stem here; 0 for everything that is no stem


S = TypeVar("S", bound=Shape)


def join(shapes: Sequence[S]) -> S:
    """One shape or surface made of several, in their order."""
    if len(shapes) == 1:
        return shapes[0]
    offsets = np.cumsum([0] + [len(shape.vertices) for shape in shapes[:-1]])

    def joined(name: str) -> NDArray:
        arrays = [getattr(shape, name) for shape in shapes]
        if name in _CORNERS:
            arrays = [array + offset for array, offset in zip(arrays, offsets, strict=True)]
        if name not in ("bones", "weights"):
            return np.concatenate(arrays)
        most = max(array.shape[1] for array in arrays)
        whole = np.zeros((sum(map(len, arrays)), most), arrays[0].dtype)  # bone 0 with the weight 0 fills up
        for rows, array in zip(np.split(whole, offsets[1:]), arrays, strict=True):
            rows[:, : array.shape[1]] = array
        return whole

    return type(shapes[0])(**{name: joined(name) for name in vars(shapes[0])})


def surface_on(segment: Index, shape: Shape) -> Surface:
    """The shape, each of whose vertices follows one segment's bone alone."""
    bones, girth = segment[:, None], np.zeros(len(segment))
    return Surface(**vars(shape), bones=bones, weights=np.ones(bones.shape), segment=segment, girth=girth)


def empty_surface() -> Surface:
    """Nothing, to be joined with."""
    none = np.zeros(0, dtype=np.int64)
    faces = faces_of("stem", none.reshape(0, 4), np.zeros((0, 4, 2)), none.reshape(0, 3), np.zeros((0, 3, 2)))
    return surface_on(none, Shape(**vars(faces), vertices=np.zeros((0, 3))))


def padded(columns: NDArray, most: int) -> NDArray:
    """Bones or weights (v, b) with zeros as further columns."""
    return np.pad(columns, ((0, 0), (0, most - columns.shape[1])))


def grid_faces(rows: int, columns: int, closed: bool = False) -> tuple[Index, Array]:
    """Quads (q, 4) of a grid of vertices numbered row by row, and their UVs (q, 4, 2) in 0..1.

    `closed` joins the last column to the first. Seen from the side where columns run to the right and rows upward,
    the faces are counter-clockwise.
    """
    across = columns if closed else columns - 1
    row, column = (index.ravel() for index in np.mgrid[: rows - 1, :across])
    corners = ((0, 0), (0, 1), (1, 1), (1, 0))
    quads = np.stack([(row + up) * columns + (column + right) % columns for up, right in corners], axis=1)
    uv = np.stack([np.stack([(column + right) / across, (row + up) / (rows - 1)], 1) for up, right in corners], axis=1)
    return quads, uv


def fans(rows: int, columns: int) -> Index:
    """Triangles (2 columns, 3) from a closed grid's first row to a vertex that comes after the grid's, and from its
    last row to the one after that."""
    corner = np.arange(columns)
    following, top = (corner + 1) % columns, (rows - 1) * columns
    bottom_fan = np.stack([following, corner, np.full(columns, rows * columns)], axis=1)
    top_fan = np.stack([top + corner, top + following, np.full(columns, rows * columns + 1)], axis=1)
    return np.concatenate([bottom_fan, top_fan])
