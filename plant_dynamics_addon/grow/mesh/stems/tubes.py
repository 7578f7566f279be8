# SPDX-License-Identifier: GPL-3.0-or-later
"""Stems and petioles: one tube for each run of segments."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Index, dot, perpendicular
from ..axes import TUBE, Axes, Stations, stations_at
from ..detail import Detail
from ..geometry import Geometry
from ..skeleton import Skeleton
from ..surface import Surface
from .fillets import fillet_branches
from .rings import Rings, closed_feet, corners_of, first_quads, sorted_rings, tube_surface
from .shape import BROKEN, Flare
from .splinters import SPLINTERED, splintered
from .welds import weld

#: m; a run gets more sides from each of these radii on.
WIDTHS = (0.0012, 0.004, 0.012, 0.05)
# Above a fillet, where a branch turns with its joint, it gets rings at these places, in its radii from its base.
_CLOSER = (1.0, 2.2, 3.5, 5.0)
# Where it widens to its roots it gets rings at these shares of the way, and corners for so many ridges as these make.
_FLARING, _CORNERS_A_CREST = (0.12, 0.28, 0.5, 0.75), 4
# Ridges are narrower than the grooves between them: an exponent. On one side they are so much lower.
_NARROW, _UNEVEN = 1.6, 0.3
# m; a tip drawn to a point still gets rings of this radius, so that no face loses its area.
_THINNEST = 1e-5
# Rings of the rounded end: how far out (in radii of the tip) and how wide (of the tip's radius).
_CAP_ANGLES = np.radians((30.0, 60.0))


@dataclass(frozen=True)
class _Body:
    """Where the rings between the ends are, k of them."""

    stations: Stations
    run: Index
    radius: Array
    right: Array
    sides: Index
    relief: Array  # of the ridges of roots, in radii
    crests: Index  # how many of these

    def rings(self, chosen: Index, place: Array, radius: Array, outward: Array | float = 0.0) -> Rings:
        """Circles of these radii (0 makes a point) about the chosen stations, so many metres further out."""
        at, right = self.stations.take(chosen), self.right[chosen]
        count = np.where(radius > 0.0, self.sides[chosen], 1)
        ring, corner = corners_of(count)
        angle = 2 * np.pi * corner / self.sides[chosen][ring]
        # Counter-clockwise seen against the tangent.
        backward = np.cross(right, at.tangent)
        around = np.cos(angle)[:, None] * right[ring] - np.sin(angle)[:, None] * backward[ring]
        centre = at.point + np.reshape(outward, (-1, 1)) * at.tangent
        crest = (0.5 + 0.5 * np.cos(self.crests[chosen][ring] * angle)) ** _NARROW
        far = radius[ring] * (1.0 + self.relief[chosen][ring] * crest * (1.0 + _UNEVEN * np.cos(angle + 1.0)))
        return Rings(
            self.run[chosen], place, count, centre[ring] + far[:, None] * around, at.bones[ring],
            at.weights[ring], at.segment[ring], self.radius[chosen][ring], (at.distance + outward)[ring],
        )  # fmt: skip


def build_tubes(
    skeleton: Skeleton, axes: Axes, detail: Detail, geometry: Geometry, flare: Flare | None = None,
    splinters: float = 0.0,
) -> Surface:
    """The tubes of all runs of stems and petioles; first stems widen at the ground, broken ones end in splinters of up
    to so many radii."""
    flare = flare or Flare()
    runs = axes.runs_of(TUBE)
    joints = _joint_radii(skeleton, axes)
    stations, run = _stations(skeleton, axes, runs, detail, flare)
    radius = _radii(axes, joints, stations)
    near = _near_ground(skeleton, axes, stations, flare)
    radius = radius * (1.0 + flare.widening * near)
    first = np.searchsorted(run, runs)
    end = np.append(first[1:], len(run))
    right = _transported(axes, stations, first, end)
    sides = _sides(radius, first, detail)[np.searchsorted(runs, run)]
    crests = np.minimum(flare.crests, sides // _CORNERS_A_CREST)
    body = _Body(stations, run, radius, right, sides, flare.relief * near * (crests > 0), crests)
    every = np.arange(len(run))
    round_rings = body.rings(every, every.astype(float), radius)
    rings, fillets, welds = fillet_branches(axes, joints, round_rings, detail.fillet, geometry)
    plain = first[~np.isin(runs, fillets.run)]
    closed = body.rings(plain, plain - 0.5, np.zeros(len(plain)))  # by a point in the middle of the first ring
    ends = closed_feet(fillets, detail.fillet, ~welds.is_welded)
    broken = (body.radius[end - 1] > BROKEN) & (splinters > 0.0)
    tips = [_tips(body, end[~broken] - 1), _broken_tips(body, end[broken] - 1, splinters)]
    rings = sorted_rings([rings, fillets, ends, *tips, closed])
    feet = np.searchsorted(rings.run, fillets.run[:: detail.fillet]) + ~welds.is_welded
    return weld(tube_surface(rings), rings, first_quads(rings), feet, welds)


def _stations(
    skeleton: Skeleton, axes: Axes, runs: Index, detail: Detail, flare: Flare
) -> tuple[Stations, Index]:
    """Where the rings are: evenly in every segment, closer above a fillet and where roots spread, and below the ground;
    sorted by run."""
    segments = np.flatnonzero(axes.kind == TUBE)
    even = np.tile(np.arange(detail.rings) / detail.rings, len(segments))
    last = axes.ends(runs)
    base = axes.bases(runs)
    roots = base[(axes.parent[base] < 0) & (flare.depth > 0.0)]
    below = -flare.depth * skeleton.radius_base[roots] / axes.length[roots]

    sides = base[(axes.parent[base] >= 0) & (axes.before[base] < 0)]
    closer = np.outer(skeleton.radius_base[sides] / axes.length[sides], _CLOSER if detail.fillet > 1 else ()).ravel()
    extra = np.repeat(sides, len(closer) // max(1, len(sides)))
    if flare.crests:
        flaring = np.outer(flare.reach * skeleton.radius_base[roots] / axes.length[roots], _FLARING).ravel()
        closer, extra = np.append(closer, flaring), np.append(extra, np.repeat(roots, len(_FLARING)))
    # Too near an even ring it would make slivers; beyond the first segment none is needed.
    apart = np.abs(closer * detail.rings - np.round(closer * detail.rings))
    keep = (apart > 0.15) & (closer < 1.0)

    segment = np.concatenate([np.repeat(segments, detail.rings), last, roots, extra[keep]])
    fraction = np.concatenate([even, np.ones(len(last)), below, closer[keep]])
    order = np.lexsort((axes.start[segment] + fraction * axes.length[segment], axes.run[segment]))
    return stations_at(axes, segment[order], fraction[order]), axes.run[segment[order]]


def _joint_radii(skeleton: Skeleton, axes: Axes) -> tuple[Array, Array]:
    """Radii (n) at the base and the tip of the segments; those that meet at a joint of a run agree on their mean."""
    base, tip = np.array(skeleton.radius_base, dtype=float), np.array(skeleton.radius_tip, dtype=float)
    inner = np.flatnonzero((axes.before >= 0) & (axes.run == axes.run[axes.before]))
    base[inner] = (base[inner] + tip[axes.before[inner]]) / 2
    tip[axes.before[inner]] = base[inner]
    return np.maximum(base, _THINNEST), np.maximum(tip, _THINNEST)


def _radii(axes: Axes, joints: tuple[Array, Array], stations: Stations) -> Array:
    """Radius (k) at each ring: linear between the joints."""
    base, tip = joints
    segment = stations.segment
    local = np.clip((stations.distance - axes.start[segment]) / axes.length[segment], 0.0, 1.0)
    return base[segment] + (tip - base)[segment] * local


def _near_ground(skeleton: Skeleton, axes: Axes, stations: Stations, flare: Flare) -> Array:
    """(k) 1 at and below the ground on first stems, 0 from the flare's end on and elsewhere."""
    root = axes.bases(axes.run[stations.segment])
    reach = np.maximum(flare.reach * skeleton.radius_base[root], _THINNEST)
    return np.where(axes.parent[root] < 0, np.clip(1.0 - stations.distance / reach, 0.0, 1.0) ** 2, 0.0)


