# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves and petals whose surface the text draws itself: bicubic Bezier patches or triangles, without thickness."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays import Array, Index, normalized
from ..axes import Axes
from ..detail import Detail
from ..surface import PARTS, Surface
from .own_outlines import Outline, ear_triangles, frame_of, held_by_pieces

# Points so near, in lengths of the leaf, are one: patches share those of their common edges.
_NEAR = 1e-5
# Rows of leaves' blades for each square along a patch's side.
_ROWS_A_SQUARE = 2
# Squares along a patch's side on which areas are measured, whatever the detail of the mesh is.
_AREA_SQUARES = 6


class _Net(NamedTuple):
    """Corners and faces of a sheet; `source` says of which of the places found it has been made."""

    source: Index  # (v)
    quads: Index
    triangles: Index
    quad_uv: Array
    triangle_uv: Array


def build_sheets(axes: Axes, sheets: Sequence[Outline], detail: Detail) -> Surface:
    """The surfaces, which follow the bones of their leaves."""
    squares = max(2, detail.blade_rows // _ROWS_A_SQUARE)
    known: dict[bytes, _Net] = {}
    columns: list[list[Array]] = [[] for _ in range(8)]
    count = 0
    for one in sheets:
        head, frame, length = frame_of(axes, one.segment)
        places = patch_places(one.patches, squares) if len(one.patches) else one.vertices
        local = (places.reshape(-1, 3) - head) @ frame / length
        key = np.round(local / _NEAR).astype(np.int64).tobytes() + one.triangles.tobytes()
        key += b"" if one.uv is None else one.uv.tobytes()
        if key not in known:
            is_net = not len(one.patches)
            known[key] = _net(local, one.triangles) if is_net else _patch_net(local, _uv(one, squares), squares)
        net = known[key]
        corners = local[net.source]
        bones, weights, segment = held_by_pieces(axes, one.segment, corners[:, 1] * length)
        new = (corners * length @ frame.T + head, bones, weights, segment, net.quads + count, net.triangles + count,
               net.quad_uv, net.triangle_uv)  # fmt: skip
        for column, values in zip(columns, new, strict=True):
            column.append(values)
        count += len(corners)
    vertices, bones, weights, segment, quads, triangles, quad_uv, triangle_uv = (
        np.concatenate(column) for column in columns
    )
    leaf, petal = PARTS.index("leaf"), PARTS.index("petal")
    part = np.where(axes.is_organ("petal"), petal, leaf)
    return Surface(
        quads=quads, quad_uv=quad_uv, quad_part=part[segment[quads[:, 0]]], quad_under=np.zeros(len(quads)),
        triangles=triangles, triangle_uv=triangle_uv, triangle_part=part[segment[triangles[:, 0]]],
        triangle_under=np.zeros(len(triangles)), vertices=vertices, bones=bones, weights=weights, segment=segment,
        girth=np.zeros(len(segment)),
    )  # fmt: skip


def own_areas(axes: Axes, outlines: Sequence[Outline]) -> Array:
    """(n) m2 of what leaves with their own surfaces show to the side that they look to, for every segment."""
    areas = np.zeros(len(axes.length))
    for one in outlines:
        head, frame, _ = frame_of(axes, one.segment)
        local = (one.vertices - head) @ frame
        corners = one.triangles
        if len(one.patches):
            places = (patch_places(one.patches, _AREA_SQUARES) - head) @ frame
            local = places.reshape(-1, 3)
            quads = _grids(len(places), _AREA_SQUARES)
            corners = np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]])
        elif not len(corners):
            corners = np.array(ear_triangles(local[:, :2].tolist()), dtype=np.int64).reshape(-1, 3)
        a, b, c = local[corners].transpose(1, 0, 2)
        crossed = 0.5 * np.cross(b - a, c - a)
        looks = normalized(crossed.sum(axis=0)[None])[0]
        shown = np.abs(crossed @ (looks if np.isfinite(looks).all() else np.array([0.0, 0.0, 1.0])))
        run = axes.run[one.segment]
        pieces = axes.segments[axes.first[run] : axes.first[run + 1]]
        ends = axes.start[pieces] + axes.length[pieces]
        below = np.array([(shown * _share_below(local[corners][:, :, 1], end)).sum() for end in ends[:-1]])
        areas[pieces] = np.diff(below, prepend=0.0, append=shown.sum())
    return areas


