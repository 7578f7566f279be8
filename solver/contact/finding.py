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
from .clearance import GONE, distance_from, note_leap, room_to, thickness_of, travel_on
from .mesh_tree import FEW, after_subtree, apart, box_about
from .nearby import TOO_MANY, about, is_within, triangles_near
from .nearest import BOX, MESH, PLANE, along_segment, from_solid, from_triangle, unit_or_z
from .obstacles import MARGIN, OMEGA, ONE_SIDED, PLACE, ROTATION, SHARE, SIZE, VELOCITY, corners_at, vertex_then
from .past import clear, let_parted_touch, remember
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
)

#: A point is looked at from this share of a shape's radius, and of its way in the step, before it touches.
RADII, WAYS = 0.2, 0.5

#: A point nearer to an end, of the whole length and of a radius, is the end; and those of nearly one normal are one
#: nearer than this.
_END, _OF_RADIUS, _SAME, _PARALLEL = 0.02, 0.05, 0.25, 0.9

#: Triangles are listed for several steps where shape and mesh go less than this share of how far is looked.
_SLOW = 0.2

#: How often a point on a shape and one on an obstacle are each made the nearest to the other.
TURNS = 12


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


@inlined
def _offer(marks, numbers, k, j, feature, which, t, s, gap, n):
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
        for c in range(3):
            numbers[place, NORMAL + c] = n[c]
            numbers[place, DRAWN + c] = 0.0
            numbers[place, SLIP + c] = 0.0


@subroutine
def _on_solid(touching, k, j, start, d, side, r0, r1, reach):
    """Offer the points of a shape, in the obstacle's axes, that are near a solid: corners, and the nearest of all."""
    obstacles = touching.obstacles
    kind, size, margin = obstacles.kind[j], take3(touching.now, j, SIZE), obstacles.traits[j, MARGIN]
    R = take9(touching.now, j, ROTATION)
    sides = 2 if dot(side, side) > 0.0 else 1
    for end in range(2 if dot(d, d) > 0.0 else 1):
        for edge in range(sides):
            t, s = 1.0 * end, 2.0 * edge - 1.0 if sides == 2 else 0.0
            distance, n = from_solid(kind, size, at_share(start, d, side, t, s))
            gap = distance - (r0 if end == 0 else r1) - margin
            if gap < reach:
                _offer(touching.marks, touching.numbers, k, j, 0, 1, t, s, gap, mat_vec(R, n))
    if kind == PLANE:
        return
    if kind == BOX and sides == 1:
        _on_edges(touching, k, j, start, d, r0, r1, reach)
        return
    t, s = projected((0.0, 0.0, 0.0), start, d, side)
    for _ in range(TURNS):
        x = at_share(start, d, side, t, s)
        distance, n = from_solid(kind, size, x)
        t, s = projected(sub(x, scale(distance, n)), start, d, side)
    distance, n = from_solid(kind, size, at_share(start, d, side, t, s))
    gap = distance - (r0 + t * (r1 - r0)) - margin
    if gap < reach and (_is_between(t, d, r0, r1) or (sides == 2 and abs(s) < 1.0 - _END)):
        _offer(touching.marks, touching.numbers, k, j, 0, 1, t, s, gap, mat_vec(R, n))


@subroutine
def _on_edges(touching, k, j, start, d, r0, r1, reach):
    """Offer the points between a shape's ends that are nearest to the edges of a box, in its axes."""
    obstacles, R = touching.obstacles, take9(touching.now, j, ROTATION)
    size, margin = take3(touching.now, j, SIZE), obstacles.traits[j, MARGIN]
    sx, sy, sz = size
    for edge in range(12):
        u, w = 2.0 * (edge & 1) - 1.0, 1.0 * (edge & 2) - 1.0
        if edge < 4:
            corner, way = (-sx, u * sy, w * sz), (2.0 * sx, 0.0, 0.0)
        elif edge < 8:
            corner, way = (u * sx, -sy, w * sz), (0.0, 2.0 * sy, 0.0)
        else:
            corner, way = (u * sx, w * sy, -sz), (0.0, 0.0, 2.0 * sz)
        t = along_segment(start, d, corner, way)
        x = add(start, scale(t, d))
        if _is_between(t, d, r0, r1) and not _is_over_face(size, x, _OF_RADIUS * min(r0, r1)):
            distance, n = from_solid(BOX, size, x)
            gap = distance - (r0 + t * (r1 - r0)) - margin
            if gap < reach:
                _offer(touching.marks, touching.numbers, k, j, 0, 1, t, 0.0, gap, mat_vec(R, n))


@inlined
def _is_over_face(size, x, little):
    """Whether what is nearest to x of a box is inside a face, by more than a little (m): an end is nearer then."""
    beyond = 0
    for axis in range(3):
        beyond += 1 if abs(x[axis]) > size[axis] - little else 0
    return beyond == 1


