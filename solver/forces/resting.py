# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact of plants at rest: the one-sided springs of contact.py without friction, and what motion begins with."""

import math

from ..contact.law import push_at_rest
from ..contact.nearest import MESH, PLANE, unit_or_z
from ..contact.obstacles import MARGIN, ROTATION, where
from ..contact.past import is_left_alone
from ..contact.points import RIM, change_of_normal, on_shape, slide_to_nearest, turned_by_sliding, ways_to_slide
from ..contact.touch import (
    ACROSS,
    ALONG,
    APART,
    ARM,
    BORE,
    DRAWN,
    FEATURE,
    FORCE,
    GAP,
    NORMAL,
    OBSTACLE,
    PUSH,
    REMEMBERED,
    RIGID,
    SIDE,
    SLOTS,
    STATUS,
    STICKS,
)
from ..data.wrench import add_wrench
from ..machine.jit import inlined, subroutine
from ..math.matrices import (
    hat,
    hat_hat,
    mat_add,
    mat_mul,
    mat_scale,
    mat_sub,
    mat_transpose,
    mat_vec,
    outer,
)
from ..math.memory import keep3, load3, load9, store9, take3, take9
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.shapes import GIVES
from .over_surface import CORNER, EDGE, FACE, over_surface

#: What points are expected to do where a step leads, beside what they are (see touch.py).
LANDS, LEAVES = 3, 4

#: Points come to other triangles of a mesh where they are as near as this, in radii, over what wider gaps than this, in
#: radii, do not part. They slide to the nearest of their shape so often, where it bends so much over a radius.
_NEAR, _HAIR, _SLIDES, _BENDS, _NEARLY_THERE = 1.5, 1e-3, 4, 1e-5, 0.2


@inlined
def still_contacts(world, work):
    """One-sided springs along the normals at the points that have been found; and what those are expected to do of
    which that is known, see landing.py of statics: a spring both ways, or nothing."""
    touching = world.touching
    shapes, obstacles, marks, numbers = touching.shapes, touching.obstacles, touching.marks, touching.numbers
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body, stiffness = shapes.body[k], shapes.stiffness[k]
        give = GIVES * min(shapes.radius[k, 0], shapes.radius[k, 1]) if world.is_firm else math.inf
        B, at = load9(work.rotation, body), load3(work.position, body)
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[i, OBSTACLE]
            if j < 0:
                break
            feature, side, kind, way, free = marks[i, FEATURE], marks[i, SIDE], FACE, ZERO, True
            if obstacles.kind[j] == MESH:
                feature, side, kind, way, free = _over_mesh(touching, k, i, j, B, at)
            elif obstacles.kind[j] != PLANE:
                slide_to_nearest(shapes, obstacles, touching.now, feature, side, numbers, k, i, j, B, at)
            arm, radius = on_shape(shapes, k, numbers[i, ALONG], numbers[i, ACROSS], B)
            distance, n, _ = where(obstacles, touching.now, feature, side, j, add(at, arm))
            gap = distance - radius - obstacles.traits[j, MARGIN]
            is_alone = is_left_alone(touching.left_alone, k, j, numbers[i, ALONG])
            push, first, resists = push_at_rest(stiffness, shapes.firm[k], give, math.inf if is_alone else gap)
            numbers[i, GAP] = gap
            numbers[i, PUSH] = push
            numbers[i, RIGID] = resists
            keep3(numbers, i, ARM, sub(arm, scale(radius, n)))
            keep3(numbers, i, NORMAL, n)
            if push > 0.0:
                add_push(work, body, arm, n, push)
                if obstacles.kind[j] != PLANE:
                    x = add(at, arm)
                    if obstacles.kind[j] == MESH:
                        H = _bend_of(kind, way, n, distance)
                    else:
                        H = change_of_normal(obstacles, touching.now, feature, side, j, x, n, shapes.radius[k, 0])
                    t, s = (numbers[i, ALONG], numbers[i, ACROSS]) if free else (0.0, 1.0)
                    _add_roundness(shapes, k, t, s, work, B, arm, n, push, H)
            if is_alone:
                continue
            expected = marks[i, STATUS]
            if expected == LANDS or (expected != LEAVES and push > 0.0):
                add_stiffness(work, body, arm, n, resists)
            if expected == LANDS:  # besides the push it has where it is
                add_wrench(work, body, arm, scale(first + stiffness * gap, n))
            elif expected == LEAVES:
                add_wrench(work, body, arm, scale(push, n))


@inlined
def _bend_of(kind, way, n, distance):
    """Matrix (1/m) of the change of a normal n so far (m) from a face, an edge along a way, or a corner."""
    if kind == FACE or distance <= 0.0:
        return mat_scale(0.0, outer(n, n))
    flat = outer(n, n) if kind == CORNER else mat_add(outer(n, n), outer(way, way))
    return mat_scale(1.0 / distance, mat_sub((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), flat))


