# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact of pairs of bodies at rest: one-sided springs without friction between them, and what motion begins with.

A spring of stiffness k along the normal n, between points that move by x and y, resists with k n n . (x - y) on both.
Tangents have what resists own motions only, and take the double of each: what is then too much, k n n . (x + y) on
both, is of one number for every point, which statics/coupling.py takes away again.
"""

from typing import NamedTuple

import numpy as np

from ..base.arrays import Floats1, Floats2, Floats3, Ints, Ints1
from ..contact.nearest import along_segment
from ..contact.pair_forces import gap_between
from ..contact.pair_points import OF_FIRST, find_pairs_at_rest, keep_pairs
from ..contact.pairs import ARM_B, NEAR, PAIR_SLOTS, Pairs, look_for_pairs, pairs_of, room_for
from ..contact.touch import (
    ALONG,
    APART,
    ARM,
    BORE,
    DRAWN,
    FORCE,
    GAP,
    NORMAL,
    OBSTACLE,
    PUSH,
    REMEMBERED,
    RIGID,
    SIDE,
    STATUS,
    STICKS,
    stiffness_of,
    thinnest,
)
from ..data import columns as col
from ..data.lanes import LANES, get3, put3, put9
from ..data.wrench import add_wrench
from ..machine.jit import inlined, kernel, subroutine
from ..math.matrices import mat_vec
from ..math.memory import keep3, load3, load9, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .resting import LANDS, LEAVES, add_push, add_stiffness


class Leaning(NamedTuple):
    """What of plants that go together touches each other at rest.

    pairs: theirs, of one system; data (blocks, width): where their bodies stand, for what looks for pairs
    points (1,): how many points the last factorisation couples, which are the first ones of pairs.points
    moments (2, n, 3): scratch of statics/coupling.py
    """

    pairs: Pairs
    data: Floats2
    points: Ints1
    moments: Floats3


def leaning_of(pairs: Pairs, system: int, bodies: int) -> Leaning:
    """Of so many bodies, those of a system."""
    return _leaning(pairs_of(pairs, system), bodies)


def _leaning(pairs: Pairs, bodies: int) -> Leaning:
    blocks = -(-bodies // LANES)
    return Leaning(
        pairs, np.zeros((blocks, col.WIDTH)), np.zeros(1, dtype=np.int64), np.zeros((2, bodies, 3))
    )  # fmt: skip


def leaning_on_nothing(bodies: int) -> Leaning:
    """Of so many bodies that do not touch each other, but may be tied."""
    return _leaning(room_for(_NONE[:1], _NONE, _NONE[:0], _NONE[:0]), bodies)


_NONE: Ints = np.zeros(2, dtype=np.int64)

#: Of plants that are not to touch each other.
LEANS_ON_NOTHING = leaning_on_nothing(0)


@inlined
def leans(leaning):
    """Whether anything may touch."""
    return len(leaning.pairs.order) > 0


@inlined
def still_shape(shapes, work, k):
    """Where shape k is, as shape_at of pair_points.py, of bodies that stand still."""
    i = shapes.body[k]
    B, start = load9(work.rotation, i), load3(shapes.start, k)
    way = mat_vec(B, sub(load3(shapes.end, k), start))
    return load3(work.position, i), mat_vec(B, start), way, mat_vec(B, load3(shapes.side, k)), ZERO, ZERO


@inlined
def still_pairs(world, work):
    """One-sided springs along the normals at the points that have been found; and what those are expected to do of
    which that is known, as still_contacts of resting.py."""
    pairs, shapes = world.leaning.pairs, world.touching.shapes
    for row in range(pairs.counts[0, NEAR]):
        if pairs.marks[PAIR_SLOTS * row, OBSTACLE] >= 0:
            _still_pair(pairs, shapes, work, row)


@subroutine
def _still_pair(pairs, shapes, work, row):
    marks, numbers = pairs.marks, pairs.numbers
    k, m = pairs.ends[row, 0], pairs.ends[row, 1]
    a, b = shapes.body[k], shapes.body[m]
    one, other, stiffness = still_shape(shapes, work, k), still_shape(shapes, work, m), stiffness_of(shapes, k, m)
    _slide_to_nearest(marks, numbers, PAIR_SLOTS * row, one, other)
    for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
        if marks[i, OBSTACLE] < 0:
            break
        arm, arm_b, n, gap, radius = gap_between(shapes.radius, k, m, marks, numbers, i, one, other)
        gap += pairs.allowed[row]
        on_a = sub(arm, scale(radius, n))
        push = 0.0 if pairs.alone[row] else max(0.0, -stiffness * gap)
        numbers[i, GAP], numbers[i, PUSH], numbers[i, RIGID] = gap, push, 0.0
        keep3(numbers, i, ARM, on_a)
        keep3(numbers, i, ARM_B, sub(add(one[0], on_a), other[0]))
        keep3(numbers, i, NORMAL, n)
        if pairs.alone[row]:
            continue
        if push > 0.0:
            add_push(work, a, arm, n, push)
            add_push(work, b, arm_b, n, -push)
        expected = marks[i, STATUS]
        if expected in (LANDS, LEAVES):  # besides the push it has where it is
            less = scale(push + (stiffness * gap if expected == LANDS else 0.0), n)
            add_wrench(work, a, arm, less)
            add_wrench(work, b, arm_b, scale(-1.0, less))
        if expected == LANDS or (expected != LEAVES and push > 0.0):
            numbers[i, RIGID] = stiffness
            add_stiffness(work, a, arm, n, 2.0 * stiffness)
            add_stiffness(work, b, arm_b, n, 2.0 * stiffness)


@inlined
def _slide_to_nearest(marks, numbers, i, one, other):
    """Let the first point of a pair, which was found as the nearest, be that again, between its shape's ends."""
    are_rods = dot(one[3], one[3]) == 0.0 and dot(other[3], other[3]) == 0.0
    if are_rods and marks[i, SIDE] == OF_FIRST and 0.0 < numbers[i, ALONG] < 1.0:
        t = along_segment(add(one[0], one[1]), one[2], add(other[0], other[1]), other[2])
        if 0.0 < t < 1.0:
            numbers[i, ALONG] = t


