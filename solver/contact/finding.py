# SPDX-License-Identifier: GPL-3.0-or-later
"""Which points of which shapes may touch which obstacles in a step, found where the step is predicted to end."""

import math

from ..data import columns as col
from ..data.lanes import get3, get9
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import load3, load9, take3, take9
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.shapes import RELAXATION
from .mesh_tree import FEW, after_subtree, apart
from .nearest import MESH, PLANE, along_segment, from_solid, from_triangle, unit_or_z
from .obstacles import MARGIN, OMEGA, ONE_SIDED, PLACE, ROTATION, VELOCITY, vertex_at
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
    WAS,
    remembered,
)

#: A point is looked at from this share of a shape's radius, and of its way in the step, before it touches.
RADII, WAYS = 0.2, 0.5

#: A point nearer to an end, of the whole length, is the end; and those of nearly one normal are one nearer than this.
_END, _SAME, _PARALLEL = 0.02, 0.25, 0.9

#: How often a point on a shape and one on an obstacle are each made the nearest to the other.
TURNS = 12

#: What overlaps as drawn by less than this share of its radius touches.
HAIR = 1e-3

#: What is left alone with one half of a shape is so with the other one this near to its middle, as share of its length.
_NEAR_HALF = 0.25


@inlined
def projected(y, start, d, side):
    """Shares of the segment and of half the strip of the point that is nearest to y."""
    out = sub(y, start)
    dd, ss = dot(d, d), dot(side, side)
    t = min(max(dot(out, d) / dd, 0.0), 1.0) if dd > 0.0 else 0.5
    s = min(max(dot(out, side) / ss, -1.0), 1.0) if ss > 0.0 else 0.0
    return t, s


@inlined
def at_share(start, d, side, t, s):
    """The point at a share of a segment d and of half a strip's width."""
    return add(start, add(scale(t, d), scale(s, side)))


@inlined
def _offer(touching, k, j, feature, which, t, s, gap, n):
    """Make a point one of shape k's."""
    offer(touching, SLOTS * k, SLOTS * k + SLOTS, j, feature, which, t, s, gap, n)


@subroutine
def offer(points, first, last, j, feature, which, t, s, gap, n):
    """Make a point one of those from first to before last, unless there is one like it that is nearer or all are."""
    place, farthest = -1, gap
    for i in range(first, last):
        if points.marks[i, OBSTACLE] < 0:
            place = i
            break
        alike = dot(take3(points.numbers, i, NORMAL), n) > _PARALLEL and points.marks[i, OBSTACLE] == j
        near = abs(points.numbers[i, ALONG] - t) < _SAME and abs(points.numbers[i, ACROSS] - s) < 2.0 * _SAME
        if alike and near:
            place = i if gap < points.numbers[i, GAP] else -2
            break
        if points.numbers[i, GAP] > farthest:
            place, farthest = i, points.numbers[i, GAP]
    if place >= 0:
        points.marks[place, OBSTACLE] = j
        points.marks[place, FEATURE] = feature
        points.marks[place, SIDE] = which
        points.marks[place, STATUS] = APART
        points.marks[place, WAS] = APART
        points.numbers[place, ALONG] = t
        points.numbers[place, ACROSS] = s
        points.numbers[place, GAP] = gap
        points.numbers[place, BORE] = 0.0
        points.numbers[place, REMEMBERED] = 0.0
        points.numbers[place, LOAD] = 0.0
        for c in range(3):
            points.numbers[place, NORMAL + c] = n[c]
            points.numbers[place, DRAWN + c] = 0.0
            points.numbers[place, SLIP + c] = 0.0


