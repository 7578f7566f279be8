# SPDX-License-Identifier: GPL-3.0-or-later
"""What points remember of the steps before: what they touched, and which shapes are let through what they overlap."""

import math

from ..machine.jit import inlined, subroutine
from ..math.memory import take3
from ..math.vectors import ZERO
from .obstacles import MARGIN, STICKINESS, looks
from .points import radius_at
from .touch import (
    ACROSS,
    ALONG,
    APART,
    BORE,
    DRAWN,
    GAP,
    HITS,
    KEPT,
    MARKS,
    NORMAL,
    OBSTACLE,
    REMEMBERED,
    SIDE,
    SLOTS,
    STATUS,
    STICKS,
    SUNK,
    THROWN,
    WAS,
)

#: What touched_before tells: depth, from which side, and along which normal.
DEPTH, SEEN, LAST_NORMAL = 0, 1, 3

#: What overlaps as drawn by less than this share of its radius touches.
HAIR = 1e-3

#: What has not touched and yet is inside by this share of its radius where a step begins has come there along with
#: something of the plant that is left alone, by sliding on from half to half or from shape to shape.
_CAME_ALONG = 0.5

#: What has bounced and yet is inside by this share of its radius has bounced in vain, because it has been pressed in
#: again; and how near to it, in shares of the shape, the same point of the next step is.
_IN_VAIN, _NEAR_BY = 0.075, 0.25

#: What has bounced a little inside touches there from now on, as if it had come no farther, or its spring would give it
#: what nothing has put in; and comes out as it parts, or within about so long (s).
_COMES_OUT = 0.1

#: What is left alone with one half of a shape is so with the other one this near to its middle, as share of its length.
_NEAR_HALF = 0.25


@inlined
def clear(marks, k):
    """Let shape k have no points."""
    for i in range(SLOTS * k, SLOTS * k + SLOTS):
        marks[i, OBSTACLE] = -1


@inlined
def deepest_of(kept_marks, kept, alone, allowed, rows, slots):
    """How deep (m) a point of these rows, of so many slots, was inside at most at the last step; any where a pair has
    just been left alone."""
    deepest = 0.0
    for row in range(rows):
        first = slots * row
        deepest = max(deepest, math.inf if alone[row] and kept_marks[first, OBSTACLE] < 0 else allowed[row])
        for i in range(first, first + slots):
            if kept_marks[i, OBSTACLE] < 0:
                break
            deepest = max(deepest, allowed[row] - kept[i, GAP])
    return deepest


@inlined
def remember(marks, numbers, kept_marks, kept, first, last, other_side):
    """Let points from first to before last have the past of those that touched at the last step, or were inside while
    they bounced: of those of a shape on one obstacle the nearest, as if those of another side were so much farther.
    Where there is none any more the nearest goes on with its friction, as it takes over what it bore."""
    for old in range(first, last):
        bounced = kept_marks[old, STATUS] == APART
        if kept_marks[old, OBSTACLE] < 0 or (bounced and kept[old, GAP] >= 0.0):
            continue
        found, nearest, heir, by = -1, (_NEAR_BY if bounced else 2.0), -1, math.inf
        for i in range(first, last):
            if marks[i, OBSTACLE] < 0:
                break
            if marks[i, OBSTACLE] != kept_marks[old, OBSTACLE]:
                continue
            away = abs(numbers[i, ALONG] - kept[old, ALONG]) + abs(numbers[i, ACROSS] - kept[old, ACROSS])
            if away < by:
                heir, by = i, away
            away += other_side if marks[i, SIDE] != kept_marks[old, SIDE] and not bounced else 0.0
            if marks[i, WAS] == APART and away < nearest:
                found, nearest = i, away
        if found < 0:
            if heir >= 0 and not bounced:
                _add_friction(numbers, heir, kept, old)
            continue
        numbers[found, SUNK] = kept[old, SUNK]
        if bounced:
            numbers[found, THROWN] = kept[old, GAP]
        else:
            marks[found, WAS] = kept_marks[old, STATUS]
            marks[found, STATUS] = kept_marks[old, STATUS]
            _add_friction(numbers, found, kept, old)
            for c in range(3):
                numbers[found, DRAWN + c] = kept[old, DRAWN + c]


