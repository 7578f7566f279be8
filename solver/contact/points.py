# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of shapes: where they are, and which of those that are offered a shape has."""

import math

from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_symmetric, mat_vec
from ..math.memory import keep3, load3, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .nearest import along_segment, unit_or_z
from .obstacles import where
from .touch import (
    ACROSS,
    ALONG,
    APART,
    BORE,
    DRAWN,
    FEATURE,
    GAP,
    LOAD,
    NORMAL,
    OBSTACLE,
    REMEMBERED,
    SIDE,
    SLIP,
    SLOTS,
    STATUS,
    SUNK,
    THROWN,
    WAS,
)

#: A point nearer to an end, of the whole length and of a radius, is the end; and those of nearly one normal are one
#: nearer than this.
END, END_OF_RADIUS, SAME_PLACE, _PARALLEL = 0.02, 0.05, (0.25, 0.5), 0.9

#: What is nearer to an end than this share of the length is there: it may have been found from the other shape.
_AT_END = 1e-6

#: A strip is a rectangle where the square of the cosine between its ways is no more than this.
_SQUARE = 1e-20

#: By what shares of the shape, and of a radius, and in their normals, points on a line differ at most.
_HAIR = 1e-3

#: Share of a radius over which the change of a normal is found, and the least that it bends over a radius.
_STEP = 1e-5

#: How often a point is made the nearest of its shape, which it stays as far from the ends as this share.
_SLIDES, RIM = 4, 1e-3

#: Candidates for where a strip is nearest to a segment, of which two face the segment's ends.
FACING, FACES_END = 7, 4


