# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact of plants at rest: the one-sided springs of contact.py without friction, and what motion begins with."""

from ..contact.nearest import PLANE, unit_or_z
from ..contact.obstacles import MARGIN
from ..contact.past import is_left_alone
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
    mat_symmetric,
    mat_transpose,
    mat_vec,
    outer,
)
from ..math.memory import keep3, load3, load9, store9, take3
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .contact import on_shape, where
from .wrench import add_wrench

#: Share of a radius over which the change of a normal is found, and the least that it bends over a radius.
_STEP = 1e-5

#: What points are expected to do where a step leads, beside what they are (see touch.py).
LANDS, LEAVES = 3, 4

#: How often a point is made the nearest of its shape, which it stays as far from the ends as this share.
_SLIDES, _RIM = 4, 1e-3


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
                _slide_to_nearest(shapes, obstacles, touching.now, feature, side, numbers, k, i, j, B, at)
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
                    x, step = add(at, arm), _STEP * shapes.radius[k, 0]
                    H = _change_of_normal(obstacles, touching.now, feature, side, j, x, n, step)
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


@subroutine
def _slide_to_nearest(shapes, obstacles, now, feature, side, numbers, k, i, j, B, at):
    """Let a point between its shape's ends, or between a strip's edges, be the one with the least gap: Newton's method
    along the shape and across it."""
    u, length = unit_or_z(mat_vec(B, sub(load3(shapes.end, k), load3(shapes.start, k))))
    w, width = unit_or_z(mat_vec(B, load3(shapes.side, k)))
    tapers = (shapes.radius[k, 1] - shapes.radius[k, 0]) / length
    is_between = 0.0 < numbers[i, ALONG] < 1.0, width > 0.0 and -1.0 < numbers[i, ACROSS] < 1.0
    for _ in range(_SLIDES):
        if is_between[0]:
            way = _way_to_nearest(shapes, obstacles, now, feature, side, numbers, k, i, j, B, at, u, tapers)
            numbers[i, ALONG] = min(max(numbers[i, ALONG] + way / length, _RIM), 1.0 - _RIM)
        if is_between[1]:
            way = _way_to_nearest(shapes, obstacles, now, feature, side, numbers, k, i, j, B, at, w, 0.0)
            numbers[i, ACROSS] = min(max(numbers[i, ACROSS] + way / width, _RIM - 1.0), 1.0 - _RIM)


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
    """Add what a push (N) changes by because the normal turns where the point slides, and, between a shape's ends or a
    strip's edges, because it is another point that is nearest then.

    With H, the change (1/m) of the normal n with the point x, and u the directions in which the point is free, made
    conjugate, u H u' = 0: the gap's second derivative is dx H dx - sum (n du + u H dx)^2 / (u H u), where the sum is
    what the nearest point's choice takes away.
    """
    body = shapes.body[k]
    K, lever = mat_scale(-push, H), hat(arm)
    rt = mat_mul(lever, K)
    store9(work.rr, body, mat_sub(load9(work.rr, body), mat_mul(rt, lever)))
    store9(work.rt, body, mat_add(load9(work.rt, body), rt))
    store9(work.tr, body, mat_add(load9(work.tr, body), mat_transpose(rt)))
    store9(work.tt, body, mat_add(load9(work.tt, body), K))
    least = _STEP / shapes.radius[k, 0]
    u, _ = unit_or_z(mat_vec(B, sub(load3(shapes.end, k), load3(shapes.start, k))))
    w, width = unit_or_z(mat_vec(B, load3(shapes.side, k)))
    Hu, Hw = mat_vec(H, u), mat_vec(H, w)
    if 0.0 < t < 1.0 and dot(u, Hu) >= least:
        _add_sliding(work, body, arm, n, u, Hu, push)
        both = dot(w, Hu) / dot(u, Hu)
        w, Hw = sub(w, scale(both, u)), sub(Hw, scale(both, Hu))
    if width > 0.0 and -1.0 < across < 1.0 and dot(w, Hw) >= least:
        _add_sliding(work, body, arm, n, w, Hw, push)


@subroutine
def _add_sliding(work, body, arm, n, u, Hu, push):
    """Add what the nearest point's choice along u takes away of the stiffness of a push (N), see above."""
    turned, share = add(cross(u, n), cross(arm, Hu)), push / dot(u, Hu)
    store9(work.rr, body, mat_add(load9(work.rr, body), outer(scale(share, turned), turned)))
    store9(work.rt, body, mat_add(load9(work.rt, body), outer(scale(share, turned), Hu)))
    store9(work.tr, body, mat_add(load9(work.tr, body), outer(scale(share, Hu), turned)))
    store9(work.tt, body, mat_add(load9(work.tt, body), outer(scale(share, Hu), Hu)))


@inlined
def _change_of_normal(obstacles, now, feature, side, j, x, n, step):
    """Matrix (1/m) of the normal's change with the point x, from differences over a step (m)."""
    _, a, _ = where(obstacles, now, feature, side, j, add(x, (step, 0.0, 0.0)))
    _, b, _ = where(obstacles, now, feature, side, j, add(x, (0.0, step, 0.0)))
    _, c, _ = where(obstacles, now, feature, side, j, add(x, (0.0, 0.0, step)))
    a, b, c = scale(1.0 / step, sub(a, n)), scale(1.0 / step, sub(b, n)), scale(1.0 / step, sub(c, n))
    return mat_symmetric((a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]))


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
