# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes about triangles, and boxes about these: which triangles are near, in a time that grows with their logarithm.

A complete binary tree in the order of heaps: the children of node i are 2 i + 1 and 2 i + 2, and its leaves have FEW
triangles each, that are neighbours along a curve that fills space (Morton 1966). A node has a box for each end of a
frame, wider by how far its corners leave the straight way; in between triangles are inside what lies evenly between the
two.
"""

import numpy as np

from ..base.arrays import Floats, Floats2, Ints, Ints1, Ints2
from ..machine.jit import inlined, kernel, subroutine

#: Triangles of a leaf.
FEW = 4

_BITS = 10

#: How far (m) a cubic leaves the straight way at most, as share of each of its bends: s (1 - s)^2 at s = 1/3.
_MOST_BENT = 4.0 / 27.0


def leaves_for(triangles: int) -> int:
    """Leaves of a tree of so many triangles: a power of two."""
    return int(1 << max(0, (-(-triangles // FEW) - 1)).bit_length())


def order_of(vertices: Floats, triangles: Ints) -> Ints:
    """(t,) the triangles along a curve that fills the box of their middles."""
    middle = vertices[triangles].mean(axis=1)
    low = middle.min(axis=0)
    size = np.maximum(middle.max(axis=0) - low, 1e-30)
    cell = np.minimum(((middle - low) / size * (1 << _BITS)).astype(np.int64), (1 << _BITS) - 1)
    code = np.zeros(len(triangles), dtype=np.int64)
    for bit in range(_BITS):
        for axis in range(3):
            code |= ((cell[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable").astype(np.int64)


def adjacent_of(triangles: Ints) -> Ints:
    """(t, 3) which other triangle has the side from corner i to the next one, -1 if none."""
    sides = np.sort(np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    names = sides[:, 0] * (triangles.max() + 1) + sides[:, 1]
    order = np.argsort(names, kind="stable")
    _, first, times = np.unique(names[order], return_index=True, return_counts=True)
    following = np.arange(1, len(order) + 1)
    following[first + times - 1] = first  # of those of one side the last is followed by the first
    found = np.empty(len(order), dtype=np.int64)
    found[order] = np.where(np.repeat(times, times) > 1, order[following % len(order)] // 3, -1)
    return found.reshape(-1, 3)


@kernel
def fit(
    before: Floats2, after: Floats2, bends: Floats2, triangles: Ints2, order: Ints1, first: int, last: int, root: int,
    leaves: int, boxes: Floats2,
) -> None:  # fmt: skip
    """Fill the boxes (nodes, 12; low and high corners, m, at both ends) of the tree of triangles order[first] to
    order[last - 1]; bends (v, 6) of their corners, or none."""
    for i in range(leaves):
        node = root + leaves - 1 + i
        _empty(boxes, node)
        for j in range(first + FEW * i, min(first + FEW * i + FEW, last)):
            for corner in range(3):
                vertex = triangles[order[j], corner]
                for axis in range(3):
                    one, other, bent = before[vertex, axis], after[vertex, axis], 0.0
                    if len(bends) > 0:
                        bent = _MOST_BENT * (abs(bends[vertex, axis]) + abs(bends[vertex, axis + 3]))
                    boxes[node, axis] = min(boxes[node, axis], one - bent)
                    boxes[node, axis + 3] = max(boxes[node, axis + 3], one + bent)
                    boxes[node, axis + 6] = min(boxes[node, axis + 6], other - bent)
                    boxes[node, axis + 9] = max(boxes[node, axis + 9], other + bent)
    for i in range(leaves - 2, -1, -1):
        left, right = root + 2 * i + 1, root + 2 * i + 2
        for end in (0, 6):
            for axis in range(end, end + 3):
                boxes[root + i, axis] = min(boxes[left, axis], boxes[right, axis])
                boxes[root + i, axis + 3] = max(boxes[left, axis + 3], boxes[right, axis + 3])


@inlined
def _empty(boxes, node):
    for end in (0, 6):
        for axis in range(end, end + 3):
            boxes[node, axis] = 1e300
            boxes[node, axis + 3] = -1e300


@inlined
def _apart(boxes, node, low, high, since, now):
    """Whether a node's boxes from one share of the frame to another do not meet the box from low to high."""
    return (
        _apart_along(boxes, node, 0, low[0], high[0], since, now)
        or _apart_along(boxes, node, 1, low[1], high[1], since, now)
        or _apart_along(boxes, node, 2, low[2], high[2], since, now)
    )  # fmt: skip


@inlined
def _apart_along(boxes, node, axis, low, high, since, now):
    lowest, goes = boxes[node, axis], boxes[node, axis + 6] - boxes[node, axis]
    highest, rises = boxes[node, axis + 3], boxes[node, axis + 9] - boxes[node, axis + 3]
    return (
        min(lowest + since * goes, lowest + now * goes) > high
        or max(highest + since * rises, highest + now * rises) < low
    )


@subroutine
def next_leaf(boxes, root, leaves, low, high, since, now, leaf):
    """The leaf after this one of a tree, -1 for the first, that meets the box from low to high from one share of the
    frame to another; -1 where there is none."""
    i = 0 if leaf < 0 else _after_subtree(leaf)
    while i > 0 or leaf < 0:
        leaf = 0
        if _apart(boxes, root + i, low, high, since, now):
            i = _after_subtree(i)
        elif i < leaves - 1:
            i = 2 * i + 1
        else:
            return i
    return -1


@inlined
def those_of(leaf, leaves, first, last):
    """Which triangles in order are a leaf's, of a tree of those from first to before last: from and to before."""
    begin = first + FEW * (leaf - leaves + 1)
    return begin, min(begin + FEW, last)


@inlined
def _after_subtree(i):
    """The node that follows all below node i, 0 after the last."""
    while i > 0 and (i & 1) == 0:
        i = (i - 1) >> 1
    return i + 1 if i > 0 else 0


@inlined
def box_about(start, d, side, wide, sign):
    """Low (sign -1) or high (1) corner of the box about a shape, so much wider."""
    return (
        _most(start[0], d[0], side[0], wide, sign), _most(start[1], d[1], side[1], wide, sign),
        _most(start[2], d[2], side[2], wide, sign),
    )  # fmt: skip


@inlined
def _most(start, d, side, wide, sign):
    return start + sign * (max(sign * d, 0.0) + abs(side) + wide)


@inlined
def beyond_both(x, y, sign):
    """Low (sign -1) or high (1) corner of the box about two boxes with such corners."""
    return (
        sign * max(sign * x[0], sign * y[0]), sign * max(sign * x[1], sign * y[1]), sign * max(sign * x[2], sign * y[2])
    )  # fmt: skip
