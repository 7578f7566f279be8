# SPDX-License-Identifier: GPL-3.0-or-later
"""Seams that go straight across. By weights alone they are jagged where these do not go with the rows of faces, as
beside forks; and a cap on a jagged ring is no plane."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .seams import Faces, Mask, Ring, rings, seam_edges
from .split import middle_of
from .weights import Index, ranges

Array = NDArray[np.float64]

#: So many rows of faces on both sides of a seam may change sides, and so often it is tried.
_ROWS, _TRIES = 2, 2


@dataclass(frozen=True)
class _Plane:
    """Through a ring's middle, its normal towards what comes off."""

    middle: Array
    normal: Array
    radius: float


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
    sizes = np.diff(faces.start, append=len(faces.vertex))[movable]
    corner, face = ranges(faces.start[movable], sizes)
    columns = [np.bincount(face, column, len(movable)) for column in points[faces.vertex[corner]].T]
    middles = np.stack(columns, axis=1)
    middles /= sizes[:, None]
    begin = np.flatnonzero(np.diff(ring[movable], prepend=-1))
    for first, end in zip(begin.tolist(), [*begin[1:].tolist(), len(movable)], strict=True):
        number = int(ring[movable[first]])
        plane = _plane(points, found[number])
        height = (middles[first:end] - plane.middle) @ plane.normal
        above = height > _widest_gap(height, plane.radius)
        straight[movable[first:end]] = np.where(above, own[number], other[number])
    return straight


def _plane(points: Array, ring: Ring) -> _Plane:
    middle = middle_of(points, ring)
    x, y, z = (points[ring.vertex[: len(ring.edge)]] - middle).T
    u, v, w = (points[ring.following(ring.vertex)] - middle).T
    area = np.array([y @ w - z @ v, z @ u - x @ w, x @ v - y @ u]) / 2
    size = float(np.sqrt(area @ area))
    # A cap looks away from what it closes.
    return _Plane(middle, -area / max(size, np.finfo(float).tiny), float(np.sqrt(size / np.pi)))


def _length(points: Array, ring: Ring) -> float:
    step = points[ring.following(ring.vertex)] - points[ring.vertex[: len(ring.edge)]]
    return float(np.sqrt((step * step).sum(axis=1)).sum())


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
            of_part.setdefault(ring.part, []).append(_length(points, ring))
        lengths.append(of_part)
    old, new = lengths
    bad = {part for part, now in new.items()
           if len(now) != len(old.get(part, ())) or sum(now) > sum(old[part]) * (1.0 + 1e-9)}  # fmt: skip
    return {number for number in chosen if before[number].part in bad or before[number].part not in new}
