# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces on which points are held, at one end of a frame: triangles with normals at their corners."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats2, Ints, Ints1, Ints2
from ..contact.mesh_tree import fit, leaves_for, order_of
from ..machine.jit import inlined
from ..world.collider_path import BEND
from ..world.surface import Surface
from .curves import keys_of, recounted


class Surfaces(NamedTuple):
    """key (c,) from the names; first (c + 1, 2): triangles and vertices of surface j are first[j] to first[j + 1]
    vertices (v, 3) m; triangles (t, 3); normals (3 t, 3) at their corners
    beside (t, 3): what joins the side from corner i to the next one: 6 times the triangle, 2 times its side, and 1
    where both run the same way; -1 where nothing does
    order (t,), tree (c, 2) root and leaves, boxes (nodes, 12) from the frame's beginning to its end: see mesh_tree.py
    """

    key: Ints1
    first: Ints2
    vertices: Floats2
    triangles: Ints2
    normals: Floats2
    beside: Ints2
    order: Ints1
    tree: Ints2
    boxes: Floats2


def surfaces_of(given: Sequence[Surface], like: "Surfaces | None" = None) -> Surfaces:
    """Those that have been checked. like: of the last frame, whose triangles may be the same."""
    triangles = [np.asarray(one.triangles) for one in given]
    vertices = [np.asarray(one.vertices) for one in given]
    first = np.zeros((len(given) + 1, 2), dtype=np.int64)
    first[1:] = np.cumsum([(len(t), len(v)) for t, v in zip(triangles, vertices, strict=True)], axis=0).reshape(-1, 2)
    corners = [t + start for t, start in zip(triangles, first[:-1, 1].tolist(), strict=True)]
    whole = np.concatenate([np.zeros((0, 3), dtype=np.int64), *corners])
    places = np.concatenate([np.zeros((0, 3)), *vertices])
    if like is not None and np.array_equal(like.triangles, whole) and np.array_equal(like.first, first):
        beside, order = like.beside, like.order
    else:
        beside, order = np.zeros((len(whole), 3), dtype=np.int64), np.zeros(len(whole), dtype=np.int64)
        for own in map(slice, first[:-1, 0].tolist(), first[1:, 0].tolist()):
            beside[own] = _joined(whole[own], own.start)
            order[own] = order_of(places, whole[own]) + own.start
    tree, root = np.zeros((len(given), 2), dtype=np.int64), 0
    for j, count in enumerate(np.diff(first[:, 0]).tolist()):
        tree[j] = root, leaves_for(count)
        root += 2 * int(tree[j, 1]) - 1
    key = keys_of([one.name for one in given])
    normals = np.concatenate([np.zeros((0, 3)), *(np.asarray(one.normals).reshape(-1, 3) for one in given)])
    found = Surfaces(key, first, places, whole, normals, beside, order, tree, np.zeros((root, 12)))
    return _with_boxes(found, places)


