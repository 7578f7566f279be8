# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of branches as outlines on the unrolled tubes that they leave.

Places on an unrolled tube are (column, row): whole numbers are corners of its rings; columns go around, and on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..arrays import Array, Index, Mask, cross, dot, perpendicular
from ..axes import Stations
from ..progress import tell
from .rings import Rings, ranges

# A corner is beyond an end where it is so far along the curve from its place there, in distances from it.
_BEYOND = 0.3
# In cells, how far apart the places of an outline are taken that say what it touches.
_FINE = 0.2
_DIAGONALS = np.array([(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)])


@dataclass(frozen=True)
class Outlines:
    """The feet of b branches with g corners in all, counter-clockwise seen from outside."""

    first: Index  # (b + 1) number of each branch's first corner
    run: Index  # (g) the parent's run
    point: Array  # (g, 3) on the parent's surface
    held: Stations  # (g) of the parent


@dataclass(frozen=True)
class Unrolled:
    """A tube of `rows` rings with some outlines on it."""

    body: Rings
    ring: int  # its first
    rows: int
    branch: list[int]
    begin: list[int]  # of each outline, the number of its first corner among all feet's
    outline: list[Array]  # (k, 2) each

    @property
    def sides(self) -> int:
        """Columns."""
        return int(self.body.count[self.ring])

    @cached_property
    def _corner(self) -> int:
        return int(self.body.offset[self.ring])

    def said(self) -> tuple[object, ...]:
        """All that says what it is, as numbers and bytes that can be compared."""
        body = (self.body.point, self.body.distance, self.body.girth)
        numbers = self.ring, self.rows, self.sides, self._corner, len(self.body.point), *self.begin
        arrays = (*map(self.of_body, body), *self.outline)
        return (*numbers, *(one.tobytes() for one in arrays))

    def of_body(self, values: NDArray) -> NDArray:
        """What the body's corners have, of this tube (rows, sides, ...)."""
        shape = (self.rows, self.sides, *values.shape[1:])
        return values[self._corner : self._corner + self.rows * self.sides].reshape(shape)

    @cached_property
    def centre(self) -> Array:
        """Middles (rows, 3) of the rings."""
        return self.of_body(self.body.point).mean(axis=1)

    @cached_property
    def _height(self) -> Array:
        return self.of_body(self.body.distance).mean(axis=1)

    @cached_property
    def cell_width(self) -> float:
        """m, at the girth of the first outline."""
        row = int(self.outline[0][0, 1])
        return float(2 * np.pi * self.of_body(self.body.girth)[row].mean() / self.sides)

    def heights_at(self, row: Array) -> Array:
        """m along the tube."""
        return np.interp(row, np.arange(self.rows), self._height)

    def axis_at(self, row: Array) -> Array:
        """Points (k, 3) in the middle of the tube."""
        return np.stack([np.interp(row, np.arange(self.rows), values) for values in self.centre.T], axis=1)

    def corner_numbers(self, row: Index, column: Index) -> Index:
        """Numbers among all corners of the body."""
        return self._corner + row * self.sides + column % self.sides

    def corner_places(self, row: Index, column: Index) -> Array:
        """(k, 3)"""
        return self.body.point[self.corner_numbers(row, column)]

    def foot_numbers(self, number: int) -> Index:
        """Numbers of an outline's corners, which come after those of the body."""
        return len(self.body.point) + self.begin[number] + np.arange(len(self.outline[number]))

    def places(self, number: int) -> Array:
        """Where an outline's corners (k, 3) are on the faces of the tube."""
        column, row = self.outline[number].T
        low = np.minimum(np.floor(row).astype(np.int64), self.rows - 2)
        left = np.floor(column).astype(np.int64)
        up, right = (row - low)[:, None], (column - left)[:, None]
        return (
            (1 - up) * ((1 - right) * self.corner_places(low, left) + right * self.corner_places(low, left + 1))
            + up * ((1 - right) * self.corner_places(low + 1, left) + right * self.corner_places(low + 1, left + 1))
        )  # fmt: skip

    def touched(self, number: int, room: float) -> Index:
        """Cells (c) that the outline comes nearer than `room` or has inside, as row * sides + column."""
        outline = self.outline[number]
        near = (finely(outline)[:, None, :] + room * _DIAGONALS).reshape(-1, 2)
        low, high = np.floor(outline.min(axis=0)), np.ceil(outline.max(axis=0))
        x, y = (np.arange(*ends) + 0.5 for ends in zip(low, high, strict=True))
        middle = np.stack([np.tile(x, len(y)), np.repeat(y, len(x))], axis=1)
        column, row = np.floor(np.concatenate([near, middle[inside(middle, outline)]])).astype(np.int64).T
        return np.unique(np.clip(row, 0, self.rows - 2) * self.sides + column % self.sides)

    def cut(self, columns: Index, group: list[int], room: float) -> int | None:
        """A column along which the tube can be cut open without cutting an outline; one beside the columns in use, if
        there is one."""
        unused = np.ones(self.sides, dtype=bool)
        unused[columns] = False
        if unused.any():
            return int(np.flatnonzero(unused)[-1]) + 1
        for column in range(self.sides):
            spans = [self.outline[number][:, 0] - column for number in group]
            if all(np.floor((s.min() - room) / self.sides) == np.floor((s.max() + room) / self.sides) for s in spans):
                return column
        return None

    def shifted(self, number: int, cut: int) -> Array:
        """An outline in columns counted from the cut, 0 to `sides`."""
        outline = self.outline[number] - (cut, 0.0)
        return outline - (self.sides * np.floor(outline[:, 0].min() / self.sides), 0.0)


