# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a side branch leaves its parent its skin flows into the parent's.

Every line along the branch (a *generator*, one for each corner of its rings) leaves the parent's surface at some
place. From a point of the parent's surface a little further out a quadratic Bezier curve leads to the generator a
little further up, with its control point at that place: so it touches both surfaces. The first corners
follow the parent's bones, the last those of the branch, and the lowest rings are pushed up until none is inside.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from . import rotations
from .axes import TUBE, Axes, stations_along, stations_at
from .rings import Rings, corners_of

Array = NDArray[np.float64]
Index = NDArray[np.int64]

# How far the fillet reaches along branch and parent, in radii of the branch.
_REACH = 0.9
# A branch that has not left its parent after so many of the parent's radii lies along it: it gets no fillet.
_LONGEST_WAY = 8.0
# Nor does one that is thicker than what carries it, by this part of its own radius.
_TOO_THICK = 0.3
# How much the fillet turns back along the branch where the generator leaves straight outwards.
_BACKWARD = 0.15
# Fillets begin so far below the parent's surface (in radii of the branch), beside the sagitta of its sides.
_SINK = 0.03
_HALVINGS = 7


@dataclass(frozen=True)
class _Parents:
    """Of b branches, the tapered pieces of the parent's curve near the joint, p for each."""

    start: Array  # (b, p, 3)
    along: Array  # (b, p, 3)
    radius: Array  # (b, p, 2) at both ends
    segment: Index  # (b, p)
    fraction: Array  # (b, p, 2) of the segment, at both ends

    def outside(self, branch: Index, points: Array) -> tuple[Array, Index, Array]:
        """Signed distance (k) of points from the parents' surface, the nearest piece and the place on it, 0..1."""
        best, piece, place = np.full(len(points), np.inf), np.zeros(len(points), dtype=np.int64), np.zeros(len(points))
        for p in range(self.start.shape[1]):
            along = self.along[branch, p]
            across = points - self.start[branch, p]
            square = np.maximum(rotations.dot(along, along), np.finfo(float).tiny)
            at = np.clip(rotations.dot(across, along) / square, 0.0, 1.0)
            radius = self.radius[branch, p, 0] + at * (self.radius[branch, p, 1] - self.radius[branch, p, 0])
            distance = np.linalg.norm(across - at[:, None] * along, axis=1) - radius
            nearer = distance < best
            best[nearer], piece[nearer], place[nearer] = distance[nearer], p, at[nearer]
        return best, piece, place

    def outward(self, branch: Index, points: Array) -> tuple[Array, Array]:
        """Signed distance, and the unit vectors (k, 3) straight out of the surface."""
        distance, piece, place = self.outside(branch, points)
        nearest = self.start[branch, piece] + place[:, None] * self.along[branch, piece]
        away = points - nearest
        return distance, away / np.maximum(np.linalg.norm(away, axis=1), np.finfo(float).tiny)[:, None]


@dataclass(frozen=True)
class _Generators:
    """g lines along the branches."""

    branch: Index  # (g) number of the branch
    run: Index  # (g)
    corner: Index  # (g) number in the ring


def fillet_branches(axes: Axes, joints: tuple[Array, Array], body: Rings, steps: int) -> tuple[Rings, Rings]:
    """The tubes' rings with those near the joints moved out of the parents, and the rings of the fillets.

    `joints` are radii at the base and tip of all segments. A branch without fillet stays as it is: it has no ring.
    """
    base, first, count = _side_branches(axes, body)
    parents = _parents(axes, joints, axes.parent[base])
    branch, corner = corners_of(body.count[first])
    lines = _Generators(branch, axes.run[base][branch], corner)
    curves = _Curves(axes, body)

    left = _ways_out(curves, lines, parents, first, count, joints, axes.parent[base])
    girth = body.girth[body.offset[first]]
    reach = _REACH * girth
    ends = left + reach[branch]
    begins = np.cumsum(body.count[first]) - body.count[first]
    highest = np.maximum.reduceat(ends, begins) if len(base) else ends
    lowest = np.minimum.reduceat(ends, begins) if len(base) else ends
    # From here on the rings are as they were.
    settled = highest + np.maximum(reach, np.where(np.isfinite(highest), highest, 0.0) - lowest)
    good = settled < 0.95 * curves.length[first]

    keep = good[branch]
    lines = _Generators(branch[keep], lines.run[keep], corner[keep])
    fillets = _fillet_rings(axes, body, curves, lines, parents, left[keep], reach, steps)
    return _moved_up(axes, body, curves, good, first, count, ends, settled), fillets


