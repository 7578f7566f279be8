# SPDX-License-Identifier: GPL-3.0-or-later
"""Which points of pairs of shapes may touch in a step, found where the step is predicted to end.

A point stays the same point of one of both shapes in all solves of the step; on the other one it is the nearest to it.
It is the corner's where one has a corner there and the other none, or the edge's, which slides on the other one's face;
where edges cross it is found anew.
The normal points to the first shape, and does not turn round where one has been predicted to go through the other. A
face of something solid has no inside: what is behind it has been pressed in, or is left alone until it has come out.
"""

import math

from ..data import columns as col
from ..data.lanes import get3, get9
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_vec
from ..math.memory import load3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .nearest import along_segment, are_far_apart, crossing, is_solid, may_pass, unit_or_z
from .pairs import (
    ACROSS_B,
    ALONG_B,
    NEAR,
    PAIR_SLOTS,
    PASSES,
    POINTED,
    RADII,
    ROOM,
    WAYS,
    balls_of,
    is_beyond_reach,
    keep_ball,
    thickest,
)
from .past import HAIR, deepest_of, is_stuck, keep_point, remember
from .points import (
    FACES_END,
    FACING,
    across_at,
    at_share,
    border_of,
    edge_at,
    facing,
    freedom,
    goes_along,
    is_corner,
    leave_out_between,
    nearest_on,
    offer,
    parts_at,
    projected,
    radius_at,
    same_place,
    segment_apart,
)
from .touch import ACROSS, ALONG, APART, GAP, OBSTACLE, STATUS, STICKS, landing_of, stiffness_of, thinnest

#: What is pushed apart is not ahead of it by more than this share of its way while it lands: springs would throw it.
_AHEAD = 0.9

#: Points of other shapes, or of both, are as if they were so much (shares of the first one's length) farther from where
#: a point was, which slides past corners that are near but do not touch.
_OTHERS_POINT = 0.1

#: What is over a face is seen from there along its normal, by so much as cosine, or aslant where the nearest to a point
#: inside the face is sought; and what has been pressed in behind it is no deeper than it was but for this share of the
#: thinner one's radius, and its way.
_OVER, _ASLANT, _OF_FACE = 1.0 - 1e-6, 0.5, 0.5

#: Far beyond where it has crossed something on its way is what may be so many times the least radius from there.
_FAR_BEYOND = 8.0

#: Of which shape a point stays the same one, as its SIDE; where an edge of a strip crosses another one, or a rod, both
#: slide.
OF_FIRST, OF_SECOND, OF_NONE = 1, -1, 0

#: A shape before there is any.
NOWHERE = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)


@inlined
def shape_at(data, shapes, k):
    """Where shape k is: position of its body's joint, start from there, way to the end, half its side, how the body
    moves, and where it is solid."""
    i = shapes.body[k]
    b, lane = i >> 3, i & 7
    B = get9(data, b, col.ROTATION + lane)
    start = load3(shapes.start, k)
    return (
        get3(data, b, col.POSITION + lane), mat_vec(B, start), mat_vec(B, sub(load3(shapes.end, k), start)),
        mat_vec(B, load3(shapes.side, k)), get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane),
        mat_vec(B, load3(shapes.inside, k)),
    )  # fmt: skip


@subroutine
def _offer_facing(radii, pairs, row, one, other, reach, h, way, same):
    """Offer the points of the first shape that face the second one, or its borders, but those that face corners."""
    a, one_strip, other_strip = add(one[0], one[1]), dot(one[3], one[3]) > 0.0, dot(other[3], other[3]) > 0.0
    for border in range(4 if other_strip else 1):
        p, e = border_of(other, border)
        for c in range(FACING if one_strip else 1):
            if not FACES_END <= c < FACES_END + 2:
                t, s = facing(c, a, one[2], one[3], p, e)
                _offer_of_first(radii, pairs, row, one, other, t, s, reach, h, way, same)