@inlined
def projected(y, start, d, side):
    """Shares of the segment and of half the strip of the point that is nearest to y."""
    out = sub(y, start)
    dd, ss, ds = dot(d, d), dot(side, side), dot(d, side)
    if ds * ds > _SQUARE * dd * ss:
        return _projected_aslant(dot(out, d), dot(out, side), dd, ss, ds)
    t = min(max(dot(out, d) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    s = min(max(dot(out, side) / ss, -1.0), 1.0) if ss > 0.0 else 0.0
    return t, s


@subroutine
def _projected_aslant(od, os, dd, ss, ds):
    """The same of a strip that is no rectangle, by products of what leads to y, the segment and half the width: within,
    or else on one of the borders that it is beyond."""
    determinant = max(dd * ss - ds * ds, 1e-300)
    t, s = (od * ss - os * ds) / determinant, (os * dd - od * ds) / determinant
    if 0.0 <= t <= 1.0 and -1.0 <= s <= 1.0:
        return t, s
    end, border = min(max(t, 0.0), 1.0), min(max(s, -1.0), 1.0)
    on_end = min(max((os - end * ds) / ss, -1.0), 1.0)
    on_border = min(max((od - border * ds) / dd, 0.0), 1.0)
    at_end, at_border = _away(end, on_end, od, os, dd, ss, ds), _away(on_border, border, od, os, dd, ss, ds)
    if s == border or (t != end and at_end < at_border):
        return end, on_end
    return on_border, border


@inlined
def _away(t, s, od, os, dd, ss, ds):
    """Square of the way (m2) from a point of a strip to y, but for what is the same for all."""
    return t * t * dd + s * s * ss + 2.0 * (t * s * ds - t * od - s * os)


@inlined
def at_share(start, d, side, t, s):
    """The point at a share of a segment d and of half a strip's width."""
    return add(start, add(scale(t, d), scale(s, side)))


@subroutine
def facing(c, start, d, side, p, e):
    """Shares of the segment and of half the strip of candidate c, below FACING, for the point that is nearest to the
    segment from p along e, or touches it in other places too: on the strip's borders, opposite to the segment's ends,
    and where that goes through. Of a shape without a strip there is one, c = 0."""
    if dot(side, side) == 0.0:
        return along_segment(start, d, p, e), 0.0
    if c < 2:
        s = 2.0 * c - 1.0
        return along_segment(add(start, scale(s, side)), d, p, e), s
    if c < FACES_END:
        t = c - 2.0
        return t, 2.0 * along_segment(sub(add(start, scale(t, d)), side), scale(2.0, side), p, e) - 1.0
    u, n = 1.0 * c - FACES_END, cross(d, side)
    if c == FACES_END + 2:
        above, below = dot(n, sub(p, start)), dot(n, sub(add(p, e), start))
        u = above / (above - below) if above * below < 0.0 else 0.0
    return projected(add(p, scale(u, e)), start, d, side)


@subroutine
def segment_apart(start, d, side, p, e):
    """How far apart (m) a shape is from the segment from p along e."""
    nearest, ee = math.inf, dot(e, e)
    for c in range(FACING if dot(side, side) > 0.0 else 1):
        t, s = facing(c, start, d, side, p, e)
        out = sub(at_share(start, d, side, t, s), p)
        off = sub(out, scale(min(max(dot(out, e) / ee, 0.0), 1.0) if ee > 0.0 else 0.0, e))
        nearest = min(nearest, dot(off, off))
    return math.sqrt(nearest)


@subroutine
def border_of(strip, border):
    """One of the four borders of a strip as a segment, or of a shape without one its middle line: start and way."""
    a = add(strip[0], strip[1])
    if dot(strip[3], strip[3]) == 0.0:
        return a, strip[2]
    if border < 2:
        return add(a, scale(2.0 * border - 1.0, strip[3])), strip[2]
    return sub(add(a, scale(border - 2.0, strip[2])), strip[3]), scale(2.0, strip[3])


@inlined
def freedom(shape, t, s):
    """In how many directions a shape goes on from its point at these shares both ways."""
    across = dot(shape[3], shape[3]) > 0.0 and abs(s) < 1.0 - _AT_END
    return (1 if goes_along(shape, t) else 0) + (1 if across else 0)


@inlined
def goes_along(shape, t):
    """Whether a shape goes on along itself both ways from a share of its length."""
    return dot(shape[2], shape[2]) > 0.0 and _AT_END < t < 1.0 - _AT_END


@inlined
def edge_at(shape, start, t, s):
    """Start (m) and way of the edge through a point from which the shape, from a start (m) on, goes on along or across
    only."""
    if goes_along(shape, t):
        return at_share(start, shape[2], shape[3], 0.0, s), shape[2]
    return at_share(start, shape[2], shape[3], t, -1.0), scale(2.0, shape[3])


@inlined
def radius_at(radii, k, t):
    """Of shape k, of radii (k, 2), at a share of its length (m)."""
    return radii[k, 0] + t * (radii[k, 1] - radii[k, 0])


@inlined
def on_shape(shapes, k, t, across, B):
    """Arm from the body's joint to a point of shape k, at shares of its length and of half its strip, with the body's
    rotation B, and the radius there."""
    start, end = load3(shapes.start, k), load3(shapes.end, k)
    arm = mat_vec(B, add(start, add(scale(t, sub(end, start)), scale(across, load3(shapes.side, k)))))
    return arm, shapes.radius[k, 0] + t * (shapes.radius[k, 1] - shapes.radius[k, 0])


@subroutine
def slide_to_nearest(shapes, obstacles, now, feature, side, numbers, k, i, j, B, at):
    """Let a point between its shape's ends, or between a strip's edges, be the one with the least gap: Newton's method
    along the shape and across it."""
    u, length = unit_or_z(mat_vec(B, sub(load3(shapes.end, k), load3(shapes.start, k))))
    w, width = unit_or_z(mat_vec(B, load3(shapes.side, k)))
    tapers = (shapes.radius[k, 1] - shapes.radius[k, 0]) / length
    is_between = 0.0 < numbers[i, ALONG] < 1.0, width > 0.0 and -1.0 < numbers[i, ACROSS] < 1.0
    for _ in range(_SLIDES):
        if is_between[0]:
            way = _way_to_nearest(shapes, obstacles, now, feature, side, numbers, k, i, j, B, at, u, tapers)
            numbers[i, ALONG] = min(max(numbers[i, ALONG] + way / length, RIM), 1.0 - RIM)
        if is_between[1]:
            way = _way_to_nearest(shapes, obstacles, now, feature, side, numbers, k, i, j, B, at, w, 0.0)
            numbers[i, ACROSS] = min(max(numbers[i, ACROSS] + way / width, RIM - 1.0), 1.0 - RIM)


@inlined
def _way_to_nearest(shapes, obstacles, now, feature, side, numbers, k, i, j, B, at, u, tapers):
    """How far (m) the nearest point is along a unit vector, by one step of Newton's; 0 where the normal does not turn
    along it. tapers: change of the radius with the way."""
    step = _STEP * shapes.radius[k, 0]
    arm, _ = on_shape(shapes, k, numbers[i, ALONG], numbers[i, ACROSS], B)
    _, n, _ = where(obstacles, now, feature, side, j, add(at, arm))
    _, ahead, _ = where(obstacles, now, feature, side, j, add(at, add(arm, scale(step, u))))
    bend = dot(u, sub(ahead, n)) / step
    return 0.0 if bend * shapes.radius[k, 0] < _STEP else (tapers - dot(u, n)) / bend


@inlined
def change_of_normal(obstacles, now, feature, side, j, x, n, radius):
    """Matrix (1/m) of the normal's change with the point x, from differences over a share of a radius (m)."""
    step = _STEP * radius
    _, a, _ = where(obstacles, now, feature, side, j, add(x, (step, 0.0, 0.0)))
    _, b, _ = where(obstacles, now, feature, side, j, add(x, (0.0, step, 0.0)))
    _, c, _ = where(obstacles, now, feature, side, j, add(x, (0.0, 0.0, step)))
    a, b, c = scale(1.0 / step, sub(a, n)), scale(1.0 / step, sub(b, n)), scale(1.0 / step, sub(c, n))
    return mat_symmetric((a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]))


@inlined
def ways_to_slide(shapes, k, t, across, B, H):
    """Directions u along shape k and across it in which its nearest point is free to slide as the shape moves, made
    conjugate, u H u' = 0, with H, the change (1/m) of the normal with the point: for each u, H u, and u H u, which is 0
    where it is not free.

    With n the normal the second derivative of the gap is dx H dx - sum (n du + u H dx)^2 / (u H u), where the sum is
    what the nearest point's choice takes away.
    """
    least = _STEP / shapes.radius[k, 0]
    u, _ = unit_or_z(mat_vec(B, sub(load3(shapes.end, k), load3(shapes.start, k))))
    w, width = unit_or_z(mat_vec(B, load3(shapes.side, k)))
    Hu, Hw, bends, bends_across = mat_vec(H, u), mat_vec(H, w), 0.0, 0.0
    if 0.0 < t < 1.0 and dot(u, Hu) >= least:
        bends = dot(u, Hu)
        both = dot(w, Hu) / bends
        w, Hw = sub(w, scale(both, u)), sub(Hw, scale(both, Hu))
    if width > 0.0 and -1.0 < across < 1.0 and dot(w, Hw) >= least:
        bends_across = dot(w, Hw)
    return u, Hu, bends, w, Hw, bends_across


@inlined
def turned_by_sliding(arm, n, u, Hu):
    """The direction (m, of a small turn, with H u for a shift of the joint) in which a body moves a free point's gap by
    the point's choice, see above; arm (m): from the joint to the shape's middle line there."""
    return add(cross(u, n), cross(arm, Hu))


@inlined
def is_between(t, d, r0, r1):
    """Whether a point at a share of a segment d is not one of its ends."""
    end = min(END, END_OF_RADIUS * min(r0, r1) / max(math.sqrt(dot(d, d)), 1e-30))
    return end < t < 1.0 - end


@inlined
def offer_one(marks, numbers, k, j, feature, which, t, s, gap, n):
    """Make a point one of shape k's."""
    offer(marks, numbers, SLOTS * k, SLOTS * k + SLOTS, j, feature, which, t, s, gap, n, SAME_PLACE)


@subroutine
def offer(marks, numbers, first, last, j, feature, which, t, s, gap, n, same):
    """Make a point one of those from first to before last, unless there is one like it that is nearer or all are; same:
    within which shares of the length and of half the strip it is. Returns which, or a negative number."""
    place, farthest = -1, gap
    for i in range(first, last):
        if marks[i, OBSTACLE] < 0:
            place = i
            break
        alike = dot(take3(numbers, i, NORMAL), n) > _PARALLEL and marks[i, OBSTACLE] == j
        near = abs(numbers[i, ALONG] - t) < same[0] and abs(numbers[i, ACROSS] - s) < same[1]
        if alike and near:
            place = i if gap < numbers[i, GAP] else -2
            break
        if numbers[i, GAP] > farthest:
            place, farthest = i, numbers[i, GAP]
    if place >= 0:
        marks[place, OBSTACLE] = j
        marks[place, FEATURE] = feature
        marks[place, SIDE] = which
        numbers[place, ALONG] = t
        numbers[place, ACROSS] = s
        numbers[place, GAP] = gap
        keep3(numbers, place, NORMAL, n)
        forget(marks, numbers, place)
    return place


@inlined
def leave_out_between(marks, numbers, first, last, along, across, thin):
    """Leave out points from first to before last that are between two others, on a line by their shares in these
    columns, and no deeper (in radii, thin (m), of a hair): what is straight and lies on what is even is borne at its
    ends, and what is nearest in between would come and go by the last digit."""
    i = first
    while i < last and marks[i, OBSTACLE] >= 0:
        end = i + 1
        while end < last and marks[end, OBSTACLE] >= 0:
            end += 1
        if _is_between(numbers, i, first, end, along, across, thin):
            for c in range(marks.shape[1]):
                marks[i, c] = marks[end - 1, c]
            for c in range(numbers.shape[1]):
                numbers[i, c] = numbers[end - 1, c]
            marks[end - 1, OBSTACLE] = -1
        else:
            i += 1


@inlined
def _is_between(numbers, i, first, end, along, across, thin):
    """Whether point i is one of these."""
    for j in range(first, end):
        before = numbers[i, along] - numbers[j, along]
        if before > 0.0 and _are_in_line(numbers, i, j, across):
            for k in range(first, end):
                after = numbers[k, along] - numbers[i, along]
                if after > 0.0 and _are_in_line(numbers, i, k, across):
                    level = (after * numbers[j, GAP] + before * numbers[k, GAP]) / (before + after)
                    if numbers[i, GAP] > level - _HAIR * thin:
                        return True
    return False


@inlined
def _are_in_line(numbers, i, j, across):
    """Whether two points have one normal and one share across."""
    is_level = dot(take3(numbers, i, NORMAL), take3(numbers, j, NORMAL)) > 1.0 - _HAIR
    return is_level and abs(numbers[i, across] - numbers[j, across]) < _HAIR


@inlined
def forget(marks, numbers, i):
    """Let a point touch nothing and have no past."""
    marks[i, STATUS] = APART
    marks[i, WAS] = APART
    numbers[i, BORE] = 0.0
    numbers[i, REMEMBERED] = 0.0
    numbers[i, LOAD] = 0.0
    numbers[i, THROWN] = 0.0
    numbers[i, SUNK] = 0.0
    keep3(numbers, i, DRAWN, ZERO)
    keep3(numbers, i, SLIP, ZERO)


@inlined
def parts_at(one, other, x, y):
    """How fast (m/s) the first shape leaves the second one, at x on it and y on the other one."""
    moves = add(one[4], cross(one[5], sub(x, one[0])))
    return sub(moves, add(other[4], cross(other[5], sub(y, other[0]))))


@inlined
def nearest_on(shape, start, y):
    """The point (m) of a shape, from a start (m) on, that is nearest to y."""
    t, s = projected(y, start, shape[2], shape[3])
    return at_share(start, shape[2], shape[3], t, s)


@inlined
def same_place(one, other):
    """Within which shares of the first shape's length and half strip points of a pair are the same one: also measured
    by the second shape, all of which a large first one may see in one place."""
    length, width = math.sqrt(dot(other[2], other[2])), 2.0 * math.sqrt(dot(other[3], other[3]))
    size = length if width == 0.0 else (width if length == 0.0 else min(length, width))
    if size == 0.0:
        return SAME_PLACE
    along, across = math.sqrt(dot(one[2], one[2])), 2.0 * math.sqrt(dot(one[3], one[3]))
    return SAME_PLACE[0] * size / max(along, size), SAME_PLACE[1] * size / max(across, size)


@inlined
def across_at(shape, edge):
    """Share of half the strip of one of its two edges, 0 of a shape without one."""
    return 2.0 * edge - 1.0 if dot(shape[3], shape[3]) > 0.0 else 0.0


@inlined
def is_corner(shape, end, edge):
    """Whether this is not the same as another one: a ball has one only, and without a strip there are none across."""
    return (end == 0 or dot(shape[2], shape[2]) > 0.0) and (edge == 0 or dot(shape[3], shape[3]) > 0.0)


@inlined
def way_against(start, d, side, then, moved):
    """How far (m) any point of a shape has gone against what has itself moved by so much since then."""
    one = sub(add(then[0], moved), start)
    other, turned = add(one, sub(then[1], d)), sub(then[2], side)
    return math.sqrt(max(dot(one, one), dot(other, other))) + math.sqrt(dot(turned, turned))