def _share_below(y: Array, end: float) -> Array:
    """(t) how much of triangles with such corners (t, 3) lies below a line across."""
    low, middle, high = np.sort(y, axis=1).T
    tiny = np.finfo(float).tiny
    lower = (end - low) ** 2 / np.maximum((middle - low) * (high - low), tiny)
    upper = 1.0 - (high - end) ** 2 / np.maximum((high - middle) * (high - low), tiny)
    return np.where(end <= low, 0.0, np.where(end >= high, 1.0, np.where(end <= middle, lower, upper)))


def patch_places(patches: Array, squares: int) -> Array:
    """(p, squares + 1, squares + 1, 3) on bicubic Bezier patches (p, 4, 4, 3)."""
    t = np.linspace(0.0, 1.0, squares + 1)
    weights = np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3], axis=1)
    return np.einsum("ai,bj,pijx->pabx", weights, weights, patches)


def _grids(patches: int, squares: int) -> Index:
    """Quads (q, 4) of as many grids."""
    row, column = (one.ravel() for one in np.mgrid[:squares, :squares])
    one = np.stack([(row + up) * (squares + 1) + column + right for up, right in ((0, 0), (0, 1), (1, 1), (1, 0))], 1)
    return (one + (np.arange(patches) * (squares + 1) ** 2)[:, None, None]).reshape(-1, 4)


def _uv(one: Outline, squares: int) -> Array:
    """(p, (squares + 1)^2, 2) of the places on its patches."""
    if one.uv is not None:
        return patch_places(one.uv, squares).reshape(len(one.patches), -1, 2)
    t = np.arange(squares + 1) / squares
    return np.tile(np.stack([np.tile(t, squares + 1), np.repeat(t, squares + 1)], axis=1), (len(one.patches), 1, 1))


def _patch_net(local: Array, uv: Array, squares: int) -> _Net:
    """The grids of patches, whose common places are one corner each. Faces look up, on the whole."""
    _, source, number = np.unique(np.round(local / _NEAR), axis=0, return_index=True, return_inverse=True)
    grids = _grids(len(uv), squares)
    corners, corner_uv = number.ravel()[grids], uv.reshape(-1, 2)[grids]
    if _looks_down(local, np.concatenate([grids[:, :3], grids[:, [0, 2, 3]]])):
        corners, corner_uv = corners[:, ::-1], corner_uv[:, ::-1]
    same = corners == np.roll(corners, -1, axis=1)
    whole = ~same.any(axis=1)
    # a side that is a point leaves a triangle
    pointed = (same.sum(axis=1) == 1) & (corners[:, 0] != corners[:, 2]) & (corners[:, 1] != corners[:, 3])
    kept = ~same[pointed]
    triangles, triangle_uv = corners[pointed][kept].reshape(-1, 3), corner_uv[pointed][kept].reshape(-1, 3, 2)
    return _Net(source, corners[whole], triangles, corner_uv[whole], triangle_uv)


def _net(local: Array, triangles: Index) -> _Net:
    """As the triangles are, with UVs across and along the leaf."""
    if _looks_down(local, triangles):
        triangles = triangles[:, ::-1]
    wide = max(float(np.abs(local[:, 0]).max()), 1e-9)
    uv = np.stack([0.5 + 0.5 * local[:, 0] / wide, local[:, 1]], axis=1)
    return _Net(np.arange(len(local)), np.zeros((0, 4), np.int64), triangles, np.zeros((0, 4, 2)), uv[triangles])


def _looks_down(local: Array, triangles: Index) -> bool:
    a, b, c = local[triangles].transpose(1, 0, 2)
    return float(np.cross(b - a, c - a)[:, 2].sum()) < 0.0