@inlined
def _is_behind(n, distance, inside, least):
    """Whether what is at this distance (m) in this direction from a face, of at least this cosine, is in what is solid
    there."""
    size, along = dot(inside, inside), dot(n, inside)
    return size > 0.0 and distance * along < size and along > least * math.sqrt(size)


@inlined
def _is_in(shape, y):
    """Whether the place y is behind a face of what is solid, not beside it."""
    n, distance = unit_or_z(sub(y, nearest_on(shape, add(shape[0], shape[1]), y)))
    return _is_behind(n, distance, shape[6], _OVER)


@inlined
def _has_touched(pairs, row, gap, near):
    """Whether a pair touched at the last step, or bounced, and was so deep (m, negative) then, but for what is near."""
    has = False
    for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
        touched = pairs.kept_marks[i, STATUS] != APART or pairs.kept[i, GAP] < 0.0
        has = has or (pairs.kept_marks[i, OBSTACLE] >= 0 and touched and gap > pairs.kept[i, GAP] - near)
    return has


@inlined
def _apart_on_way(one, other, on_one, on_other, of, gone):
    """How near (m) points of two shapes came to the other one on the way (m) that the first one has gone; or the edges
    through them to each other."""
    (t, s), (u, v), a, b = on_one, on_other, add(one[0], one[1]), add(other[0], other[1])
    if freedom(one, t, s) == 1 and freedom(other, u, v) == 1:
        (p, d), (q, e), half = edge_at(one, a, t, s), edge_at(other, b, u, v), scale(0.5, gone)
        return segment_apart(sub(p, half), d, half, q, e)
    if of == OF_SECOND:
        return segment_apart(a, one[2], one[3], at_share(b, other[2], other[3], u, v), gone)
    return segment_apart(b, other[2], other[3], sub(at_share(a, one[2], one[3], t, s), gone), gone)


@inlined
def _offer_of_first(radii, pairs, row, one, other, t, s, reach, h, way, same):
    """Offer the point of the first shape at these shares, or what is nearest to it on the second one where that is an
    edge of it, or a corner, and the point is none; of an edge that goes on past another one where they cross."""
    a, b = add(one[0], one[1]), add(other[0], other[1])
    u, v = projected(at_share(a, one[2], one[3], t, s), b, other[2], other[3])
    is_free, other_is_free = freedom(one, t, s), freedom(other, u, v)
    if is_free > other_is_free:
        _offer_of_second(radii, pairs, row, one, other, u, v, reach, h, way, same)
    else:
        has_strip = dot(one[3], one[3]) + dot(other[3], other[3]) > 0.0
        of = OF_NONE if has_strip and is_free == 1 and other_is_free == 1 else OF_FIRST
        if of == OF_NONE:
            (p, d), (q, e) = edge_at(one, a, t, s), edge_at(other, b, u, v)
            share = along_segment(p, d, q, e)
            t, s = (share, s) if goes_along(one, t) else (t, 2.0 * share - 1.0)
            u, v = projected(at_share(p, d, ZERO, share, 0.0), b, other[2], other[3])
        _offer_at(radii, pairs, row, one, other, (t, s), (u, v), of, reach, h, way, same)


@inlined
def _offer_of_second(radii, pairs, row, one, other, u, v, reach, h, way, same):
    """Offer the point of the second shape at these shares."""
    x = at_share(add(other[0], other[1]), other[2], other[3], u, v)
    nearest = projected(x, add(one[0], one[1]), one[2], one[3])
    _offer_at(radii, pairs, row, one, other, nearest, (u, v), OF_SECOND, reach, h, way, same)


