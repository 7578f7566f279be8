# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaf blades: one curved sheet for each run of leaf segments."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..arrays import Array, Index, dot, perpendicular
from ..axes import BLADE, Axes, Stations, stations_along
from ..detail import HIGH, Detail
from ..progress import tell
from ..sheets import two_sheets
from ..skeleton import Skeleton
from ..surface import Surface, join
from .companions import Companions
from .margins import Cut, Margin, cut_margin, teeth_of, whole_margin
from .midribs import Bow
from .sprays import Spray


@dataclass(frozen=True)
class BladeShape:
    """How a leaf is cut and bent; lengths are fractions of the blade's length unless said otherwise."""

    fold_degrees: float = 22.0  # how far each half is folded up about the midrib
    arch: float = 0.16  # how high the blade rises above the bone's line
    droop: float = 0.10  # how far the tip hangs below it
    margin_curl: float = 0.16  # how far the margins curl down, in half widths
    waves: float = 0.07  # amplitude of the waves along the margin, in half widths
    relief: float = 0.0  # how high lobes bulge on both sides of the midrib, in half widths
    ageing: float = 1.2  # how much more the margins of the oldest leaves curl down than those of others, as a share
    variation: float = 0.35  # how much leaves differ from one another, 0 to 1
    widest: float = 0.0  # where the blade is widest; 0: below the middle, by how broad it is
    tapering: float = 1.9  # of a blade that says where it is widest: 0 is a strap, from 2 on both ends are wedges
    cut: Cut = field(default_factory=Cut)
    spray: Spray | None = None  # leaves are twigs with small leaves of this shape
    companions: Companions | None = None  # drawn beside every leaf

    @property
    def is_needled(self) -> bool:
        """Whether the blade is a twig with two rows of needles."""
        return self.cut.needles > 0.0

    @property
    def is_cut(self) -> bool:
        """Whether the margin has lobes or needles, or an outline of its own."""
        return self.is_needled or self.cut.lobes > 0 or len(self.cut.silhouette) > 0


def _outline(along: Array, width_to_length: Array, shape: BladeShape) -> Array:
    """Width before it is cut, relative to the widest place (n, rows), at the fractions `along` (rows) of n leaves.

    s^a (1 - s)^b, scaled to a maximum of 1: ovate with a round base for broad leaves, lanceolate, then a strap that is
    as wide for most of its length.
    """
    broad = np.clip((width_to_length - 0.10) / 0.35, 0.0, 1.0)[:, None]
    a = 0.28 + 0.27 * broad
    b = 0.50 + 0.42 * broad
    if shape.widest:
        a = np.full_like(broad, shape.tapering * shape.widest)
        b = np.full_like(broad, shape.tapering * (1.0 - shape.widest))
    widest = a / (a + b)
    return along**a * (1 - along) ** b / (widest**a * (1 - widest) ** b)


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
# Of blades that differ wholly from one another: twist of their tips (rad), and how far these lie aside, in lengths.
_TWIST, _SICKLE = np.radians(55.0), 0.16
# From this random number on leaves are old.
_OLD = 0.84
# Radians that a blade's segments turn in all, from which on they say themselves how it rises and droops.
_BENT = np.radians(15.0)
# Columns of a blade of needles: its twig is the middle.
_NEEDLE_COLUMNS = (-1.0, 0.0, 1.0)


# So many leaves are shaped at a time: arrays of more do not stay in the processor's cache.
_AT_ONCE = 500


@dataclass(frozen=True)
class _Grid:
    """Points of the upper sheets of n leaves."""

    points: Array  # (3, n, rows, columns)
    up: Array  # (3, n, rows or 1, 1) where the upper side looks
    half: Array  # (n, rows) m, half the widths before they are cut
    stalk: Array  # (n) m, half the widths where they sit on their petioles
    stations: Stations  # (n * rows)


def build_blades(
    skeleton: Skeleton, axes: Axes, shape: BladeShape, detail: Detail, variation: Array, runs: Index
) -> Surface:
    """The blades of these runs of leaves. `variation` (n, k) has random numbers in 0..1 for every segment, k >= 4."""
    leaves = _Leaves(skeleton, axes, shape, variation, detail.blade_columns)
    return join([leaves.sheets(margin, parts) for margin, parts in leaves.at_a_time(detail, detail.blade_rows, runs)])