@inlined
def _add_friction(numbers, i, kept, old):
    """Let point i go on with the friction of one of the last step."""
    numbers[i, BORE] += kept[old, BORE]
    numbers[i, REMEMBERED] += kept[old, REMEMBERED]


@inlined
def keep_point(marks, numbers, kept_marks, kept, i, h):
    """Make point i of a step of h (s) the one that the next step remembers."""
    for c in range(MARKS):
        kept_marks[i, c] = marks[i, c]
    for c in range(KEPT):
        kept[i, c] = numbers[i, c]
    if numbers[i, THROWN] == HITS and numbers[i, SUNK] == 0.0:
        kept[i, SUNK] = -numbers[i, GAP]
    else:
        kept[i, SUNK] = max(0.0, min(numbers[i, SUNK] / (1.0 + h / _COMES_OUT), -numbers[i, GAP]))


@subroutine
def keep(touching, h):
    """Make the points of a step of h (s) those that the next one remembers."""
    keep_all(touching, h)
    let_parted_touch(touching)


@inlined
def keep_all(touching, h):
    """Let those that are kept be the points that there are at the end of a step of h (s)."""
    for n in range(touching.counts[1]):
        clear(touching.kept_marks, touching.was_near[n])
    for n in range(touching.counts[0]):
        k = touching.near[n]
        touching.was_near[n] = k
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] >= 0:  # most slots are free: what lies there is not worth fetching
                keep_point(touching.marks, touching.numbers, touching.kept_marks, touching.kept, i, h)
    touching.counts[1] = touching.counts[0]


@subroutine
def let_parted_touch(touching):
    """Let shapes touch that overlapped and have parted. What is deep inside with the other half now still overlaps."""
    left_alone, radius, any_is = touching.left_alone, touching.shapes.radius, False
    for k in range(len(left_alone)):
        for low in range(0, left_alone.shape[1], 2):
            is_low, is_high = left_alone[k, low], left_alone[k, low + 1]
            if is_low or is_high:
                deep = _CAME_ALONG * min(radius[k, 0], radius[k, 1])
                left_alone[k, low] = _overlaps(touching, k, low, 0.0 if is_low else deep)
                left_alone[k, low + 1] = _overlaps(touching, k, low + 1, 0.0 if is_high else deep)
                any_is = True
    if any_is:
        _leave_solids_alone(touching.shapes, left_alone)


@subroutine
def leave_alone(touching, new):
    """From now on leave the shapes alone that overlap new obstacles (c,), until they part. What is drawn to stand on
    one, and by rounding or a hair in it, does stand on it."""
    radius = touching.shapes.radius
    for k in range(len(touching.left_alone)):
        hair = HAIR * min(radius[k, 0], radius[k, 1])
        for j in range(len(new)):
            if new[j]:
                touching.left_alone[k, 2 * j] = _overlaps(touching, k, 2 * j, hair)
                touching.left_alone[k, 2 * j + 1] = _overlaps(touching, k, 2 * j + 1, hair)
    _leave_solids_alone(touching.shapes, touching.left_alone)