@subroutine
def _offer_at(radii, pairs, row, one, other, on_one, on_other, of, reach, h, way, same):
    """Offer the point at these shares of the first shape and of the second one, of one of them, if they are near each
    other; way (m): how far any goes at most in the step."""
    k, m = pairs.ends[row, 0], pairs.ends[row, 1]
    t, s = on_one
    x = at_share(add(one[0], one[1]), one[2], one[3], t, s)
    y = at_share(add(other[0], other[1]), other[2], other[3], on_other[0], on_other[1])
    out = sub(x, y)
    n, distance = unit_or_z(out)
    thick = radius_at(radii, k, t) + radius_at(radii, m, on_other[0]) - pairs.allowed[row]
    gone = scale(h, parts_at(one, other, x, y))
    is_through = distance < way and dot(out, sub(out, gone)) < 0.0
    is_through = is_through and _apart_on_way(one, other, on_one, on_other, of, gone) < thick
    back, is_within = scale(-1.0, n), 0.0 < t < 1.0 and -1.0 < s < 1.0
    is_behind = is_within and _is_behind(back, distance, one[6], _ASLANT) and _is_in(one, y)
    is_behind = is_behind or _is_behind(n, distance, other[6], _OVER)
    comes_out = _is_behind(back, distance, other[6], _OVER) or (is_within and _is_behind(n, distance, one[6], _ASLANT))
    if is_behind or (is_through and not comes_out):
        n, distance = back, -distance
    gap = distance - thick
    twice = scale(2.0, gone)
    if is_behind and pairs.allowed[row] == 0.0 and (_is_in(other, sub(x, twice)) or _is_in(one, add(y, twice))):
        near = _OF_FACE * thinnest(radii, k, m) + way
        pairs.alone[row] = pairs.alone[row] or not _has_touched(pairs, row, gap, near)
    if gap < reach:
        first = PAIR_SLOTS * row
        place = offer(pairs.marks, pairs.numbers, first, first + PAIR_SLOTS, 0, 0, of, t, s, gap, n, same)
        if place >= 0:
            pairs.numbers[place, ALONG_B], pairs.numbers[place, ACROSS_B] = on_other


@subroutine
def find_pair_points(data, shapes, pairs, h):
    """Fill the points of pairs of one plant for a step of h (s), which ends where its bodies' columns are. Returns how
    many there are."""
    where, rows, found, last, one = pairs.where, pairs.counts[0, NEAR], 0, -1, NOWHERE
    deep = deepest_of(pairs.kept_marks, pairs.kept, pairs.alone, pairs.allowed, rows, PAIR_SLOTS)
    pairs.counts[0, PASSES] = 0
    for k in range(len(pairs.order)):
        keep_ball(where, k, _ball_about(shapes.radius, k, shape_at(data, shapes, k)))
    for row in range(rows):
        _clear(pairs, row)
        if is_beyond_reach(pairs, row):
            continue
        k, m = pairs.ends[row, 0], pairs.ends[row, 1]
        apart2, speed2, both, turns = balls_of(where, k, m)
        fast = math.sqrt(speed2)
        thin, way = thinnest(shapes.radius, k, m), h * (fast + turns)
        reach = RADII * thin + WAYS * way + landing_of(shapes.landing, k, m) * fast
        if apart2 > (both + reach) ** 2:
            continue
        if k != last:  # pairs are in the order of their first shapes
            last, one = k, shape_at(data, shapes, k)
        other = shape_at(data, shapes, m)
        thick = thickest(shapes.radius, k) + thickest(shapes.radius, m)
        if not are_far_apart(one, other, reach + thick, way, deep):
            found = _note(pairs, row, found, _offer_all(shapes.radius, pairs, row, one, other, reach, h, way))
            if not pairs.alone[row] and may_pass(one, other, thick, way):
                pairs.counts[0, PASSES] = 1
    pairs.counts[0, POINTED] = found
    return found


@inlined
def _clear(pairs, row):
    """Let a pair have no points."""
    first = PAIR_SLOTS * row
    if pairs.marks[first, OBSTACLE] >= 0:  # else there is none: the first ones are taken first
        for i in range(first, first + PAIR_SLOTS):
            pairs.marks[i, OBSTACLE] = -1


@inlined
def _note(pairs, row, found, has_points):
    """Add a pair to the list of those that have points, of which so many have been found, if it has any; returns how
    many there are."""
    if has_points:
        pairs.with_points[found] = row
    return found + (1 if has_points else 0)


