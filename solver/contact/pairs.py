# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of plants that go together which are near each other, from frame to frame.

They are looked for with room to move: until one has moved by more than that, nothing else can have come near. Boxes are
swept along the axis on which the plant is longest, in an order that changes little from one time to the next.
"""

import math
from typing import NamedTuple

import numpy as np

from ..base.arrays import Bools1, Floats1, Floats2, Ints1, Ints2
from ..data import columns as col
from ..data.lanes import get3, get9
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_vec
from ..math.memory import keep3, load3, take3
from ..math.sorting import is_before, sort_rows
from ..math.vectors import add, cross, dot, sub
from .nearest import flats_apart, segments_apart
from .touch import APART, KEPT, MARKS, NUMBERS, OBSTACLE, STATUS

#: Points of a pair.
PAIR_SLOTS = 4

#: Behind the numbers of a point of touch.py: its arm (3, m) from the joint of the second shape's body, and three
#: vectors (m/s2) of the solve that couples pairs; and where it is on the second shape, as ALONG and ACROSS.
ARM_B, LEFT, NEXT, IMAGE, ALONG_B = (NUMBERS + 3 * c for c in range(5))
ACROSS_B, PAIR_NUMBERS = ALONG_B + 1, ALONG_B + 2

#: Columns of counts: pairs that are near, the axis of the order, whether there was no room for more in the frame,
#: for how many frames, this one among them, points are solved densely, of how many it is known what they do to each
#: other, since when (see below) there are factors of it, pairs that have points, and whether the step that was looked
#: at last takes a pair so far that it might be through each other.
NEAR, AXIS, CROWDED, DENSE, RESPONDING, SINCE, POINTED, PASSES, COUNTS = 0, 1, 2, 3, 4, 5, 6, 7, 8

#: Never, an earlier solve, this one, and this one with all that points do to each other.
NEVER, BEFORE, JUST, ALL_JUST = 0, 1, 2, 3

#: So many points are solved densely at most, in so many equations.
MOST_DENSE, EQUATIONS = 96, 288

#: Of heaps, see heaps.py: which place in the list of bodies that of a shape has, and which body is in a place. What a
#: body gives way to, by parts (6, 9, 6), and eight of its vectors (6), up to SWEPT.
PLACE, BODY = 0, 1
TURNS, GIVES, YIELDS, FOUND, GAIN_LEFT, FORCE_LEFT = 0, 6, 15, 21, 27, 33
WAY, MOVES, PUSHED, GAINS, TAKES, SWEPT = 39, 45, 51, 57, 63, 69

#: A shape may move by this share of its radius, and as its speed leads in so many steps, before what is near is looked
#: for again; but by no more than it is large where that is farther than in one step.
_RADII, _STEPS = 0.5, 8.0

#: Points are looked at from this share of a shape's radius, and of its way in the step, before it touches.
RADII, WAYS = 0.2, 0.5

#: Columns of where: a shape's ends and half its side (m) when it was last looked at, its box with room, that room (m);
#: and how far (m) from there what it may touch at present is at most; the ball about it at present: its middle, how
#: fast (m/s) that goes, its radius, and how fast a turn moves that.
_START, _END, _SIDE, _LOW, _HIGH, ROOM, REACHES, _MIDDLE, _MOVES, _RADIUS, _TURNS, WHERE = (
    0, 3, 6, 9, 12, 15, 16, 17, 20, 23, 24, 25
)  # fmt: skip

#: What is reached is a hair more than points are looked at from, so that rounding leaves none out.
_HAIR = 1.001


class Pairs(NamedTuple):
    """Pairs of shapes of plants side by side; kernels take one plant's.

    first (plants + 1,): rows of plant p are first[p] to first[p + 1]; counts (plants, 8): see above
    ends (r, 2): shapes, the lower one first, counted from their plant's first; alone (r,): left alone until they part;
    allowed (r,): by how much (m) they may overlap, which they do from the beginning; parting (plants,): how fast (m/s)
    that ends
    marks (4 r, 5), numbers (4 r, 57): points as of touch.py, of the present step; kept_marks, kept: of the last one
    was_ends, was_alone, was_allowed, was_marks, was_kept: of the pairs before these
    apart (r,): how far apart (m) the shapes were at least, but for their radii, when what is near was last looked for
    first_shape (plants + 1,); order (k,) of shapes along the axis; where (k, 25): see above
    skips (k,): the body on which a shape's body hangs, -1 for none; group (k,): of which group of plants a shape is;
    itself (k,): whether it touches others of that group; company (k,): of which, 0 or more, it touches other groups
    responses (r, 36): what the bodies of a pair do to each other, see arnold.py; is_known (r,): whether by the present
    articulated inertias; is_new (r,): whether one has just become longer; alone_responses (r, 36): with what resists
    between them; borne (12 plants, 6); with_points (r,): rows that have points; points (4 r,): that touch; responding
    (96 plants,), whole (288 plants, 288), factor (289 plants, 288): see dense.py; heap (k, 2), sweeps (k, 69): see
    above
    """

    first: Ints1
    counts: Ints2
    ends: Ints2
    alone: Bools1
    allowed: Floats1
    parting: Floats1
    marks: Ints2
    numbers: Floats2
    kept_marks: Ints2
    kept: Floats2
    was_ends: Ints2
    was_alone: Bools1
    was_allowed: Floats1
    was_marks: Ints2
    was_kept: Floats2
    apart: Floats1
    first_shape: Ints1
    order: Ints1
    where: Floats2
    skips: Ints1
    group: Ints1
    itself: Bools1
    company: Ints1
    responses: Floats2
    alone_responses: Floats2
    is_known: Bools1
    is_new: Bools1
    borne: Floats2
    with_points: Ints1
    points: Ints1
    responding: Ints1
    whole: Floats2
    factor: Floats2
    heap: Ints2
    sweeps: Floats2


def room_for(rows: Ints1, first_shape: Ints1, skips: Ints1, group: Ints1) -> Pairs:
    """Nothing near, with room for so many (plants,) pairs. skips, group (k,): as of Pairs."""
    first = np.concatenate([[0], np.cumsum(rows)]).astype(np.int64)
    r, k = int(first[-1]), int(first_shape[-1])
    order = np.arange(k) - np.repeat(first_shape[:-1], np.diff(first_shape))
    marks = np.zeros((PAIR_SLOTS * r, MARKS), dtype=np.int64)
    marks[:, 0] = -1
    return Pairs(
        first, np.zeros((len(rows), COUNTS), dtype=np.int64), np.zeros((r, 2), dtype=np.int64),
        np.zeros(r, dtype=np.bool_), np.zeros(r), np.zeros(len(rows)), marks,
        np.zeros((PAIR_SLOTS * r, PAIR_NUMBERS)), marks.copy(), np.zeros((PAIR_SLOTS * r, KEPT)),
        np.zeros((r, 2), dtype=np.int64), np.zeros(r, dtype=np.bool_), np.zeros(r), marks.copy(),
        np.zeros((PAIR_SLOTS * r, KEPT)), np.zeros(r), first_shape, order, np.zeros((k, WHERE)), skips,
        group, np.zeros(k, dtype=np.bool_), np.full(k, -1), np.zeros((r, 36)), np.zeros((r, 36)),
        np.zeros(r, dtype=np.bool_), np.zeros(r, dtype=np.bool_), np.zeros((12 * len(rows), 6)),
        np.zeros(r, dtype=np.int64), marks[:, 0].copy(),
        np.zeros(MOST_DENSE * len(rows), dtype=np.int64), np.zeros((EQUATIONS * len(rows), EQUATIONS)),
        np.zeros(((EQUATIONS + 1) * len(rows), EQUATIONS)), np.zeros((k, 2), dtype=np.int64), np.zeros((k, SWEPT)),
    )  # fmt: skip


@inlined
def pairs_of(pairs, p):
    """Those of plant p."""
    own, shapes = slice(pairs.first[p], pairs.first[p + 1]), slice(pairs.first_shape[p], pairs.first_shape[p + 1])
    points = slice(PAIR_SLOTS * pairs.first[p], PAIR_SLOTS * pairs.first[p + 1])
    return Pairs(
        pairs.first[p : p + 2], pairs.counts[p : p + 1], pairs.ends[own], pairs.alone[own], pairs.allowed[own],
        pairs.parting[p : p + 1], pairs.marks[points], pairs.numbers[points], pairs.kept_marks[points],
        pairs.kept[points], pairs.was_ends[own], pairs.was_alone[own], pairs.was_allowed[own], pairs.was_marks[points],
        pairs.was_kept[points], pairs.apart[own], pairs.first_shape[p : p + 2], pairs.order[shapes],
        pairs.where[shapes], pairs.skips[shapes], pairs.group[shapes], pairs.itself[shapes], pairs.company[shapes],
        pairs.responses[own], pairs.alone_responses[own], pairs.is_known[own], pairs.is_new[own],
        pairs.borne[12 * p : 12 * p + 12], pairs.with_points[own], pairs.points[points],
        pairs.responding[MOST_DENSE * p : MOST_DENSE * p + MOST_DENSE],
        pairs.whole[EQUATIONS * p : EQUATIONS * p + EQUATIONS],
        pairs.factor[(EQUATIONS + 1) * p : (EQUATIONS + 1) * (p + 1)], pairs.heap[shapes], pairs.sweeps[shapes],
    )  # fmt: skip


@inlined
def touches(marks, i):
    """Whether a point of a pair has a force."""
    return marks[i, OBSTACLE] >= 0 and marks[i, STATUS] != APART


@inlined
def _ends_of(data, shapes, k):
    """Where the ends of shape k are, half its side, how fast (m/s) these go at most, and how fast a turn moves its
    other points besides."""
    i = shapes.body[k]
    b, lane = i >> 3, i & 7
    B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
    velocity, omega = get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane)
    one, other = mat_vec(B, load3(shapes.start, k)), mat_vec(B, load3(shapes.end, k))
    slow, fast, way = add(velocity, cross(omega, one)), add(velocity, cross(omega, other)), sub(other, one)
    side = mat_vec(B, load3(shapes.side, k))
    aside = cross(omega, side)
    speed = math.sqrt(max(dot(slow, slow), dot(fast, fast))) + math.sqrt(dot(aside, aside))
    turns = math.sqrt(dot(omega, omega)) * (0.5 * math.sqrt(dot(way, way)) + thickest(shapes.radius, k))
    return add(at, one), add(at, other), side, speed, turns


@inlined
def thickest(radii, k):
    """The larger radius (m) of shape k, of radii (k, 2)."""
    return max(radii[k, 0], radii[k, 1])


@inlined
def _softest(shapes):
    """The longest time (s) in which any shape lands."""
    longest = 0.0
    for k in range(len(shapes.landing)):
        longest = max(longest, shapes.landing[k])
    return longest


@inlined
def _reaches(shapes, k, moved, speed, turns, ahead):
    """How far (m) off shape k, which has moved so far (m) since, may touch something, looking so far (s) ahead."""
    return _HAIR * (moved + (1.0 + 0.5 * RADII) * thickest(shapes.radius, k) + ahead * (speed + turns))


@subroutine
def has_left_its_room(data, shapes, pairs, h):
    """Whether a shape has left its room, so that others may be near; else what reaches how far in a step of h (s)."""
    where, softest = pairs.where, _softest(shapes)
    for k in range(len(pairs.order)):
        start, end, side, speed, turns = _ends_of(data, shapes, k)
        one, other = sub(start, take3(where, k, _START)), sub(end, take3(where, k, _END))
        turned = sub(side, take3(where, k, _SIDE))
        moved = math.sqrt(max(dot(one, one), dot(other, other))) + math.sqrt(dot(turned, turned))
        if not moved <= where[k, ROOM]:
            return True
        where[k, REACHES] = _reaches(shapes, k, moved, speed, turns, h + softest)
    return False


@inlined
def is_beyond_reach(pairs, row):
    """Whether a pair is so far apart that it has no points."""
    k, m = pairs.ends[row, 0], pairs.ends[row, 1]
    return pairs.apart[row] > pairs.where[k, REACHES] + pairs.where[m, REACHES]


@inlined
def keep_ball(where, k, ball):
    """Let this be the ball about shape k: middle (m), its velocity (m/s), radius (m), and how fast that turns."""
    keep3(where, k, _MIDDLE, ball[0])
    keep3(where, k, _MOVES, ball[1])
    where[k, _RADIUS], where[k, _TURNS] = ball[2], ball[3]


@inlined
def balls_of(where, k, m):
    """Of the balls about shapes k and m: how far (m) and how fast (m/s) their middles are apart, squared, their radii
    together, and how fast turns move these."""
    apart = sub(take3(where, k, _MIDDLE), take3(where, m, _MIDDLE))
    speed = sub(take3(where, k, _MOVES), take3(where, m, _MOVES))
    both, turns = where[k, _RADIUS] + where[m, _RADIUS], where[k, _TURNS] + where[m, _TURNS]
    return dot(apart, apart), dot(speed, speed), both, turns


@inlined
def _shapes_apart(shapes, where, k, m):
    """As apart of Pairs, of shapes k and m; nothing where one is a solid's face: what touches it may be behind it."""
    solid, other = load3(shapes.inside, k), load3(shapes.inside, m)
    if dot(solid, solid) + dot(other, other) > 0.0:
        return 0.0
    side, width = take3(where, k, _SIDE), take3(where, m, _SIDE)
    start, p = take3(where, k, _START), take3(where, m, _START)
    d, e = sub(take3(where, k, _END), start), sub(take3(where, m, _END), p)
    are_rods = dot(side, side) + dot(width, width) == 0.0
    return segments_apart(start, d, p, e) if are_rods else flats_apart(start, d, side, p, e, width)


