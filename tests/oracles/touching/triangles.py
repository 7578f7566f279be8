# SPDX-License-Identifier: GPL-3.0-or-later
"""Where points are to triangles, inside or not, and what they cross on their way, found apart from the solver.

Corners are (t, 3, 3): of t triangles.
"""

from typing import NamedTuple

import numpy as np


class Crossed(NamedTuple):
    """Points (n,) that crossed triangles (n,): share (n,) of the way, place (n, 3), 1 from back to front, else -1."""

    point: np.ndarray
    triangle: np.ndarray
    share: np.ndarray
    place: np.ndarray
    way: np.ndarray


def rim_of(triangles: np.ndarray) -> np.ndarray:
    """(e, 2) edges of one triangle only; none of what is closed."""
    edges = np.sort(np.asarray(triangles)[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    edges, times = np.unique(edges, axis=0, return_counts=True)
    return edges[times == 1]


def from_segments(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(k, e) distances of points from segments."""
    out, along = points[:, None] - start, end - start
    share = np.einsum("kei,ei->ke", out, along) / np.maximum((along * along).sum(axis=1), 1e-300)
    out = out - np.clip(share, 0.0, 1.0)[:, :, None] * along
    return np.sqrt(np.einsum("kei,kei->ke", out, out))


def distance(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(k,) from the nearest triangle."""
    return _from_each(points, corners)[0].min(axis=1)


def is_behind(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(k,) whether points are behind any of the triangles that are nearest."""
    away, height = _from_each(points, corners)
    return ((away < away.min(axis=1)[:, None] + 1e-9) & (height < 0.0)).any(axis=1)


def _from_each(points: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(k, t) from triangles: from their planes if they are above them, else from their sides; and above the planes."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    sides = [from_segments(points, *two) for two in ((a, b), (b, c), (c, a))]
    normal = np.cross(b - a, c - a)
    normal = normal / np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    above = np.ones((len(points), len(corners)), dtype=bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inwards = np.cross(normal, q - p)
        above &= points @ inwards.T >= (p * inwards).sum(axis=1)
    height = points @ normal.T - (a * normal).sum(axis=1)
    return np.minimum(np.min(sides, axis=0), np.where(above, np.abs(height), np.inf)), height


def is_inside(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(k,) whether closed triangles go around a point: the sum of their solid angles (Van Oosterom, Strackee 1983)."""
    a, b, c = (corners[None, :, i] - points[:, None] for i in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
    above = np.einsum("kti,kti->kt", a, np.cross(b, c))
    ab, bc, ca = ((p * q).sum(axis=2) for p, q in ((a, b), (b, c), (c, a)))
    angle = 2.0 * np.arctan2(above, la * lb * lc + ab * lc + bc * la + ca * lb)
    return np.abs(angle.sum(axis=1)) > 2.0 * np.pi


def crossings(before: np.ndarray, after: np.ndarray, was: np.ndarray, corners: np.ndarray) -> Crossed:
    """Where points (k, 3) on straight ways meet triangles that went evenly from `was` to `corners`."""
    heights = []
    for points, now in ((before, was), (after, corners)):
        normal = np.cross(now[:, 1] - now[:, 0], now[:, 2] - now[:, 0])
        heights.append(np.einsum("kti,ti->kt", points[:, None] - now[:, 0], normal))
    point, triangle = np.nonzero((heights[0] >= 0.0) != (heights[1] >= 0.0))
    first, last = (one[point, triangle] for one in heights)
    share = (first / (first - last))[:, None]
    place = (1.0 - share) * before[point] + share * after[point]
    then = (1.0 - share[:, :, None]) * was[triangle] + share[:, :, None] * corners[triangle]
    normal = np.cross(then[:, 1] - then[:, 0], then[:, 2] - then[:, 0])
    within = np.ones(len(point), dtype=bool)
    for i in range(3):
        side = np.cross(then[:, (i + 1) % 3] - then[:, i], place - then[:, i])
        within &= (side * normal).sum(axis=1) >= 0.0
    way = np.where(last >= 0.0, 1, -1)
    return Crossed(point[within], triangle[within], share[within, 0], place[within], way[within])