@subroutine
def find_leaning(world, work):
    """Look for what may touch where bodies stand, while no shape moves by more than it is large, and for the points;
    let those touch that overlapped and have parted."""
    leaning, shapes = world.leaning, world.touching.shapes
    for i in range(len(work.position)):
        b, lane = i >> 3, i & 7
        put3(leaning.data, b, col.POSITION + lane, load3(work.position, i))
        put9(leaning.data, b, col.ROTATION + lane, load9(work.rotation, i))
        put3(leaning.data, b, col.VELOCITY + lane, ZERO)
    for k in range(len(shapes.body)):  # rooms are made for a step of a second
        b, lane = shapes.body[k] >> 3, shapes.body[k] & 7
        way, side = sub(load3(shapes.end, k), load3(shapes.start, k)), load3(shapes.side, k)
        room = 0.5 * dot(way, way) ** 0.5 + dot(side, side) ** 0.5
        if room > get3(leaning.data, b, col.VELOCITY + lane)[0]:
            put3(leaning.data, b, col.VELOCITY + lane, (room, 0.0, 0.0))
    look_for_pairs(leaning.data, shapes, leaning.pairs, 1.0)
    find_pairs_at_rest(leaning.data, shapes, leaning.pairs)
    keep_pairs(leaning.pairs, shapes.landing, 0.0)


@inlined
def moved_between(work, body, ends, numbers, i):
    """How far (m) the last solve has moved the bodies at point i of a pair, each."""
    a, b = body[ends[i // PAIR_SLOTS, 0]], body[ends[i // PAIR_SLOTS, 1]]
    one = add(load3(work.move, a), cross(load3(work.turn, a), take3(numbers, i, ARM)))
    return one, add(load3(work.move, b), cross(load3(work.turn, b), take3(numbers, i, ARM_B)))


@inlined
def expects_pairs_anew(world, work):
    """As of the points of landing.py: take those of pairs to do what they would after the last solve's step."""
    pairs, changes = world.leaning.pairs, False
    marks, numbers, body = pairs.marks, pairs.numbers, world.touching.shapes.body
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        if marks[i, OBSTACLE] >= 0 and not pairs.alone[i // PAIR_SLOTS]:
            gap, was = numbers[i, GAP], marks[i, STATUS]
            touches = was == LANDS or (was != LEAVES and gap < 0.0)
            one, other = moved_between(work, body, pairs.ends, numbers, i)
            will = gap + dot(sub(one, other), take3(numbers, i, NORMAL)) < 0.0
            marks[i, STATUS] = LANDS if will else LEAVES
            changes = changes or will != touches
    return changes


@inlined
def expect_no_pairs(pairs):
    """Let points touch again that are inside."""
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        pairs.marks[i, STATUS] = APART


@inlined
def leans_too_deep(world):
    """Whether one shape is in another by more than the thinner one's radius."""
    pairs, radius = world.leaning.pairs, world.touching.shapes.radius
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        row = i // PAIR_SLOTS
        touches = pairs.marks[i, OBSTACLE] >= 0 and not pairs.alone[row]
        if touches and pairs.numbers[i, GAP] < -thinnest(radius, pairs.ends[row, 0], pairs.ends[row, 1]):
            return True
    return False


@kernel
def rest_on_pairs(pairs: Pairs, landing: Floats1) -> None:
    """Let all points of pairs that push stick with springs of friction that are not drawn, and the motion begin with
    them. landing (k,): the shapes'."""
    for i in range(PAIR_SLOTS * pairs.counts[0, NEAR]):
        if pairs.marks[i, OBSTACLE] >= 0:
            push = pairs.numbers[i, PUSH]
            pairs.marks[i, STATUS] = STICKS if push > 0.0 else APART
            pairs.numbers[i, BORE] = push
            pairs.numbers[i, REMEMBERED] = push
            keep3(pairs.numbers, i, DRAWN, ZERO)
            keep3(pairs.numbers, i, FORCE, scale(push, take3(pairs.numbers, i, NORMAL)))
    keep_pairs(pairs, landing, 0.0)