def _side_branches(axes: Axes, body: Rings) -> tuple[Index, Index, Index]:
    """First segments of the runs that leave a tube sideways; their first rings, and how many rings they have."""
    first = np.flatnonzero(np.append(True, body.run[1:] != body.run[:-1]))
    count = np.diff(np.append(first, len(body.run)))
    base = axes.segments[axes.first[body.run[first]]]
    parent = axes.parent[base]
    gap = np.linalg.norm(axes.head[base] - axes.tail[parent], axis=1)
    joined = gap < 1e-4 * axes.length[parent] + 1e-7
    side = (parent >= 0) & (axes.before[base] < 0) & (axes.kind[parent] == TUBE) & joined
    return base[side], first[side], count[side]


def _parents(axes: Axes, joints: tuple[Array, Array], parent: Index) -> _Parents:
    """Two pieces for each of the segments around the joint; where there is none, the parent's own again."""

    def tube_or_parent(segment: Index) -> Index:
        return np.where((segment >= 0) & (axes.kind[segment] == TUBE), segment, parent)

    following = tube_or_parent(axes.after[parent])
    chain = np.stack([tube_or_parent(axes.before[parent]), parent, following, tube_or_parent(axes.after[following])], 1)
    segment = np.repeat(chain, 2, axis=1)
    shares = np.broadcast_to(np.tile([[0.0, 0.5], [0.5, 1.0]], (4, 1)), (*segment.shape, 2))
    ends = [stations_at(axes, segment.ravel(), shares[..., k].ravel()).point.reshape(*segment.shape, 3) for k in (0, 1)]
    low, high = joints[0][segment], joints[1][segment]
    radius = low[..., None] + shares * (high - low)[..., None]
    return _Parents(ends[0], ends[1] - ends[0], radius, segment, shares)


class _Curves:
    """Points on the generators at any distance from the run's base: straight between the rings."""

    def __init__(self, axes: Axes, body: Rings) -> None:
        self.body, self.offset = body, body.offset
        self.at_ring = body.distance[self.offset]
        self.apart = 2.0 * (float((axes.start + axes.length).max(initial=0.0)) + 1.0)
        self.keys = body.run * self.apart + self.at_ring
        ends = np.searchsorted(body.run, body.run, side="right") - 1
        self.length = self.at_ring[ends]  # (k) of each ring's run

    def points(self, run: Index, corner: Index, distance: Array) -> Array:
        """(k, 3)"""
        ring = np.searchsorted(self.keys, run * self.apart + distance, side="right") - 1
        ring = np.where(distance >= self.length[ring], ring - 1, ring)
        low, high = self.offset[ring] + corner, self.offset[ring + 1] + corner
        share = (distance - self.at_ring[ring]) / (self.at_ring[ring + 1] - self.at_ring[ring])
        return self.body.point[low] + share[:, None] * (self.body.point[high] - self.body.point[low])


def _ways_out(
    curves: _Curves, lines: _Generators, parents: _Parents, first: Index, count: Index, joints, parent: Index
) -> Array:
    """(g) distance from the run's base at which each generator leaves the parent; infinite for a branch that gets no
    fillet."""
    body = curves.body
    furthest = _LONGEST_WAY * joints[1][parent]
    inner = np.zeros(len(lines.run))
    outer = np.full(len(lines.run), np.inf)
    searching = np.ones(len(lines.run), dtype=bool)
    for step in range(int(count.max(initial=0))):
        active = np.flatnonzero(searching & (step < count[lines.branch]))
        ring = first[lines.branch[active]] + step
        at = curves.at_ring[ring]
        near = inner[active] <= furthest[lines.branch[active]]
        active, ring, at = active[near], ring[near], at[near]
        if not len(active):
            break
        points = body.point[curves.offset[ring] + lines.corner[active]]
        outside, _, _ = parents.outside(lines.branch[active], points)
        if step == 0:
            refused = outside > _TOO_THICK * body.girth[curves.offset[ring]]
            searching[active[refused]] = False
            free = (outside >= 0.0) & ~refused
        else:
            free = outside >= 0.0
        outer[active[free]] = at[free]
        searching[active[free]] = False
        inner[active[~free]] = at[~free]

    found = np.flatnonzero(np.isfinite(outer))
    low, high = inner[found], outer[found]
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        points = curves.points(lines.run[found], lines.corner[found], middle)
        inside = parents.outside(lines.branch[found], points)[0] < 0.0
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    left = np.full(len(lines.run), np.inf)
    left[found] = np.where(high <= furthest[lines.branch[found]], high, np.inf)
    return left


