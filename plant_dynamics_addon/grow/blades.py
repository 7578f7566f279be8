# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaf blades: one curved sheet for each run of leaf segments."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import rotations
from .axes import BLADE, Axes, Stations, stations_at
from .surface import PARTS, Surface, grid_faces

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True)
class BladeShape:
    """How a leaf is cut and bent; lengths are fractions of the blade's length unless said otherwise."""

    rows: int = 20
    # Columns across, in half widths; the two next to the middle make the midrib a crease.
    columns: tuple[float, ...] = (-1.0, -0.82, -0.48, -0.09, 0.0, 0.09, 0.48, 0.82, 1.0)
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


def build_blades(skeleton, axes: Axes, shape: BladeShape, variation: Array) -> Surface:
    """The blades of all runs of leaves. `variation` (n, k) has random numbers in 0..1 for every segment, at least 4."""
    runs = axes.runs_of(BLADE)
    base = axes.segments[axes.first[runs]]
    last = axes.segments[axes.first[runs + 1] - 1]
    length = axes.start[last] + axes.length[last]
    differ = 1.0 + shape.variation * (2.0 * variation[base] - 1.0)

    along = row_places(shape.rows)
    stations = _stations(axes, runs, np.outer(length, along))
    up = _up(axes, stations)
    right = np.cross(stations.tangent, up)

    # Where it sits on its petiole the blade is as wide as that.
    seated = axes.before[base]
    stalk = np.where(seated >= 0, skeleton.radius_tip[seated], 0.5 * skeleton.radius_base[base])
    # A blade of several segments says itself how wide it is along its length; the outline only closes its ends.
    width_to_length = np.where(base == last, skeleton.width[base] / length, 0.0)
    half = _width(skeleton, axes, stations).reshape(-1, shape.rows) / 2 * outline(along, width_to_length)
    half[:, :-1] = np.maximum(half[:, :-1], stalk[:, None] * (1 - along[:-1]))
    y = np.array(shape.columns)
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
    grid = (-1, shape.rows, 1, 3)
    vertices = (
        stations.point.reshape(grid)
        + shift_right[..., None] * right.reshape(grid)
        + shift_up[..., None] * up.reshape(grid)
    )
    return _sheet(vertices, stations, shape)


def _stations(axes: Axes, runs: Index, distance: Array) -> Stations:
    """Stations at the given distances (runs, rows) from the base of each run."""
    count = axes.first[runs + 1] - axes.first[runs]
    rank = np.repeat(np.arange(len(runs)), count)
    members = axes.segments[np.isin(axes.run[axes.segments], runs)]
    # One increasing coordinate over all runs: runs lie apart by more than any of them is long.
    apart = 2.0 * (distance.max(initial=0.0) + 1.0)
    wanted = (np.arange(len(runs))[:, None] * apart + distance).ravel()
    segment = members[np.searchsorted(rank * apart + axes.start[members], wanted, side="right") - 1]
    fraction = (distance.ravel() - axes.start[segment]) / axes.length[segment]
    return stations_at(axes, segment, np.clip(fraction, 0.0, 1.0))


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


def _sheet(vertices: Array, stations: Stations, shape: BladeShape) -> Surface:
    """Vertices (n, rows, columns, 3) as a surface whose last row is drawn together to the tip."""
    n, rows, columns = vertices.shape[0], shape.rows, len(shape.columns)
    per_leaf = (rows - 1) * columns + 1
    row = np.append(np.repeat(np.arange(rows - 1), columns), rows - 1)
    column = np.append(np.tile(np.arange(columns), rows - 1), columns // 2)
    station = (np.arange(n)[:, None] * rows + row).ravel()

    across = (np.array(shape.columns) + 1) / 2
    height = row_places(rows)
    quads, _ = grid_faces(rows - 1, columns)
    uv = np.stack([across[column], height[row]], axis=1)
    rim = (rows - 2) * columns + np.arange(columns - 1)
    triangles = np.stack([rim, rim + 1, np.full(columns - 1, per_leaf - 1)], axis=1)
    tip_uv = uv[triangles]
    tip_uv[:, 2, 0] = tip_uv[:, :2, 0].mean(axis=1)
    shift = (np.arange(n) * per_leaf)[:, None, None]
    leaf = PARTS.index("leaf")
    return Surface(
        vertices[:, row, column].reshape(-1, 3),
        stations.bones[station],
        stations.weights[station],
        stations.segment[station],
        np.zeros(len(station)),
        (quads + shift).reshape(-1, 4),
        np.tile(uv[quads], (n, 1, 1)),
        np.full(n * len(quads), leaf),
        (triangles + shift).reshape(-1, 3),
        np.tile(tip_uv, (n, 1, 1)),
        np.full(n * len(triangles), leaf),
    )