@inlined
def _is_between(t, d, r0, r1):
    """Whether a point at a share of a segment d is not one of its ends."""
    end = min(_END, _OF_RADIUS * min(r0, r1) / max(math.sqrt(dot(d, d)), 1e-30))
    return end < t < 1.0 - end


@inlined
def _side_of(x, a, face):
    """On which side of a triangle with a corner a, and this normal, x is: 1 or -1."""
    return 1 if dot(sub(x, a), face) >= 0.0 else -1


@subroutine
def _on_triangle(touching, k, j, f, start, d, side, r0, r1, reach, back, since, low, high, wide, is_still):
    """Offer the points of a shape, in the obstacle's axes, that are near one of its triangles; back (m): where the
    shape was at the step's beginning, a share of the frame, from where it is; low, high: corners of the box about its
    way; wide (m): what is farther than that from its middle line has not been near since. is_still: leave out points
    between a shape's ends above the triangle's inside: they are not nearer than the ends, and come and go with
    rounding."""
    obstacles, now = touching.obstacles, touching.now
    a, b, c = corners_at(obstacles, now, j, f)
    was = vertex_then(obstacles, since, obstacles.triangles[f, 0])
    moved = sub(a, was)
    other = sub(b, vertex_then(obstacles, since, obstacles.triangles[f, 1]))
    third = sub(c, vertex_then(obstacles, since, obstacles.triangles[f, 2]))
    if (
        _beside(a[0], b[0], c[0], moved[0], other[0], third[0], low[0], high[0])
        or _beside(a[1], b[1], c[1], moved[1], other[1], third[1], low[1], high[1])
        or _beside(a[2], b[2], c[2], moved[2], other[2], third[2], low[2], high[2])
    ):
        return
    center, radius = about(a, b, c)
    if not is_within(start, d, side, center, radius + wide):
        return
    face, area = unit_or_z(cross(sub(b, a), sub(c, a)))
    if area == 0.0:
        return
    which, deepest, one_sided = 1, -1e300, obstacles.traits[j, ONE_SIDED] != 0.0
    if one_sided:
        past = add(back, moved)
        deepest = -2.0 * max(r0, r1) - math.sqrt(dot(past, past))
    margin, R = obstacles.traits[j, MARGIN], take9(now, j, ROTATION)
    sides = 2 if dot(side, side) > 0.0 else 1
    for end in range(2 if dot(d, d) > 0.0 else 1):
        for edge in range(sides):
            t, s = 1.0 * end, 2.0 * edge - 1.0 if sides == 2 else 0.0
            x = at_share(start, d, side, t, s)
            out = sub(x, center)
            if dot(out, out) > (radius + wide) ** 2:
                continue
            which = which if one_sided else _side_of(add(x, back), was, face)
            distance, n, _ = from_triangle(x, a, b, c, 1.0 * which)
            gap = distance - (r0 if end == 0 else r1) - margin
            if deepest < gap < reach:
                _offer(touching.marks, touching.numbers, k, j, f, which, t, s, gap, mat_vec(R, n))
    for corner in range(3):
        p, q = (a, b) if corner == 0 else ((b, c) if corner == 1 else (c, a))
        t, s = along_segment(start, d, p, sub(q, p)), 0.0
        if sides == 2:
            for _ in range(TURNS):
                u = along_segment(p, sub(q, p), at_share(start, d, side, t, s), scale(1e-9, d))
                t, s = projected(add(p, scale(u, sub(q, p))), start, d, side)
        if _is_between(t, d, r0, r1) or (sides == 2 and abs(s) < 1.0 - _END):
            x = at_share(start, d, side, t, s)
            if not is_within(p, sub(q, p), ZERO, x, wide):
                continue
            which = which if one_sided else _side_of(add(x, back), was, face)
            distance, n, weights = from_triangle(x, a, b, c, 1.0 * which)
            gap = distance - (r0 + t * (r1 - r0)) - margin
            if deepest < gap < reach and not (is_still and min(weights[0], weights[1], weights[2]) > 0.0):
                _offer(touching.marks, touching.numbers, k, j, f, which, t, s, gap, mat_vec(R, n))


@inlined
def _beside(a, b, c, moved, other, third, low, high):
    """Whether a triangle on its way to three coordinates is all above or all below those of a box."""
    lowest = min(a, b, c) - max(moved, other, third, 0.0)
    return lowest > high or max(a, b, c) - min(moved, other, third, 0.0) < low


