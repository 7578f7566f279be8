# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves the vertices of a skin, as arrays: Blender has them vertex by vertex only."""

from collections.abc import Iterator
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

Index = NDArray[np.int64]


@dataclass(frozen=True)
class Weights:
    """The k weights above 0 of so many vertices, by vertices: vertex (k,), group (k,) numbers, weight (k,)."""

    count: int
    vertex: Index
    group: Index
    weight: NDArray[np.float64]

    def first(self) -> Index:
        """(count + 1,) where each vertex' weights begin."""
        return np.searchsorted(self.vertex, np.arange(self.count + 1))

    def rows(self, vertices: Index) -> tuple[Index, Index]:
        """Which weights these vertices (n,) have, and of which of the n each is."""
        first = self.first()
        return ranges(first[vertices], first[vertices + 1] - first[vertices])

    def replaced(self, new: "Weights") -> "Weights":
        """The same, but for the vertices of which there are new ones."""
        kept = ~np.isin(self.vertex, new.vertex)
        vertex = np.concatenate([self.vertex[kept], new.vertex])
        order = np.argsort(vertex, kind="stable")
        group, weight = np.concatenate([self.group[kept], new.group]), np.concatenate([self.weight[kept], new.weight])
        return Weights(new.count, vertex[order], group[order], weight[order])

    def copied(self, origin: Index) -> "Weights":
        """With copies of these vertices behind all others."""
        row, which = self.rows(origin)
        return Weights(
            self.count + len(origin),
            np.concatenate([self.vertex, self.count + which]),
            np.concatenate([self.group, self.group[row]]),
            np.concatenate([self.weight, self.weight[row]]),
        )


def ranges(starts: Index, counts: Index) -> tuple[Index, Index]:
    """Numbers from each start on, so many of each, and which start each number is of."""
    of = np.repeat(np.arange(len(starts)), counts)
    return np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts) + starts[of], of


def read_weights(mesh: bpy.types.Mesh) -> Weights:
    """The weights of all vertices."""
    groups, shares, ends = list[int](), list[float](), list[int]()
    for vertex in mesh.vertices:  # flat lists: a list for each vertex takes three times as long
        for one in vertex.groups:
            groups.append(one.group)
            shares.append(one.weight)
        ends.append(len(groups))
    group, weight = np.array(groups, dtype=np.int64), np.array(shares)
    of = np.repeat(np.arange(len(ends)), np.diff(ends, prepend=0))
    used = weight > 0.0
    return Weights(len(ends), of[used], group[used], weight[used])


def kinds_of(weights: Weights) -> tuple[Index, list[tuple[int, ...]]]:
    """Of each vertex which kind it is, and the groups that move a vertex of each kind. Vertices are of few kinds."""
    chance = np.random.default_rng(0).integers(0, 2**63, int(weights.group.max(initial=-1)) + 1, dtype=np.int64)
    key = np.zeros(weights.count, dtype=np.int64)  # of what moves a vertex, in any order
    np.add.at(key, weights.vertex, chance[weights.group])
    _, example, kind = np.unique(key, return_index=True, return_inverse=True)
    first = weights.first()
    return kind.reshape(-1), [tuple(weights.group[first[one] : first[one + 1]].tolist()) for one in example.tolist()]


def write_weights(skin: bpy.types.Object, before: Weights, new: Weights) -> None:
    """Have the vertices that are in `new` those weights, where they had others; vertices behind those before had
    none."""
    groups = {group.index: group for group in skin.vertex_groups}
    count = max(groups, default=0) + 1
    row = np.flatnonzero(np.isin(before.vertex, new.vertex))
    old, key = before.vertex[row] * count + before.group[row], new.vertex * count + new.group
    gone = old[~np.isin(old, key)]
    for group, vertices in _by(gone % count, gone // count):
        groups[group].remove(vertices.tolist())
    order = np.argsort(old)
    at = np.searchsorted(old[order], key)
    there = np.append(old[order], -1)[at] == key
    same = there & (np.append(before.weight[row][order], 0.0)[at] == new.weight)
    changed = np.flatnonzero(~same)
    for group, rows in _by(new.group[changed], changed):
        for vertex, weight in zip(new.vertex[rows].tolist(), new.weight[rows].tolist(), strict=True):
            groups[group].add((vertex,), weight, "REPLACE")


def _by(key: Index, value: Index) -> Iterator[tuple[int, Index]]:
    """The values of each key."""
    order = np.argsort(key, kind="stable")
    begin = np.flatnonzero(np.diff(key[order], prepend=-1))
    yield from zip(key[order][begin].tolist(), np.split(value[order], begin[1:]), strict=False)
