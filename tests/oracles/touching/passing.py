# SPDX-License-Identifier: GPL-3.0-or-later
"""Which points of plants have gone through colliders between instants, and not around them. Apart from the solver.

Points are on the middle lines of rods, which never come to a surface. Their ways are followed in the collider's axes,
straight between instants, while it deforms evenly. A point has gone through what is closed where it came out on another
side than it went in, or where both are outside and nobody could have gone around in DETOUR times the way; through what
is open where it is on the other side in the end of faces whose rim is as far.
"""

from dataclasses import replace

import numpy as np

from solver import Collider, rotations
from tests.oracles.touching.depth import distance_from
from tests.oracles.touching.triangles import crossings, from_segments, is_behind, rim_of

DETOUR = 1.5

#: Looked at on the way between two instants.
_BETWEEN = np.linspace(0.0, 1.0, 102)[1:-1]

#: What is outside goes in and comes out where the surface looks so much to other sides, as cosine.
_OTHER_SIDE = -0.3

#: One-sided faces push out what is behind them by up to two radii, and a little.
_THICK = 2.2


def own_axes(points: np.ndarray, one: Collider) -> np.ndarray:
    """Points (k, 3) in the collider's axes."""
    return rotations.unrotate(np.asarray(one.orientation), points - np.asarray(one.position))


def in_own_axes(one: Collider) -> Collider:
    return Collider(one.kind, one.size, vertices=one.vertices, triangles=one.triangles, one_sided=one.one_sided)