def _joined(triangles: Ints, start: int) -> Ints:
    """(t, 3) what joins the sides of triangles, the first of which is number start. Of more than two at one side the
    first two are joined."""
    a, b = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    low, high = np.minimum(a, b), np.maximum(a, b)
    order = np.lexsort((high, low))
    same = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
    found = np.full(len(a), -1)
    again = same & np.append(False, same[:-1])
    one, other = order[:-1][same & ~again], order[1:][same & ~again]
    alike = (a[one] == a[other]).astype(np.int64)
    found[one] = 6 * (other // 3 + start) + 2 * (other % 3) + alike
    found[other] = 6 * (one // 3 + start) + 2 * (one % 3) + alike
    return found.reshape(-1, 3)


def _with_boxes(surfaces: Surfaces, before: Floats2) -> Surfaces:
    """The same with boxes from where the vertices were before."""
    boxes, straight = np.zeros_like(surfaces.boxes), np.zeros((0, BEND))
    for j, (root, leaves) in enumerate(surfaces.tree.tolist()):
        first, last = surfaces.first[j : j + 2, 0].tolist()
        fit(before, surfaces.vertices, straight, surfaces.triangles, surfaces.order, first, last, root, leaves, boxes)
    return surfaces._replace(boxes=boxes)


NO_SURFACES = surfaces_of(())


def match_surfaces(before: Surfaces, after: Surfaces) -> tuple[Surfaces, Surfaces]:
    """The surfaces of after as they were before, and as they are then; those that were not, or were made of other
    triangles, as they are."""
    vertices, normals = after.vertices.copy(), after.normals.copy()
    for j, key in enumerate(after.key):
        for k in np.flatnonzero(before.key == key)[:1]:
            was, own = (np.stack([of.first[i], of.first[i + 1]]) for of, i in ((before, k), (after, j)))
            old, new = before.triangles[slice(*was[:, 0])], after.triangles[slice(*own[:, 0])]
            same = np.array_equal(old - was[0, 1], new - own[0, 1])
            if same and np.ptp(was[:, 1]) == np.ptp(own[:, 1]):
                vertices[slice(*own[:, 1])] = before.vertices[slice(*was[:, 1])]
                normals[slice(*(3 * own[:, 0]))] = before.normals[slice(*(3 * was[:, 0]))]
    if np.array_equal(vertices, after.vertices) and np.array_equal(normals, after.normals):
        return after, after
    moved = _with_boxes(after, vertices)
    return moved._replace(vertices=vertices, normals=normals), moved


def joined_surfaces(parts: Sequence[Surfaces]) -> Surfaces:
    """Those of several one after the other."""
    if sum(len(one.key) > 0 for one in parts) < 2:
        return next((one for one in parts if len(one.key)), NO_SURFACES)
    counts = np.array([(len(one.triangles), len(one.vertices), len(one.boxes)) for one in parts])
    begin = np.concatenate([np.zeros((1, 3), dtype=np.int64), np.cumsum(counts, axis=0)])
    moved = [
        one._replace(
            first=one.first[:-1] + at[:2], triangles=one.triangles + at[1],
            beside=np.where(one.beside < 0, -1, one.beside + 6 * at[0]), order=one.order + at[0],
            tree=one.tree + np.array([at[2], 0]),
        )
        for one, at in zip(parts, begin[:-1], strict=True)
    ]  # fmt: skip
    whole = Surfaces(*map(np.concatenate, zip(*moved, strict=True)))
    return whole._replace(first=np.concatenate([whole.first, begin[-1:, :2]]), key=recounted(whole.key))


def chosen_surfaces(surfaces: Surfaces, which: Sequence[int]) -> Surfaces:
    """Some of them, in this order."""
    return joined_surfaces([_one_of(surfaces, j) for j in which])


def _one_of(surfaces: Surfaces, j: int) -> Surfaces:
    """Surface j alone."""
    (t, v), (last, end) = surfaces.first[j].tolist(), surfaces.first[j + 1].tolist()
    root, leaves = surfaces.tree[j].tolist()
    beside = surfaces.beside[t:last]
    return Surfaces(
        recounted(surfaces.key[j : j + 1]), np.array([[0, 0], [last - t, end - v]]), surfaces.vertices[v:end],
        surfaces.triangles[t:last] - v, surfaces.normals[3 * t : 3 * last], np.where(beside < 0, -1, beside - 6 * t),
        surfaces.order[t:last] - t, np.array([[0, leaves]]), surfaces.boxes[root : root + 2 * leaves - 1],
    )  # fmt: skip


@inlined
def same_surface(before, after, c):
    """Whether surface c has one shape before and after."""
    same = True
    for i in range(after.first[c, 1], after.first[c + 1, 1]):
        for k in range(3):
            same = same and before.vertices[i, k] == after.vertices[i, k]
    for i in range(3 * after.first[c, 0], 3 * after.first[c + 1, 0]):
        for k in range(3):
            same = same and before.normals[i, k] == after.normals[i, k]
    return same
