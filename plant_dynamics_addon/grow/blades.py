# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaf blades: one curved sheet for each run of leaf segments."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import rotations
from .axes import BLADE, Axes, Stations, stations_along
from .detail import Detail
from .sheets import sheet_faces
from .surface import PARTS, Surface, join

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True)
class BladeShape:
    """How a leaf is cut and bent; lengths are fractions of the blade's length unless said otherwise."""

    fold_degrees: float = 22.0  # how far each half is folded up about the midrib
    arch: float = 0.16  # how high the blade rises above the bone's line
    droop: float = 0.10  # how far the tip hangs below it
    margin_curl: float = 0.16  # how far the margins curl down, in half widths
    waves: float = 0.07  # amplitude of the waves along the margin, in half widths
    variation: float = 0.35  # how much leaves differ from one another, 0 to 1


def outline(along: Array, width_to_length: Array) -> Array:
    """Width relative to the widest place (n, rows) at the fractions `along` (rows) of n leaves.

    s^a (1 - s)^b, scaled to a maximum of 1: ovate with a round base for broad leaves, lanceolate, then a strap that is
    as wide for most of its length.
    """
    broad = np.clip((width_to_length - 0.10) / 0.35, 0.0, 1.0)[:, None]
    a = 0.28 + 0.27 * broad
    b = 0.50 + 0.42 * broad
    widest = a / (a + b)
    return along**a * (1 - along) ** b / (widest**a * (1 - widest) ** b)


def row_places(rows: int) -> Array:
    """Fractions of the length, closer together at both ends, where the outline turns; the last is the tip's point."""
    even = np.arange(rows) / (rows - 1)
    return 0.35 * even + 0.65 * (0.5 - 0.5 * np.cos(np.pi * even))


# A blade of several segments gets at least so many rows in each, so that it can bend with them.
_ROWS_PER_SEGMENT = 4
# What areas are measured on, whatever the detail of the mesh is.
_AREA_ROWS, _AREA_COLUMNS = 20, (-1.0, -0.6, 0.0, 0.6, 1.0)
# Tissue of a blade in shares of length times width; the rod that stands for it has that volume.
_FILLED = 0.7
# A blade is at most so thick, in widths.
_THICKEST = 0.2
# How far the midrib stands out below, in radii of the stalk, and at most in half widths.
_MIDRIB, _MIDRIB_IN_WIDTHS = 0.9, 0.2


@dataclass(frozen=True)
class _Grid:
    """Points of the upper sheets of n leaves."""

    points: Array  # (n, rows, columns, 3)
    below: Array  # (n, rows, columns, 3) from the upper sheet to the lower
    stations: Stations  # (n * rows)


def build_blades(skeleton, axes: Axes, shape: BladeShape, detail: Detail, variation: Array, runs: Index) -> Surface:
    """The blades of these runs of leaves. `variation` (n, k) has random numbers in 0..1 for every segment, k >= 4."""
    return join(
        [
            _sheets(_grid(skeleton, axes, shape, rows, detail.blade_columns, variation, some), rows, detail)
            for rows, some in _by_rows(axes, detail.blade_rows, runs)
        ]
    )


def blade_areas(skeleton, axes: Axes, shape: BladeShape, variation: Array) -> Array:
    """(n) m2 of leaf blade of every segment, one side."""
    areas = np.zeros(len(axes.length))
    for rows, runs in _by_rows(axes, _AREA_ROWS, axes.runs_of(BLADE)):
        grid = _grid(skeleton, axes, shape, rows, _AREA_COLUMNS, variation, runs)
        low, high = grid.points[:, :-1], grid.points[:, 1:]
        # Half the cross product of the diagonals.
        crossed = np.cross(high[:, :, 1:] - low[:, :, :-1], high[:, :, :-1] - low[:, :, 1:])
        size = 0.5 * np.linalg.norm(crossed, axis=3).sum(axis=2)
        np.add.at(areas, grid.stations.segment.reshape(-1, rows)[:, :-1], size)
    return areas


def _by_rows(axes: Axes, rows: int, runs: Index) -> list[tuple[int, Index]]:
    """The runs, sorted by how many rows their blades need."""
    count = axes.first[runs + 1] - axes.first[runs]
    needed = np.where(count > 1, np.maximum(rows, _ROWS_PER_SEGMENT * count + 1), rows)
    return [(int(number), runs[needed == number]) for number in np.unique(needed)]