@subroutine
def _on_solid(touching, k, j, start, d, side, r0, r1, reach):
    """Offer the points of a shape, in the obstacle's axes, that are near a solid: corners, and the nearest of all."""
    obstacles = touching.obstacles
    kind, size, margin = obstacles.kind[j], load3(obstacles.size, j), obstacles.traits[j, MARGIN]
    R = take9(touching.now, j, ROTATION)
    sides = 2 if dot(side, side) > 0.0 else 1
    for end in range(2):
        for edge in range(sides):
            t, s = 1.0 * end, 2.0 * edge - 1.0 if sides == 2 else 0.0
            distance, n = from_solid(kind, size, at_share(start, d, side, t, s))
            gap = distance - (r0 if end == 0 else r1) - margin
            if gap < reach:
                _offer(touching, k, j, 0, 1, t, s, gap, mat_vec(R, n))
    if kind == PLANE:
        return
    t, s = projected((0.0, 0.0, 0.0), start, d, side)
    for _ in range(TURNS):
        x = at_share(start, d, side, t, s)
        distance, n = from_solid(kind, size, x)
        t, s = projected(sub(x, scale(distance, n)), start, d, side)
    distance, n = from_solid(kind, size, at_share(start, d, side, t, s))
    gap = distance - (r0 + t * (r1 - r0)) - margin
    if gap < reach and ((_END < t < 1.0 - _END) or (sides == 2 and abs(s) < 1.0 - _END)):
        _offer(touching, k, j, 0, 1, t, s, gap, mat_vec(R, n))


@subroutine
def _on_triangle(touching, k, j, f, start, d, side, r0, r1, reach, back, is_still):
    """Offer the points of a shape, in the obstacle's axes, that are near one of its triangles; back (m): where the
    shape was at the step's beginning, from where it is. is_still: leave out points between a shape's ends above the
    triangle's inside: they are not nearer than the ends, and come and go with rounding."""
    obstacles, now = touching.obstacles, touching.now
    v0, v1, v2 = obstacles.triangles[f, 0], obstacles.triangles[f, 1], obstacles.triangles[f, 2]
    a, b, c = vertex_at(obstacles, now, j, v0), vertex_at(obstacles, now, j, v1), vertex_at(obstacles, now, j, v2)
    face, area = unit_or_z(cross(sub(b, a), sub(c, a)))
    if area == 0.0:
        return
    middle = at_share(start, d, side, 0.5, 0.0)
    which, deepest = 1, -1e300
    if obstacles.traits[j, ONE_SIDED] == 0.0:
        which = 1 if dot(sub(add(middle, back), a), face) >= 0.0 else -1
    else:
        deepest = -2.0 * max(r0, r1) - math.sqrt(dot(back, back))
    margin, R = obstacles.traits[j, MARGIN], take9(now, j, ROTATION)
    sides = 2 if dot(side, side) > 0.0 else 1
    for end in range(2):
        for edge in range(sides):
            t, s = 1.0 * end, 2.0 * edge - 1.0 if sides == 2 else 0.0
            distance, n, _ = from_triangle(at_share(start, d, side, t, s), a, b, c, 1.0 * which)
            gap = distance - (r0 if end == 0 else r1) - margin
            if deepest < gap < reach:
                _offer(touching, k, j, f, which, t, s, gap, mat_vec(R, n))
    for corner in range(3):
        p, q = (a, b) if corner == 0 else ((b, c) if corner == 1 else (c, a))
        t, s = along_segment(start, d, p, sub(q, p)), 0.0
        if sides == 2:
            for _ in range(TURNS):
                u = along_segment(p, sub(q, p), at_share(start, d, side, t, s), scale(1e-9, d))
                t, s = projected(add(p, scale(u, sub(q, p))), start, d, side)
        if (_END < t < 1.0 - _END) or (sides == 2 and abs(s) < 1.0 - _END):
            distance, n, weights = from_triangle(at_share(start, d, side, t, s), a, b, c, 1.0 * which)
            gap = distance - (r0 + t * (r1 - r0)) - margin
            if deepest < gap < reach and not (is_still and min(weights[0], weights[1], weights[2]) > 0.0):
                _offer(touching, k, j, f, which, t, s, gap, mat_vec(R, n))


