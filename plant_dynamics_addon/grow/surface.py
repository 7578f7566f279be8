# SPDX-License-Identifier: GPL-3.0-or-later
"""A skinned surface as arrays, and how surfaces are put together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]

# What a face is made of; one material each, in this order.
PARTS = ("stem", "leaf", "petal", "flower_centre", "sepal", "fruit", "bark")


@dataclass(frozen=True)
class Surface:
    """Vertices with the bones they follow, and faces, counter-clockwise seen from outside.

    A bone index is the index of its segment in the skeleton. Where a vertex names a bone
    more than once, only one of the weights is above 0.
    """

    vertices: Array  # (v, 3) m, in the plant's frame
    bones: Index  # (v, b)
    weights: Array  # (v, b), rows sum to 1
    segment: Index  # (v) the segment a vertex belongs to
    girth: Array  # (v) m, radius of the stem here; 0 for everything that is no stem
    quads: Index  # (q, 4)
    quad_uv: Array  # (q, 4, 2)
    quad_part: Index  # (q) index into PARTS
    quad_under: Array  # (q) 1 on the lower side of leaves and petals, 0 elsewhere
    triangles: Index  # (t, 3)
    triangle_uv: Array  # (t, 3, 2)
    triangle_part: Index  # (t)
    triangle_under: Array  # (t)


def join(surfaces: Sequence[Surface]) -> Surface:
    """One surface made of several, in their order."""
    offsets = np.cumsum([0] + [len(surface.vertices) for surface in surfaces[:-1]])

    most = max(surface.bones.shape[1] for surface in surfaces)

    def stacked(name: str):
        arrays = [getattr(surface, name) for surface in surfaces]
        if name in ("bones", "weights"):  # bone 0 with the weight 0 fills up
            arrays = [padded(array, most) for array in arrays]
        return np.concatenate(arrays)

    def shifted(name: str):
        pairs = zip(surfaces, offsets, strict=True)
        return np.concatenate([getattr(surface, name) + offset for surface, offset in pairs])

    return Surface(
        *(shifted(name) if name in ("quads", "triangles") else stacked(name) for name in Surface.__dataclass_fields__)
    )


def empty_surface() -> Surface:
    """Nothing, to be joined with."""
    numbers, none = np.zeros(0), np.zeros(0, dtype=np.int64)
    return Surface(
        np.zeros((0, 3)), np.zeros((0, 1), dtype=np.int64), np.zeros((0, 1)), none, numbers,
        np.zeros((0, 4), dtype=np.int64), np.zeros((0, 4, 2)), none, numbers,
        np.zeros((0, 3), dtype=np.int64), np.zeros((0, 3, 2)), none, numbers,
    )  # fmt: skip


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
