# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact of plants at rest: the one-sided springs of contact.py without friction, and what motion begins with."""

from ..contact.nearest import PLANE
from ..contact.obstacles import MARGIN, where
from ..contact.past import is_left_alone
from ..contact.points import change_of_normal, on_shape, slide_to_nearest, turned_by_sliding, ways_to_slide
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
    SIDE,
    SLOTS,
    STATUS,
    STICKS,
)
from ..machine.jit import inlined, subroutine
from ..math.matrices import (
    hat,
    hat_hat,
    mat_add,
    mat_mul,
    mat_scale,
    mat_sub,
    mat_transpose,
    outer,
)
from ..math.memory import keep3, load3, load9, store9, take3
from ..math.vectors import ZERO, add, cross, scale, sub
from .wrench import add_wrench

#: What points are expected to do where a step leads, beside what they are (see touch.py).
LANDS, LEAVES = 3, 4


@inlined
def still_contacts(world, work):
    """One-sided springs along the normals at the points that have been found; and what those are expected to do of
    which that is known, see landing.py of statics: a spring both ways, or nothing."""
    touching = world.touching
    shapes, obstacles, marks, numbers = touching.shapes, touching.obstacles, touching.marks, touching.numbers
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body, stiffness = shapes.body[k], shapes.stiffness[k]
        B, at = load9(work.rotation, body), load3(work.position, body)
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[i, OBSTACLE]
            if j < 0:
                break
            feature, side = marks[i, FEATURE], marks[i, SIDE]
            if obstacles.kind[j] != PLANE:
                slide_to_nearest(shapes, obstacles, touching.now, feature, side, numbers, k, i, j, B, at)
            arm, radius = on_shape(shapes, k, numbers[i, ALONG], numbers[i, ACROSS], B)
            distance, n, _ = where(obstacles, touching.now, feature, side, j, add(at, arm))
            gap = distance - radius - obstacles.traits[j, MARGIN]
            is_alone = is_left_alone(touching.left_alone, k, j, numbers[i, ALONG])
            push = 0.0 if is_alone else max(0.0, -stiffness * gap)
            numbers[i, GAP] = gap
            numbers[i, PUSH] = push
            keep3(numbers, i, ARM, sub(arm, scale(radius, n)))
            keep3(numbers, i, NORMAL, n)
            if push > 0.0:
                add_push(work, body, arm, n, push)
                if obstacles.kind[j] != PLANE:
                    x = add(at, arm)
                    H = change_of_normal(obstacles, touching.now, feature, side, j, x, n, shapes.radius[k, 0])
                    _add_roundness(shapes, k, numbers[i, ALONG], numbers[i, ACROSS], work, B, arm, n, push, H)
            if is_alone:
                continue
            expected = marks[i, STATUS]
            if expected == LANDS or (expected != LEAVES and push > 0.0):
                add_stiffness(work, body, arm, n, stiffness)
            if expected == LANDS:  # besides the push it has where it is
                add_wrench(work, body, arm, scale(push + stiffness * gap, n))
            elif expected == LEAVES:
                add_wrench(work, body, arm, scale(push, n))


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
