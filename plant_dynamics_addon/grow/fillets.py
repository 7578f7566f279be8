# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a side branch leaves its parent its skin flows into the parent's.

Every line along the branch (a *generator*, one for each corner of its rings) leaves the parent's surface at some
place. From a point of the parent's surface a little further out a quadratic Bezier curve leads to the generator a
little further up, with its control point at that place: so it touches both surfaces. The rings of the branch are
pushed up until none is inside. The foot of the fillet follows the parent's bones; a few radii further on the skin
follows those of the branch, so that a turn at the joint is spread over this way.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from . import rotations
from .axes import TUBE, Axes, Stations, stations_along, stations_at
from .carriers import Carriers, carriers_of
from .rings import Rings, corners_of
from .surface import padded

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
# Over how many of its radii above the fillet a branch goes over from its parent's bones to its own.
_SPREAD = 5.0


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
    parents = carriers_of(axes, joints, axes.parent[base])
    branch, corner = corners_of(body.count[first])
    lines = _Generators(branch, axes.run[base][branch], corner)
    curves = _Curves(axes, body)

    left = _ways_out(curves, lines, parents, first, count, joints, axes.parent[base])
    radius = body.girth[body.offset[first]]
    reach = _REACH * radius
    begins = np.cumsum(body.count[first]) - body.count[first]
    ends = left + reach[branch]
    highest = np.maximum.reduceat(ends, begins) if len(base) else ends
    lowest = np.minimum.reduceat(ends, begins) if len(base) else ends
    found = np.isfinite(highest)
    highest, lowest = np.where(found, highest, 0.0), np.where(found, lowest, 0.0)
    room = 0.9 * curves.length[first]
    spread = np.clip(room - highest, reach, np.maximum(_SPREAD * radius, highest - lowest))
    settled = highest + spread  # from here on the rings are as they were
    good = found & (settled <= room)

    keep = good[branch]
    lines = _Generators(branch[keep], lines.run[keep], corner[keep])
    feet = _feet(axes, body, curves, lines, parents, left[keep], reach, settled)
    fillets = _fillet_rings(axes, body, lines, feet, radius, steps)
    return _moved_up(axes, body, curves, first[good], count[good], settled[good], feet), fillets


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
    curves: _Curves, lines: _Generators, parents: Carriers, first: Index, count: Index, joints, parent: Index
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


@dataclass(frozen=True)
class _Feet:
    """The fillets of g generators: where they begin and end, and what of the parent holds them."""

    bottom: Array  # (g, 3) on the parent's surface
    edge: Array  # (g, 3) where the generator leaves the parent
    top: Array  # (g, 3) on the generator
    left: Array  # (g) m along the branch, of `edge`
    reach: Array  # (g) m from there to `top`
    settled: Array  # (g) m along the branch, from where on only its own bones count
    held: Stations  # (g) of the parent, at `bottom`

    def bones_and_weights(self, own: Stations, number: Index, distance: Array) -> tuple[Array, Array]:
        """(k, 6) at distances along the generators with these numbers; `own` are the branch's stations there."""
        begin = self.left[number] - self.reach[number]
        share = np.clip((distance - begin) / (self.settled[number] - begin), 0.0, 1.0)
        share = (share * share * (3 - 2 * share))[:, None]
        return (
            np.concatenate([self.held.bones[number], own.bones], axis=1),
            np.concatenate([self.held.weights[number] * (1 - share), own.weights * share], axis=1),
        )


def _feet(
    axes: Axes, body: Rings, curves: _Curves, lines: _Generators, parents: Carriers, left: Array, reach: Array,
    settled: Array,
) -> _Feet:  # fmt: skip
    branch, size = lines.branch, reach[lines.branch]
    edge = curves.points(lines.run, lines.corner, left)
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
    shares = parents.fraction[branch, piece]
    return _Feet(
        bottom - (outside + sink)[:, None] * normal,
        edge,
        curves.points(lines.run, lines.corner, left + size),
        left,
        size,
        settled[branch],
        stations_at(axes, carrier, shares[:, 0] + place * (shares[:, 1] - shares[:, 0])),
    )


def _fillet_rings(axes: Axes, body: Rings, lines: _Generators, feet: _Feet, radius: Array, steps: int) -> Rings:
    """Rings at even steps along the Bezier curves, but for the last, which is the branch's own first ring."""
    start = np.flatnonzero(np.diff(lines.branch, prepend=-1))
    corners = np.diff(np.append(start, len(lines.branch)))
    count = np.repeat(corners, steps)
    ring, corner = corners_of(count)
    number = np.repeat(start, steps)[ring] + corner
    share = (np.tile(np.arange(steps), len(start)) / steps)[ring]
    s = share[:, None]
    point = (1 - s) ** 2 * feet.bottom[number] + 2 * s * (1 - s) * feet.edge[number] + s * s * feet.top[number]
    distance = feet.left[number] + (2 * share - 1) * feet.reach[number]
    own = stations_along(axes, lines.run[number], np.maximum(distance, 0.0))
    run = lines.run[start]
    place = np.searchsorted(body.run, run) - 1.0
    return Rings(
        np.repeat(run, steps),
        np.repeat(place, steps) + np.tile((np.arange(steps) + 1) / (steps + 1), len(start)),
        count,
        point,
        *feet.bones_and_weights(own, number, distance),
        own.segment,
        radius[lines.branch[number]],
        distance,
    )


def _sides_of(axes: Axes, body: Rings) -> Index:
    """(runs) corners of the rings of each run; 1 of runs that are no tubes."""
    sides = np.ones(len(axes.first) - 1, dtype=np.int64)
    sides[body.run] = body.count
    return sides


def _moved_up(
    axes: Axes, body: Rings, curves: _Curves, first: Index, count: Index, settled: Array, feet: _Feet
) -> Rings:
    """The rings below `settled` moved up in proportion, the first to the ends of the fillets.

    `first`, `count` and `settled` are those of the branches with fillets, whose generators are in `feet`, in order.
    """
    branch, step = corners_of(count)
    ring = first[branch] + step
    low = curves.at_ring[ring] < settled[branch]
    ring, branch = ring[low], branch[low]
    index, corner = corners_of(body.count[ring])
    vertex = curves.offset[ring][index] + corner
    number = (np.cumsum(body.count[first]) - body.count[first])[branch[index]] + corner
    end, limit = feet.left[number] + feet.reach[number], feet.settled[number]
    distance = end + (limit - end) * body.distance[vertex] / limit
    run = body.run[ring][index]
    at = stations_along(axes, run, distance)
    point, along, segment = body.point.copy(), body.distance.copy(), body.segment.copy()
    bones, weights = padded(body.bones, 6), padded(body.weights, 6)
    point[vertex], along[vertex], segment[vertex] = curves.points(run, corner, distance), distance, at.segment
    bones[vertex], weights[vertex] = feet.bones_and_weights(at, number, distance)
    return replace(body, point=point, distance=along, bones=bones, weights=weights, segment=segment)
