# SPDX-License-Identifier: GPL-3.0-or-later
"""The points of a shape that are near a mesh: ends, and those nearest to edges; and from which side they are seen."""

import math

from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import take3, take9
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .clearance import note_leap
from .mesh_tree import about, ball_at, beyond_both, box_about, is_beside, next_leaf, those_of
from .nearby import TOO_MANY, is_within, triangles_near
from .nearest import from_edge, from_flat, unit_or_z, weighted, weights_on_triangle
from .obstacles import (
    MARGIN,
    ONE_SIDED,
    ROTATION,
    SHARE,
    WITHIN,
    corner_beyond,
    corners_at,
    fold_at,
    looks,
    vertex_then,
)
from .past import DEPTH, SEEN, has_touched, is_left_alone, touched_before
from .points import END, FACING, at_share, facing, is_between, offer_one, radius_at, way_against
from .touch import ACROSS, ALONG, GAP, NORMAL, OBSTACLE, SIDE, SLOTS

#: A triangle is of the surface that a shape has touched if the cosine between their normals is more than this, and the
#: shape as deep in it but for this share of its radius, and its way.
_ALIKE, _OF_SURFACE = 0.25, 0.5

#: What is this share farther is not so by rounding.
_ROUNDING = 1e-9

#: Sine of the angle between faces that meet as on flat ground, and share of a radius by which that is crossed.
_FLAT = 1e-6

#: Triangles are listed for several steps where shape and mesh go less than this share of how far is looked.
_SLOW = 0.2


@subroutine
def _side_touched(touching, k, j, start, d, side, a, face, way):
    """From which side, 1 or -1, shape k has touched the surface of obstacle j, in its axes, that this triangle belongs
    to, with a corner a and this normal: one in which it is no deeper, but for a way (m) since then. From there the
    triangle is seen, however deep the shape has been pressed in. 0 for another surface."""
    R, radii = take9(touching.now, j, ROTATION), touching.shapes.radius
    near, margin = way + _OF_SURFACE * min(radii[k, 0], radii[k, 1]), touching.obstacles.traits[j, MARGIN]
    for old in range(SLOTS * k, SLOTS * k + SLOTS):
        if has_touched(touching, k, j, old):
            which, t = looks(touching.kept_marks[old, SIDE]), touching.kept[old, ALONG]
            alike = which * dot(face, mat_t_vec(R, take3(touching.kept, old, NORMAL)))
            out = sub(at_share(start, d, side, t, touching.kept[old, ACROSS]), a)
            gap = which * dot(out, face) - radius_at(radii, k, t) - margin
            if alike > _ALIKE and gap > touching.kept[old, GAP] - near:
                return which
    return 0


@inlined
def _carried(x, was, a, b, c):
    """Where x would be, had it gone on with what of a triangle was nearest to it: what turns a little goes far at a
    corner that is far away."""
    weights, _ = weights_on_triangle(x, was[0], was[1], was[2])
    return add(x, sub(weighted(weights, a, b, c), weighted(weights, was[0], was[1], was[2])))


@inlined
def _is_held_by_rim(adjacent, f, weights):
    """Whether a triangle's nearest point, with these shares of its corners, is on one of its sides that no other one
    has."""
    return (
        (weights[2] <= 0.0 and adjacent[f, 0] < 0)
        or (weights[0] <= 0.0 and adjacent[f, 1] < 0)
        or (weights[1] <= 0.0 and adjacent[f, 2] < 0)
    )  # fmt: skip


@inlined
def _falls_off(p, q, face, other):
    """Sine of the angle by which two faces with these normals, that meet at the edge from p to q of the first one, fall
    off from there, negative where they rise."""
    return dot(cross(face, other), unit_or_z(sub(q, p))[0])


@inlined
def _beyond(touching, j, f, edge, corners):
    """Start and end of a side of triangle f, with these corners, and the normal of the one beyond it, which looks to
    the same side of the surface."""
    p, q = corners[edge], corners[(edge + 1) % 3]
    out = sub(corner_beyond(touching.obstacles, touching.now, j, f, edge), p)
    return p, q, unit_or_z(cross(out, sub(q, p)))[0]