def _grid(
    skeleton, axes: Axes, shape: BladeShape, rows: int, columns: tuple[float, ...], variation: Array, runs: Index
) -> _Grid:
    base = axes.segments[axes.first[runs]]
    last = axes.segments[axes.first[runs + 1] - 1]
    length = axes.start[last] + axes.length[last]
    differ = 1.0 + shape.variation * (2.0 * variation[base] - 1.0)

    along = row_places(rows)
    stations = stations_along(axes, np.repeat(runs, rows), np.outer(length, along).ravel())
    up = _up(axes, stations)
    right = np.cross(stations.tangent, up)

    # Where it sits on its petiole the blade is as wide as that.
    seated = axes.before[base]
    stalk = np.where(seated >= 0, skeleton.radius_tip[seated], 0.5 * skeleton.radius_base[base])
    # A blade of several segments says itself how wide it is along its length; the outline only closes its ends.
    width_to_length = np.where(base == last, skeleton.width[base] / length, 0.0)
    half = _width(skeleton, axes, stations).reshape(-1, rows) / 2 * outline(along, width_to_length)
    half[:, :-1] = np.maximum(half[:, :-1], stalk[:, None] * (1 - along[:-1]))
    y = np.array(columns)
    side = np.abs(y)
    fold = np.radians(shape.fold_degrees) * differ[:, 0, None] * (1.15 - 0.5 * along)
    wave = np.sin(2 * np.pi * (2.5 * along[None, :, None] + variation[base, 1, None, None] + 0.37 * (y > 0)))
    lift = (
        np.sin(fold)[:, :, None] * side
        - shape.margin_curl * side**3
        + shape.waves * differ[:, 2, None, None] * wave * side**2 * np.sin(np.pi * along)[None, :, None]
    )
    bow = length[:, None] * (
        4 * shape.arch * differ[:, 3, None] * along * (1 - along) ** 1.5 - shape.droop * differ[:, 0, None] * along**3
    )
    shift_right = half[:, :, None] * np.cos(fold)[:, :, None] * y
    shift_up = half[:, :, None] * lift + bow[:, :, None]
    grid = (-1, rows, 1, 3)
    points = (
        stations.point.reshape(grid)
        + shift_right[..., None] * right.reshape(grid)
        + shift_up[..., None] * up.reshape(grid)
    )
    depth = _depth(skeleton, stations, half, stalk, along, side)
    return _Grid(points, -depth[..., None] * _normals(points, up.reshape(grid)), stations)


def _normals(points: Array, up: Array) -> Array:
    """Unit normals (n, rows, columns, 3) of the upper sheets; `up` where a sheet has no width."""
    across = np.gradient(points, axis=2)
    ahead = np.gradient(points, axis=1)
    normal = np.cross(across, ahead)
    size = np.linalg.norm(normal, axis=3, keepdims=True)
    flat = size > 1e-6 * np.linalg.norm(ahead, axis=3, keepdims=True) ** 2
    return np.where(flat, normal / np.where(flat, size, 1.0), up)


def _depth(skeleton, stations: Stations, half: Array, stalk: Array, along: Array, side: Array) -> Array:
    """Thickness (n, rows, columns): that of the rod's tissue, none at the margin, and the midrib below."""
    segment = stations.segment
    width = np.maximum(skeleton.width[segment], np.finfo(float).tiny)
    tissue = np.pi * skeleton.radius_base[segment] ** 2 / (_FILLED * width)
    tissue = np.minimum(tissue, _THICKEST * width).reshape(half.shape)
    midrib = np.minimum(_MIDRIB * stalk[:, None] * (1.0 - along) ** 0.7, _MIDRIB_IN_WIDTHS * half)
    depth = tissue[:, :, None] * (1.0 - side**8) + midrib[:, :, None] * (side == 0.0)
    depth[:, [0, -1]] = 0.0
    return depth


def _width(skeleton, axes: Axes, stations: Stations) -> Array:
    """Width (k) along the blades: each segment's own at its middle, linear from middle to middle."""
    segment = stations.segment
    past_middle = (stations.distance - axes.start[segment]) / axes.length[segment] - 0.5
    neighbour = np.where(past_middle < 0, axes.before[segment], axes.after[segment])
    neighbour = np.where((neighbour >= 0) & (axes.run[neighbour] == axes.run[segment]), neighbour, segment)
    share = np.abs(past_middle)
    return (1 - share) * skeleton.width[segment] + share * skeleton.width[neighbour]


def _up(axes: Axes, stations: Stations) -> Array:
    """The blade's upper side (k, 3): the bones' local Z, blended within the run, at right angles to the tangent."""
    own = axes.run[stations.bones] == axes.run[stations.segment][:, None]
    bone_up = axes.frame[:, :, 2]
    blended = np.einsum("kb,kbi->ki", stations.weights * own, bone_up[stations.bones])
    opposed = np.linalg.norm(blended, axis=1) < 0.3  # a blade rolled upside down within one joint
    return rotations.perpendicular(np.where(opposed[:, None], bone_up[stations.segment], blended), stations.tangent)


def _sheets(grid: _Grid, rows: int, detail: Detail) -> Surface:
    """Both sides of the blades, whose last row is drawn together to the tip."""
    n = len(grid.points)
    faces = sheet_faces(row_places(rows), (np.array(detail.blade_columns) + 1) / 2, pointed=True)
    count = len(faces.row)
    place = grid.points[:, faces.row, faces.column] + faces.lower[:, None] * grid.below[:, faces.row, faces.column]
    station = (np.arange(n)[:, None] * rows + faces.row).ravel()
    shift = (np.arange(n) * count)[:, None, None]
    leaf = PARTS.index("leaf")
    return Surface(
        place.reshape(-1, 3),
        grid.stations.bones[station],
        grid.stations.weights[station],
        grid.stations.segment[station],
        np.zeros(len(station)),
        (faces.quads + shift).reshape(-1, 4),
        np.tile(faces.quad_uv, (n, 1, 1)),
        np.full(n * len(faces.quads), leaf),
        np.tile(faces.quad_under, n),
        (faces.triangles + shift).reshape(-1, 3),
        np.tile(faces.triangle_uv, (n, 1, 1)),
        np.full(n * len(faces.triangles), leaf),
        np.tile(faces.triangle_under, n),
    )
