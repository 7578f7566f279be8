# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes about triangles, and boxes about these: which triangles are near, in a time that grows with their logarithm.

A complete binary tree in the order of heaps: the children of node i are 2 i + 1 and 2 i + 2, and its leaves have FEW
triangles each, that are neighbours along a curve that fills space (Morton 1966). A node has a box for each end of a
frame, wider by how far its corners leave the straight way; in between triangles are inside what lies evenly between the
two. And each triangle has a ball, which tells of most that they are not near.
"""

import math

import numpy as np

from ..base.arrays import Floats, Floats2, Ints, Ints1, Ints2
from ..machine.jit import inlined, kernel, subroutine
from ..math.memory import keep3, load3, take3
from ..math.vectors import add, dot, scale, sub

#: Triangles of a leaf.
FEW = 4

_BITS = 10

#: How far (m) a cubic leaves the straight way at most, as share of each of its bends: s (1 - s)^2 at s = 1/3.
_MOST_BENT = 4.0 / 27.0

#: Balls are larger by this share than they need to be, so that nothing is outside by rounding.
_HAIR = 1e-9


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


@kernel
def surround(
    before: Floats2, after: Floats2, bends: Floats2, triangles: Ints2, order: Ints1, first: int, last: int,
    balls: Floats2,
) -> None:  # fmt: skip
    """Fill the balls (t, 7; middle, m, at both ends of the frame, and radius) about triangles order[first] to
    order[last - 1], in that order: in between they are inside of what goes evenly."""
    for n in range(first, last):
        f, bent = order[n], 0.0
        u, v, w = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        radius = max(_keep_middle(before, u, v, w, balls, n, 0), _keep_middle(after, u, v, w, balls, n, 3))
        if len(bends) > 0:
            bent = max(_most_bent(bends, u), _most_bent(bends, v), _most_bent(bends, w))
        balls[n, 6] = (1.0 + _HAIR) * (radius + 2.0 * bent)  # a corner and the middle both


@inlined
def about(a, b, c):
    """Middle and radius (m) of a ball about a triangle."""
    middle = scale(1.0 / 3.0, add(a, add(b, c)))
    one, two, three = sub(a, middle), sub(b, middle), sub(c, middle)
    return middle, math.sqrt(max(dot(one, one), dot(two, two), dot(three, three)))


@inlined
def _keep_middle(vertices, u, v, w, balls, n, end):
    """Keep the middle of three vertices; returns how far (m) they are from it at most."""
    middle, radius = about(load3(vertices, u), load3(vertices, v), load3(vertices, w))
    keep3(balls, n, end, middle)
    return radius


@inlined
def _most_bent(bends, i):
    """How far (m) a vertex leaves the straight way at most."""
    one, other = take3(bends, i, 0), take3(bends, i, 3)
    return _MOST_BENT * (math.sqrt(dot(one, one)) + math.sqrt(dot(other, other)))


@inlined
def ball_at(balls, n, s):
    """Middle and radius (m) of the ball about the triangle that is n in order, at a share of the frame."""
    return add(scale(1.0 - s, take3(balls, n, 0)), scale(s, take3(balls, n, 3))), balls[n, 6]


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


@inlined
def is_beside(a, b, c, moved, other, third, low, high):
    """Whether a triangle on its way to these corners, which have moved so far, is all on one side of the box from low
    to high."""
    return (
        _beside(a[0], b[0], c[0], moved[0], other[0], third[0], low[0], high[0])
        or _beside(a[1], b[1], c[1], moved[1], other[1], third[1], low[1], high[1])
        or _beside(a[2], b[2], c[2], moved[2], other[2], third[2], low[2], high[2])
    )  # fmt: skip


@inlined
def _beside(a, b, c, moved, other, third, low, high):
    """Whether a triangle on its way to three coordinates is all above or all below those of a box."""
    lowest = min(a, b, c) - max(moved, other, third, 0.0)
    return lowest > high or max(a, b, c) - min(moved, other, third, 0.0) < low
