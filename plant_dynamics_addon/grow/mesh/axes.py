# SPDX-License-Identifier: GPL-3.0-or-later
"""Smooth curves through the segments of a skeleton, and the bone weights that keep them smooth when bones turn.

A *run* is a chain of segments that make one continuous surface: a tube (stem, petiole) or a blade (leaf).

A point at the fraction t + 1/2 of a segment follows three bones, the one before, its own and the one after, with the
weights of the uniform quadratic B-spline, (1/2 - t)^2 / 2, 3/4 - t^2 and (1/2 + t)^2 / 2. Each bone carries the point
along its own straight line, so at a joint both neighbours agree (the curve goes through every joint), the tangent is
continuous, and segments bent like the chords of an arc give the arc's parabola. The same formula gives the shape at
rest and, as vertex weights, the shape when the bones turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Array, Index, Mask, dot, matrices, normalized
from .skeleton import Skeleton

TUBE, BLADE, SINGLE, PROFILE = 0, 1, 2, 3
_SURFACE_OF_ORGAN = {"stem": TUBE, "petiole": TUBE, "leaf": BLADE, "petal": BLADE}

# A child whose direction turns less than this from its parent's may continue it smoothly; beyond, it is a side branch.
_SMOOTH_TURN_COSINE = np.cos(np.radians(75.0))
# Of a fork one branch continues the stem if the radii are so much alike.
_ALIKE = 0.6
# A surface that turns back on itself has no tangent at the joint, so it begins anew there.
_SHARPEST_TURN_COSINE = np.cos(np.radians(120.0))
# Long straight pieces, in radii, that meet in a corner would bulge on a curve through it.
_CORNER_COSINE, _STRAIGHT = np.cos(np.radians(60.0)), 12.0


@dataclass(frozen=True)
class Axes:
    """Runs of a skeleton with n segments, r runs."""

    organs: tuple[str, ...]  # their names
    organ: Index  # (n) index into them
    head: Array  # (n, 3) m
    frame: Array  # (n, 3, 3) columns: right, along, up
    length: Array  # (n) m
    kind: Index  # (n) TUBE, BLADE, SINGLE or PROFILE, a tube with contours across
    parent: Index  # (n)
    joined: Mask  # (n) begins where its parent ends
    before: Index  # (n) the segment whose line leads into this one smoothly, -1 for none
    after: Index  # (n) the segment this one leads into smoothly, -1 for none
    run: Index  # (n) the run a segment is in
    segments: Index  # (n) segments sorted by run, base first
    first: Index  # (r + 1) where each run begins in `segments`
    start: Array  # (n) m, distance from the run's base to the segment's head

    @property
    def direction(self) -> Array:
        """Unit vectors along the segments (n, 3)."""
        return self.frame[:, :, 1]

    @property
    def tail(self) -> Array:
        """Ends of the segments (n, 3)."""
        return self.head + self.length[:, None] * self.direction

    def is_organ(self, name: str) -> Mask:
        """(n) whether the segments are such organs."""
        return self.organ == self.organs.index(name)

    def bases(self, runs: Index) -> Index:
        """The first segments of some runs."""
        return self.segments[self.first[runs]]

    def ends(self, runs: Index) -> Index:
        """Their last segments."""
        return self.segments[self.first[runs + 1] - 1]

    def runs_of(self, kind: int) -> Index:
        """The runs of one kind."""
        return np.flatnonzero(self.kind[self.segments[self.first[:-1]]] == kind)


def find_axes(skeleton: Skeleton, organs: tuple[str, ...], profiled: Sequence[int] = ()) -> Axes:
    """Cut a skeleton into runs and find which segments lead smoothly into which. profiled: those with contours."""
    n = len(skeleton.parent)
    frame = matrices(skeleton.frame)
    direction = frame[:, :, 1]
    tail = skeleton.head + skeleton.length[:, None] * direction
    kind_of_organ = np.array([_SURFACE_OF_ORGAN.get(organ, SINGLE) for organ in organs])
    kind = kind_of_organ[skeleton.organ]
    kind[np.array(profiled, dtype=np.int64)] = PROFILE

    parent = skeleton.parent
    gap = np.linalg.norm(skeleton.head - tail[parent], axis=1)
    joined = (parent >= 0) & (gap < 1e-4 * skeleton.length[parent] + 1e-7)
    cosine = dot(direction, direction[parent])
    straight = np.minimum(skeleton.length, skeleton.length[parent]) > _STRAIGHT * skeleton.radius_tip[parent]
    is_corner = (cosine < _CORNER_COSINE) & straight & (kind == TUBE)
    bends = (cosine > _SHARPEST_TURN_COSINE) & ~is_corner
    same = (skeleton.axis == skeleton.axis[parent]) & (kind == kind[parent]) & (kind != SINGLE)
    continues = _one_of_each(
        skeleton, joined & bends & same, joined & (kind == TUBE) & (kind[parent] == TUBE), direction
    )

    run = np.empty(n, dtype=np.int64)
    position = np.zeros(n, dtype=np.int64)
    start = np.zeros(n)
    before = np.full(n, -1, dtype=np.int64)
    after = np.full(n, -1, dtype=np.int64)
    runs = 0
    for i in range(n):  # parents come before children
        p = parent[i]
        if continues[i]:
            before[i], after[p] = p, i
            run[i], position[i], start[i] = run[p], position[p] + 1, start[p] + skeleton.length[p]
        else:
            run[i] = runs
            runs += 1

    _lead_on(joined, parent, direction, before, after)
    segments = np.lexsort((position, run))
    first = np.searchsorted(run[segments], np.arange(runs + 1))
    return Axes(
        organs, skeleton.organ, skeleton.head, frame, skeleton.length, kind, parent, joined, before, after, run,
        segments, first, start,
    )  # fmt: skip


def _one_of_each(skeleton: Skeleton, own: Mask, forked: Mask, direction: Array) -> Mask:
    """(n) the segments that continue their parents' surface: the first of the parent's axis, and where that has ended
    in a fork the branch that turns least and is about as thick."""
    parent = skeleton.parent
    chosen = np.zeros(len(parent), dtype=bool)
    candidates = np.flatnonzero(own)
    chosen[candidates[np.unique(parent[candidates], return_index=True)[1]]] = True

    cosine = dot(direction, direction[parent])
    thickness = skeleton.radius_base / np.maximum(skeleton.radius_tip[parent], np.finfo(float).tiny)
    alike = (thickness > _ALIKE) & (thickness < 1.0 / _ALIKE)
    candidates = np.flatnonzero(forked & alike & (cosine > _SMOOTH_TURN_COSINE) & ~np.isin(parent, parent[chosen]))
    candidates = candidates[np.argsort(-cosine[candidates], kind="stable")]
    chosen[candidates[np.unique(parent[candidates], return_index=True)[1]]] = True
    return chosen


def _lead_on(joined, parent, direction, before, after) -> None:
    """Let the last segment of a run lead into the child with the least turn (a petiole into its leaf). In place."""
    candidates = np.flatnonzero(joined & (before < 0))
    candidates = candidates[after[parent[candidates]] < 0]
    cosine = dot(direction[candidates], direction[parent[candidates]])
    candidates = candidates[np.argsort(-cosine, kind="stable")][: np.count_nonzero(cosine > _SMOOTH_TURN_COSINE)]
    parents, choice = np.unique(parent[candidates], return_index=True)
    before[candidates[choice]] = parents
    after[parents] = candidates[choice]


@dataclass(frozen=True)
class Stations:
    """Points on the curves, k of them."""

    segment: Index  # (k)
    point: Array  # (k, 3)
    tangent: Array  # (k, 3) unit
    distance: Array  # (k) m from the run's base
    bones: Index  # (k, 3)
    weights: Array  # (k, 3), rows sum to 1

    def take(self, index: Index) -> "Stations":
        """The stations at `index`."""
        return Stations(*(getattr(self, name)[index] for name in self.__dataclass_fields__))


def stations_at(axes: Axes, segment: Index, fraction: Array) -> Stations:
    """Points at the fraction (0 head, 1 tail; beyond is extrapolated straight on) of each given segment."""
    previous, following = axes.before[segment], axes.after[segment]
    if (previous < 0).all() and (following < 0).all():
        return _alone(axes, segment, fraction)
    t = np.clip(fraction, 0.0, 1.0) - 0.5
    weights = np.stack([(0.5 - t) ** 2 / 2, 0.75 - t * t, (0.5 + t) ** 2 / 2], axis=1)
    slopes = np.stack([t - 0.5, -2 * t, t + 0.5], axis=1)
    for side, neighbour in ((0, previous), (2, following)):
        for array in (weights, slopes):
            array[:, 1] += np.where(neighbour < 0, array[:, side], 0.0)
            array[:, side] = np.where(neighbour < 0, 0.0, array[:, side])
    bones = np.stack(
        [np.where(previous < 0, segment, previous), segment, np.where(following < 0, segment, following)], 1
    )

    length = axes.length[segment][:, None]
    along = fraction[:, None] * length
    lines = np.stack(
        [
            axes.tail[bones[:, 0]] + along * axes.direction[bones[:, 0]],
            axes.head[segment] + along * axes.direction[segment],
            axes.head[bones[:, 2]] + (along - length) * axes.direction[bones[:, 2]],
        ],
        axis=1,
    )
    lines = np.where((weights == 0.0)[:, :, None], lines[:, 1:2], lines)
    point = np.einsum("kb,kbi->ki", weights, lines)
    tangent = normalized(
        np.einsum("kb,kbi->ki", weights, axes.direction[bones]) + np.einsum("kb,kbi->ki", slopes, lines) / length
    )
    return Stations(segment, point, tangent, axes.start[segment] + along[:, 0], bones, weights)


def _alone(axes: Axes, segment: Index, fraction: Array) -> Stations:
    """`stations_at` of segments without neighbours, as the leaves of sprays are: straight, and of one bone."""
    along = fraction * axes.length[segment]
    tangent = axes.direction[segment]
    bones = np.repeat(segment[:, None], 3, axis=1)
    weights = np.tile((0.0, 1.0, 0.0), (len(segment), 1))
    return Stations(
        segment, axes.head[segment] + along[:, None] * tangent, tangent, axes.start[segment] + along, bones, weights
    )


def stations_along(axes: Axes, run: Index, distance: Array) -> Stations:
    """Points (k) at a distance in metres from the base of each given run, at most at its end."""
    # One increasing coordinate over all runs: runs lie apart by more than any of them is long.
    apart = 2.0 * (float((axes.start + axes.length).max(initial=0.0)) + 1.0)
    starts = axes.run[axes.segments] * apart + axes.start[axes.segments]
    segment = axes.segments[np.searchsorted(starts, run * apart + np.maximum(distance, 0.0), side="right") - 1]
    fraction = (distance - axes.start[segment]) / axes.length[segment]
    return stations_at(axes, segment, np.minimum(fraction, 1.0))
