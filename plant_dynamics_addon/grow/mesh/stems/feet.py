# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the lines along a branch leave its parent, and where its fillet begins and ends on them.

Every line along the branch (a *generator*, one for each corner of its rings) leaves the parent's surface at some place.
"""

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Index, dot, normalized
from ..axes import Axes, Stations, stations_along, stations_at
from .carriers import Carriers
from .rings import Rings

# A branch that has not left its parent after so many of the parent's radii lies along it: it gets no fillet.
_LONGEST_WAY = 8.0
# Nor does one that is thicker than what carries it, by this part of its own radius.
_TOO_THICK = 0.3
# How much the fillet turns back along the branch where the generator leaves straight outwards.
_BACKWARD = 0.15
# Fillets that are not welded begin so far below the parent's surface (in radii of the branch), beside the sagitta of
# its sides.
_SINK = 0.03
_HALVINGS = 7


@dataclass(frozen=True)
class Generators:
    """g lines along the branches."""

    branch: Index  # (g) number of the branch
    run: Index  # (g)
    corner: Index  # (g) number in the ring


class Curves:
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


def ways_out(
    curves: Curves, lines: Generators, parents: Carriers, first: Index, count: Index, thickness: Array
) -> Array:
    """(g) distance from the run's base at which each generator leaves the parent; infinite for a branch that gets no
    fillet. `thickness` (b) are the parents' radii."""
    body = curves.body
    furthest = _LONGEST_WAY * thickness
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
class Feet:
    """The fillets of g generators: where they begin and end, and what of the parent holds them."""

    bottom: Array  # (g, 3) on the parent's surface
    sink: Array  # (g, 3) from where it would surely be below the parent's faces
    edge: Array  # (g, 3) where the generator leaves the parent
    top: Array  # (g, 3) on the generator
    left: Array  # (g) m along the branch, of `edge`
    reach: Array  # (g) m from there to `top`
    settled: Array  # (g) m along the branch, from where on only its own bones count
    held: Stations  # (g) of the parent, at `bottom`

    def points(self, number: Index | slice, share: Array | float) -> Array:
        """(k, 3) on the curves with these numbers, at these shares of them."""
        s = np.asarray(share)[..., None]
        bottom, edge, top = self.bottom[number], self.edge[number], self.top[number]
        return (1 - s) ** 2 * bottom + 2 * s * (1 - s) * edge + s * s * top

    def bones_and_weights(self, own: Stations, number: Index, distance: Array) -> tuple[Array, Array]:
        """(k, 6) at distances along the generators with these numbers; `own` are the branch's stations there."""
        begin = self.left[number] - self.reach[number]
        share = np.clip((distance - begin) / (self.settled[number] - begin), 0.0, 1.0)
        share = (share * share * (3 - 2 * share))[:, None]
        return (
            np.concatenate([self.held.bones[number], own.bones], axis=1),
            np.concatenate([self.held.weights[number] * (1 - share), own.weights * share], axis=1),
        )


def feet_of(
    axes: Axes, body: Rings, curves: Curves, lines: Generators, parents: Carriers, left: Array, reach: Array,
    settled: Array,
) -> Feet:  # fmt: skip
    """Of fillets that reach so far (b, m) along branch and parent, for generators that leave at `left` (g)."""
    branch, size = lines.branch, reach[lines.branch]
    edge = curves.points(lines.run, lines.corner, left)
    own = stations_along(axes, lines.run, left)
    normal = parents.outward(branch, edge, *parents.outside(branch, edge)[1:])
    away = normalized(edge - own.point) - _BACKWARD * own.tangent
    away = normalized(away - dot(away, normal)[:, None] * normal)
    bottom = edge + size[:, None] * away
    outside, piece, place = parents.outside(branch, bottom)
    normal = parents.outward(branch, bottom, piece, place)
    radius = parents.radius[branch, piece]
    radius = radius[:, 0] + place * (radius[:, 1] - radius[:, 0])
    carrier = parents.segment[branch, piece]
    sides = _sides_of(axes, body)[axes.run[carrier]]
    sink = radius * (1.0 - np.cos(np.pi / sides)) + _SINK * size
    shares = parents.fraction[branch, piece]
    return Feet(
        bottom - outside[:, None] * normal,
        sink[:, None] * normal,
        edge,
        curves.points(lines.run, lines.corner, left + size),
        left,
        size,
        settled[branch],
        stations_at(axes, carrier, shares[:, 0] + place * (shares[:, 1] - shares[:, 0])),
    )


def _sides_of(axes: Axes, body: Rings) -> Index:
    """(runs) corners of the rings of each run; 1 of runs that are no tubes."""
    sides = np.ones(len(axes.first) - 1, dtype=np.int64)
    sides[body.run] = body.count
    return sides
