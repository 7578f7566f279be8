# SPDX-License-Identifier: GPL-3.0-or-later
"""How far shapes are from all obstacles: until a plant may have gone so far, nothing can be near.

That only saves time: what is found is the same. Obstacles that turn go too differently to be counted on.
"""

import math

from ..data import columns as col
from ..data.lanes import LANES, get3
from ..machine.jit import inlined
from ..math.memory import take3
from ..math.vectors import dot
from .nearest import BOX, MESH, PLANE, from_solid
from .obstacles import OMEGA, VELOCITY, growth_of

#: Columns of a plant's travel: how far (m) any point of it may have gone in the frame against any obstacle, how fast
#: (m/s) it was when that was last looked at, how far (m) a shape reaches from its body's joint at most, and whether a
#: step takes one so far that it might be through something.
GONE, FAST, LONGEST, LEAPS, TRAVEL = 0, 1, 2, 3, 4

#: What a step goes is no more than this many times what its speeds at both ends tell.
_AT_MOST = 2.0


@inlined
def fastest_point(data, n, shift_of, turn_of, longest):
    """No point of a shape of n bodies, whose joints have velocities (m/s) and which turn (rad/s) by these fields, or
    accelerations, is faster (m/s), none of which reaches farther (m) from its body's joint."""
    shift, turn = 0.0, 0.0
    for i in range(n):
        b, lane = i >> 3, i & 7
        v, w = get3(data, b, shift_of + lane), get3(data, b, turn_of + lane)
        shift, turn = max(shift, dot(v, v)), max(turn, dot(w, w))
    return math.sqrt(shift) + math.sqrt(turn) * longest


@inlined
def travel_on(data, touching, h):
    """Count what a step of h (s) goes, at whose end bodies' columns are; returns the speed (m/s) of the fastest point
    against the fastest obstacle."""
    travel, own = touching.travel, 0.0
    for j in range(len(touching.obstacles.kind)):
        v = take3(touching.now, j, VELOCITY)
        own = max(own, dot(v, v))
        grown = growth_of(touching.obstacles, j)
        far = touching.obstacles.fastest[j] + math.sqrt(dot(grown, grown))
        own = max(own, (far * touching.obstacles.rate[0]) ** 2)
    speed = fastest_point(data, len(data) * LANES, col.VELOCITY, col.OMEGA, travel[0, LONGEST]) + 2.0 * math.sqrt(own)
    travel[0, GONE] += _AT_MOST * h * max(speed, travel[0, FAST])
    travel[0, FAST], travel[0, LEAPS] = speed, 0.0
    return speed


@inlined
def thickness_of(kind, size):
    """How far (m) it is at most from the middle of a solid to where it is thinnest."""
    if kind == PLANE:
        return math.inf
    return min(size[0], size[1], size[2]) if kind == BOX else size[0]


@inlined
def note_leap(touching, way, thick):
    """Note that a shape near a solid goes farther in the step than both are thick together: it may end behind what it
    should have met."""
    if way > thick:
        touching.travel[0, LEAPS] = 1.0


@inlined
def leaps_over(touching):
    """Whether the step that was looked at last takes a shape so far that it might be through something."""
    return len(touching.obstacles.kind) > 0 and touching.travel[0, LEAPS] > 0.0


@inlined
def room_to(touching, j, distance, half):
    """How far (m) a shape of this half length is at least from obstacle j, from which its middle is at a distance."""
    w = take3(touching.now, j, OMEGA)
    return -math.inf if dot(w, w) > 0.0 else distance - half


@inlined
def distance_from(touching, j, size, x):
    """Distance (m) of a point in the obstacle's axes from it, or from a box about a mesh in all of the frame."""
    obstacles = touching.obstacles
    if obstacles.kind[j] != MESH:
        distance, _ = from_solid(obstacles.kind[j], size, x)
        return distance
    total, root = 0.0, obstacles.tree[j, 0]
    for axis in range(3):
        low = min(obstacles.boxes[root, axis], obstacles.boxes[root, axis + 6])
        high = max(obstacles.boxes[root, axis + 3], obstacles.boxes[root, axis + 9])
        out = max(low - x[axis], x[axis] - high, 0.0)
        total += out * out
    return math.sqrt(total)