@subroutine
def look_for_pairs(data, shapes, pairs, h):
    """Fill the pairs that may touch in steps of h (s) while no shape leaves its room, where bodies' columns are; those
    that were near keep their past. Returns how many there are, of which those beyond the rows are left out."""
    where, order, k, softest = pairs.where, pairs.order, len(pairs.order), _softest(shapes)
    for i in range(k):
        start, end, side, speed, turns = _ends_of(data, shapes, i)
        thick = thickest(shapes.radius, i)
        size = 0.5 * math.sqrt(dot(sub(end, start), sub(end, start))) + math.sqrt(dot(side, side))
        room, ahead = max(h * speed, min(_STEPS * h * speed, size)) + _RADII * thick, softest * (speed + turns)
        keep3(where, i, _START, start)
        keep3(where, i, _END, end)
        keep3(where, i, _SIDE, side)
        where[i, ROOM], where[i, REACHES] = room, _reaches(shapes, i, 0.0, speed, turns, h + softest)
        for c in range(3):
            wide = thick + room + ahead + abs(side[c])
            where[i, _LOW + c] = min(start[c], end[c]) - wide
            where[i, _HIGH + c] = max(start[c], end[c]) + wide
    axis = _longest(where, k)
    pairs.counts[0, AXIS] = axis
    _sort(where, order, _LOW + axis)
    was = _put_aside(pairs)
    found, rows = 0, len(pairs.ends)
    for i in range(k):
        a = order[i]
        for j in range(i + 1, k):
            b = order[j]
            if where[b, _LOW + axis] > where[a, _HIGH + axis]:
                break
            if _meet(where, a, b) and _may_touch(shapes, pairs, a, b) and _come_near(shapes, where, a, b):
                if found < rows:
                    pairs.ends[found, 0], pairs.ends[found, 1] = min(a, b), max(a, b)
                found += 1
    pairs.counts[0, NEAR] = min(found, rows)
    pairs.counts[0, RESPONDING], pairs.counts[0, SINCE] = 0, NEVER
    pairs.counts[0, POINTED], pairs.counts[0, PASSES] = 0, 0
    for i in range(pairs.counts[0, NEAR]):
        pairs.is_known[i] = False
    pairs.counts[0, CROWDED] = max(pairs.counts[0, CROWDED], 1 if found > rows else 0)
    sort_rows(pairs.ends, pairs.counts[0, NEAR])
    for row in range(pairs.counts[0, NEAR]):
        pairs.apart[row] = _shapes_apart(shapes, where, pairs.ends[row, 0], pairs.ends[row, 1])
    _take_over(pairs, was)
    return found