def blade_areas(skeleton: Skeleton, axes: Axes, shape: BladeShape, variation: Array) -> Array:
    """(n) m2 of leaf blade of every segment, one side."""
    areas = np.zeros(len(axes.length))
    leaves = _Leaves(skeleton, axes, shape, variation, _AREA_COLUMNS)
    of_parts = leaves.at_a_time(HIGH, _AREA_ROWS, axes.runs_of(BLADE))
    for margin, runs in ((margin, part) for margin, parts in of_parts for part in parts):
        grid = leaves.grid(margin, runs)
        ones = others = products = 0.0
        for low, high in zip(grid.points[:, :, :-1], grid.points[:, :, 1:], strict=True):
            one, other = high[..., 1:] - low[..., :-1], high[..., :-1] - low[..., 1:]
            ones, others, products = ones + one * one, others + other * other, products + one * other
        # Half the length of the cross product of the diagonals, by Lagrange's identity.
        size = 0.5 * np.sqrt(np.maximum(ones * others - products**2, 0.0)).sum(axis=2)
        segment = grid.stations.segment.reshape(-1, len(margin.along))[:, :-1]
        areas += np.bincount(segment.ravel(), size.ravel(), len(areas))
    return areas


@dataclass(frozen=True)
class _Leaves:
    """All leaves of a plant, of which chosen runs are shaped."""

    skeleton: Skeleton
    axes: Axes
    shape: BladeShape
    variation: Array
    whole_columns: tuple[float, ...]  # of blades that are no needles

    @property
    def columns(self) -> Array:
        """Places across a blade, in half widths."""
        return np.array(_NEEDLE_COLUMNS if self.shape.is_needled else self.whole_columns)

    def lengths(self, runs: Index) -> Array:
        """(n) m"""
        last = self.axes.ends(runs)
        return self.axes.start[last] + self.axes.length[last]

    def by_margin(self, detail: Detail, rows: int, runs: Index) -> list[tuple[Margin, Index]]:
        """The runs, sorted by the rows that their blades need and by how many lobes or needles they have."""
        axes, cut = self.axes, self.shape.cut
        count = axes.first[runs + 1] - axes.first[runs]
        needed = np.where(count > 1, _ROWS_PER_SEGMENT * count + 1, 0)
        if not self.shape.is_cut:
            needed = np.maximum(rows, needed)
            return [(whole_margin(int(number)), runs[needed == number]) for number in np.unique(needed)]
        teeth = teeth_of(cut, self.skeleton.width[axes.bases(runs)] / self.lengths(runs))
        kinds = np.unique(np.stack([needed, teeth], axis=1), axis=0)
        return [
            (cut_margin(cut, int(number), detail, int(least)), runs[(needed == least) & (teeth == number)])
            for least, number in kinds
        ]

    def at_a_time(self, detail: Detail, rows: int, runs: Index) -> Iterator[tuple[Margin, Iterator[Index]]]:
        """The same, those of each margin in parts that are not too many; tells how many are done."""
        done = 0

        def parts(some: Index) -> Iterator[Index]:
            nonlocal done
            for first in range(0, len(some), _AT_ONCE):
                part = some[first : first + _AT_ONCE]
                yield part
                done += len(part)
                tell(done / len(runs))

        for margin, some in self.by_margin(detail, rows, runs):
            yield margin, parts(some)

    def sheets(self, margin: Margin, parts: Iterable[Index]) -> Surface:
        """Both sides of the blades, whose last row is drawn together to the tip."""
        sheets = two_sheets("leaf", margin.shown, (self.columns + 1) / 2, pointed=True)
        row, column = sheets.row, sheets.column
        shaped = []
        for runs in parts:
            grid = self.grid(margin, runs)
            below = self._below(grid, margin)
            place = grid.points[:, :, row, column] + sheets.lower * below[:, :, row, column]
            held, at = grid.stations, (np.arange(len(runs))[:, None] * len(margin.along) + row).ravel()
            shaped.append((np.moveaxis(place, 0, 2).reshape(-1, 3), held.bones[at], held.weights[at], held.segment[at]))
        vertices, bones, weights, segment = (np.concatenate(arrays) for arrays in zip(*shaped, strict=True))
        return Surface(
            **sheets.faces.repeated(len(segment) // len(row), len(row)), vertices=vertices, bones=bones,
            weights=weights, segment=segment, girth=np.zeros(len(segment)),
        )  # fmt: skip

    def grid(self, margin: Margin, runs: Index) -> _Grid:
        """The blades' points, from their bases to their tips."""
        length, along, y = self.lengths(runs), margin.along, self.columns
        stations = stations_along(self.axes, np.repeat(runs, len(along)), np.outer(length, along).ravel())
        right, ahead, up = self._directions(runs, stations)
        stalk = self._stalks(runs)
        narrowest = stalk[:, None] * np.append(1 - along[:-1], 0.0)
        uncut = self._uncut(margin, runs, stations)
        half, uncut = np.maximum(uncut * margin.share, narrowest), np.maximum(uncut, narrowest)
        spread, lift, bow, aside = self._bends(margin, runs)
        shift_right = half[:, :, None] * spread + (length[:, None] * aside)[:, :, None]
        shift_up = half[:, :, None] * lift + (length[:, None] * bow)[:, :, None]
        if self.shape.is_needled:  # the twig is round
            shift_up += narrowest[:, :, None] * (y == 0.0)
        # Lobes of the two sides are not quite opposite.
        shift_ahead = self.shape.cut.sweep * half[:, :, None] * np.abs(y) * (1.0 + 0.3 * np.sign(y))
        shift_ahead = shift_ahead + length[:, None, None] * margin.ahead[:, None] * np.abs(y)
        points = np.empty((3, *lift.shape))
        middle = _by_axis(stations.point, len(runs))
        for axis, place in enumerate(points):  # each in place, so that all stays in the processor's cache
            np.multiply(shift_right, right[axis], out=place)
            place += middle[axis]
            place += shift_up * up[axis]
            place += shift_ahead * ahead[axis]
        return _Grid(points, up, uncut, stalk, stations)

    def _directions(self, runs: Index, stations: Stations) -> tuple[Array, Array, Array]:
        """Unit vectors (3, n, rows, 1) to the right, ahead and upwards; with one row of leaves that are straight."""
        axes, base = self.axes, self.axes.bases(runs)
        if (axes.before[base] < 0).all() and (axes.after[base] < 0).all():  # of one bone, as the leaves of sprays are
            right, ahead, up = np.moveaxis(axes.frame[base], 2, 0)
        else:
            ahead, up = stations.tangent, _up(axes, stations)
            right = np.cross(ahead, up)
        return _by_axis(right, len(runs)), _by_axis(ahead, len(runs)), _by_axis(up, len(runs))

    def _below(self, grid: _Grid, margin: Margin) -> Array:
        """(3, n, rows, columns) from the upper sheets to the lower."""
        depth = _depth(self.skeleton, grid.stations, grid.half, grid.stalk, margin.along, np.abs(self.columns))
        return -depth * _normals(grid.points, grid.up)

    def _stalks(self, runs: Index) -> Array:
        """(n) m: where it sits on its petiole the blade is as wide as that."""
        base = self.axes.bases(runs)
        seated = self.axes.before[base]
        return np.where(seated >= 0, self.skeleton.radius_tip[seated], 0.5 * self.skeleton.radius_base[base])

    def _uncut(self, margin: Margin, runs: Index, stations: Stations) -> Array:
        """Half the widths (n, rows) of blades that are not cut."""
        base, last = self.axes.bases(runs), self.axes.ends(runs)
        along, widths = margin.along, _width(self.skeleton, self.axes, stations).reshape(-1, len(margin.along))
        if margin.is_whole:
            return np.repeat(widths.max(axis=1, keepdims=True) / 2, len(along), axis=1)
        # A blade of several segments says itself how wide it is along its length; the outline only closes its ends.
        is_one = (base == last) | self.skeleton.divided[base]
        width_to_length = np.where(is_one, self.skeleton.width[base] / self.lengths(runs), 0.0)
        return widths / 2 * _outline(along, width_to_length, self.shape)

    def _bends(self, margin: Margin, runs: Index) -> tuple[Array, Array, Array, Array]:
        """How far the blade reaches to the right and how high it stands (n, rows, columns; in half widths), how far its
        middle rises and droops, and how far it bends to a side (n, rows; in lengths)."""
        shape, along, y = self.shape, margin.along, self.columns
        chance, side = self.variation[self.axes.bases(runs)], np.abs(y)
        differ = 1.0 + shape.variation * (2.0 * chance - 1.0)
        # Both halves are folded by one angle each; the middle lies in their crease.
        sign, half = np.array((-1.0, 1.0)), (y > 0.0).astype(np.int64)
        fold = (np.radians(shape.fold_degrees) * differ[:, 0, None] * (1.15 - 0.5 * along))[:, :, None]
        # Needles that stand high on one side are opposite to those that stand low on the other.
        fold = fold + np.radians(shape.cut.spread_degrees) * margin.rise[:, None] * sign
        # No leaf is even: each is twisted about its midrib, the more towards its tip, and bends to a side there.
        uneven = shape.variation * (2.0 * chance - 1.0)
        fold = fold + (_TWIST * uneven[:, 2, None] * along)[:, :, None] * sign
        wave = np.sin(2 * np.pi * (2.5 * along[None, :, None] + chance[:, 1, None, None] + 0.37 * (sign > 0)))
        lift = (
            np.sin(fold)[:, :, half] * side
            - shape.margin_curl * (1.0 + shape.ageing * _oldness(chance[:, 0]))[:, None, None] * side**3
            + shape.relief * (margin.swell[:, None] * side * (1.0 - side**2))
            + (shape.waves * differ[:, 2, None, None] * wave * np.sin(np.pi * along)[:, None])[:, :, half] * side**2
        )
        bases = self.axes.bases(runs)
        # the bones of leaves that are cut follow their midribs
        straight = np.where(self.skeleton.divided[bases], 0.0, 1.0 - np.minimum(self._turns[runs] / _BENT, 1.0))
        aside = straight[:, None] * _SICKLE * uneven[:, 1, None] * along**2
        bow = straight[:, None] * bow_of(shape, self.variation[bases]).at(along)
        return np.cos(fold)[:, :, half] * y, lift, bow, aside

    @cached_property
    def _turns(self) -> Array:
        """(r) radians that the segments of runs turn from one to the next, in all: such blades rise and droop along
        their bones."""
        axes = self.axes
        inner = np.flatnonzero((axes.before >= 0) & (axes.run == axes.run[axes.before]))
        cosine = np.clip(dot(axes.direction[inner], axes.direction[axes.before[inner]]), -1.0, 1.0)
        turns: Array = np.bincount(axes.run[inner], np.arccos(cosine), len(axes.first) - 1)
        return turns


def _oldness(chance: Array) -> Array:
    """0..1: a sixth of the leaves are more or less old, as their materials show them too."""
    return np.clip((chance - _OLD) / (1.0 - _OLD), 0.0, 1.0)


def bow_of(shape: BladeShape, variation: Array) -> Bow:
    """How leaves rise and droop that begin with segments of these random numbers (n, k)."""
    differ = 1.0 + shape.variation * (2.0 * variation - 1.0)
    return Bow(shape.arch * differ[:, 3], shape.droop * differ[:, 0])


def _by_axis(vectors: Array, leaves: int) -> Array:
    """(3, n, rows, 1) of vectors (n * rows, 3) of so many leaves."""
    return np.ascontiguousarray(vectors.T).reshape(3, leaves, -1, 1)


def _product(one: Array, other: Array) -> Array:
    """Scalar products along the first axis."""
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _normals(points: Array, up: Array) -> Array:
    """Unit normals (3, n, rows, columns) of the upper sheets; `up` where a sheet has no width."""
    across = np.gradient(points, axis=3)
    ahead = np.gradient(points, axis=2)
    normal = np.stack([across[i] * ahead[j] - across[j] * ahead[i] for i, j in ((1, 2), (2, 0), (0, 1))])
    size = np.sqrt(_product(normal, normal))
    flat = size > 1e-6 * _product(ahead, ahead)
    return np.where(flat, normal / np.where(flat, size, 1.0), up)


def _depth(skeleton: Skeleton, stations: Stations, half: Array, stalk: Array, along: Array, side: Array) -> Array:
    """Thickness (n, rows, columns): that of the rod's tissue, none at the margin, and the midrib below."""
    segment = stations.segment
    width = np.maximum(skeleton.width[segment], np.finfo(float).tiny)
    tissue = np.pi * skeleton.radius_base[segment] ** 2 / (_FILLED * width)
    tissue = np.minimum(tissue, _THICKEST * width).reshape(half.shape)
    midrib = np.minimum(_MIDRIB * stalk[:, None] * (1.0 - along) ** 0.7, _MIDRIB_IN_WIDTHS * half)
    depth = tissue[:, :, None] * (1.0 - side**8) + midrib[:, :, None] * (side == 0.0)
    depth[:, [0, -1]] = 0.0
    return depth


def _width(skeleton: Skeleton, axes: Axes, stations: Stations) -> Array:
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
    return perpendicular(np.where(opposed[:, None], bone_up[stations.segment], blended), stations.tangent)