class Passing:
    """Points that pass one collider, from the first instant on."""

    def __init__(self, points: np.ndarray, radii: np.ndarray, one: Collider):
        self._radii, self._now = radii, one
        self._is_open = one.kind == "mesh" and len(rim_of(np.asarray(one.triangles))) > 0
        self._at = own_axes(points, one)
        self._was_in = self._outside(self._at) < 0.0
        self.depth = np.full(len(points), -np.inf)  # in radii, as far as it is near
        self._way = np.zeros(len(points))  # since it was outside
        self.through = np.zeros(len(points), dtype=np.int64)
        self._unclear = self._was_in.copy()
        self._side_in = np.zeros((len(points), 3))  # normal where what was in went in
        self.from_behind = False

    def _outside(self, at: np.ndarray) -> np.ndarray:
        return distance_from(at, in_own_axes(self._now))

    def go_on(self, points: np.ndarray, one: Collider) -> None:
        """Points are there at the next instant, and the collider is this one."""
        was, self._now, at = self._now, one, own_axes(points, one)
        self.depth = 1.0 - self._outside(at) / self._radii
        if one.kind == "plane":
            return
        grown = float(np.linalg.norm(np.asarray(one.size) - np.asarray(was.size)))
        if one.kind == "mesh":
            grown = float(np.linalg.norm(np.asarray(one.vertices) - np.asarray(was.vertices), axis=1).max())
        self._way += np.linalg.norm(at - self._at, axis=1) * (1.0 if self._is_open else 0.0) + grown
        if self._is_open:
            self._cross(at, was)
            self._at, self._way = at, np.zeros(len(at))
            self._look_behind()
        else:
            self._come_out(at, was, grown > 0.0)

    def _cross(self, at: np.ndarray, was: Collider) -> None:
        triangles, vertices = np.asarray(self._now.triangles), np.asarray(self._now.vertices)
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        slack = self._way[:, None]
        near = np.flatnonzero(((np.minimum(at, self._at) < high + slack) & (np.maximum(at, self._at) > low - slack))
                              .all(axis=1))  # fmt: skip
        if not len(near):
            return
        met = crossings(self._at[near], at[near], np.asarray(was.vertices)[triangles], vertices[triangles])
        rim = vertices[rim_of(triangles)]
        point = near[met.point]
        clear = from_segments(met.place, rim[:, 0], rim[:, 1]).min(axis=1, initial=np.inf)
        far = 0.5 * (1.0 + DETOUR) * self._way[point] + self._radii[point]
        self._unclear[point[clear < far]] = True
        np.add.at(self.through, point, met.way)

    def _look_behind(self) -> None:
        """Whether one-sided faces have met anything that had not gone through them: they push that out in front."""
        near = np.flatnonzero((self._outside(self._at) < _THICK * self._radii) & (self.through == 0))
        if self._now.one_sided and len(near):
            corners = np.asarray(self._now.vertices)[np.asarray(self._now.triangles)]
            self.from_behind |= bool(is_behind(self._at[near], corners).any())
        self.from_behind |= bool((self.through > 0).any())

    def _come_out(self, at: np.ndarray, was: Collider, deforms: bool) -> None:
        """self._at is where points were outside for the last time, at the last instant if they were not in then."""
        away = self._outside(at)
        is_out = away > 0.0
        way = np.linalg.norm(at - self._at, axis=1)
        went_in = np.flatnonzero(~is_out & ~self._was_in)
        for i in went_in.tolist():
            self._side_in[i] = _normal(self._at[i], was)
        near = np.flatnonzero(is_out & (away < way + self._way) & ~self._unclear)
        for i in near[self._was_in[near]].tolist():
            self.through[i] |= int(self._side_in[i] @ _normal(at[i], self._now) < _OTHER_SIDE)
        meets = near[~self._was_in[near]]
        if len(meets):
            self._chords(meets, at, way + self._way, was, deforms)
        self._at[is_out], self._way[is_out] = at[is_out], 0.0
        self._was_in = ~is_out
        self._unclear &= ~is_out  # what began inside has come out

    def _chords(self, near: np.ndarray, at: np.ndarray, way: np.ndarray, was: Collider, deforms: bool) -> None:
        """Of points outside at both instants: those that nobody could have gone around what was between."""
        shares = _BETWEEN[:: 4 if deforms else 1]
        chords = self._at[near] + shares[:, None, None] * (at[near] - self._at[near])
        if deforms:
            ones = [in_own_axes(_between(was, self._now, s)) for s in shares.tolist()]
            within = np.stack([distance_from(*there) for there in zip(chords, ones, strict=True)]) < 0.0
        else:
            within = self._outside(chords.reshape(-1, 3)).reshape(chords.shape[:2]) < 0.0
        for k in np.flatnonzero(within.any(axis=0)).tolist():
            i, middle = near[k], chords[within[:, k], k].mean(axis=0)
            inwards, outwards, along = _normal(self._at[i], was), _normal(at[i], self._now), at[i] - self._at[i]
            if deforms and inwards @ outwards > _OTHER_SIDE:  # what grows takes along what it meets, to its own side
                continue
            then = _between(was, self._now, float(shares[within[:, k]].mean()))
            reach = self._radii[i] + 0.5 * np.sqrt(DETOUR**2 - 1.0) * way[i]
            far = self._radii[i] + 0.5 * (1.0 + DETOUR) * way[i]
            discs = ((along, reach), (inwards, far), (outwards, far))
            self.through[i] |= int(any(_fills(then, middle, *disc) for disc in discs))

    def worst(self) -> np.ndarray:
        """(k,) whether a point is through now, as far as that is sure."""
        if not self._is_open:
            return self.through != 0
        wrong = self.through < 0 if self._now.one_sided else self.through != 0
        return wrong & ~self._unclear


def _between(was: Collider, now: Collider, share: float) -> Collider:
    """A collider at a share of its way from one instant to the next."""

    def mixed(name: str) -> np.ndarray:
        first, last = np.asarray(getattr(was, name)), np.asarray(getattr(now, name))
        mixture: np.ndarray = first + share * (last - first)
        return mixture

    return replace(now, size=mixed("size"), vertices=mixed("vertices"))


def _normal(x: np.ndarray, one: Collider) -> np.ndarray:
    """Where the distance from a collider, in its axes, grows from x."""
    step = 1e-4 * np.concatenate([np.eye(3), -np.eye(3)])
    away = distance_from(x + step, in_own_axes(one))
    slope = away[:3] - away[3:]
    return slope / max(float(np.linalg.norm(slope)), 1e-300)


def _fills(one: Collider, middle: np.ndarray, along: np.ndarray, reach: float) -> bool:
    """Whether a collider fills a disc across a direction: who goes around goes around that."""
    u = np.cross(along, np.eye(3)[np.abs(along).argmin()])
    u, v = u / np.linalg.norm(u), np.cross(along, u)
    v /= np.linalg.norm(v)
    angles = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)[:, None]
    ring = np.cos(angles) * u + np.sin(angles) * v
    disc = [middle + share * reach * ring for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    return bool((distance_from(np.concatenate(disc), in_own_axes(one)) < 0.0).all())