@inlined
def _longest(where, k):
    axis, most = 0, -1.0
    for c in range(3):
        low, high = 1e300, -1e300
        for i in range(k):
            low, high = min(low, where[i, _LOW + c]), max(high, where[i, _HIGH + c])
        if high - low > most:
            axis, most = c, high - low
    return axis


@inlined
def _sort(where, order, column):
    """By insertion, which is quick where little has changed; those alike by their number."""
    for i in range(1, len(order)):
        a, j = order[i], i
        while j > 0 and _after(where, order[j - 1], a, column):
            order[j] = order[j - 1]
            j -= 1
        order[j] = a


@inlined
def _after(where, a, b, column):
    return where[a, column] > where[b, column] or (where[a, column] == where[b, column] and a > b)


@inlined
def _meet(where, a, b):
    meet = True
    for c in range(3):
        meet = meet and where[a, _LOW + c] <= where[b, _HIGH + c] and where[b, _LOW + c] <= where[a, _HIGH + c]
    return meet


@inlined
def _come_near(shapes, where, a, b):
    """Whether two shapes are no farther apart than both boxes are wider than these."""
    wide = where[a, _HIGH] - max(where[a, _START], where[a, _END]) - abs(where[a, _SIDE])
    wide += where[b, _HIGH] - max(where[b, _START], where[b, _END]) - abs(where[b, _SIDE])
    return _shapes_apart(shapes, where, a, b) <= _HAIR * wide