@subroutine
def _on_mesh(touching, k, j, start, d, side, r0, r1, reach, back, is_still):
    """Offer the points of a shape that are near a mesh, or were on the way there."""
    obstacles = touching.obstacles
    wide = max(r0, r1) + obstacles.traits[j, MARGIN] + max(reach, 0.0)
    end = add(start, d)
    low = _extent(start, end, side, back, wide, -1.0)
    high = _extent(start, end, side, back, wide, 1.0)
    root, leaves, first = obstacles.tree[j, 0], obstacles.tree[j, 1], obstacles.first[j, 0]
    last = obstacles.first[j + 1, 0]
    i = 0
    while True:
        if apart(obstacles.boxes, root + i, low, high):
            i = after_subtree(i)
        elif i < leaves - 1:
            i = 2 * i + 1
        else:
            at = first + FEW * (i - leaves + 1)
            for f in range(at, min(at + FEW, last)):
                _on_triangle(touching, k, j, obstacles.order[f], start, d, side, r0, r1, reach, back, is_still)
            i = after_subtree(i)
        if i == 0:
            break


@inlined
def _extent(start, end, side, back, wide, sign):
    """Low (sign -1) or high (1) corner of the box about a shape and its way, so much wider."""
    return (
        _most(start[0], end[0], side[0], back[0], wide, sign), _most(start[1], end[1], side[1], back[1], wide, sign),
        _most(start[2], end[2], side[2], back[2], wide, sign),
    )  # fmt: skip


@inlined
def _most(start, end, side, back, wide, sign):
    return sign * (max(sign * start, sign * end) + abs(side) + max(sign * back, 0.0) + wide)


@subroutine
def find(data, touching, h):
    """Fill the points of one plant for a step of h (s), which ends where its bodies' columns are. Those that go on
    touching keep their past."""
    _forget(touching)
    for k in range(len(touching.shapes.body)):
        i = touching.shapes.body[k]
        b, lane = i >> 3, i & 7
        B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
        velocity, omega = get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane)
        _on_obstacles(touching, k, B, at, velocity, omega, h, 0.0)
    _remember(touching, h)


@subroutine
def find_at_rest(touching, rotation, position):
    """Fill the points of one plant whose bodies stand with rotations (n, 9) at positions (n, 3), from as far as each
    shape is long, and let those touch that overlapped and have parted."""
    _forget(touching)
    for k in range(len(touching.shapes.body)):
        i = touching.shapes.body[k]
        _on_obstacles(touching, k, load9(rotation, i), load3(position, i), ZERO, ZERO, 0.0, 1.0)
    _let_parted_touch(touching)


@inlined
def _forget(touching):
    for i in range(touching.counts[0]):
        _clear(touching.marks, touching.near[i])
    touching.counts[0] = 0


@subroutine
def _on_obstacles(touching, k, B, at, velocity, omega, h, ahead):
    """Fill the points of shape k, whose body stands and moves so, and from so many of its half lengths ahead."""
    shapes, obstacles, now = touching.shapes, touching.obstacles, touching.now
    start, d = mat_vec(B, load3(shapes.start, k)), mat_vec(B, sub(load3(shapes.end, k), load3(shapes.start, k)))
    side = mat_vec(B, load3(shapes.side, k))
    r0, r1 = shapes.radius[k, 0], shapes.radius[k, 1]
    arm = add(start, scale(0.5, d))
    middle, speed = add(at, arm), add(velocity, cross(omega, arm))
    half = 0.5 * math.sqrt(dot(d, d)) + math.sqrt(dot(side, side)) + max(r0, r1)
    for j in range(len(obstacles.kind)):
        R, place = take9(now, j, ROTATION), take3(now, j, PLACE)
        out = sub(middle, place)
        against = sub(speed, add(take3(now, j, VELOCITY), cross(take3(now, j, OMEGA), out)))
        way = h * math.sqrt(dot(against, against)) + h * half * math.sqrt(dot(omega, omega))
        reach = RADII * min(r0, r1) + WAYS * way + RELAXATION * math.sqrt(dot(against, against)) + ahead * half
        own_middle = mat_t_vec(R, out)
        own_start, own_d = mat_t_vec(R, sub(add(at, start), place)), mat_t_vec(R, d)
        own_side = mat_t_vec(R, side)
        if obstacles.kind[j] == MESH:
            back = mat_t_vec(R, scale(-h, against))
            _on_mesh(touching, k, j, own_start, own_d, own_side, r0, r1, reach, back, ahead > 0.0)
        else:
            distance, _ = from_solid(obstacles.kind[j], load3(obstacles.size, j), own_middle)
            if distance - half - obstacles.traits[j, MARGIN] < reach:
                _on_solid(touching, k, j, own_start, own_d, own_side, r0, r1, reach)
    if touching.marks[SLOTS * k, OBSTACLE] >= 0:
        touching.near[touching.counts[0]] = k
        touching.counts[0] += 1