@inlined
def _may_be_touched(touching, j, f, edge, which, corners, face):
    """Whether what is straight may touch side `edge` of triangle f before its faces: a rim or, seen from this side, a
    ridge. On flat ground it would share the load with the ends here and there, as it slides."""
    if touching.obstacles.adjacent[f, edge] < 0:
        return True
    p, q, other = _beyond(touching, j, f, edge, corners)
    return which * _falls_off(p, q, face, other) > _FLAT


@subroutine
def _is_over_next(touching, j, f, which, corners, x, weights, little):
    """Whether x, nearest to a side of triangle f, is before the one beyond it and nearer to that, by more than a little
    (m): an edge inside a surface would else push aside what slides over it."""
    for edge in range(3):
        if weights[(edge + 2) % 3] <= 0.0 and touching.obstacles.adjacent[f, edge] >= 0:
            p, q, other = _beyond(touching, j, f, edge, corners)
            out, inwards = sub(x, p), cross(unit_or_z(sub(q, p))[0], other)
            if which * dot(out, other) >= 0.0 and dot(out, inwards) > little:
                return True
    return False


@inlined
def _is_before_slope(touching, j, f, edge, which, x):
    """Whether triangle f, seen from this side, has a ridge there, and x is before what falls off beyond it."""
    if touching.obstacles.adjacent[f, edge] < 0:
        return False
    p, q, face, other = fold_at(touching.obstacles, touching.now, j, f, edge)
    return (_falls_off(p, q, face, other) > 0.0) == (which > 0) and which * dot(sub(x, p), other) > 0.0


@subroutine
def _is_beside_ridge(touching, j, f, which, x, corners):
    """Whether what is behind triangle f, with these corners, seen from this side, is nearest to a ridge of it and
    before what falls off beyond, and so on the same side of the surface as what is before f."""
    weights, _ = weights_on_triangle(x, corners[0], corners[1], corners[2])
    is_beside = False
    for edge in range(3):
        is_nearest = weights[(edge + 2) % 3] <= 0.0
        is_beside = is_beside or (is_nearest and _is_before_slope(touching, j, f, edge, which, x))
    return is_beside


@subroutine
def _is_beyond_ridge(touching, j, f, which, x, x_then):
    """Whether what is behind triangle f, seen from this side, is and was before what falls off beyond a ridge of it."""
    is_beyond = False
    for edge in range(3):
        is_there = _is_before_slope(touching, j, f, edge, which, x)
        is_beyond = is_beyond or (is_there and _is_before_slope(touching, j, f, edge, which, x_then))
    return is_beyond


@subroutine
def _leads_out(touching, k, j, f, edge, which, d, x, x_then, t, s, radius, deepest):
    """Offer a point x of shape k to be led out over an edge of triangle f that the shape has come in over, now or
    before, then no deeper than this (m). It goes through both faces that meet there, seen from this side: to one end
    before one of them and to the other end before the other, which would push it against each other. Returns whether
    it is led."""
    obstacles = touching.obstacles
    if obstacles.adjacent[f, edge] < 0:
        return False
    p, q, face, other = fold_at(obstacles, touching.now, j, f, edge)
    face, other = scale(1.0 * which, face), scale(1.0 * which, other)
    distance, n, share = from_edge(x, p, q, add(face, other))
    length = math.sqrt(dot(d, d))
    if length == 0.0 or not 0.0 < share < 1.0:  # another edge goes on from the end of this one
        return False
    if distance >= 0.0 or (_falls_off(p, q, face, other) > 0.0) != (which > 0):
        return False
    is_end = not 0.0 < t < 1.0
    if is_end and (dot(sub(x, p), face) >= 0.0 or dot(sub(x, p), other) >= 0.0):
        return False
    before, beyond = max(t, -distance / length), max(1.0 - t, -distance / length)  # its neighbours go on from its ends
    one, two = sub(sub(x, scale(before, d)), p), sub(add(x, scale(beyond, d)), p)
    goes = dot(one, face) > 0.0 and dot(two, other) > 0.0
    comes = dot(two, face) > 0.0 and dot(one, other) > 0.0
    was_out = dot(sub(x_then, sub(x, scale(distance, n))), n) >= 0.0
    if not (goes or comes) or (not was_out and radius - distance > deepest):
        return False
    gap, n = distance - radius - obstacles.traits[j, MARGIN], mat_vec(take9(touching.now, j, ROTATION), n)
    offer_one(touching.marks, touching.numbers, k, j, f, which * (WITHIN + edge), t, s, gap, n)
    return True


