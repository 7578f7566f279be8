# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangles in boxes within boxes, so that few of them are looked at; for many places or rays at once.

The triangles stand along a curve that fills space (Morton's), a few to a leaf. Each level of boxes has half as many as
the one below, so children of box n are 2n and 2n+1 and no links are needed. All places go down together, level by
level, as pairs of a place and a box.
"""

from dataclasses import dataclass

import numpy as np

from ...base.arrays import Flags, Floats, Integers
from ...base.surface import AskedTooMuch
from .triangles import are_hit, nearest_points, solid_angles

_IN_LEAF = 4
_AT_ONCE = 8192
"""So many places or rays go down together, for the memory that pairs take."""
_PAIRS_AT_ONCE = 100_000
_ROUNDING = 1.0 + 1e-12
_BITS = 16
_FAR = 2.0
"""Seen from so many of its radii away, a box is one small piece of surface (Barill et al., Fast winding numbers for
soups and clouds, 2018)."""


@dataclass(frozen=True)
class _Level:
    """Boxes of one level: corners (n, 3), where there is none from infinity to its opposite; for winding numbers the
    middles (n, 3), areas with their directions (n, 3), and radii (n); and how far, at least and at most, the triangles
    reach along the direction (n, 3) that they look in on the whole, which tells of smooth surfaces more than boxes."""

    low: Floats
    high: Floats
    middle: Floats
    area: Floats
    radius: Floats
    normal: Floats
    least: Floats
    most: Floats


class BoxTree:
    """The boxes of triangles (t, 3, 3), of which there is at least one."""

    def __init__(self, corners: Floats) -> None:
        count = len(corners)
        leaves = 1 << max((count - 1) // _IN_LEAF, 0).bit_length()
        order = np.argsort(_along_curve(corners.mean(axis=1)), kind="stable")
        # what is left over of the leaves repeats the last triangle, and counts for nothing
        placed = np.concatenate([order, np.full(leaves * _IN_LEAF - count, order[-1])])
        self.numbers = placed.reshape(leaves, _IN_LEAF)
        """(leaves, _IN_LEAF) which triangles they have."""
        self.corners = corners[self.numbers]
        self.counted = (np.arange(leaves * _IN_LEAF) < count).reshape(leaves, _IN_LEAF)
        self.levels = self.boxes()
        self.looked_at = 0
        """Leaves that places were compared with, in all."""

    def boxes(self) -> list[_Level]:
        """The levels, the one with a single box first."""
        corners, counted = self.corners, self.counted[..., None]
        low = np.where(counted, corners.min(axis=2), np.inf).min(axis=1)
        high = np.where(counted, corners.max(axis=2), -np.inf).max(axis=1)
        areas = 0.5 * np.cross(corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0])
        areas = np.where(counted, areas, 0.0)
        weight = np.linalg.norm(areas, axis=2)
        moment, area = (corners.mean(axis=2) * weight[..., None]).sum(axis=1), areas.sum(axis=1)
        size = weight.sum(axis=1)
        levels: list[_Level] = []
        while True:
            levels.append(_level(low, high, moment, area, size, corners))
            if len(low) == 1:
                return levels[::-1]
            low, high = np.minimum(low[::2], low[1::2]), np.maximum(high[::2], high[1::2])
            moment, area, size = moment[::2] + moment[1::2], area[::2] + area[1::2], size[::2] + size[1::2]

    def nearest(self, places: Floats, most: float = np.inf) -> tuple[Floats, Integers]:
        """For places (n, 3) the nearest points (n, 3) of the surface and the numbers (n) of their triangles.

        Raises `AskedTooMuch` where more leaves than `most` have been looked at in all: places in the middle of a ball
        are as far from all of it.
        """
        parts = []
        for part in _parts(places):
            if self.looked_at > most:
                raise AskedTooMuch
            parts.append(self._nearest(part))
        points, triangles = zip(*parts, strict=True)
        return np.concatenate(points), np.concatenate(triangles)

    def _nearest(self, places: Floats) -> tuple[Floats, Integers]:
        count = len(places)
        points, triangles = np.zeros((count, 3)), np.zeros(count, dtype=np.int64)
        square, bound = np.full(count, np.inf), np.full(count, np.inf)
        who, node = np.arange(count), np.zeros(count, dtype=np.int64)
        for level in self.levels[1:]:
            who, node = _children(who, node)
            at = places[who]
            starts = np.flatnonzero(np.diff(who, prepend=-1))
            if len(starts):
                some = who[starts]
                bound[some] = np.minimum(bound[some], np.minimum.reduceat(_square_reach(at, level, node), starts))
            nearer = _square_distance(at, level, node) <= bound[who]
            who, node = who[nearer], node[nearer]
        for first in range(0, len(who), _PAIRS_AT_ONCE):
            part = slice(first, first + _PAIRS_AT_ONCE)
            self._improve(places, who[part], node[part], points, triangles, square)
        return points, triangles

    def _improve(
        self, places: Floats, who: Integers, leaf: Integers, points: Floats, triangles: Integers, square: Floats
    ) -> None:
        """Write down what is nearer than what was known of places, among pairs of a place and a leaf."""
        self.looked_at += len(who)
        found, numbers, squares = self._nearest_in(places, who, leaf)
        order = np.lexsort((squares, who))
        best = order[np.unique(who[order], return_index=True)[1]]
        best = best[squares[best] < square[who[best]]]
        one = who[best]
        points[one], triangles[one], square[one] = found[best], numbers[best], squares[best]

    def _nearest_in(self, places: Floats, who: Integers, leaf: Integers) -> tuple[Floats, Integers, Floats]:
        """For pairs of a place and a leaf: point, triangle, square of the distance."""
        at = places[who]
        points = nearest_points(at[:, None, :], self.corners[leaf])
        squares = ((points - at[:, None, :]) ** 2).sum(axis=2)
        best = squares.argmin(axis=1)
        pair = np.arange(len(leaf))
        return points[pair, best], self.numbers[leaf, best], squares[pair, best]

    def winding(self, places: Floats) -> Floats:
        """(n) how often the surface goes around each place: 1 within a closed one that looks outwards, 0 outside."""
        return np.concatenate([self._winding(part) for part in _parts(places)])

    def _winding(self, places: Floats) -> Floats:
        total = np.zeros(len(places))
        who, node = np.arange(len(places)), np.zeros(len(places), dtype=np.int64)
        for number, level in enumerate(self.levels):
            if number:
                who, node = _children(who, node)
            there = level.radius[node] >= 0.0
            who, node = who[there], node[there]
            away = level.middle[node] - places[who]
            distance = np.sqrt(_square(away))
            far = distance > _FAR * level.radius[node]
            seen = (level.area[node[far]] * away[far]).sum(axis=1) / distance[far] ** 3
            total += np.bincount(who[far], seen, len(places))
            who, node = who[~far], node[~far]
        angles = solid_angles(places[who][:, None, :], self.corners[node]) * self.counted[node]
        total += np.bincount(who, angles.sum(axis=1), len(places))
        return total / (4.0 * np.pi)

    def blocks(self, origins: Floats, directions: Floats) -> Flags:
        """(n) whether the rays from origins (n, 3) along directions (n, 3) meet the surface."""
        parts = zip(_parts(origins), _parts(directions), strict=True)
        return np.concatenate([self._blocks(*part) for part in parts])

    def _blocks(self, origins: Floats, directions: Floats) -> Flags:
        hit = np.zeros(len(origins), dtype=np.bool_)
        with np.errstate(divide="ignore"):
            inverse = 1.0 / directions
        who, node = np.arange(len(origins)), np.zeros(len(origins), dtype=np.int64)
        for number, level in enumerate(self.levels):
            if number:
                who, node = _children(who, node)
            crossed = _is_crossed(origins[who], inverse[who], level.low[node], level.high[node])
            who, node = who[crossed], node[crossed]
        for one in range(_IN_LEAF):
            hits = are_hit(origins[who], directions[who], self.corners[node, one])
            hit[who[hits]] = True
            open_still = ~hit[who]
            who, node = who[open_still], node[open_still]
        return hit


def _square_reach(places: Floats, level: _Level, node: Integers) -> Floats:
    """At most so far, squared, is a triangle of boxes."""
    away = np.maximum(np.abs(level.low[node] - places), np.abs(level.high[node] - places))
    return _square(away) * _ROUNDING


def _level(low: Floats, high: Floats, moment: Floats, area: Floats, size: Floats, corners: Floats) -> _Level:
    there = np.isfinite(low[:, :1])
    box_middle = np.where(there, 0.5 * (np.where(there, low, 0.0) + np.where(there, high, 0.0)), 0.0)
    middle = np.where(size[:, None] > 0.0, moment / np.maximum(size[:, None], np.finfo(np.float64).tiny), box_middle)
    reach = np.maximum(high - middle, middle - low)
    # below 0 for a box that is not there
    radius = np.where(there[:, 0], np.linalg.norm(np.where(there, reach, 0.0), axis=1), -1.0)
    length = np.linalg.norm(area, axis=1)
    normal = area / np.where(length > 0.0, length, 1.0)[:, None]
    along = np.einsum("nkc,nc->nk", corners.reshape(len(low), -1, 3), normal)
    return _Level(low, high, middle, area, radius, normal, along.min(axis=1), along.max(axis=1))


def _square(vectors: Floats) -> Floats:
    x, y, z = vectors[:, 0], vectors[:, 1], vectors[:, 2]
    return np.asarray(x * x + y * y + z * z)


def _along_curve(middles: Floats) -> Integers:
    """Where points are along Morton's curve."""
    low = middles.min(axis=0)
    width = max(float((middles.max(axis=0) - low).max()), np.finfo(np.float64).tiny)
    cells = np.minimum((middles - low) / width * (1 << _BITS), (1 << _BITS) - 1).astype(np.int64)
    code = np.zeros(len(middles), dtype=np.int64)
    for bit in range(_BITS):
        for axis in range(3):
            code |= ((cells[:, axis] >> bit) & 1) << (3 * bit + axis)
    return code


def _children(who: Integers, node: Integers) -> tuple[Integers, Integers]:
    return np.repeat(who, 2), (2 * node[:, None] + np.arange(2)).ravel()


def _square_distance(places: Floats, level: _Level, node: Integers) -> Floats:
    """At least so far, squared, are the triangles of boxes."""
    beside = np.maximum(np.maximum(level.low[node] - places, places - level.high[node]), 0.0)
    normal = level.normal[node]
    along = places[:, 0] * normal[:, 0] + places[:, 1] * normal[:, 1] + places[:, 2] * normal[:, 2]
    before = np.maximum(np.maximum(level.least[node] - along, along - level.most[node]), 0.0)
    return np.asarray(np.maximum(_square(beside), before * before))


def _is_crossed(origins: Floats, inverse: Floats, low: Floats, high: Floats) -> Flags:
    with np.errstate(invalid="ignore"):  # a ray within the plane of a side is within the box
        one, other = (low - origins) * inverse, (high - origins) * inverse
    enters = np.fmax.reduce(np.fmin(one, other), axis=1)
    leaves = np.fmin.reduce(np.fmax(one, other), axis=1)
    return np.asarray((enters <= leaves) & (leaves >= 0.0) & np.isfinite(low[:, 0]))


def _parts(values: Floats) -> list[Floats]:
    return [values[first : first + _AT_ONCE] for first in range(0, max(len(values), 1), _AT_ONCE)]
