# SPDX-License-Identifier: GPL-3.0-or-later
"""Stems and petioles: one tube for each run of segments."""

import numpy as np
from numpy.typing import NDArray

from . import rotations
from .axes import TUBE, Axes, Stations, stations_at
from .surface import PARTS, Surface

Array = NDArray[np.float64]
Index = NDArray[np.int64]

RINGS_PER_SEGMENT = 4
# How much a side branch widens where it leaves its parent, and over how many of the parent's radii it does so.
_COLLAR_WIDENING = 0.55
_COLLAR_REACH = 2.4
# Where a side branch gets extra rings, in the parent's radii from the parent's axis.
_COLLAR_RINGS = (0.8, 1.2, 1.7, 2.4)
# A first stem widens a little at the ground and goes on below it by this many radii, so that no gap shows.
_ROOT_WIDENING = 0.25
_ROOT_DEPTH = 3.0
# m; a tip drawn to a point still gets rings of this radius, so that no face loses its area.
_THINNEST = 1e-5
# Rings of the rounded end: how far out (in radii of the tip) and how wide (of the tip's radius).
_CAP_ANGLES = np.radians((30.0, 60.0))


def build_tubes(skeleton, axes: Axes) -> Surface:
    """The tubes of all runs of stems and petioles."""
    runs = axes.runs_of(TUBE)
    stations, ring_run = _rings(skeleton, axes, runs)
    radius = _radii(skeleton, axes, stations)
    stations, ring_run, girth, radius = _with_caps(stations, ring_run, radius)
    first_ring = np.searchsorted(ring_run, runs)
    right = _transported(axes, stations, first_ring, np.append(first_ring[1:], len(ring_run)))
    sides = _sides(radius, first_ring)[np.searchsorted(runs, ring_run)]
    return _surface(stations, ring_run, right, girth, radius, sides)


def _rings(skeleton, axes: Axes, runs: Index) -> tuple[Stations, Index]:
    """Where the rings are: evenly in every segment, closer where a side branch leaves its parent; sorted by run."""
    segments = np.flatnonzero(axes.kind == TUBE)
    even = np.tile(np.arange(RINGS_PER_SEGMENT) / RINGS_PER_SEGMENT, len(segments))
    last = axes.segments[axes.first[runs + 1] - 1]
    base = axes.segments[axes.first[runs]]
    roots = base[axes.parent[base] < 0]
    below = -_ROOT_DEPTH * skeleton.radius_base[roots] / axes.length[roots]

    branches = base[(axes.parent[base] >= 0) & (axes.before[base] < 0)]
    reach = skeleton.radius_tip[axes.parent[branches]] / axes.length[branches]
    collar = np.outer(reach, _COLLAR_RINGS)
    collared = np.repeat(branches, len(_COLLAR_RINGS))

    segment = np.concatenate([np.repeat(segments, RINGS_PER_SEGMENT), last, roots, collared])
    fraction = np.concatenate([even, np.ones(len(last)), below, collar.ravel()])
    extra = np.zeros(len(segment), dtype=bool)
    extra[len(segment) - len(collared) :] = True
    # Extra rings too near an even one would make slivers; those beyond the first segment are not needed.
    offset = np.abs(fraction * RINGS_PER_SEGMENT - np.round(fraction * RINGS_PER_SEGMENT))
    keep = ~extra | ((offset > 0.15) & (fraction < 1.0))
    segment, fraction = segment[keep], fraction[keep]
    order = np.lexsort((axes.start[segment] + fraction * axes.length[segment], axes.run[segment]))
    return stations_at(axes, segment[order], fraction[order]), axes.run[segment[order]]


