# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of shapes: where they are, and which of those that are offered a shape has."""

import math

from ..machine.jit import inlined, subroutine
from ..math.memory import take3
from ..math.vectors import add, cross, dot, scale, sub
from .nearest import along_segment
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
    THROWN,
    WAS,
)

#: A point nearer to an end, of the whole length and of a radius, is the end; and those of nearly one normal are one
#: nearer than this.
END, END_OF_RADIUS, _SAME, _PARALLEL = 0.02, 0.05, 0.25, 0.9

#: Candidates for where a strip is nearest to a segment.
FACING = 7


@inlined
def projected(y, start, d, side):
    """Shares of the segment and of half the strip of the point that is nearest to y."""
    out = sub(y, start)
    dd, ss = dot(d, d), dot(side, side)
    t = min(max(dot(out, d) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    s = min(max(dot(out, side) / ss, -1.0), 1.0) if ss > 0.0 else 0.0
    return t, s


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
    if c < 4:
        t = c - 2.0
        return t, 2.0 * along_segment(sub(add(start, scale(t, d)), side), scale(2.0, side), p, e) - 1.0
    u, n = c - 4.0, cross(d, side)
    if c == 6:
        above, below = dot(n, sub(p, start)), dot(n, sub(add(p, e), start))
        u = above / (above - below) if above * below < 0.0 else 0.0
    return projected(add(p, scale(u, e)), start, d, side)


@inlined
def radius_at(radii, k, t):
    """Of shape k, of radii (k, 2), at a share of its length (m)."""
    return radii[k, 0] + t * (radii[k, 1] - radii[k, 0])


@inlined
def is_between(t, d, r0, r1):
    """Whether a point at a share of a segment d is not one of its ends."""
    end = min(END, END_OF_RADIUS * min(r0, r1) / max(math.sqrt(dot(d, d)), 1e-30))
    return end < t < 1.0 - end


@inlined
def offer_one(marks, numbers, k, j, feature, which, t, s, gap, n):
    """Make a point one of shape k's."""
    offer(marks, numbers, SLOTS * k, SLOTS * k + SLOTS, j, feature, which, t, s, gap, n)


@subroutine
def offer(marks, numbers, first, last, j, feature, which, t, s, gap, n):
    """Make a point one of those from first to before last, unless there is one like it that is nearer or all are."""
    place, farthest = -1, gap
    for i in range(first, last):
        if marks[i, OBSTACLE] < 0:
            place = i
            break
        alike = dot(take3(numbers, i, NORMAL), n) > _PARALLEL and marks[i, OBSTACLE] == j
        near = abs(numbers[i, ALONG] - t) < _SAME and abs(numbers[i, ACROSS] - s) < 2.0 * _SAME
        if alike and near:
            place = i if gap < numbers[i, GAP] else -2
            break
        if numbers[i, GAP] > farthest:
            place, farthest = i, numbers[i, GAP]
    if place >= 0:
        marks[place, OBSTACLE] = j
        marks[place, FEATURE] = feature
        marks[place, SIDE] = which
        marks[place, STATUS] = APART
        marks[place, WAS] = APART
        numbers[place, ALONG] = t
        numbers[place, ACROSS] = s
        numbers[place, GAP] = gap
        numbers[place, BORE] = 0.0
        numbers[place, REMEMBERED] = 0.0
        numbers[place, LOAD] = 0.0
        numbers[place, THROWN] = 0.0
        for c in range(3):
            numbers[place, NORMAL + c] = n[c]
            numbers[place, DRAWN + c] = 0.0
            numbers[place, SLIP + c] = 0.0
