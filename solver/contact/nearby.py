# SPDX-License-Identifier: GPL-3.0-or-later
"""Which triangles of a mesh are near a shape, known from one step of a frame to the next.

They are looked for with room to move: until shape and mesh have come closer than that, no other one can be near. Of
most shapes nothing is near in all of a frame. That only saves time: what is found is the same.
"""

import math

from ..machine.jit import inlined, subroutine
from ..math.memory import keep3, take3
from ..math.vectors import add, dot, scale, sub
from .mesh_tree import ball_at, box_about, next_leaf, those_of
from .obstacles import SHARE
from .touch import KNOWN_AT, KNOWN_END, KNOWN_SIDE, KNOWN_START, LISTED, MESH_OF_LIST, MOST_LISTED, ROOM

#: There are more than are listed.
TOO_MANY = -1

#: Room beyond what a step needs, as share of it.
_MORE = 0.5


@inlined
def is_within(start, d, side, middle, wide):
    """Whether a ball of radius `wide` (m) meets a shape's middle line or strip; it may be a little beside a strip."""
    out, dd = sub(middle, start), dot(d, d)
    t = min(max(dot(out, d) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    out = sub(out, scale(t, d))
    return dot(out, out) <= (wide + math.sqrt(dot(side, side))) ** 2


@subroutine
def triangles_near(touching, k, j, start, d, side, wide, h, fast, lists):
    """How many triangles touching.listed has of mesh j, by their places in order, for shape k, which is in the mesh's
    axes as given: all that are nearer than `wide` (m) in a step of h (s), or TOO_MANY. fast (m/s): no point of it is
    faster against these axes; lists: whether it is slow enough for a list to serve for several steps."""
    obstacles, known, listed = touching.obstacles, touching.known[k], touching.listed[k]
    s, rate, fastest = touching.now[j, SHARE], obstacles.rate[0], obstacles.fastest[j]
    needed = wide + fastest * h * rate
    if known[j, ROOM] > 0.0 and (known[j, LISTED] <= 0.0 or listed[MESH_OF_LIST] == j):
        moved = max(_far(start, take3(known, j, KNOWN_START)), _far(add(start, d), take3(known, j, KNOWN_END)))
        moved += _far(side, take3(known, j, KNOWN_SIDE)) + fastest * abs(s - known[j, KNOWN_AT])
        if moved + needed < known[j, ROOM]:
            return int(known[j, LISTED])
    found, room = TOO_MANY, needed + (1.0 - s) * (fastest + fast / rate)
    if known[j, LISTED] == 0.0:
        found = _list_near(touching, k, j, start, d, side, room, 1)
    if found != 0 and not lists:
        known[j, ROOM], known[j, LISTED] = 0.0, TOO_MANY
        return TOO_MANY
    if found != 0:
        room = (1.0 + _MORE) * needed
        found = _list_near(touching, k, j, start, d, side, room, MOST_LISTED)
    known[j, ROOM], known[j, LISTED], known[j, KNOWN_AT] = room, found, s
    keep3(known, j, KNOWN_START, start)
    keep3(known, j, KNOWN_END, add(start, d))
    keep3(known, j, KNOWN_SIDE, side)
    return found


@inlined
def _far(x, y):
    out = sub(x, y)
    return math.sqrt(dot(out, out))


@subroutine
def _list_near(touching, k, j, start, d, side, room, most):
    """List the triangles of mesh j that are nearer to shape k than room (m). Returns how many there are, or TOO_MANY
    where there are that many."""
    obstacles, now, listed = touching.obstacles, touching.now, touching.listed[k]
    low, high = box_about(start, d, side, room, -1.0), box_about(start, d, side, room, 1.0)
    root, leaves, s, found = obstacles.tree[j, 0], obstacles.tree[j, 1], now[j, SHARE], 0
    listed[MESH_OF_LIST] = j
    leaf = next_leaf(obstacles.boxes, root, leaves, low, high, s, s, -1)
    while leaf >= 0:
        begin, end = those_of(leaf, leaves, obstacles.first[j, 0], obstacles.first[j + 1, 0])
        for n in range(begin, end):
            middle, radius = ball_at(obstacles.balls, n, s)
            if is_within(start, d, side, middle, radius + room):
                found += 1
                listed[found] = n
        if found >= most:
            return TOO_MANY
        leaf = next_leaf(obstacles.boxes, root, leaves, low, high, s, s, leaf)
    return found