def _radii(skeleton, axes: Axes, stations: Stations) -> Array:
    """Radius (k) at each ring: linear between the joints, where the segments that meet there agree on their mean."""
    base, tip = np.array(skeleton.radius_base, dtype=float), np.array(skeleton.radius_tip, dtype=float)
    inner = np.flatnonzero((axes.before >= 0) & (axes.run == axes.run[axes.before]))
    base[inner] = (base[inner] + tip[axes.before[inner]]) / 2
    tip[axes.before[inner]] = base[inner]
    segment = stations.segment
    local = stations.distance - axes.start[segment]
    radius = base[segment] + (tip - base)[segment] * np.clip(local / axes.length[segment], 0.0, 1.0)

    root_segment = axes.segments[axes.first[axes.run[segment]]]
    parent = axes.parent[root_segment]
    side = (parent >= 0) & (axes.before[root_segment] < 0)
    around = np.where(side, skeleton.radius_tip[parent], skeleton.radius_base[root_segment])
    nearness = np.clip(1.0 - stations.distance / (_COLLAR_REACH * around), 0.0, 1.0) ** 2
    widened = radius * (1.0 + nearness * np.where(side, _COLLAR_WIDENING, np.where(parent < 0, _ROOT_WIDENING, 0.0)))
    # Inside its parent a branch must not be thicker than the parent, or it would come out on the other side.
    inside = side & (stations.distance < around)
    return np.maximum(np.where(inside, np.minimum(widened, 0.95 * around), widened), _THINNEST)


def _with_caps(stations: Stations, ring_run: Index, girth: Array) -> tuple[Stations, Index, Array, Array]:
    """Add the rings of the rounded ends and, at both ends of every run, a ring that is a single point (radius 0).

    Returns the stations, their runs, the stem's radius there (girth), and the radius of the rings.
    """
    last = np.flatnonzero(np.append(ring_run[1:] != ring_run[:-1], True))
    first = np.append(0, last[:-1] + 1)
    out = np.concatenate([np.sin(_CAP_ANGLES), [1.0]])
    width = np.concatenate([np.cos(_CAP_ANGLES), [0.0]])
    caps = len(out)
    source = np.concatenate([np.arange(len(ring_run)), np.repeat(last, caps), first])
    beyond = np.tile(np.arange(1, caps + 1) / (4 * caps), len(last))
    place = np.concatenate([np.arange(len(ring_run)), np.repeat(last, caps) + beyond, first - 0.5])
    outward = np.concatenate([np.zeros(len(ring_run)), np.outer(girth[last], out).ravel(), np.zeros(len(first))])
    factor = np.concatenate([np.ones(len(ring_run)), np.tile(width, len(last)), np.zeros(len(first))])
    order = np.argsort(place, kind="stable")
    rings = stations.take(source[order])
    outward = outward[order]
    moved = Stations(
        rings.segment,
        rings.point + outward[:, None] * rings.tangent,
        rings.tangent,
        rings.distance + outward,
        rings.bones,
        rings.weights,
    )
    girth = girth[source[order]]
    return moved, ring_run[source[order]], girth, girth * factor[order]


def _transported(axes: Axes, stations: Stations, first: Index, end: Index) -> Array:
    """Directions (k, 3) at right angles to the tangents that turn no more about them than they must.

    From ring to ring by the double reflection method (Wang et al. 2008), all runs at once.
    """
    right = np.empty_like(stations.tangent)
    right[first] = rotations.perpendicular(axes.frame[stations.segment[first]][:, :, 0], stations.tangent[first])
    point, tangent = stations.point, stations.tangent
    for step in range(1, int((end - first).max(initial=0))):
        ring = (first + step)[first + step < end]
        step_vector = point[ring] - point[ring - 1]
        across = np.maximum(rotations.dot(step_vector, step_vector), np.finfo(float).tiny)[:, None]
        reflected = right[ring - 1] - 2 * rotations.dot(step_vector, right[ring - 1])[:, None] / across * step_vector
        turned = tangent[ring - 1] - 2 * rotations.dot(step_vector, tangent[ring - 1])[:, None] / across * step_vector
        difference = tangent[ring] - turned
        square = np.maximum(rotations.dot(difference, difference), np.finfo(float).tiny)[:, None]
        carried = reflected - 2 * rotations.dot(difference, reflected)[:, None] / square * difference
        right[ring] = rotations.perpendicular(carried, tangent[ring])
    return right