def unrolled(body: Rings, outlines: Outlines, chosen: Mask | None = None) -> Iterator[Unrolled]:
    """The tubes that have feet of the chosen branches (b), or of any, on them; and of all feet on these the ones that
    are wholly on the tube and do not go around it."""
    starts, sizes = outlines.first[:-1], np.diff(outlines.first)
    if not len(starts):
        return
    run = outlines.run[starts]
    on_one = np.maximum.reduceat(outlines.run, starts) == np.minimum.reduceat(outlines.run, starts)
    tubes = np.unique(run[on_one if chosen is None else on_one & chosen])
    for done, number in enumerate(tubes):
        tell(done / len(tubes))
        branches = np.flatnonzero(on_one & (run == number))
        ring, end = np.searchsorted(body.run, [number, number + 1])
        grid = Unrolled(body, int(ring), int(end - ring), [], [], [])
        corners = ranges(starts[branches], sizes[branches])
        begin = np.cumsum(sizes[branches]) - sizes[branches]
        held, point = outlines.held.take(corners), outlines.point[corners]
        places = _places(grid, held, point, begin)
        good = _are_outlines(grid, places, begin) & _are_beside(held, point, begin)
        for k in np.flatnonzero(good):
            grid.branch.append(int(branches[k]))
            grid.begin.append(int(starts[branches[k]]))
            grid.outline.append(places[begin[k] : begin[k] + sizes[branches[k]]])
        if grid.outline:
            yield grid


def _places(grid: Unrolled, held: Stations, point: Array, begin: Index) -> Array:
    """Column and row (k, 2) of the corners of outlines that begin at `begin`; of others than those on the grid the row
    is outside of it. Columns go on along an outline."""
    along = grid.of_body(grid.body.distance)
    middle = along.mean(axis=1)
    above = np.clip(np.searchsorted(middle, held.distance), 1, grid.rows - 1)
    share = np.clip((held.distance - middle[above - 1]) / (middle[above] - middle[above - 1]), 0.0, 1.0)[:, None]
    zero = grid.of_body(grid.body.point)[:, 0] - grid.centre
    right = perpendicular((1 - share) * zero[above - 1] + share * zero[above], held.tangent)
    backward = cross(right, held.tangent)
    away = point - held.point
    column = np.arctan2(-dot(away, backward), dot(away, right)) * grid.sides / (2 * np.pi)
    step = np.diff(column, prepend=column[:1])
    step -= grid.sides * np.round(step / grid.sides)
    step[begin] = column[begin]
    total = np.cumsum(step)
    before = np.repeat(total[begin] - step[begin], np.diff(np.append(begin, len(step))))
    column = total - before

    left = np.floor(column).astype(np.int64)
    part = column - left
    heights = (1 - part) * along[:, left % grid.sides] + part * along[:, (left + 1) % grid.sides]
    row = (heights <= held.distance).sum(axis=0) - 1
    k, on_grid = np.arange(len(row)), np.clip(row, 0, grid.rows - 2)
    low, high = heights[on_grid, k], heights[on_grid + 1, k]
    return np.stack([column, np.where(row == on_grid, row + (held.distance - low) / (high - low), row)], axis=1)


