# SPDX-License-Identifier: GPL-3.0-or-later
"""Rings of corners along the tubes, and the faces between them. A ring of one corner is a point."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Array, Index, Mask
from ..surface import Surface, faces_of, padded


@dataclass(frozen=True)
class Rings:
    """k rings with c corners in all, ring by ring."""

    run: Index  # (k)
    place: Array  # (k) increases from ring to ring within a run
    count: Index  # (k) corners
    point: Array  # (c, 3)
    bones: Index  # (c, b)
    weights: Array  # (c, b)
    segment: Index  # (c)
    girth: Array  # (c) m
    distance: Array  # (c) m from the run's base

    @property
    def offset(self) -> Index:
        """(k) where each ring's corners begin."""
        return np.cumsum(self.count) - self.count


#: Feet are closed so far below their middle, in radii of the branch, that they do not cut their own fillets.
_BELOW = 0.4

_OF_RINGS = ("run", "place", "count")


def corners_of(count: Index) -> tuple[Index, Index]:
    """For rings of so many corners: of every corner, its ring and its number in the ring."""
    ring = np.repeat(np.arange(len(count)), count)
    return ring, np.arange(len(ring)) - np.repeat(np.cumsum(count) - count, count)


def ranges(starts: Index, sizes: Index) -> Index:
    """The numbers of several ranges one after the other."""
    number, place = corners_of(sizes)
    return starts[number] + place


def sorted_rings(parts: Sequence[Rings]) -> Rings:
    """All rings in the order of their runs and places."""
    widest = max(part.bones.shape[1] for part in parts)
    even = [replace(part, bones=padded(part.bones, widest), weights=padded(part.weights, widest)) for part in parts]
    whole = {name: np.concatenate([getattr(part, name) for part in even]) for name in Rings.__dataclass_fields__}
    order = np.lexsort((whole["place"], whole["run"]))
    source = ranges((np.cumsum(whole["count"]) - whole["count"])[order], whole["count"][order])
    return Rings(**{name: one[order if name in _OF_RINGS else source] for name, one in whole.items()})


def closed_feet(fillets: Rings, steps: int, chosen: Mask) -> Rings:
    """Points below the middle of the lowest rings of some of b fillets, of `steps` rings each, which so are closed: a
    foot that begins within its parent is not seen, but nothing is open there."""
    lowest = np.arange(0, len(fillets.run), steps)[chosen]
    one, count = fillets.offset[lowest], fillets.count[lowest]
    of_ring, corner = corners_of(count)
    point, following = (fillets.point[one[of_ring] + (corner + ahead) % count[of_ring]] for ahead in (0, 1))
    middle = _sums(of_ring, point, len(lowest)) / count[:, None]
    # Twice the area that the ring goes around, counter-clockwise seen from the branch.
    upwards = _sums(of_ring, np.cross(point - middle[of_ring], following - middle[of_ring]), len(lowest))
    upwards = upwards / np.maximum(np.linalg.norm(upwards, axis=1), np.finfo(float).tiny)[:, None]
    distance = np.bincount(of_ring, fillets.distance[one[of_ring] + corner], len(lowest)) / count
    return Rings(
        fillets.run[lowest], fillets.place[lowest] - 0.5 / (steps + 1), np.ones(len(lowest), dtype=np.int64),
        middle - _BELOW * fillets.girth[one][:, None] * upwards, fillets.bones[one], fillets.weights[one],
        fillets.segment[one], fillets.girth[one], distance,
    )  # fmt: skip


def _sums(of_ring: Index, vectors: Array, rings: int) -> Array:
    """(rings, 3) of the vectors (c, 3) of each ring's corners."""
    return np.stack([np.bincount(of_ring, axis, rings) for axis in vectors.T], axis=1)


def tube_surface(rings: Rings) -> Surface:
    """Quads between neighbouring rings of a run, triangles to its points; UV once around in 0..1, and metres along."""
    joined = np.flatnonzero(rings.run[1:] == rings.run[:-1])
    full = rings.count > 1
    quads, quad_uv = _bands(rings, joined[full[joined] & full[joined + 1]])
    triangles, triangle_uv = _fans(rings, joined[full[joined] != full[joined + 1]], full)
    return Surface(
        **vars(faces_of("stem", quads, quad_uv, triangles, triangle_uv)), vertices=rings.point, bones=rings.bones,
        weights=rings.weights, segment=rings.segment, girth=rings.girth,
    )  # fmt: skip


def first_quads(rings: Rings) -> Index:
    """(k) number of the first quad above each ring in the tube surface; of rings with none above, that of the next."""
    full = rings.count > 1
    below = np.zeros(len(rings.run), dtype=bool)
    below[:-1] = full[:-1] & full[1:] & (rings.run[1:] == rings.run[:-1])
    count = np.where(below, rings.count, 0)
    return np.cumsum(count) - count


def _bands(rings: Rings, lower: Index) -> tuple[Index, Array]:
    """Between the full rings `lower` and the next ones."""
    offset, distance = rings.offset, rings.distance
    index, corner = corners_of(rings.count[lower])
    ring = lower[index]
    around = rings.count[ring]
    following = (corner + 1) % around
    quads = np.stack(
        [offset[ring] + corner, offset[ring] + following, offset[ring + 1] + following, offset[ring + 1] + corner],
        axis=1,
    )
    u = np.stack([corner, corner + 1, corner + 1, corner], axis=1) / around[:, None]
    return quads, np.stack([u, distance[quads]], axis=2)


def _fans(rings: Rings, lower: Index, full: Mask) -> tuple[Index, Array]:
    """Between a full ring and a neighbouring point, at the base or at the tip of a run."""
    offset, distance = rings.offset, rings.distance
    rim_of = np.where(full[lower], lower, lower + 1)
    point_of = np.where(full[lower], lower + 1, lower)
    index, corner = corners_of(rings.count[rim_of])
    ring, pole = rim_of[index], point_of[index]
    around = rings.count[ring]
    a, b, c = offset[ring] + corner, offset[ring] + (corner + 1) % around, offset[pole]
    ua, ub = corner / around, (corner + 1) / around
    at_base = (pole < ring)[:, None]
    triangles = np.where(at_base, np.stack([b, a, c], 1), np.stack([a, b, c], 1))
    u = np.where(at_base, np.stack([ub, ua, (ua + ub) / 2], 1), np.stack([ua, ub, (ua + ub) / 2], 1))
    return triangles, np.stack([u, distance[triangles]], axis=2)
