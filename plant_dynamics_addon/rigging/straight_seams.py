# SPDX-License-Identifier: GPL-3.0-or-later
"""Seams that go straight across. By weights alone they are jagged where these do not go with the rows of faces, as
beside forks; and a cap on a jagged ring is no plane."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .seams import Faces, Mask, Ring, rings, seam_edges
from .skin_weights import Index
from .split import middle_of

Array = NDArray[np.float64]

#: So many rows of faces on both sides of a seam may change sides, and so often it is tried.
_ROWS, _TRIES = 2, 3


@dataclass(frozen=True)
class _Plane:
    """Through a ring's middle, its normal towards what comes off."""

    middle: Array
    normal: Array
    radius: float
    length: float


def straight_parts(points: Array, faces: Faces, part: Index, free: Mask, below: list[int]) -> Index:
    """(f,) parts of faces, which are those given but for faces near the rings between them: these are divided by
    planes, if they are free to be of either part and every ring is then shorter."""
    of_corner = part[faces.of_corner()]
    found = rings(points, faces, of_corner, seam_edges(faces, of_corner), below)
    chosen = set(range(len(found)))
    for _ in range(_TRIES):
        if not chosen:
            break
        straight = _divided(points, faces, part, free, below, found, chosen)
        of_corner = straight[faces.of_corner()]
        failed = _longer(points, found, rings(points, faces, of_corner, seam_edges(faces, of_corner), below), chosen)
        if not failed:
            return straight
        chosen -= failed
    return part


def _divided(
    points: Array, faces: Faces, part: Index, free: Mask, below: list[int], found: list[Ring], chosen: set[int]
) -> Index:
    """The faces near the chosen rings, each on its side of the plane of one of them."""
    straight, of_face = part.copy(), faces.of_corner()
    near = np.full(len(points), -1)
    for number in chosen:
        near[found[number].vertex] = number
    ring = np.full(len(part), -1)
    for _ in range(_ROWS):
        ring = np.maximum(ring, np.maximum.reduceat(near[faces.vertex], faces.start))
        hit = np.flatnonzero(ring[of_face] >= 0)
        hit = hit[near[faces.vertex[hit]] < 0]
        near[faces.vertex[hit]] = ring[of_face[hit]]
    own, other = (np.array([choice(one.part) for one in found]) for choice in (int, below.__getitem__))
    movable = np.flatnonzero((ring >= 0) & free)
    movable = movable[(part[movable] == own[ring[movable]]) | (part[movable] == other[ring[movable]])]
    movable = movable[np.argsort(ring[movable], kind="stable")]
    for faces_here in np.split(movable, np.flatnonzero(np.diff(ring[movable])) + 1):
        if len(faces_here):
            number = int(ring[faces_here[0]])
            plane = _plane(points, found[number])
            height = (_middles(points, faces, faces_here) - plane.middle) @ plane.normal
            above = height > _widest_gap(height, plane.radius)
            straight[faces_here] = np.where(above, own[number], other[number])
    return straight


def _middles(points: Array, faces: Faces, chosen: Index) -> Array:
    """(n, 3) of faces."""
    ends = np.append(faces.start, len(faces.vertex))
    found: Array = np.array([points[faces.vertex[ends[one] : ends[one + 1]]].mean(axis=0) for one in chosen.tolist()])
    return found


def _plane(points: Array, ring: Ring) -> _Plane:
    middle = middle_of(points, ring)
    begin, end = points[ring.vertex[: len(ring.edge)]], points[ring.following(ring.vertex)]
    area = np.cross(begin - middle, end - middle).sum(axis=0) / 2
    size = float(np.linalg.norm(area))
    # A cap looks away from what it closes.
    normal = -area / max(size, np.finfo(float).tiny)
    return _Plane(middle, normal, float(np.sqrt(size / np.pi)), float(np.linalg.norm(end - begin, axis=1).sum()))


def _widest_gap(height: Array, radius: float) -> float:
    """Between which faces a plane goes best: between two rows, near the middle."""
    order = np.sort(height)
    if len(order) < 2:
        return 0.0
    gap, place = np.diff(order), (order[1:] + order[:-1]) / 2
    return float(place[np.argmax(gap * np.exp(-((place / max(radius, np.finfo(float).tiny)) ** 2)))])


def _longer(points: Array, before: list[Ring], after: list[Ring], chosen: set[int]) -> set[int]:
    """Those of the chosen rings whose part has more of them than before, or longer ones."""
    lengths = []
    for found in (before, after):
        of_part: dict[int, list[float]] = {}
        for ring in found:
            of_part.setdefault(ring.part, []).append(_plane(points, ring).length)
        lengths.append(of_part)
    old, new = lengths
    bad = {part for part, now in new.items()
           if len(now) != len(old.get(part, ())) or sum(now) > sum(old[part]) * (1.0 + 1e-9)}  # fmt: skip
    return {number for number in chosen if before[number].part in bad or before[number].part not in new}
