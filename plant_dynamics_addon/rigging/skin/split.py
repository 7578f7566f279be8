# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that is split along its seams and closed by caps: every part there gets vertices and edges of its own."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .mesh_growth import Growth, Shape
from .seams import Faces, Mask, Ring
from .weights import Index


@dataclass(frozen=True)
class Split:
    """growth: what the mesh becomes. Its vertices (n,) on the seam, with the old one of each and the part it is of.
    middle (m,): vertices in the middle of caps, and rim: those around each. corner: the old ones at the seam."""

    growth: Growth
    vertex: Index
    origin: Index
    part: Index
    middle: Index
    rim: list[Index]
    corner: Index


class _Copies:
    """Numbers for copies of things (vertices or edges), one for each part; the first one's is that of the thing itself,
    others go on from `count`."""

    def __init__(self, things: list[Index], parts: list[Index], part_count: int, count: int) -> None:
        self._parts = part_count
        self._keys = np.unique(np.concatenate(things) * part_count + np.concatenate(parts))
        self.thing, self.part = np.divmod(self._keys, part_count)
        is_new = np.diff(self.thing, prepend=-1) == 0
        self.number = np.where(is_new, count + np.cumsum(is_new) - 1, self.thing)
        self.of_new = self.thing[is_new]

    def of(self, thing: Index, part: Index | int) -> Index:
        return self.number[np.searchsorted(self._keys, thing * self._parts + part)]


@dataclass(frozen=True)
class _Cap:
    """Of one part, on a ring; turned round where that comes off from the part."""

    ring: Ring
    part: int
    is_turned: bool


def split(shape: Shape, part: Index, seam: Mask, rings: list[Ring], below: list[int]) -> Split:
    """Of a mesh of this shape, whose corners (c,) are of these parts; below: the part that each part hangs on."""
    points, ends, faces = shape.points, shape.ends, shape.faces
    caps = [cap for ring in rings for cap in (_Cap(ring, ring.part, False), _Cap(ring, below[ring.part], True))]
    on_seam = np.zeros(len(points), dtype=bool)
    on_seam[ends[np.flatnonzero(seam)]] = True
    at = np.flatnonzero(on_seam[faces.vertex])
    along = np.flatnonzero((on_seam[ends[:, 0]] | on_seam[ends[:, 1]])[faces.edge])
    of_vertices, of_edges = ([np.full(len(items), cap.part) for cap, items in zip(caps, those, strict=True)]
                             for those in ([cap.ring.vertex for cap in caps], [cap.ring.edge for cap in caps]))
    vertices = _Copies([faces.vertex[at], *(cap.ring.vertex for cap in caps)], [part[at], *of_vertices],
                       len(below), len(points))  # fmt: skip
    edges = _Copies([faces.edge[along], *(cap.ring.edge for cap in caps)], [part[along], *of_edges],
                    len(below), len(ends))  # fmt: skip

    corner_vertex, corner_edge = faces.vertex.copy(), faces.edge.copy()
    corner_vertex[at] = vertices.of(faces.vertex[at], part[at])
    corner_edge[along] = edges.of(faces.edge[along], part[along])
    own = ends[edges.thing].copy()
    for side in own.T:
        mine = on_seam[side]
        side[mine] = vertices.of(side[mine], edges.part[mine])
    first_vertex, first_edge = len(points) + len(vertices.of_new), len(ends) + len(edges.of_new)
    more = np.concatenate([ends, np.zeros((len(edges.of_new), 2), dtype=np.int64)])
    more[edges.number] = own

    sizes = np.array([len(cap.ring.vertex) for cap in caps], dtype=np.int64)
    triangles = sum(len(cap.ring.edge) for cap in caps)
    fans = [_fan(cap, vertices, edges, first_vertex + number, first_edge + spokes)
            for number, (cap, spokes) in enumerate(zip(caps, np.cumsum(sizes) - sizes, strict=True))]  # fmt: skip
    of_face, following = faces.of_corner(), faces.following()
    beside = [np.stack([following[cap.ring.corner], cap.ring.corner, cap.ring.corner], axis=1) for cap in caps]
    beside = [one[:, [1, 0, 2]] if cap.is_turned else one for one, cap in zip(beside, caps, strict=True)]
    origin = np.concatenate([vertices.of_new, np.array([cap.ring.vertex[0] for cap in caps], dtype=np.int64)])
    grown = Shape(
        np.concatenate([points, points[vertices.of_new], *(middle_of(points, cap.ring)[None] for cap in caps)]),
        np.concatenate([more, *(fan.spokes for fan in fans)]),
        Faces(
            np.concatenate([faces.start, len(faces.vertex) + 3 * np.arange(triangles)]),
            np.concatenate([corner_vertex, *(fan.corners.ravel() for fan in fans)]),
            np.concatenate([corner_edge, *(fan.edges.ravel() for fan in fans)]),
        ),
    )
    growth = Growth(
        grown,
        origin,
        np.concatenate([edges.of_new, *(np.resize(cap.ring.edge, len(cap.ring.vertex)) for cap in caps)]),
        np.concatenate([np.zeros(0, np.int64), *(of_face[cap.ring.corner] for cap in caps)]),
        np.concatenate([np.zeros(0, np.int64), *(one.ravel() for one in beside)]),
    )
    middle = first_vertex + np.arange(len(caps))
    return Split(growth, vertices.number, vertices.thing, vertices.part, middle, [fan.rim for fan in fans], at)


@dataclass(frozen=True)
class _Fan:
    """Triangles (n, 3) around a cap's middle: corners and, from each corner to the next, edges; and, of the vertices of
    the rim, spokes as pairs of vertices."""

    corners: Index
    edges: Index
    spokes: Index
    rim: Index


def _fan(cap: _Cap, vertices: _Copies, edges: _Copies, middle: int, first_spoke: int) -> _Fan:
    rim, along = vertices.of(cap.ring.vertex, cap.part), edges.of(cap.ring.edge, cap.part)
    spoke = first_spoke + np.arange(len(rim))
    begin, ahead, centre = rim[: len(along)], cap.ring.following(rim), np.full(len(along), middle)
    near, far = spoke[: len(along)], cap.ring.following(spoke)
    if cap.is_turned:
        corners, around = (ahead, begin, centre), (along, near, far)
    else:
        corners, around = (begin, ahead, centre), (along, far, near)
    spokes = np.stack([rim, np.full(len(rim), middle)], axis=1)
    return _Fan(np.stack(corners, axis=1), np.stack(around, axis=1), spokes, rim)


def middle_of(points: NDArray[np.float64], ring: Ring) -> NDArray[np.float64]:
    """(3,) of its line, however its points, among these (v, 3), are spaced."""
    begin, end = points[ring.vertex[: len(ring.edge)]], points[ring.following(ring.vertex)]
    length = np.sqrt(((end - begin) ** 2).sum(axis=1)) + np.finfo(float).tiny
    found: NDArray[np.float64] = length @ (begin + end) / (2.0 * length.sum())
    return found
