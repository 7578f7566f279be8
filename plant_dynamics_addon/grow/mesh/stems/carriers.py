# SPDX-License-Identifier: GPL-3.0-or-later
"""The surfaces that side branches leave, near the joints: tapered pieces of their parents' curves."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Array, Index, Mask, dot
from ..axes import TUBE, Axes, stations_at


@dataclass(frozen=True)
class Carriers:
    """Of b branches, the tapered pieces of the parent's curve near the joint, p for each."""

    start: Array  # (b, p, 3)
    along: Array  # (b, p, 3)
    radius: Array  # (b, p, 2) at both ends
    segment: Index  # (b, p)
    fraction: Array  # (b, p, 2) of the segment, at both ends

    def of(self, chosen: Mask) -> "Carriers":
        """Those of some of the branches."""
        return Carriers(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def outside(self, branch: Index, points: Array) -> tuple[Array, Index, Array]:
        """Signed distance (k) of points from the parents' surface, the nearest piece and the place on it, 0..1."""
        best, piece, place = np.full(len(points), np.inf), np.zeros(len(points), dtype=np.int64), np.zeros(len(points))
        for p in range(self.start.shape[1]):
            along = self.along[branch, p]
            across = points - self.start[branch, p]
            square = np.maximum(dot(along, along), np.finfo(float).tiny)
            at = np.clip(dot(across, along) / square, 0.0, 1.0)
            radius = self.radius[branch, p, 0] + at * (self.radius[branch, p, 1] - self.radius[branch, p, 0])
            distance = np.linalg.norm(across - at[:, None] * along, axis=1) - radius
            nearer = distance < best
            best[nearer], piece[nearer], place[nearer] = distance[nearer], p, at[nearer]
        return best, piece, place

    def outward(self, branch: Index, points: Array, piece: Index, place: Array) -> Array:
        """Unit vectors (k, 3) straight out of the surface, to points from the nearest places."""
        away = points - (self.start[branch, piece] + place[:, None] * self.along[branch, piece])
        return away / np.maximum(np.linalg.norm(away, axis=1), np.finfo(float).tiny)[:, None]


def carriers_of(axes: Axes, joints: tuple[Array, Array], parent: Index) -> Carriers:
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
    return Carriers(ends[0], ends[1] - ends[0], radius, segment, shares)