@subroutine
def _leave_solids_alone(shapes, left_alone):
    """Leave solids alone as a whole: one that some of its shapes hold while others are inside would be wedged there and
    thrown out. They are what has several shapes on one body, all of one rod."""
    first = 0
    for last in range(1, len(left_alone) + 1):
        goes_on = last < len(left_alone) and shapes.body[last] == shapes.body[first]
        if goes_on and shapes.rod[last] == shapes.rod[first]:
            continue
        if last - first > 1:
            for j in range(left_alone.shape[1] // 2):
                alone = False
                for k in range(first, last):
                    alone = alone or left_alone[k, 2 * j] or left_alone[k, 2 * j + 1]
                for k in range(first, last):
                    left_alone[k, 2 * j] = left_alone[k, 2 * j + 1] = alone
        first = last


@inlined
def is_stuck(marks, numbers, i, stiffness, sticks):
    """Whether a point that has not touched yet stands so near that it sticks."""
    return sticks > 0.0 and marks[i, STATUS] == APART and stiffness * numbers[i, GAP] < 0.5 * sticks


@subroutine
def stick(touching, new):
    """Let sticky shapes, and those on sticky ones, hold the new obstacles (c,) on which they stand."""
    shapes, traits, marks, numbers = touching.shapes, touching.obstacles.traits, touching.marks, touching.numbers
    for n in range(touching.counts[0]):
        k = touching.near[n]
        begins = True
        for old in range(touching.counts[1]):
            begins = begins and touching.was_near[old] != k
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[i, OBSTACLE]
            if j < 0 or not new[j] or is_left_alone(touching.left_alone, k, j, numbers[i, ALONG]):
                continue
            if is_stuck(marks, numbers, i, shapes.stiffness[k], max(shapes.stickiness[k], traits[j, STICKINESS])):
                marks[i, STATUS] = STICKS
                keep_point(marks, numbers, touching.kept_marks, touching.kept, i, 0.0)
                if begins:
                    touching.was_near[touching.counts[1]] = k
                    touching.counts[1] += 1
                    begins = False


@subroutine
def _overlaps(touching, k, half, hair):
    """Whether shape k overlaps the obstacle by more than a hair (m) with a half of it, or so near to that half that it
    may be it soon."""
    for i in range(SLOTS * k, SLOTS * k + SLOTS):
        j, t = touching.marks[i, OBSTACLE], touching.numbers[i, ALONG]
        is_near = t > 0.5 - _NEAR_HALF if half & 1 == 1 else t < 0.5 + _NEAR_HALF
        if j == half >> 1 and touching.numbers[i, GAP] < -hair and is_near:
            return True
    return False


@inlined
def begins_inside(marks, i, gap, parting, thin, h):
    """Whether a point that parts with a speed (m/s), of a shape of this radius (m), is inside already where a step of
    h (s) begins and has not touched before."""
    return marks[i, WAS] == APART and max(gap, gap - h * parting) < -_CAME_ALONG * thin


@inlined
def bounced_in_vain(numbers, i, thin):
    """Whether a point of a shape of this radius (m) has been pressed in again where a step begins."""
    return numbers[i, THROWN] < -_IN_VAIN * thin


@inlined
def leaves_any_alone(left_alone, j):
    """Whether anything of the plant is left alone with obstacle j."""
    leaves = False
    for k in range(len(left_alone)):
        leaves = leaves or left_alone[k, 2 * j] or left_alone[k, 2 * j + 1]
    return leaves


@inlined
def half_of(j, along):
    """Column of left_alone of obstacle j and a half of a shape, by a share of its length."""
    return 2 * j + (1 if along > 0.5 else 0)


@inlined
def is_left_alone(left_alone, k, j, along):
    """Whether a point of shape k, at a share of its length, does not touch obstacle j, because it overlapped it from
    the beginning: its shape's lower or upper half did."""
    return left_alone[k, half_of(j, along)]


@inlined
def has_touched(touching, k, j, old):
    """Whether a point of shape k has touched obstacle j at the last step, also while it bounced."""
    marks, gap = touching.kept_marks, touching.kept[old, GAP]
    if marks[old, OBSTACLE] != j:
        return False
    bounced = gap < 0.0 and not is_left_alone(touching.left_alone, k, j, touching.kept[old, ALONG])
    return marks[old, STATUS] != APART or bounced


@subroutine
def touched_before(touching, k, j):
    """How deep (m) shape k was in obstacle j at the last step, from which side, 1 or -1, it touched it there, 0 if not
    at all, whether its middle line had been pressed through the surface, and the normal."""
    deep, seen, pressed, normal, radii = -1e300, 0, False, ZERO, touching.shapes.radius
    for old in range(SLOTS * k, SLOTS * k + SLOTS):
        if has_touched(touching, k, j, old):
            gap = touching.kept[old, GAP]
            if -gap > deep:
                deep, seen, normal = -gap, looks(touching.kept_marks[old, SIDE]), take3(touching.kept, old, NORMAL)
                behind = gap + radius_at(radii, k, touching.kept[old, ALONG]) + touching.obstacles.traits[j, MARGIN]
                pressed = behind < 0.0
    return deep, seen, pressed, normal
