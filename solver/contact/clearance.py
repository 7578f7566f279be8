# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a shape may go before it can be near a mesh: most need not be looked for again in a frame.

Where nothing of a mesh is in a box about a shape, nothing is near it until the two have come closer by as much as the
box is wider than the shape. That only saves time: what is found is the same.
"""

import math

from ..machine.jit import inlined, subroutine
from ..math.memory import keep3, take3
from ..math.vectors import ZERO, add, dot, sub
from .mesh_tree import after_subtree, apart, box_about
from .obstacles import SHARE
from .touch import CLEAR_AT, CLEAR_END, CLEAR_SIDE, CLEAR_START, ROOM

#: What is near is looked for in every step of the frame.
_NEAR = -1.0


@subroutine
def is_clear(touching, k, j, start, d, side, wide, h, fast):
    """Whether nothing of mesh j is nearer than `wide` (m) to shape k, which is in the mesh's axes as given, in a step
    of h (s). fast (m/s): no point of it is faster against these axes."""
    obstacles, known = touching.obstacles, touching.clear[k]
    s, rate, fastest = touching.now[j, SHARE], obstacles.rate[0], obstacles.fastest[j]
    end = add(start, d)
    needed = wide + fastest * h * rate
    if known[j, ROOM] > 0.0:
        moved = max(_far(start, take3(known, j, CLEAR_START)), _far(end, take3(known, j, CLEAR_END)))
        moved += _far(side, take3(known, j, CLEAR_SIDE)) + fastest * abs(s - known[j, CLEAR_AT])
        if moved + needed < known[j, ROOM]:
            return True
    elif known[j, ROOM] == _NEAR:
        return False
    room = needed + (1.0 - s) * (fastest + fast / rate)
    low, high = box_about(start, d, side, ZERO, room, -1.0), box_about(start, d, side, ZERO, room, 1.0)
    if _is_met(obstacles, j, s, low, high):
        known[j, ROOM] = _NEAR
        return False
    known[j, ROOM], known[j, CLEAR_AT] = room, s
    keep3(known, j, CLEAR_START, start)
    keep3(known, j, CLEAR_END, end)
    keep3(known, j, CLEAR_SIDE, side)
    return True


@inlined
def _far(x, y):
    out = sub(x, y)
    return math.sqrt(dot(out, out))


@inlined
def _is_met(obstacles, j, s, low, high):
    """Whether a leaf of a mesh's tree meets a box at the share s of the frame."""
    root, leaves = obstacles.tree[j, 0], obstacles.tree[j, 1]
    i = 0
    while True:
        if apart(obstacles.boxes, root + i, low, high, s, s):
            i = after_subtree(i)
        elif i < leaves - 1:
            i = 2 * i + 1
        else:
            return True
        if i == 0:
            return False