def _transported(axes: Axes, stations: Stations, first: Index, end: Index) -> Array:
    """Directions (k, 3) at right angles to the tangents that turn no more about them than they must.

    From ring to ring by the double reflection method (Wang et al. 2008), all runs at once.
    """
    right = np.empty_like(stations.tangent)
    right[first] = perpendicular(axes.frame[stations.segment[first]][:, :, 0], stations.tangent[first])
    point, tangent = stations.point, stations.tangent
    for step in range(1, int((end - first).max(initial=0))):
        ring = (first + step)[first + step < end]
        step_vector = point[ring] - point[ring - 1]
        across = np.maximum(dot(step_vector, step_vector), np.finfo(float).tiny)[:, None]
        reflected = right[ring - 1] - 2 * dot(step_vector, right[ring - 1])[:, None] / across * step_vector
        turned = tangent[ring - 1] - 2 * dot(step_vector, tangent[ring - 1])[:, None] / across * step_vector
        difference = tangent[ring] - turned
        square = np.maximum(dot(difference, difference), np.finfo(float).tiny)[:, None]
        carried = reflected - 2 * dot(difference, reflected)[:, None] / square * difference
        right[ring] = perpendicular(carried, tangent[ring])
    return right


def _sides(radius: Array, first_ring: Index, detail: Detail) -> Index:
    """How many corners the rings of each run have, by the run's greatest radius."""
    widest = np.maximum.reduceat(radius, first_ring) if len(first_ring) else np.zeros(0)
    return np.array(detail.sides)[np.searchsorted(WIDTHS, widest, side="right")]


def _tips(body: _Body, last: Index) -> Rings:
    """The rounded ends of some runs: some rings and a point."""
    width = np.concatenate([np.cos(_CAP_ANGLES), [0.0]])
    return _ends(body, last, width, np.concatenate([np.sin(_CAP_ANGLES), [1.0]]))


def _broken_tips(body: _Body, last: Index, length: float) -> Rings:
    """Those that are broken off, with splinters of up to so many radii."""
    width = np.array(SPLINTERED)
    along = np.repeat(body.stations.tangent[last], len(width), axis=0)
    return splintered(_ends(body, last, width, np.zeros(len(width))), along, length)


def _ends(body: _Body, last: Index, width: Array, out: Array) -> Rings:
    """Rings beyond the last ones, so wide and so far out, in their radii."""
    source = np.repeat(last, len(out))
    place = np.tile(np.arange(1, len(out) + 1) / (4 * len(out)), len(last)) + source
    outward, radius = (np.outer(body.radius[last], share).ravel() for share in (out, width))
    return body.rings(source, place, radius, outward)