def _sides(radius: Array, first_ring: Index) -> Index:
    """How many corners the rings of each run have, by the run's greatest radius."""
    widest = np.maximum.reduceat(radius, first_ring) if len(first_ring) else np.zeros(0)
    return np.select([widest < 0.0012, widest < 0.004, widest < 0.012, widest < 0.05], [6, 8, 12, 16], 24)


def _surface(stations: Stations, ring_run: Index, right: Array, girth: Array, radius: Array, sides: Index) -> Surface:
    """Vertices and faces from rings; a ring of radius 0 is a single vertex."""
    count = np.where(radius > 0.0, sides, 1)
    offset = np.cumsum(count) - count
    ring = np.repeat(np.arange(len(count)), count)
    corner = np.arange(len(ring)) - offset[ring]
    angle = 2 * np.pi * corner / sides[ring]
    # Counter-clockwise seen against the tangent.
    backward = np.cross(right, stations.tangent)
    outward = np.cos(angle)[:, None] * right[ring] - np.sin(angle)[:, None] * backward[ring]
    vertices = stations.point[ring] + radius[ring][:, None] * outward

    joined = np.flatnonzero(ring_run[1:] == ring_run[:-1])
    full = count > 1
    distance = stations.distance
    quads, quad_uv = _bands(joined[full[joined] & full[joined + 1]], sides, offset, distance)
    triangles, triangle_uv = _fans(joined[full[joined] != full[joined + 1]], sides, offset, distance, full)
    stem = PARTS.index("stem")
    return Surface(
        vertices,
        stations.bones[ring],
        stations.weights[ring],
        stations.segment[ring],
        girth[ring],
        quads,
        quad_uv,
        np.full(len(quads), stem),
        triangles,
        triangle_uv,
        np.full(len(triangles), stem),
    )


def _bands(lower: Index, sides: Index, offset: Index, distance: Array) -> tuple[Index, Array]:
    """Quads between the full rings `lower` and the next ones, and their UVs: once around in 0..1, and metres along."""
    ring = np.repeat(lower, sides[lower])
    corner = np.arange(len(ring)) - np.repeat(np.cumsum(sides[lower]) - sides[lower], sides[lower])
    around = sides[ring]
    following = (corner + 1) % around
    quads = np.stack(
        [offset[ring] + corner, offset[ring] + following, offset[ring + 1] + following, offset[ring + 1] + corner],
        axis=1,
    )
    u0, u1 = corner / around, (corner + 1) / around
    v0, v1 = distance[ring], distance[ring + 1]
    return quads, np.stack([u0, v0, u1, v0, u1, v1, u0, v1], axis=1).reshape(-1, 4, 2)


def _fans(lower: Index, sides: Index, offset: Index, distance: Array, full: NDArray[np.bool_]) -> tuple[Index, Array]:
    """Triangles between a full ring and a neighbouring point, at the base or at the tip of a run."""
    rim_of = np.where(full[lower], lower, lower + 1)
    point_of = np.where(full[lower], lower + 1, lower)
    ring = np.repeat(rim_of, sides[lower])
    pole = np.repeat(point_of, sides[lower])
    corner = np.arange(len(ring)) - np.repeat(np.cumsum(sides[lower]) - sides[lower], sides[lower])
    around = sides[ring]
    following = (corner + 1) % around
    at_base = (pole < ring)[:, None]
    a, b, c = offset[ring] + corner, offset[ring] + following, offset[pole]
    u0, u1 = corner / around, (corner + 1) / around
    v, v_pole = distance[ring], distance[pole]
    uv_a, uv_b = np.stack([u0, v], 1), np.stack([u1, v], 1)
    uv_c = np.stack([(u0 + u1) / 2, v_pole], 1)
    triangles = np.where(at_base, np.stack([b, a, c], 1), np.stack([a, b, c], 1))
    uv = np.where(at_base[:, :, None], np.stack([uv_b, uv_a, uv_c], 1), np.stack([uv_a, uv_b, uv_c], 1))
    return triangles, uv