@inlined
def _is_led_out(touching, k, j, f, edge, which, d, x, x_then, t, s, radius, a, face, deepest):
    """Whether a point is led out over the side of triangle f that it faces, if its shape goes through f's plane, or as
    an end behind it over any side."""
    above = dot(sub(x, a), face)
    if edge >= 0:
        through = (above - t * dot(d, face)) * (above + (1.0 - t) * dot(d, face)) < 0.0
        return through and _leads_out(touching, k, j, f, edge, which, d, x, x_then, t, s, radius, deepest)
    if which * above >= 0.0:
        return False
    is_led = False
    for i in range(3):
        is_led = is_led or _leads_out(touching, k, j, f, i, which, d, x, x_then, t, s, radius, deepest)
    return is_led


@subroutine
def _offer(
    touching, k, j, f, edge, d, x, x_then, t, s, radius, reach, a, b, c, face, was, which, least, deepest, has, is_still
):  # fmt: skip
    """Offer a point x of shape k, in the axes of mesh j, which was at x_then at the step's beginning, if its triangle f
    holds it back: the corners a, b, c, where these were, and the normal. edge: the side of f that it faces, -1 for an
    end; which: from which side its surface was touched, else 0; least: how high (m) above what is one-sided and
    untouched it was at least; has: see touched_before; is_still: not over the triangle.

    What is behind a triangle is held back by it if it has come through it, or touched its surface and was no deeper
    (m, `deepest`) behind it at the beginning, or it would be held by the near side of what it has gone around: one that
    is only beside it there, on sides that others have as well, is held back by these. What goes in deeper than its
    radius in a step may have met another one on its way, so that a shorter one is wanted. And a shape that touches a
    mesh from one side is not held inside by triangles that are only seen from the other one."""
    obstacles, (_, seen, pressed, normal) = touching.obstacles, has
    is_one_sided, is_surface = obstacles.traits[j, ONE_SIDED] != 0.0, which != 0
    distance, n, weights = from_flat(x, a, b, c, face, 1.0)
    is_over, margin = min(weights[0], weights[1], weights[2]) > 0.0, obstacles.traits[j, MARGIN]
    if (distance - radius - margin >= reach and not is_over) or (is_still and is_over):
        return
    if len(obstacles.bends) > 0:
        x_then = _carried(x_then, was, a, b, c)
    above_then = dot(sub(x_then, a), face)
    if not is_surface:
        which = 1 if is_one_sided or above_then >= 0.0 else -1
        if not is_one_sided and _is_beside_ridge(touching, j, f, -which, x_then, (a, b, c)):
            which = -which
        if not is_one_sided and which * seen < 0:
            _, was_over = weights_on_triangle(x_then, a, b, c)
            if pressed or not was_over:
                return
    if which < 0:
        distance, n, _ = from_flat(x, a, b, c, face, -1.0)
    gap = distance - radius - margin
    if gap >= reach:
        return
    if not is_still and _is_led_out(touching, k, j, f, edge, which, d, x, x_then, t, s, radius, a, face, deepest):
        return
    n = mat_vec(take9(touching.now, j, ROTATION), n)
    is_behind = which * dot(sub(x, a), face) < 0.0
    if not (is_still or is_behind):
        if edge >= 0 and not _may_be_touched(touching, j, f, edge, which, (a, b, c), face):
            return
        if not is_over and _is_over_next(touching, j, f, which, (a, b, c), x, weights, _FLAT * radius):
            return
    if is_behind:
        if not is_over and not _is_held_by_rim(obstacles.adjacent, f, weights):
            return
        if is_over and is_surface and which * above_then < radius - deepest:
            return
        if is_over and is_surface and _is_beyond_ridge(touching, j, f, which, x, x_then):
            return
        if is_over and not is_surface:
            if which * above_then < (least if is_one_sided else 0.0):
                return
            if which * above_then >= 0.0 and not is_left_alone(touching.left_alone, k, j, t):
                note_leap(touching, -distance, radius)
    if not is_surface and pressed and dot(n, normal) < -_ALIKE:
        return
    offer_one(touching.marks, touching.numbers, k, j, f, which, t, s, gap, n)


