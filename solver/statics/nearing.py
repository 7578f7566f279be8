# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a step towards equilibrium may go among obstacles, so that nothing jumps through them."""

import math

from ..contact.nearest import PLANE
from ..contact.past import is_left_alone
from ..contact.touch import ALONG, ARM, GAP, NORMAL, OBSTACLE, SLOTS
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_vec
from ..math.memory import load3, load9, take3
from ..math.vectors import add, cross, dot, scale

#: A point that is apart may come so deep in one step, in radii; a shape near an obstacle may go so much of its gap.
_DEEP, _SHARE = 0.1, 0.5


@subroutine
def step_over_room(world, work):
    """How many times the last solve's step is as long as points have room. Zero where nothing can be touched."""
    touching, most = world.touching, 0.0
    if len(touching.obstacles.kind) == 0:
        return most
    shapes = touching.shapes
    for k in range(len(shapes.body)):
        i = shapes.body[k]
        B, turn, move = load9(work.rotation, i), load3(work.turn, i), load3(work.move, i)
        start, end = mat_vec(B, load3(shapes.start, k)), mat_vec(B, load3(shapes.end, k))
        thin, side = min(shapes.radius[k, 0], shapes.radius[k, 1]), load3(shapes.side, k)
        room = 0.5 * _size(add(end, scale(-1.0, start))) + _size(side) + thin
        way = max(_way(turn, move, start), _way(turn, move, end)) + _size(turn) * _size(side)
        for p in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[p, OBSTACLE]
            if j < 0:
                break
            gap = touching.numbers[p, GAP]
            if touching.obstacles.kind[j] != PLANE:
                room = min(room, max(thin, _SHARE * gap))
            if gap >= 0.0 and not is_left_alone(touching.left_alone, k, j, touching.numbers[p, ALONG]):
                moved = add(move, cross(turn, take3(touching.numbers, p, ARM)))
                deep = -gap - dot(moved, take3(touching.numbers, p, NORMAL))
                most = max(most, deep / (_DEEP * thin))
        most = max(most, way / room)
    return most


@inlined
def _way(turn, move, arm):
    return _size(add(move, cross(turn, arm)))


@inlined
def _size(v):
    return math.sqrt(dot(v, v))