@inlined
def _ball_about(radii, k, shape):
    """Middle (m), its velocity (m/s) and radius (m) of the ball about shape k, and how fast (m/s) a turn moves that."""
    half, size = add(shape[1], scale(0.5, shape[2])), _size(radii, k, shape)
    moves = add(shape[4], cross(shape[5], half))
    return add(shape[0], half), moves, size, size * math.sqrt(dot(shape[5], shape[5]))


@inlined
def _offer_all(radii, pairs, row, one, other, reach, h, way):
    """Offer the points of a pair that are nearer than its reach (m). Returns whether there are any."""
    first, same = PAIR_SLOTS * row, same_place(one, other)
    thin = thinnest(radii, pairs.ends[row, 0], pairs.ends[row, 1])
    if way > thin and not (pairs.alone[row] or is_solid(one, other)):
        _offer_crossings(radii, pairs, row, one, other, reach, h, way, same)
    if dot(one[3], one[3]) > 0.0:
        _offer_corners_of_second(radii, pairs, row, one, other, reach, h, way, same)
    _offer_facing(radii, pairs, row, one, other, reach, h, way, same)
    if pairs.marks[first, OBSTACLE] < 0:
        return False
    _offer_corners_of_first(radii, pairs, row, one, other, reach, h, way, same)
    if dot(one[3], one[3]) == 0.0:  # a rod faces a corner where it is nearest to a border
        _offer_corners_of_second(radii, pairs, row, one, other, reach, h, way, same)
    if pairs.marks[first + 2, OBSTACLE] >= 0:  # of two none is between others
        for along, across in ((ALONG, ACROSS), (ACROSS, ALONG), (ALONG_B, ACROSS_B), (ACROSS_B, ALONG_B)):
            leave_out_between(pairs.marks, pairs.numbers, first, first + PAIR_SLOTS, along, across, thin)
    remember(pairs.marks, pairs.numbers, pairs.kept_marks, pairs.kept, first, first + PAIR_SLOTS, _OTHERS_POINT)
    return True


@subroutine
def _offer_crossings(radii, pairs, row, one, other, reach, h, way, same):
    """Offer the points at which borders of two shapes, or rods, went through each other. Of those that would be found
    far beyond the step is to be shorter: they would turn too much in its solves."""
    a, b, k, m = add(one[0], one[1]), add(other[0], other[1]), pairs.ends[row, 0], pairs.ends[row, 1]
    for i in range(4 if dot(one[3], one[3]) > 0.0 else 1):
        p, d = border_of(one, i)
        gone, d_gone = _gone(one, p, d, h)
        for j in range(4 if dot(other[3], other[3]) > 0.0 else 1):
            q, e = border_of(other, j)
            other_gone, e_gone = _gone(other, q, e, h)
            has, t, u = crossing(p, d, q, e, gone, d_gone, other_gone, e_gone)
            if has:
                on_one = projected(add(p, scale(t, d)), a, one[2], one[3])
                on_other = projected(add(q, scale(u, e)), b, other[2], other[3])
                _offer_at(radii, pairs, row, one, other, on_one, on_other, OF_FIRST, reach, h, way, same)
                if way > _FAR_BEYOND * thinnest(radii, k, m):
                    pairs.counts[0, PASSES] = 1


@inlined
def _gone(shape, p, d, h):
    """How far (m) a shape's point p, and a way d on it, have gone in h (s)."""
    return scale(h, add(shape[4], cross(shape[5], sub(p, shape[0])))), scale(h, cross(shape[5], d))


@subroutine
def find_pairs_at_rest(data, shapes, pairs):
    """Fill the points of pairs of one plant that stands where its bodies' columns are, from as far as both shapes have
    room."""
    found = 0
    for row in range(pairs.counts[0, NEAR]):
        _clear(pairs, row)
        k, m = pairs.ends[row, 0], pairs.ends[row, 1]
        one, other = shape_at(data, shapes, k), shape_at(data, shapes, m)
        reach = pairs.where[k, ROOM] + pairs.where[m, ROOM]
        half = add(one[1], scale(0.5, one[2])), add(other[1], scale(0.5, other[2]))
        apart = sub(add(one[0], half[0]), add(other[0], half[1]))
        size = _size(shapes.radius, k, one) + _size(shapes.radius, m, other)
        if dot(apart, apart) < (size + reach) ** 2:
            found = _note(pairs, row, found, _offer_all(shapes.radius, pairs, row, one, other, reach, 0.0, 0.0))
    pairs.counts[0, POINTED] = found


