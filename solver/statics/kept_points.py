# SPDX-License-Identifier: GPL-3.0-or-later
"""Points on which a plant rests, from one look for them to the next.

Which points of a shape are looked for hangs on where it is: of several that are alike there is one, the nearest. Were
each look to forget what the plant rests on, it could come to rest on some, find others in their place, come to rest on
those, and so on for ever. So what touches, or nearly, stays, and what is like it does not take its place unless that is
deeper by more than a little; and a step that was not good leaves no trace, for points slide in it.
"""

from ..contact.nearest import MESH
from ..contact.obstacles import MARGIN, where
from ..contact.past import is_left_alone, keep_all
from ..contact.points import on_shape
from ..contact.touch import (
    ACROSS,
    ALONG,
    APART,
    FEATURE,
    GAP,
    KEPT,
    MARKS,
    NORMAL,
    OBSTACLE,
    SIDE,
    SLOTS,
    STATUS,
    STICKS,
)
from ..forces.over_surface import over_surface
from ..machine.jit import inlined, subroutine
from ..math.memory import load3, load9, take3
from ..math.vectors import add, dot

#: A point nearly touches that is nearer than this, and is deeper than another by more than a little if by more than
#: that, in radii.
_NEARLY, _DEEPER = 0.05, 1e-3

#: Points of one normal, by its cosine, that are nearer in shares of the shape than this are alike, and the same if
#: nearer than that.
_PARALLEL, _ALIKE, _SAME = 0.9, 0.25, 1e-6


@subroutine
def keep_points(touching):
    """Remember the points that the plant has, and which of them touch or nearly do."""
    keep_all(touching, 0.0)
    for n in range(touching.counts[0]):
        k = touching.near[n]
        thin = min(touching.shapes.radius[k, 0], touching.shapes.radius[k, 1])
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j, gap = touching.marks[i, OBSTACLE], touching.numbers[i, GAP]
            rests = j >= 0 and gap < _NEARLY * thin
            rests = rests and not is_left_alone(touching.left_alone, k, j, touching.numbers[i, ALONG])
            touching.kept_marks[i, STATUS] = STICKS if rests else APART


@subroutine
def put_points_back(touching):
    """Let the points, none of which have been looked for since, be those that were kept."""
    for n in range(touching.counts[0]):
        k = touching.near[n]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            _copy(touching.kept_marks, touching.kept, touching.marks, touching.numbers, i, i)
            touching.marks[i, STATUS] = APART


@inlined
def _copy(marks, numbers, to_marks, to_numbers, i, to):
    for c in range(MARKS):
        to_marks[to, c] = marks[i, c]
    for c in range(KEPT):
        to_numbers[to, c] = numbers[i, c]


@subroutine
def stay_on_points(touching, work):
    """Let the points that have just been found be those that were kept and rest on something, and what is not like
    them."""
    for n in range(touching.counts[0]):
        k = touching.near[n]
        first, last = SLOTS * k, SLOTS * k + SLOTS
        thin = min(touching.shapes.radius[k, 0], touching.shapes.radius[k, 1])
        _come_to_nearest(touching, work, k)
        count = 0
        for i in range(first, last):
            if touching.marks[i, OBSTACLE] >= 0 and not _is_kept(touching, i, first, count, thin):
                _copy(touching.marks, touching.numbers, touching.marks, touching.numbers, i, first + count)
                count += 1
        for old in range(first, last):
            if touching.kept_marks[old, OBSTACLE] < 0 or touching.kept_marks[old, STATUS] == APART:
                continue
            place = first + count
            if count == SLOTS:
                place = _farthest(touching, first)
                if touching.numbers[place, GAP] <= touching.kept[old, GAP]:
                    continue
            else:
                count += 1
            _copy(touching.kept_marks, touching.kept, touching.marks, touching.numbers, old, place)
            touching.marks[place, STATUS] = APART
        for i in range(first + count, last):
            touching.marks[i, OBSTACLE] = -1


@inlined
def _is_kept(touching, i, first, count, thin):
    """Whether a point is like one that was kept and not deeper, or the same as one of the first ones of the shape."""
    for old in range(first, first + SLOTS):
        if touching.kept_marks[old, OBSTACLE] >= 0 and touching.kept_marks[old, STATUS] != APART:
            is_deeper = touching.numbers[i, GAP] < touching.kept[old, GAP] - _DEEPER * thin
            near = _SAME if is_deeper else _ALIKE
            if _is_like(touching.marks, touching.numbers, i, touching.kept_marks, touching.kept, old, near):
                return True
    for other in range(first, first + count):
        if _is_like(touching.marks, touching.numbers, i, touching.marks, touching.numbers, other, _SAME):
            return True
    return False


@inlined
def _is_like(marks, numbers, i, other_marks, other_numbers, other, near):
    """Whether two points on one obstacle have nearly one normal and are nearer on the shape than so many shares."""
    return (
        marks[i, OBSTACLE] == other_marks[other, OBSTACLE]
        and abs(numbers[i, ALONG] - other_numbers[other, ALONG]) < near
        and abs(numbers[i, ACROSS] - other_numbers[other, ACROSS]) < 2.0 * near
        and dot(take3(numbers, i, NORMAL), take3(other_numbers, other, NORMAL)) > _PARALLEL
    )


@inlined
def _farthest(touching, first):
    """The point of a shape that has the widest gap."""
    place = first
    for i in range(first + 1, first + SLOTS):
        if touching.numbers[i, GAP] > touching.numbers[place, GAP]:
            place = i
    return place


@inlined
def _come_to_nearest(touching, work, k):
    """Let the points of shape k on meshes be on the triangles that they are nearest to."""
    obstacles, shapes, i = touching.obstacles, touching.shapes, touching.shapes.body[k]
    B, at = load9(work.rotation, i), load3(work.position, i)
    for p in range(SLOTS * k, SLOTS * k + SLOTS):
        j = touching.marks[p, OBSTACLE]
        if j < 0 or obstacles.kind[j] != MESH:
            continue
        arm, radius = on_shape(shapes, k, touching.numbers[p, ALONG], touching.numbers[p, ACROSS], B)
        x = add(at, arm)
        feature, side, _, _ = over_surface(
            obstacles, touching.now, touching.marks[p, FEATURE], touching.marks[p, SIDE], j, x, 1e300, 1e-3 * radius
        )
        if feature != touching.marks[p, FEATURE]:
            touching.marks[p, FEATURE], touching.marks[p, SIDE] = feature, side
            distance, n, _ = where(obstacles, touching.now, feature, side, j, x)
            touching.numbers[p, GAP] = distance - radius - obstacles.traits[j, MARGIN]
            for c in range(3):
                touching.numbers[p, NORMAL + c] = n[c]