def _are_beside(held: Stations, point: Array, begin: Index) -> Mask:
    """(b) whether all corners are beside the parent's curve, none beyond an end of what carries them."""
    away = point - held.point
    beyond = np.abs(dot(away, held.tangent)) > _BEYOND * np.linalg.norm(away, axis=1)
    return ~np.logical_or.reduceat(beyond, begin)


def _are_outlines(grid: Unrolled, places: Array, begin: Index) -> Mask:
    """(b) whether the corners are on the grid, go around counter-clockwise, and not around the tube."""
    size = np.diff(np.append(begin, len(places)))
    following = np.arange(1, len(places) + 1)
    following[begin + size - 1] = begin
    (x, y), (x1, y1) = places.T, places[following].T
    low, high = np.minimum.reduceat(places, begin), np.maximum.reduceat(places, begin)
    area = np.add.reduceat(x * y1 - x1 * y, begin)
    closing = np.abs(x[begin + size - 1] - x[begin])
    width = high[:, 0] - low[:, 0]
    on_grid = (low[:, 1] >= 0.0) & (high[:, 1] < grid.rows - 1)
    return on_grid & (area > 0.0) & (closing < grid.sides / 2) & (width < grid.sides - 1.0)


def distances(places: Array, outline: Array) -> Array:
    """Of places (k, 2) from a closed outline, in cells."""
    side = _next(outline) - outline
    away = places[:, None] - outline
    share = np.clip((away * side).sum(axis=2) / (side * side).sum(axis=1), 0.0, 1.0)
    return np.sqrt(((away - share[..., None] * side) ** 2).sum(axis=2).min(axis=1))


def gap(one: Array, other: Array, sides: int) -> float:
    """Between two outlines on a tube, in cells; 0 if they overlap, infinite if they are more than a cell apart."""
    nearest = np.inf
    low, high = one.min(axis=0) - 1.0, one.max(axis=0) + 1.0
    turns = np.round((one[:, 0].mean() - other[:, 0].mean()) / sides)
    for around in (turns - 1, turns, turns + 1):
        moved = other + np.array([sides * around, 0.0])
        if (moved.max(axis=0) < low).any() or (moved.min(axis=0) > high).any():
            continue
        if inside(one, moved).any() or inside(moved, one).any():
            return 0.0
        nearest = min(nearest, distances(one, moved).min(), distances(moved, one).min())
    return float(nearest)


def _next(outline: Array) -> Array:
    """Of every corner of a closed outline, the next one."""
    return np.concatenate([outline[1:], outline[:1]])


def finely(outline: Array) -> Array:
    """Places (k, 2) all along a closed outline."""
    following = _next(outline)
    pieces = max(1, int(np.ceil(np.abs(following - outline).max() / _FINE)))
    share = (np.arange(pieces) / pieces)[:, None, None]
    return ((1 - share) * outline + share * following).reshape(-1, 2)


def inside(places: Array, outline: Array) -> Mask:
    """(k) whether places (k, 2) are within a closed outline: they are if a ray from there crosses it an odd time."""
    (x, y), (x0, y0) = places.T[:, :, None], outline.T[:, None, :]
    x1, y1 = _next(outline).T[:, None, :]
    between = (y0 > y) != (y1 > y)
    crossing = x0 + (y - y0) * (x1 - x0) / np.where(between, y1 - y0, 1.0)
    return (between & (crossing > x)).sum(axis=1) % 2 == 1