@inlined
def _may_touch(shapes, pairs, a, b):
    """Not within one body, nor next to each other at a joint, nor where that is not wanted."""
    one, other = shapes.body[a], shapes.body[b]
    alike = pairs.company[a] >= 0 and pairs.company[a] == pairs.company[b]
    wanted = pairs.itself[a] if pairs.group[a] == pairs.group[b] else alike
    return wanted and one != other and pairs.skips[a] != other and pairs.skips[b] != one


@inlined
def _put_aside(pairs):
    """Make room for others; returns how many there were."""
    n = pairs.counts[0, NEAR]
    for i in range(n):
        pairs.was_ends[i, 0], pairs.was_ends[i, 1] = pairs.ends[i, 0], pairs.ends[i, 1]
        pairs.was_alone[i], pairs.was_allowed[i] = pairs.alone[i], pairs.allowed[i]
        for s in range(PAIR_SLOTS * i, PAIR_SLOTS * i + PAIR_SLOTS):
            for c in range(MARKS):
                pairs.was_marks[s, c] = pairs.kept_marks[s, c]
            for c in range(KEPT):
                pairs.was_kept[s, c] = pairs.kept[s, c]
    return n


@inlined
def _take_over(pairs, was):
    """Let pairs have the past of those that were put aside, both in the order of their numbers."""
    old = 0
    for i in range(pairs.counts[0, NEAR]):
        a, b = pairs.ends[i, 0], pairs.ends[i, 1]
        while old < was and is_before(pairs.was_ends, old, a, b):
            old += 1
        known = old < was and pairs.was_ends[old, 0] == a and pairs.was_ends[old, 1] == b
        pairs.is_new[i], pairs.alone[i] = False, known and pairs.was_alone[old]
        pairs.allowed[i] = pairs.was_allowed[old] if known else 0.0
        for s in range(PAIR_SLOTS):
            new = PAIR_SLOTS * i + s
            pairs.marks[new, 0] = -1
            pairs.kept_marks[new, 0] = -1
            if known:
                for c in range(MARKS):
                    pairs.kept_marks[new, c] = pairs.was_marks[PAIR_SLOTS * old + s, c]
                for c in range(KEPT):
                    pairs.kept[new, c] = pairs.was_kept[PAIR_SLOTS * old + s, c]
