# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves and petals have two sides: an upper and a lower sheet that meet at the margin, so that they are closed.

The edge where they meet is sharp: each side is smooth up to it.
"""

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array, Index
from .surface import Faces, faces_of, grid_faces


@dataclass(frozen=True)
class Sheets:
    """Vertices of two sheets and the faces between them; `row` and `column` say which grid point a vertex is."""

    row: Index  # (v)
    column: Index  # (v)
    lower: Array  # (v) 0 on the upper sheet and at the margin, 1 on the lower
    faces: Faces


def two_sheets(part: str, along: Array, across: Array, pointed: bool) -> Sheets:
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
    faces = faces_of(
        part,
        np.concatenate([quads, below[quads[:, back]]]),
        np.concatenate([uv[quads], uv[quads[:, back]]]),
        np.concatenate([triangles, below[triangles[:, ::-1]]]),
        np.concatenate([tip_uv, tip_uv[:, ::-1]]),
    )
    under = [np.repeat([0.0, 1.0], len(upper)) for upper in (quads, triangles)]
    return Sheets(
        np.append(row, row[inner]),
        np.append(column, column[inner]),
        np.repeat([0.0, 1.0], [len(row), np.count_nonzero(inner)]),
        replace(faces, quad_under=under[0], triangle_under=under[1]),
    )