@inlined
def _clear(marks, k):
    for i in range(SLOTS * k, SLOTS * k + SLOTS):
        marks[i, OBSTACLE] = -1


@subroutine
def _remember(touching, h):
    """Let points that touched at the last step have its past."""
    for n in range(touching.counts[1]):
        k = touching.was_near[n]
        remember(touching, SLOTS * k, SLOTS * k + SLOTS, h)


@inlined
def remember(points, first, last, h):
    """Let points from first to before last have the past of those that touched at the last step: of those of a shape on
    one obstacle the nearest."""
    for old in range(first, last):
        if points.kept_marks[old, OBSTACLE] < 0 or points.kept_marks[old, STATUS] == APART:
            continue
        found, nearest = -1, 2.0
        for i in range(first, last):
            if points.marks[i, OBSTACLE] == points.kept_marks[old, OBSTACLE] and points.marks[i, WAS] == APART:
                away = abs(points.numbers[i, ALONG] - points.kept[old, ALONG])
                away += abs(points.numbers[i, ACROSS] - points.kept[old, ACROSS])
                if away < nearest:
                    found, nearest = i, away
        if found >= 0:
            points.marks[found, WAS] = points.kept_marks[old, STATUS]
            points.marks[found, STATUS] = points.kept_marks[old, STATUS]
            bore, was = points.kept[old, BORE], points.kept[old, REMEMBERED]
            points.numbers[found, BORE] = bore
            points.numbers[found, REMEMBERED] = was
            points.numbers[found, LOAD] = remembered(was, bore, bore, h)
            for c in range(3):
                points.numbers[found, DRAWN + c] = points.kept[old, DRAWN + c]


@inlined
def keep_point(points, i):
    """Make point i of the step the one that the next step remembers."""
    for c in range(points.kept_marks.shape[1]):
        points.kept_marks[i, c] = points.marks[i, c]
    for c in range(points.kept.shape[1]):
        points.kept[i, c] = points.numbers[i, c]


@subroutine
def keep(touching):
    """Make the points of the step those that the next one remembers."""
    for n in range(touching.counts[1]):
        _clear(touching.kept_marks, touching.was_near[n])
    for n in range(touching.counts[0]):
        k = touching.near[n]
        touching.was_near[n] = k
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            keep_point(touching, i)
    touching.counts[1] = touching.counts[0]
    _let_parted_touch(touching)


@inlined
def _let_parted_touch(touching):
    for k in range(len(touching.left_alone)):
        for half in range(touching.left_alone.shape[1]):
            if touching.left_alone[k, half]:
                touching.left_alone[k, half] = _overlaps(touching, k, half, 0.0)


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
def is_left_alone(touching, k, j, i):
    """Whether point i of shape k does not touch obstacle j, because it overlapped it from the beginning: its shape's
    lower or upper half did."""
    return touching.left_alone[k, 2 * j + (1 if touching.numbers[i, ALONG] > 0.5 else 0)]
