# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a step towards equilibrium may go among obstacles, so that nothing jumps through them."""

import math

from ..contact.pairs import NEAR, PAIR_SLOTS, ROOM
from ..contact.past import is_left_alone
from ..contact.touch import ALONG, ARM, GAP, NORMAL, OBSTACLE, SLOTS, thinnest
from ..forces.leaning import leans, moved_between
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_vec
from ..math.memory import load3, load9, take3
from ..math.vectors import add, cross, dot, scale, sub

#: A point that is apart may come so deep in one step, in radii.
_DEEP = 0.5


#: A step may take this share of the room that shapes have until pairs are looked for again: there may be two.
_OF_ROOM = 0.5


@inlined
def is_alone(world):
    """Whether there is nothing that the plant could touch."""
    return len(world.touching.obstacles.kind) == 0 and not leans(world.leaning)


@subroutine
def step_over_room(world, work):
    """How many times the last solve's step is as long as points have room. Zero where nothing can be touched."""
    return max(way_over_room(world, work), _depth_over_room(world, work))


@subroutine
def way_over_room(world, work):
    """The same of the way that shapes go, to wherever it leads."""
    touching, most = world.touching, 0.0
    if is_alone(world):
        return most
    shapes, pairs = touching.shapes, world.leaning.pairs
    is_among, is_leaning = len(touching.obstacles.kind) > 0, leans(world.leaning)
    for k in range(len(shapes.body)):
        i = shapes.body[k]
        B, turn, move = load9(work.rotation, i), load3(work.turn, i), load3(work.move, i)
        start, end = mat_vec(B, load3(shapes.start, k)), mat_vec(B, load3(shapes.end, k))
        thin, side = min(shapes.radius[k, 0], shapes.radius[k, 1]), load3(shapes.side, k)
        room = 0.5 * _size(add(end, scale(-1.0, start))) + _size(side) + thin if is_among else math.inf
        if is_leaning:
            room = min(room, _OF_ROOM * pairs.where[k, ROOM])
        way = max(_way(turn, move, start), _way(turn, move, end)) + _size(turn) * _size(side)
        most = max(most, way / room)
    return most


@subroutine
def _depth_over_room(world, work):
    """How many times as deep as it may points come that are apart."""
    touching, most = world.touching, _pairs_over_room(world, work)
    for near in range(touching.counts[0]):
        k = touching.near[near]
        i = touching.shapes.body[k]
        turn, move = load3(work.turn, i), load3(work.move, i)
        thin = min(touching.shapes.radius[k, 0], touching.shapes.radius[k, 1])
        for p in range(SLOTS * k, SLOTS * k + SLOTS):
            j, gap = touching.marks[p, OBSTACLE], touching.numbers[p, GAP]
            if j < 0:
                break
            if gap >= 0.0 and not is_left_alone(touching.left_alone, k, j, touching.numbers[p, ALONG]):
                moved = add(move, cross(turn, take3(touching.numbers, p, ARM)))
                deep = -gap - dot(moved, take3(touching.numbers, p, NORMAL))
                most = max(most, deep / (_DEEP * thin))
    return most


@inlined
def _pairs_over_room(world, work):
    """The same of points of pairs."""
    pairs, shapes, most = world.leaning.pairs, world.touching.shapes, 0.0
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        row, gap = i // PAIR_SLOTS, pairs.numbers[i, GAP]
        if pairs.marks[i, OBSTACLE] >= 0 and gap >= 0.0 and not pairs.alone[row]:
            one, other = moved_between(work, shapes.body, pairs.ends, pairs.numbers, i)
            deep = -gap - dot(sub(one, other), take3(pairs.numbers, i, NORMAL))
            most = max(most, deep / (_DEEP * thinnest(shapes.radius, pairs.ends[row, 0], pairs.ends[row, 1])))
    return most


@inlined
def _way(turn, move, arm):
    return _size(add(move, cross(turn, arm)))


@inlined
def _size(v):
    return math.sqrt(dot(v, v))
