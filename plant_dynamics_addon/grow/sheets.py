# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves and petals have two sides: an upper and a lower sheet that meet at the margin, so that they are closed.

The edge where they meet is sharp: each side is smooth up to it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .surface import grid_faces

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True)
class SheetFaces:
    """Vertices of two sheets and the faces between them; `row` and `column` say which grid point a vertex is."""

    row: Index  # (v)
    column: Index  # (v)
    lower: Array  # (v) 0 on the upper sheet and at the margin, 1 on the lower
    quads: Index
    quad_uv: Array
    quad_under: Array
    triangles: Index
    triangle_uv: Array
    triangle_under: Array


def sheet_faces(along: Array, across: Array, pointed: bool) -> SheetFaces:
    """Two sheets over the grid of the rows `along` (0..1) and the columns `across` (0..1), which are the UVs v and u.

    They share the vertices of their outermost rows and columns. The upper sheet is counter-clockwise where columns run
    to the right and rows upward. In a pointed sheet the last row is one point, that of the middle column.
    """
    rows, columns = len(along), len(across)
    full = rows - 1 if pointed else rows
    row, column = (index.ravel() for index in np.mgrid[:full, :columns])
    quads, _ = grid_faces(full, columns)
    triangles = np.zeros((0, 3), dtype=np.int64)
    if pointed:
        rim = (full - 1) * columns + np.arange(columns - 1)
        triangles = np.stack([rim, rim + 1, np.full(columns - 1, full * columns)], axis=1)
        row, column = np.append(row, rows - 1), np.append(column, columns // 2)
    uv = np.stack([across[column], along[row]], axis=1)
    tip_uv = uv[triangles]
    if pointed:
        tip_uv[:, 2, 0] = tip_uv[:, :2, 0].mean(axis=1)
    inner = (row > 0) & (row < rows - 1) & (column > 0) & (column < columns - 1)
    below = np.where(inner, len(row) - 1 + np.cumsum(inner), np.arange(len(row)))
    # Backwards from the same corner, so that both sheets are cut along the same diagonals and do not cross.
    back = [0, 3, 2, 1]
    return SheetFaces(
        np.append(row, row[inner]),
        np.append(column, column[inner]),
        np.repeat([0.0, 1.0], [len(row), np.count_nonzero(inner)]),
        np.concatenate([quads, below[quads[:, back]]]),
        np.concatenate([uv[quads], uv[quads[:, back]]]),
        np.repeat([0.0, 1.0], len(quads)),
        np.concatenate([triangles, below[triangles[:, ::-1]]]),
        np.concatenate([tip_uv, tip_uv[:, ::-1]]),
        np.repeat([0.0, 1.0], len(triangles)),
    )