@inlined
def _size(radii, k, shape):
    """From the middle of shape k to where it ends (m)."""
    return 0.5 * math.sqrt(dot(shape[2], shape[2])) + math.sqrt(dot(shape[3], shape[3])) + thickest(radii, k)


@inlined
def _offer_corners_of_first(radii, pairs, row, one, other, reach, h, way, same):
    for end in range(2):
        for edge in range(2):
            if is_corner(one, end, edge):
                across = across_at(one, edge)
                _offer_of_first(radii, pairs, row, one, other, 1.0 * end, across, reach, h, way, same)


@subroutine
def _offer_corners_of_second(radii, pairs, row, one, other, reach, h, way, same):
    for end in range(2):
        for edge in range(2):
            if is_corner(other, end, edge):
                across = across_at(other, edge)
                _offer_of_second(radii, pairs, row, one, other, 1.0 * end, across, reach, h, way, same)


@subroutine
def keep_pairs(pairs, landing, h):
    """Make the points of a step of h (s) those that the next one remembers; pairs that have parted may touch from now
    on, and what overlaps may do so less and less. landing (k,): the shapes'."""
    marks, numbers, kept_marks, kept = pairs.marks, pairs.numbers, pairs.kept_marks, pairs.kept
    for row in range(pairs.counts[0, NEAR]):
        deepest, pairs.is_new[row] = 0.0, False
        first = PAIR_SLOTS * row
        if marks[first, OBSTACLE] >= 0 or kept_marks[first, OBSTACLE] >= 0:
            for i in range(first, first + PAIR_SLOTS):
                kept_marks[i, OBSTACLE] = -1
                if marks[i, OBSTACLE] >= 0:
                    keep_point(marks, numbers, kept_marks, kept, i, h)
                    deepest = max(deepest, pairs.allowed[row] - numbers[i, GAP])
        pairs.alone[row] = pairs.alone[row] and deepest > 0.0
        if pairs.allowed[row] > 0.0:
            ahead = _AHEAD * landing_of(landing, pairs.ends[row, 0], pairs.ends[row, 1]) * pairs.parting[0]
            less = max(pairs.allowed[row] - h * pairs.parting[0], deepest - ahead)
            pairs.allowed[row] = max(0.0, min(less, deepest, pairs.allowed[row]))


@inlined
def parts_any(pairs):
    """Whether any pair is being pushed apart, which takes energy from nowhere."""
    parts = False
    for row in range(pairs.counts[0, NEAR]):
        parts = parts or pairs.allowed[row] > 0.0
    return parts


@subroutine
def leave_pairs_alone(shapes, pairs):
    """From now on leave the pairs alone that overlap by more than a hair, until they part, or let them overlap less and
    less where they are to be pushed apart; sticky ones stick."""
    for row in range(pairs.counts[0, NEAR]):
        k, m = pairs.ends[row, 0], pairs.ends[row, 1]
        hair = HAIR * thinnest(shapes.radius, k, m)
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if pairs.marks[i, OBSTACLE] >= 0 and pairs.numbers[i, GAP] < -hair:
                pairs.alone[row] = pairs.parting[0] == 0.0
                pairs.allowed[row] = max(pairs.allowed[row], -pairs.numbers[i, GAP] if pairs.parting[0] > 0.0 else 0.0)
        stiffness = stiffness_of(shapes, k, m)
        sticks = max(shapes.stickiness[k], shapes.stickiness[m])
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if pairs.marks[i, OBSTACLE] >= 0 and is_stuck(pairs.marks, pairs.numbers, i, stiffness, sticks):
                pairs.marks[i, STATUS] = STICKS
                keep_point(pairs.marks, pairs.numbers, pairs.kept_marks, pairs.kept, i, 0.0)
