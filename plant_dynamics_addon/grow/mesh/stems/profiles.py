# SPDX-License-Identifier: GPL-3.0-or-later
"""Tubes with contours of their own across them: stems, and leaves and petals that are drawn so."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array, Index, Mask, dot
from ..axes import PROFILE, Axes, Stations, stations_at
from ..detail import Detail
from ..skeleton import Skeleton
from ..surface import PARTS, Surface
from .rings import Rings, sorted_rings, tube_surface

# m; where a contour is drawn together to a point its rings still reach so far, so that no face loses its area.
_THINNEST = 1e-5
# Corners of rings by the corners of the thinnest tubes at each level of detail.
_CORNERS = ((8, 24), (6, 16), (0, 8))
# All of a segment's outlines but the last one, and all but the first.
_ENDS = (slice(None, -1), slice(1, None))


@dataclass(frozen=True)
class Profile:
    """The contours of a segment, with their points in the same order as those of the segment before."""

    segment: int
    outlines: Array  # (s, k, 3) m, along x, y and z of the segment's frame, counter-clockwise from x to z
    places: Array  # (s) by the segment's length: from 0 to 1


@dataclass(frozen=True)
class _Sections:
    """Stretches between each outline of a segment and the next one, segment by segment."""

    segment: Index
    begin: Array
    end: Array  # shares of the segment
    outlines: Array  # (2, s, corners, 3) at both ends
    last: Index  # (n) by segments, the number of the last stretch of each

    @property
    def is_alone(self) -> Mask:
        """(s) the segment has no other stretches."""
        whole: Mask = (self.begin == 0.0) & (self.end == 1.0)
        return whole


def build_profiles(skeleton: Skeleton, axes: Axes, profiles: Sequence[Profile], detail: Detail) -> Surface:
    """The tubes of all runs with profiles, of which every segment of such a run has one; closed at both ends."""
    runs = axes.runs_of(PROFILE)
    sections = _sections(profiles, detail, len(axes.length))
    # what is drawn with so many outlines has no need of rings between them
    rings = np.where(sections.is_alone, detail.rings, 1)
    of = np.repeat(np.arange(len(rings)), rings)
    share = (np.arange(len(of)) - np.repeat(np.cumsum(rings) - rings, rings)) / rings[of]
    ends = sections.last[axes.ends(runs)]
    of, share = np.append(of, ends), np.append(share, np.ones(len(ends)))
    segment = sections.segment[of]
    fraction = sections.begin[of] + share * (sections.end - sections.begin)[of]
    order = np.lexsort((axes.start[segment] + fraction * axes.length[segment], axes.run[segment]))
    of, share, segment, fraction = of[order], share[order], segment[order], fraction[order]
    stations = stations_at(axes, segment, fraction)
    around = _around(axes, stations, fraction, sections, of, share)
    body = _rings(axes, skeleton, stations, around)
    first = np.flatnonzero(np.diff(axes.run[segment], prepend=-1))
    final = np.append(first[1:], len(segment)) - 1
    closing = [
        replace(_rings(axes, skeleton, stations.take(at), around[at].mean(axis=1)[:, None]), place=at + shift)
        for at, shift in ((first, -0.5), (final, 0.5))
    ]
    surface = tube_surface(sorted_rings([body, *closing]))
    return replace(
        surface,
        quad_part=_parts(axes, surface.segment[surface.quads[:, 0]]),
        triangle_part=_parts(axes, surface.segment[surface.triangles[:, 0]]),
    )


def _sections(profiles: Sequence[Profile], detail: Detail, count: int) -> _Sections:
    """With as many corners as the detail asks for."""
    points = profiles[0].outlines.shape[1]
    stride = points // next(corners for least, corners in _CORNERS if detail.sides[0] >= least)
    # counter-clockwise seen against the tangent, which is from z to x
    corners = -np.arange(0, points, stride)
    segment = np.repeat([one.segment for one in profiles], [len(one.places) - 1 for one in profiles])
    begin, end = (np.concatenate([one.places[part] for one in profiles]) for part in _ENDS)
    outlines = np.stack([np.concatenate([one.outlines[part][:, corners] for one in profiles]) for part in _ENDS])
    last = np.full(count, -1)
    last[segment] = np.arange(len(segment))  # the last one stays
    return _Sections(segment, begin, end, outlines, last)


def profile_areas(skeleton: Skeleton, axes: Axes) -> Array:
    """(n) m2 of leaves and petals with profiles, one side, as large as they are wide; 0 of all others."""
    is_blade = (axes.kind == PROFILE) & (axes.is_organ("leaf") | axes.is_organ("petal"))
    return np.where(is_blade, skeleton.width * axes.length, 0.0)


def _around(
    axes: Axes, stations: Stations, fraction: Array, sections: _Sections, of: Index, share: Array
) -> Array:
    """(k, corners, 3) from the stations to the points of their rings. Where two segments meet it is between both."""
    part = share[:, None, None]
    base, tip = sections.outlines[:, of]
    around = _placed(axes, sections, of, stations.tangent, (1.0 - part) * base + part * tip)
    # outlines along a segment are where they are by its line, whatever the curve through all segments is
    on = stations.segment
    line = axes.head[on] + (fraction * axes.length[on])[:, None] * axes.direction[on]
    around += np.where(sections.is_alone[of, None], 0.0, line - stations.point)[:, None]
    before = axes.before[stations.segment]
    meets = (fraction == 0.0) & (before >= 0)
    meets &= (axes.kind[before] == PROFILE) & (axes.run[before] == axes.run[stations.segment])
    at = np.flatnonzero(meets)
    ended = sections.last[before[at]]
    around[at] = 0.5 * (around[at] + _placed(axes, sections, ended, stations.tangent[at], sections.outlines[1][ended]))
    # where it comes to a point
    size = np.linalg.norm(around - around.mean(axis=1, keepdims=True), axis=2).max(axis=1)
    turns = 2.0 * np.pi * np.arange(around.shape[1]) / around.shape[1]
    circle = np.stack([np.cos(turns), np.zeros_like(turns), np.sin(turns)], axis=1) * _THINNEST
    points = np.flatnonzero(size < _THINNEST)
    middle = around[points].mean(axis=1, keepdims=True)
    small = np.broadcast_to(circle, (len(points), *circle.shape))
    around[points] = middle + _placed(axes, sections, of[points], stations.tangent[points], small)
    return around


def _placed(axes: Axes, sections: _Sections, of: Index, tangent: Array, outline: Array) -> Array:
    """Outlines (k, corners, 3) along the axes of stretches' segments, turned with y to the tangents by the least angle
    where these have no others between their ends."""
    segment = sections.segment[of]
    frame, along = axes.frame[segment], axes.direction[segment]
    tangent = np.where(sections.is_alone[of, None], tangent, along)
    turn, cosine = np.cross(along, tangent), dot(along, tangent)
    axes_of_ring = []
    for column in (0, 2):
        axis = frame[:, :, column]
        # Rodrigues' formula with the sine in the axis' length
        along_turn = dot(turn, axis) / np.maximum(1.0 + cosine, 1e-9)
        axes_of_ring.append(cosine[:, None] * axis + np.cross(turn, axis) + along_turn[:, None] * turn)
    right, up = axes_of_ring
    return np.einsum("kcj,kji->kci", outline, np.stack([right, tangent, up], axis=1))


def _rings(axes: Axes, skeleton: Skeleton, stations: Stations, around: Array) -> Rings:
    """Rings of these points from the stations."""
    k, corners = around.shape[:2]
    ring = np.repeat(np.arange(k), corners)
    fraction = (stations.distance - axes.start[stations.segment]) / axes.length[stations.segment]
    base, tip = skeleton.radius_base[stations.segment], skeleton.radius_tip[stations.segment]
    girth = np.where(axes.is_organ("stem")[stations.segment], base + (tip - base) * fraction, 0.0)
    return Rings(
        axes.run[stations.segment], np.arange(k, dtype=float), np.full(k, corners),
        (stations.point[:, None] + around).reshape(-1, 3), stations.bones[ring], stations.weights[ring],
        stations.segment[ring], girth[ring], stations.distance[ring],
    )  # fmt: skip


def _parts(axes: Axes, segment: Index) -> Index:
    """What faces of segments are made of."""
    parts = np.full(len(axes.length), PARTS.index("stem"))
    for name in ("leaf", "petal"):
        parts[axes.is_organ(name)] = PARTS.index(name)
    return parts[segment]