@subroutine
def _on_triangle(
    touching, k, j, f, start, d, side, r0, r1, reach, then, since, low, high, wide, is_still, crosses, has,
    a, b, c, center, radius, face,
):  # fmt: skip
    """Offer the points of a shape, in the obstacle's axes, that are near one of its triangles, with these corners, ball
    and normal; then: start, d and side at the step's beginning, a share of the frame; low, high: corners of the box
    about its way; wide (m): what is farther than that from its middle line has not been near since. is_still: leave out
    points between a shape's ends above the triangle's inside: they are not nearer than the ends, and come and go with
    rounding. crosses: offer where it goes through, however far its ends are. has: see touched_before."""
    obstacles = touching.obstacles
    was = (
        vertex_then(obstacles, since, obstacles.triangles[f, 0]),
        vertex_then(obstacles, since, obstacles.triangles[f, 1]),
        vertex_then(obstacles, since, obstacles.triangles[f, 2]),
    )
    moved, other, third = sub(a, was[0]), sub(b, was[1]), sub(c, was[2])
    if is_beside(a, b, c, moved, other, third, low, high):
        return
    if is_still and _is_beyond_all(touching, k, j, start, d, side, radius, center, max(r0, r1), has):
        return
    margin, R = obstacles.traits[j, MARGIN], take9(touching.now, j, ROTATION)
    way = way_against(start, d, side, then, moved)
    if len(obstacles.bends) > 0:
        way = max(way, way_against(start, d, side, then, other), way_against(start, d, side, then, third))
    which = _side_touched(touching, k, j, start, d, side, a, face, way)
    deepest = has[DEPTH] + way + _OF_SURFACE * min(r0, r1) - margin
    least = 0.0 if has[SEEN] != 0 else margin - max(r0, r1)
    sides = 2 if dot(side, side) > 0.0 else 1
    if crosses:
        for edge in range(sides):
            s = 2.0 * edge - 1.0 if sides == 2 else 0.0
            above = dot(sub(at_share(start, d, side, 0.0, s), a), face)
            below = above + dot(d, face)
            if above * below < 0.0:
                t = above / (above - below)
                _, is_inside = weights_on_triangle(at_share(start, d, side, t, s), a, b, c)
                if is_inside:
                    gap = -(r0 + t * (r1 - r0)) - margin
                    offer_one(touching.marks, touching.numbers, k, j, f, 1, t, s, gap, mat_vec(R, face))
    for end in range(2 if dot(d, d) > 0.0 else 1):
        for edge in range(sides):
            t, s = 1.0 * end, 2.0 * edge - 1.0 if sides == 2 else 0.0
            x = at_share(start, d, side, t, s)
            out = sub(x, center)
            if dot(out, out) > (radius + wide) ** 2:
                continue
            _offer(
                touching, k, j, f, -1, d, x, at_share(then[0], then[1], then[2], t, s), t, s,
                r0 if end == 0 else r1, reach, a, b, c, face, was, which, least, deepest, has, False,
            )  # fmt: skip
    for corner in range(3):
        p, q = (a, b) if corner == 0 else ((b, c) if corner == 1 else (c, a))
        for candidate in range(FACING if sides == 2 else 1):
            t, s = facing(candidate, start, d, side, p, sub(q, p))
            if not (is_between(t, d, r0, r1) or (sides == 2 and abs(s) < 1.0 - END)):
                continue
            x = at_share(start, d, side, t, s)
            if not is_within(p, sub(q, p), ZERO, x, wide):
                continue
            _offer(
                touching, k, j, f, corner, d, x, at_share(then[0], then[1], then[2], t, s), t, s,
                r0 + t * (r1 - r0), reach, a, b, c, face, was, which, least, deepest, has, is_still,
            )  # fmt: skip


