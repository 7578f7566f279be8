# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves and petals have two sides: an upper and a lower sheet that meet at the margin.

The sheets do not share the vertices of the margin, so that each is smooth up to it and the edge between them is sharp.
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
    under: Array  # (v) 0 on the upper sheet, 1 on the lower
    quads: Index
    quad_uv: Array
    triangles: Index
    triangle_uv: Array


def sheet_faces(along: Array, across: Array, pointed: bool) -> SheetFaces:
    """Two sheets over the grid of the rows `along` (0..1) and the columns `across` (0..1), which are the UVs v and u.

    The upper sheet is counter-clockwise where columns run to the right and rows upward. In a pointed sheet the last row
    is one point, that of the middle column.
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
    count = len(row)
    # Backwards from the same corner, so that both sheets are cut along the same diagonals and do not cross.
    back = [0, 3, 2, 1]
    return SheetFaces(
        np.tile(row, 2),
        np.tile(column, 2),
        np.repeat([0.0, 1.0], count),
        np.concatenate([quads, quads[:, back] + count]),
        np.concatenate([uv[quads], uv[quads[:, back]]]),
        np.concatenate([triangles, triangles[:, ::-1] + count]),
        np.concatenate([tip_uv, tip_uv[:, ::-1]]),
    )
