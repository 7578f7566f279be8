# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a skin parts: which part of the plant each face belongs to, what lies between, and how both sides are closed.

Parts are numbered so that a part has a larger number than the one it hangs on; 0 is what stays on the plant. Whatever
comes off with a part's bone is closed by caps on the rings around it: one cap of its own, and one, turned round, of
the part that it hangs on. So every edge has two faces, also at forks, where several parts meet on one ring.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .weights import Index, Weights, ranges

Mask = NDArray[np.bool_]

#: Shares that differ by less are the same: a face in the middle between two parts is of the one below.
_SAME = 1e-3
#: An open way around something is longer than from its begin to its end by this, of a half circle by pi / 2.
_ACROSS = 0.8


@dataclass(frozen=True)
class Faces:
    """f faces and their c corners: start (f,), vertex (c,) and edge (c,), from this corner to the next."""

    start: Index
    vertex: Index
    edge: Index

    def of_corner(self) -> Index:
        """(c,) the face of each corner."""
        return np.repeat(np.arange(len(self.start)), np.diff(self.start, append=len(self.vertex)))

    def following(self) -> Index:
        """(c,) the next corner of each corner's face."""
        following = np.arange(len(self.vertex)) + 1
        following[np.append(self.start[1:], len(self.vertex)) - 1] = self.start
        return following


@dataclass(frozen=True)
class Ring:
    """A way of n edges around what comes off with a part, as that part's cap goes round: vertex (n,), edge (n,) from
    each vertex to the next, corner (n,) of the skin beside it, of what comes off, at the next vertex. Where the skin
    itself is open, as a branch may be within what bears it, the way may be too: then it has n + 1 vertices."""

    part: int
    vertex: Index
    edge: Index
    corner: Index

    @property
    def is_open(self) -> bool:
        """Whether it ends at another vertex than it begins with."""
        return len(self.vertex) > len(self.edge)

    def following(self, vertex: Index) -> Index:
        """(n,) of what there is of each vertex, that of the next one."""
        return vertex[1:] if self.is_open else np.concatenate([vertex[1:], vertex[:1]])


def parts_of_faces(faces: Faces, weights: Weights, part: Index) -> Index:
    """(f,) the part that most of each face's weight belongs to; part says it of groups, -1 of those of no bone."""
    least, most = least_and_most(weights, part)
    low = np.minimum.reduceat(least[faces.vertex], faces.start)
    high = np.maximum.reduceat(most[faces.vertex], faces.start)
    found = np.where(high >= 0, low, 0)
    mixed = np.flatnonzero(low < high)
    if len(mixed):
        mine = part[weights.group] >= 0
        shares = Weights(weights.count, weights.vertex[mine], part[weights.group[mine]], weights.weight[mine])
        found[mixed] = _most(faces, mixed, shares)
    return found


def least_and_most(weights: Weights, part: Index) -> tuple[Index, Index]:
    """(v,) the lowest and the highest part that moves each vertex; the highest is -1 where none does."""
    of_weight = part[weights.group]
    vertex, of_weight = weights.vertex[of_weight >= 0], of_weight[of_weight >= 0]
    least, most = np.full(weights.count, np.iinfo(np.int64).max), np.full(weights.count, -1)
    begin = np.flatnonzero(np.diff(vertex, prepend=-1))
    if len(begin):
        least[vertex[begin]] = np.minimum.reduceat(of_weight, begin)
        most[vertex[begin]] = np.maximum.reduceat(of_weight, begin)
    return least, most


def _most(faces: Faces, chosen: Index, shares: Weights) -> Index:
    """(n,) the part with the largest share of each of n faces; the lowest one of those with the same."""
    sizes = np.diff(faces.start, append=len(faces.vertex))[chosen]
    corner, face = ranges(faces.start[chosen], sizes)
    row, which = shares.rows(faces.vertex[corner])
    count = int(shares.group.max()) + 1
    key, at = np.unique(face[which] * count + shares.group[row], return_inverse=True)
    total = np.bincount(at.reshape(-1), shares.weight[row])
    total = np.round(total / np.bincount(key // count, total)[key // count] / _SAME)
    order = np.lexsort((key % count, -total, key // count))
    first = np.flatnonzero(np.diff(key[order] // count, prepend=-1))
    return (key % count)[order[first]]


def seam_edges(faces: Faces, part: Index) -> Mask:
    """(largest edge + 1,) whether faces of different parts meet at an edge; part is of corners."""
    last = np.zeros(int(faces.edge.max(initial=-1)) + 1, dtype=np.int64)
    last[faces.edge] = part
    seam = np.zeros(len(last), dtype=bool)
    seam[faces.edge[part != last[faces.edge]]] = True
    return seam


def rings(points: NDArray[np.float64], faces: Faces, part: Index, seam: Mask, below: list[int]) -> list[Ring]:
    """Around everything that comes off; part is of corners, below says which part each part hangs on."""
    corners = np.flatnonzero(seam[faces.edge])
    corners = corners[np.argsort(faces.edge[corners], kind="stable")]
    edge = faces.edge[corners]
    begin = np.flatnonzero(np.diff(edge, prepend=-1))
    two = begin[np.diff(begin, append=len(edge)) == 2]
    following = faces.following()
    ways: dict[int, dict[int, list[tuple[int, int, int]]]] = {}
    for one, other in zip(corners[two].tolist(), corners[two + 1].tolist(), strict=True):
        sides = {int(part[one]): one, int(part[other]): other}
        for own, corner in sides.items():
            rest = next((side for side in sides if side != own), own)
            for around in _comes_off(own, rest, below):
                start, end = int(faces.vertex[following[corner]]), int(faces.vertex[corner])
                ways.setdefault(around, {}).setdefault(start, []).append((end, int(faces.edge[corner]), corner))
    found = [Ring(around, *(np.array(column, dtype=np.int64) for column in one))
             for around, way in sorted(ways.items()) for one in _ways(way)]  # fmt: skip
    return [ring for ring in found if not ring.is_open or _goes_round(points[ring.vertex])]


def _goes_round(line: NDArray[np.float64]) -> bool:
    """Whether an open line (n, 3) goes around something, rather than straight across a sheet."""
    length = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    return bool(np.linalg.norm(line[-1] - line[0]) < _ACROSS * length)


def _comes_off(own: int, other: int, below: list[int]) -> Iterator[int]:
    """The parts with which the first of two parts comes off, but not the other."""
    while own != other:
        if own > other:
            yield own
            own = below[own]
        else:
            other = below[other]


def _ways(way: dict[int, list[tuple[int, int, int]]]) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """The simple ways among directed edges, as vertices, edges and corners: open ones first, for they have a begin."""
    begins = Counter({start: len(ahead) for start, ahead in way.items()})
    begins.subtract(end for ahead in way.values() for end, _, _ in ahead)
    starts = [start for start, more in begins.items() for _ in range(more)]
    while way:
        path, edges, corners = [starts.pop() if starts else next(iter(way))], list[int](), list[int]()
        place = {path[0]: 0}
        while path[-1] in way:
            ahead = way[path[-1]]
            there, edge, corner = ahead.pop()
            if not ahead:
                del way[path[-1]]
            edges.append(edge)
            corners.append(corner)
            if there not in place:
                place[there] = len(path)
                path.append(there)
                continue
            begin = place[there]
            yield path[begin:], edges[begin:], corners[begin:]
            for vertex in path[begin + 1 :]:
                del place[vertex]
            del path[begin + 1 :], edges[begin:], corners[begin:]
        if edges:
            yield path, edges, corners
