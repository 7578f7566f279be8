# SPDX-License-Identifier: GPL-3.0-or-later
"""Points and rays against triangles, many pairs at once. Corners are (..., 3, 3): triangle, corner, coordinate."""

import numpy as np

from ...base.arrays import Flags, Floats


def nearest_points(places: Floats, corners: Floats) -> Floats:
    """(..., 3) the point of each triangle that is nearest to its place (..., 3)."""
    a, b, c = corners[..., 0, :], corners[..., 1, :], corners[..., 2, :]
    best = _on_edge(places, a, b)
    for start, end in ((b, c), (c, a)):
        other = _on_edge(places, start, end)
        best = np.where(_is_nearer(places, other, best)[..., None], other, best)
    # within the face, where the foot of the perpendicular is
    normal = _cross(b - a, c - a)
    square = _dot(normal, normal)
    with np.errstate(divide="ignore", invalid="ignore"):
        foot = places - normal * (_dot(places - a, normal) / square)[..., None]
        v = _dot(_cross(foot - a, c - a), normal) / square
        w = _dot(_cross(b - a, foot - a), normal) / square
        within = (v >= 0.0) & (w >= 0.0) & (v + w <= 1.0)
    return np.where(within[..., None], foot, best)


def solid_angles(places: Floats, corners: Floats) -> Floats:
    """(...) the solid angle at which each place sees its triangle, above 0 from behind.

    Van Oosterom and Strackee, The solid angle of a plane triangle (1983), equation 8.
    """
    a, b, c = (corners[..., corner, :] - places for corner in range(3))
    la, lb, lc = (np.sqrt(_dot(side, side)) for side in (a, b, c))
    volume = _dot(a, _cross(b, c))
    return 2.0 * np.arctan2(volume, la * lb * lc + _dot(a, b) * lc + _dot(b, c) * la + _dot(c, a) * lb)


def are_hit(origins: Floats, directions: Floats, corners: Floats) -> Flags:
    """(...) whether each ray, from its origin on, meets its triangle. Moeller and Trumbore (1997)."""
    a = corners[..., 0, :]
    first, second = corners[..., 1, :] - a, corners[..., 2, :] - a
    across = _cross(directions, second)
    determinant = _dot(first, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = _dot(origins - a, across) / determinant
        along = _cross(origins - a, first)
        v = _dot(directions, along) / determinant
        t = _dot(second, along) / determinant
        return np.asarray((u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.0))


def _on_edge(places: Floats, start: Floats, end: Floats) -> Floats:
    along = end - start
    square = np.maximum(_dot(along, along), np.finfo(np.float64).tiny)
    share = np.clip(_dot(places - start, along) / square, 0.0, 1.0)
    return start + share[..., None] * along


def _is_nearer(places: Floats, one: Floats, other: Floats) -> Flags:
    return np.asarray(_dot(one - places, one - places) < _dot(other - places, other - places))


def _cross(one: Floats, other: Floats) -> Floats:
    ax, ay, az = one[..., 0], one[..., 1], one[..., 2]
    bx, by, bz = other[..., 0], other[..., 1], other[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def _dot(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[..., 0] * other[..., 0] + one[..., 1] * other[..., 1] + one[..., 2] * other[..., 2])