@subroutine
def _over_mesh(touching, k, i, j, B, at):
    """Let point i of shape k be on the triangle of mesh j that it is nearest to and, where one of its shape is nearest
    to an edge or a corner, be that one. Returns the triangle, its side, what of it is nearest, see over_surface, in
    world axes, and whether the point is free to slide.

    What is inside a strip has none that is nearest to an edge, which would leave it in a strip's border or at a corner.
    """
    shapes, obstacles, now, numbers = touching.shapes, touching.obstacles, touching.now, touching.numbers
    feature, side, kind, way = touching.marks[i, FEATURE], touching.marks[i, SIDE], FACE, ZERO
    u, length = unit_or_z(mat_vec(B, sub(load3(shapes.end, k), load3(shapes.start, k))))
    w, width = unit_or_z(mat_vec(B, load3(shapes.side, k)))
    tapers = (shapes.radius[k, 1] - shapes.radius[k, 0]) / length
    along = 0.0 < numbers[i, ALONG] < 1.0
    across = width > 0.0 and -1.0 < numbers[i, ACROSS] < 1.0
    R, margin, free = take9(now, j, ROTATION), obstacles.traits[j, MARGIN], False
    for turn in range(_SLIDES + 1):
        arm, radius = on_shape(shapes, k, numbers[i, ALONG], numbers[i, ACROSS], B)
        x = add(at, arm)
        feature, side, kind, way = over_surface(
            obstacles, now, feature, side, j, x, _NEAR * (radius + margin), _HAIR * radius
        )
        way, free = mat_vec(R, way), kind == CORNER or (kind == EDGE and along != across)
        if turn == _SLIDES or not (free and (along or across)):
            break
        distance, n, _ = where(obstacles, now, feature, side, j, x)
        if along:
            go = _way_to_nearest(u, n, way, tapers, distance)
            numbers[i, ALONG] = min(max(numbers[i, ALONG] + go / length, RIM), 1.0 - RIM)
        if across:
            go = _way_to_nearest(w, n, way, 0.0, distance)
            numbers[i, ACROSS] = min(max(numbers[i, ACROSS] + go / width, RIM - 1.0), 1.0 - RIM)
    touching.marks[i, FEATURE], touching.marks[i, SIDE] = feature, side
    return feature, side, kind, way, free


@inlined
def _way_to_nearest(u, n, way, tapers, distance):
    """How far (m) along u the point is that is nearest to an edge along a way, or a corner, this far (m) along -n."""
    off = dot(u, n)
    bend = 1.0 - dot(u, way) ** 2
    if abs(off) < _NEARLY_THERE:
        bend -= off * off
    return (tapers - off) * distance / bend if bend > _BENDS else 0.0


@inlined
def add_push(work, i, arm, n, push):
    """Add a push (N) along n on a point of body i, from its joint, whose lever turns with the body."""
    up = scale(-push, n)
    add_wrench(work, i, arm, up)
    store9(work.rr, i, mat_add(load9(work.rr, i), hat_hat(up, arm)))


@inlined
def add_stiffness(work, i, arm, n, stiffness):
    """Add what resists (N/m) along n at a point of body i, from its joint."""
    lever = cross(arm, n)
    store9(work.rr, i, mat_add(load9(work.rr, i), outer(scale(stiffness, lever), lever)))
    store9(work.rt, i, mat_add(load9(work.rt, i), outer(scale(stiffness, lever), n)))
    store9(work.tr, i, mat_add(load9(work.tr, i), outer(scale(stiffness, n), lever)))
    store9(work.tt, i, mat_add(load9(work.tt, i), outer(scale(stiffness, n), n)))


@subroutine
def _add_roundness(shapes, k, t, across, work, B, arm, n, push, H):
    """Add what a push (N) changes by because the normal turns where the point slides, by H, and, between a shape's ends
    or a strip's edges, because it is another point that is nearest then, see ways_to_slide."""
    body = shapes.body[k]
    K, lever = mat_scale(-push, H), hat(arm)
    rt = mat_mul(lever, K)
    store9(work.rr, body, mat_sub(load9(work.rr, body), mat_mul(rt, lever)))
    store9(work.rt, body, mat_add(load9(work.rt, body), rt))
    store9(work.tr, body, mat_add(load9(work.tr, body), mat_transpose(rt)))
    store9(work.tt, body, mat_add(load9(work.tt, body), K))
    u, Hu, bends, w, Hw, bends_across = ways_to_slide(shapes, k, t, across, B, H)
    if bends > 0.0:
        _add_sliding(work, body, turned_by_sliding(arm, n, u, Hu), Hu, push / bends)
    if bends_across > 0.0:
        _add_sliding(work, body, turned_by_sliding(arm, n, w, Hw), Hw, push / bends_across)


@subroutine
def _add_sliding(work, body, turned, Hu, share):
    """Add what the nearest point's choice takes away of the stiffness of a push."""
    store9(work.rr, body, mat_add(load9(work.rr, body), outer(scale(share, turned), turned)))
    store9(work.rt, body, mat_add(load9(work.rt, body), outer(scale(share, turned), Hu)))
    store9(work.tr, body, mat_add(load9(work.tr, body), outer(scale(share, Hu), turned)))
    store9(work.tt, body, mat_add(load9(work.tt, body), outer(scale(share, Hu), Hu)))


@subroutine
def rest_on_contacts(touching):
    """Let all points that push stick with springs of friction that are not drawn, and friction know the push."""
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            push = touching.numbers[i, PUSH]
            touching.marks[i, STATUS] = STICKS if push > 0.0 else APART
            touching.numbers[i, BORE] = push
            touching.numbers[i, REMEMBERED] = push
            keep3(touching.numbers, i, DRAWN, ZERO)
            keep3(touching.numbers, i, FORCE, scale(push, take3(touching.numbers, i, NORMAL)))