def _fillet_rings(
    axes: Axes, body: Rings, curves: _Curves, lines: _Generators, parents: _Parents, left: Array, reach: Array,
    steps: int,
) -> Rings:  # fmt: skip
    branch, size = lines.branch, reach[lines.branch]
    edge = curves.points(lines.run, lines.corner, left)
    top = curves.points(lines.run, lines.corner, left + size)
    own = stations_along(axes, lines.run, left)
    _, normal = parents.outward(branch, edge)
    away = rotations.normalized(edge - own.point) - _BACKWARD * own.tangent
    away = rotations.normalized(away - rotations.dot(away, normal)[:, None] * normal)
    bottom = edge + size[:, None] * away
    outside, normal = parents.outward(branch, bottom)
    _, piece, place = parents.outside(branch, bottom)
    radius = parents.radius[branch, piece]
    radius = radius[:, 0] + place * (radius[:, 1] - radius[:, 0])
    carrier = parents.segment[branch, piece]
    sides = _sides_of(axes, body)[axes.run[carrier]]
    sink = radius * (1.0 - np.cos(np.pi / sides)) + _SINK * size
    bottom = bottom - (outside + sink)[:, None] * normal
    shares = parents.fraction[branch, piece]
    held = stations_at(axes, carrier, shares[:, 0] + place * (shares[:, 1] - shares[:, 0]))
    ending = stations_along(axes, lines.run, left + size)

    share = np.repeat(np.arange(steps) / steps, len(branch))
    repeated = np.tile(np.arange(len(branch)), steps)
    s = share[:, None]
    point = (1 - s) ** 2 * bottom[repeated] + 2 * s * (1 - s) * edge[repeated] + s * s * top[repeated]
    blend = s * s * (3 - 2 * s)
    rank = np.concatenate([np.arange(steps)[:, None].repeat(len(branch), 1).ravel()])
    order = np.lexsort((lines.corner[repeated], rank, branch[repeated]))
    chosen, of_branch = repeated[order], np.unique(branch)
    start = np.flatnonzero(np.append(True, branch[1:] != branch[:-1])) if len(branch) else np.zeros(0, dtype=np.int64)
    per_ring = np.diff(np.append(start, len(branch)))
    run = lines.run[start]
    base_place = np.searchsorted(body.run, run) - 1.0
    return Rings(
        np.repeat(run, steps),
        np.repeat(base_place, steps) + np.tile((np.arange(steps) + 1) / (steps + 1), len(of_branch)),
        np.repeat(per_ring, steps),
        point[order],
        np.concatenate([held.bones, ending.bones], axis=1)[chosen],
        np.concatenate([held.weights[repeated] * (1 - blend), ending.weights[repeated] * blend], axis=1)[order],
        own.segment[chosen],
        (reach / _REACH)[branch][chosen],
        (left[repeated] + (2 * share - 1) * size[repeated])[order],
    )


def _sides_of(axes: Axes, body: Rings) -> Index:
    """(runs) corners of the rings of each run; 1 of runs that are no tubes."""
    sides = np.ones(len(axes.first) - 1, dtype=np.int64)
    sides[body.run] = body.count
    return sides


def _moved_up(
    axes: Axes, body: Rings, curves: _Curves, good: NDArray[np.bool_], first: Index, count: Index, ends: Array,
    settled: Array,
) -> Rings:  # fmt: skip
    """The rings below `settled` moved up in proportion, the first to the ends of the fillets."""
    rings_of, step = corners_of(count[good])
    number = np.flatnonzero(good)[rings_of]
    ring = first[number] + step
    low = curves.at_ring[ring] < settled[number]
    ring, number = ring[low], number[low]
    index, corner = corners_of(body.count[ring])
    vertex, branch = curves.offset[ring][index] + corner, number[index]
    begins = np.cumsum(body.count[first]) - body.count[first]
    end, limit = ends[begins[branch] + corner], settled[branch]
    distance = end + (limit - end) * body.distance[vertex] / limit
    run = body.run[ring][index]
    at = stations_along(axes, run, distance)
    point, along = body.point.copy(), body.distance.copy()
    bones, weights, segment = body.bones.copy(), body.weights.copy(), body.segment.copy()
    point[vertex], along[vertex] = curves.points(run, corner, distance), distance
    bones[vertex], weights[vertex], segment[vertex] = at.bones, at.weights, at.segment
    return replace(body, point=point, distance=along, bones=bones, weights=weights, segment=segment)