@inlined
def _near_triangle(
    touching, k, j, n, start, d, side, r0, r1, reach, then, since, low, high, wide, is_still, crosses, has
):  # fmt: skip
    """The same of the triangle of the mesh that is n in order: most are not near."""
    center, radius = ball_at(touching.obstacles.balls, n, touching.now[j, SHARE])
    if not is_within(start, d, side, center, radius + wide):
        return
    f = touching.obstacles.order[n]
    a, b, c = corners_at(touching.obstacles, touching.now, j, f)
    center, radius = about(a, b, c)
    if not is_within(start, d, side, center, radius + wide):
        return
    face, area = unit_or_z(cross(sub(b, a), sub(c, a)))
    if area == 0.0:
        return
    if touching.obstacles.traits[j, ONE_SIDED] != 0.0 and not (is_still or crosses):
        off = (1.0 + _ROUNDING) * (max(r0, r1) + touching.obstacles.traits[j, MARGIN] + reach)
        lowest = dot(sub(start, a), face) + min(0.0, dot(d, face)) - abs(dot(side, face))
        if lowest > 0.0 and (lowest > off or not is_within(start, d, side, center, radius + off)):
            return  # all of the shape is before it, and from there it touches at its end only
    _on_triangle(
        touching, k, j, f, start, d, side, r0, r1, reach, then, since, low, high, wide, is_still, crosses, has,
        a, b, c, center, radius, face,
    )  # fmt: skip


@inlined
def _is_beyond_all(touching, k, j, start, d, side, radius, center, thick, has):
    """Whether shape k, at most so thick (m), has all the points that it may have, and all of them nearer than what is
    in a ball, and is not as deep behind it either: at rest nothing there would become one."""
    if touching.marks[SLOTS * k + SLOTS - 1, OBSTACLE] < 0:
        return False
    farthest = touching.numbers[SLOTS * k, GAP]
    for i in range(SLOTS * k + 1, SLOTS * k + SLOTS):
        farthest = max(farthest, touching.numbers[i, GAP])
    off = thick + max(farthest + touching.obstacles.traits[j, MARGIN], has[DEPTH], 0.0)
    return not is_within(start, d, side, center, radius + (1.0 + _ROUNDING) * off)


@subroutine
def on_mesh(touching, k, j, start, d, side, r0, r1, reach, then, h, fast, is_still):
    """Offer the points of a shape, no point of which is faster (m/s), that are near a mesh, or were on the way there in
    a step of h (s); then: its start, d and side at the beginning."""
    obstacles = touching.obstacles
    s = touching.now[j, SHARE]
    since = max(0.0, s - h * obstacles.rate[0])
    has = touched_before(touching, k, j)
    wide = max(r0, r1) + obstacles.traits[j, MARGIN] + max(reach, has[DEPTH])
    way = way_against(start, d, side, then, ZERO) + obstacles.fastest[j] * (s - since)
    far = wide + way
    crosses = touching.left_alone[k, 2 * j] or touching.left_alone[k, 2 * j + 1] or (h == 0.0 and not is_still)
    low, high = box_about(start, d, side, wide, -1.0), box_about(start, d, side, wide, 1.0)
    low = beyond_both(low, box_about(then[0], then[1], then[2], wide, -1.0), -1.0)
    high = beyond_both(high, box_about(then[0], then[1], then[2], wide, 1.0), 1.0)
    if not is_still:
        count = triangles_near(touching, k, j, start, d, side, far, h, fast, way < _SLOW * wide)
        for i in range(1, count + 1):
            _near_triangle(
                touching, k, j, touching.listed[k, i], start, d, side, r0, r1, reach, then, since, low, high, far,
                is_still, crosses, has,
            )  # fmt: skip
        if count != TOO_MANY:
            return
    root, leaves = obstacles.tree[j, 0], obstacles.tree[j, 1]
    leaf = next_leaf(obstacles.boxes, root, leaves, low, high, since, s, -1)
    while leaf >= 0:
        begin, end = those_of(leaf, leaves, obstacles.first[j, 0], obstacles.first[j + 1, 0])
        for n in range(begin, end):
            _near_triangle(
                touching, k, j, n, start, d, side, r0, r1, reach, then, since, low, high, far,
                is_still, crosses, has,
            )  # fmt: skip
        leaf = next_leaf(obstacles.boxes, root, leaves, low, high, since, s, leaf)