@subroutine
def _on_mesh(touching, k, j, start, d, side, r0, r1, reach, back, h, fast, is_still):
    """Offer the points of a shape, no point of which is faster (m/s), that are near a mesh, or were on the way there in
    a step of h (s)."""
    obstacles = touching.obstacles
    s = touching.now[j, SHARE]
    since = max(0.0, s - h * obstacles.rate[0])
    wide = max(r0, r1) + obstacles.traits[j, MARGIN] + max(reach, 0.0)
    way = math.sqrt(dot(back, back)) + obstacles.fastest[j] * (s - since)
    low, high = box_about(start, d, side, back, wide, -1.0), box_about(start, d, side, back, wide, 1.0)
    if not is_still:
        count = triangles_near(touching, k, j, start, d, side, wide + way, h, fast, way < _SLOW * wide)
        for n in range(1, count + 1):
            f = touching.listed[k, n]
            _on_triangle(touching, k, j, f, start, d, side, r0, r1, reach, back, since, low, high, wide + way, is_still)
        if count != TOO_MANY:
            return
    root, leaves, first = obstacles.tree[j, 0], obstacles.tree[j, 1], obstacles.first[j, 0]
    last = obstacles.first[j + 1, 0]
    i = 0
    while True:
        if apart(obstacles.boxes, root + i, low, high, since, s):
            i = after_subtree(i)
        elif i < leaves - 1:
            i = 2 * i + 1
        else:
            at = first + FEW * (i - leaves + 1)
            for n in range(at, min(at + FEW, last)):
                f = obstacles.order[n]
                _on_triangle(
                    touching, k, j, f, start, d, side, r0, r1, reach, back, since, low, high, wide + way, is_still
                )
            i = after_subtree(i)
        if i == 0:
            break


@subroutine
def find(data, touching, h):
    """Fill the points of one plant for a step of h (s), which ends where its bodies' columns are. Those that go on
    touching keep their past."""
    _forget(touching)
    speed = travel_on(data, touching, h)
    gone = touching.travel[0, GONE]
    for k in range(len(touching.shapes.body)):
        if gone + (WAYS * h + RELAXATION) * speed < touching.room[k]:
            continue
        i = touching.shapes.body[k]
        b, lane = i >> 3, i & 7
        B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
        velocity, omega = get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane)
        touching.room[k] = gone + _on_obstacles(touching, k, B, at, velocity, omega, h, 0.0)
    _remember(touching, h)


@subroutine
def find_at_rest(touching, rotation, position):
    """Fill the points of one plant whose bodies stand with rotations (n, 9) at positions (n, 3), from as far as each
    shape is long, and let those touch that overlapped and have parted."""
    _forget(touching)
    for k in range(len(touching.shapes.body)):
        i = touching.shapes.body[k]
        _on_obstacles(touching, k, load9(rotation, i), load3(position, i), ZERO, ZERO, 0.0, 1.0)
    let_parted_touch(touching)


@inlined
def _forget(touching):
    for i in range(touching.counts[0]):
        clear(touching.marks, touching.near[i])
    touching.counts[0] = 0


@subroutine
def _on_obstacles(touching, k, B, at, velocity, omega, h, ahead):
    """Fill the points of shape k, whose body stands and moves so, and from so many of its half lengths ahead. Returns
    how far (m) it may go at least before there are any, besides what its speed adds."""
    shapes, obstacles, now, room = touching.shapes, touching.obstacles, touching.now, math.inf
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
        fast = math.sqrt(dot(against, against)) + half * math.sqrt(dot(omega, omega))
        reach = RADII * min(r0, r1) + WAYS * h * fast + RELAXATION * math.sqrt(dot(against, against)) + ahead * half
        own_middle = mat_t_vec(R, out)
        own_start, own_d = mat_t_vec(R, sub(add(at, start), place)), mat_t_vec(R, d)
        own_side, size = mat_t_vec(R, side), take3(now, j, SIZE)
        distance = distance_from(touching, j, size, own_middle)
        room = min(room, room_to(touching, j, distance, half) - obstacles.traits[j, MARGIN])
        if obstacles.kind[j] == MESH:
            back = mat_t_vec(R, scale(-h, against))
            _on_mesh(touching, k, j, own_start, own_d, own_side, r0, r1, reach, back, h, fast, ahead > 0.0)
        elif distance - half - obstacles.traits[j, MARGIN] < max(reach, h * fast):
            _on_solid(touching, k, j, own_start, own_d, own_side, r0, r1, reach)
            note_leap(touching, h * fast, thickness_of(obstacles.kind[j], size) + min(r0, r1))
    if touching.marks[SLOTS * k, OBSTACLE] >= 0:
        touching.near[touching.counts[0]] = k
        touching.counts[0] += 1
    return room - RADII * min(r0, r1)


@subroutine
def _remember(touching, h):
    """Let points that touched at the last step have its past."""
    marks, numbers = touching.marks, touching.numbers
    for n in range(touching.counts[1]):
        k = touching.was_near[n]
        remember(marks, numbers, touching.kept_marks, touching.kept, SLOTS * k, SLOTS * k + SLOTS, h)
