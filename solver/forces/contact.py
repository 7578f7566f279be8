# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact with obstacles, added to the bodies' own inertia so that it costs O(1): see contact/law.py."""

import math

from ..contact.clearance import LONGEST, fastest_point
from ..contact.law import (
    Law,
    depth_of_hit,
    energy_of,
    felt,
    finish_at,
    force_at,
    gained_at,
    missed_at,
    passes,
    resistance,
    surely_goes_on,
)
from ..contact.nearest import BALL, CAPSULE, MESH
from ..contact.obstacles import BOUNCE, FRICTION, MARGIN, STICKINESS, where
from ..contact.past import begins_inside, bounced_in_vain, half_of, is_left_alone, leaves_any_alone
from ..contact.points import change_of_normal, on_shape, slide_to_nearest, turned_by_sliding, ways_to_slide
from ..contact.touch import (
    ACROSS,
    ALONG,
    APART,
    ARM,
    FEATURE,
    FORCE,
    GAP,
    GRIP,
    HELD_ARM,
    HELD_GRIP,
    HELD_NORMAL,
    HELD_PUSH,
    HELD_RIGID,
    HELD_ROLL,
    HELD_SLIP,
    NORMAL,
    OBSTACLE,
    PUSH,
    RIGID,
    SIDE,
    SLIP,
    SLOTS,
    STATUS,
)
from ..data import columns as col
from ..data.implicit import add_line, add_point
from ..data.lanes import add3, get3, get9
from ..machine.jit import inlined, subroutine
from ..math.memory import keep3, load3, take3
from ..math.vectors import add, cross, dot, scale, sub

#: What resists at a point may change by this share, of what is along the normal at most, and its arm and directions by
#: this one, before articulated inertias that know of it are computed anew.
_STIFFER, _MOVED = 0.02, 0.02

#: Points are not looked at where they surely do what they were taken to do, with so many times what they gain.
_SURELY = 2.0


@inlined
def law_on(shapes, traits, k, j):
    """The law of shape k on obstacle j."""
    return Law(
        shapes.stiffness[k], math.sqrt(shapes.friction[k] * traits[j, FRICTION]),
        max(shapes.bounce[k], traits[j, BOUNCE]), max(shapes.stickiness[k], traits[j, STICKINESS]),
        shapes.landing[k], min(shapes.radius[k, 0], shapes.radius[k, 1]), shapes.firm[k],
    )  # fmt: skip


@inlined
def _is_round(kind):
    """Whether the nearest points of shapes slide far where these turn a little on an obstacle."""
    return kind in (BALL, CAPSULE)


@subroutine
def contact_forces(data, touching, h, c1, c2, is_first, learns, by_secant):
    """Find the forces at all points of one plant where its bodies' columns are, for a step of h (s).

    is_first: whether bodies are as predicted; learns: whether friction is to have the present push; by_secant: whether
    what almost sticks resists as if it did. Returns how many points touch, and with which acceleration (m/s2) more all
    of them surely go on as they do.
    """
    touched, sure, shapes, obstacles, now = 0, math.inf, touching.shapes, touching.obstacles, touching.now
    marks, numbers, left_alone, traits = touching.marks, touching.numbers, touching.left_alone, obstacles.traits
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body = shapes.body[k]
        b, lane = body >> 3, body & 7
        B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
        velocity, omega = get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane)
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[i, OBSTACLE]
            if j < 0:
                break
            if _is_round(obstacles.kind[j]):
                slide_to_nearest(shapes, obstacles, now, marks[i, FEATURE], marks[i, SIDE], numbers, k, i, j, B, at)
            arm, radius = on_shape(shapes, k, numbers[i, ALONG], numbers[i, ACROSS], B)
            distance, n, moves = where(obstacles, now, marks[i, FEATURE], marks[i, SIDE], j, add(at, arm))
            gap = distance - radius - traits[j, MARGIN]
            arm = sub(arm, scale(radius, n))
            speed = sub(add(velocity, cross(omega, arm)), moves)
            keep3(numbers, i, ARM, arm)
            thin = min(shapes.radius[k, 0], shapes.radius[k, 1])
            begins_deep = is_first and begins_inside(marks, i, gap, dot(n, speed), thin, h)
            if begins_deep and leaves_any_alone(left_alone, j):
                left_alone[k, half_of(j, numbers[i, ALONG])] = True
            begins_deep = begins_deep or (is_first and bounced_in_vain(numbers, i, thin))
            is_alone, law = is_left_alone(left_alone, k, j, numbers[i, ALONG]), law_on(shapes, traits, k, j)
            touched += force_at(
                marks, numbers, i, gap, n, speed, law, is_alone, begins_deep, h, c1, c2, is_first, learns, by_secant
            )
            if sure > 0.0:
                sure = min(sure, surely_goes_on(marks, numbers, i, law, is_alone, c1, c2))
    return touched, sure


@inlined
def all_go_on(data, n, touching, sure):
    """Whether all points of a plant with n bodies surely do what the last solve took them to do, which so much more
    acceleration (m/s2) does not change."""
    return sure > 0.0 and _SURELY * fastest_point(data, n, col.X_T, col.X_R, touching.travel[0, LONGEST]) < sure


@subroutine
def resists_otherwise(touching, touched):
    """Whether something else resists at the points, so many of which touch, than the articulated inertias know of."""
    if touching.counts[2] != touched:
        return True
    numbers = touching.numbers
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            if touching.marks[i, STATUS] == APART:
                continue
            rigid, grip = numbers[i, RIGID], numbers[i, GRIP]
            if abs(rigid - numbers[i, HELD_RIGID]) > _STIFFER * rigid:
                return True
            if abs(grip - numbers[i, HELD_GRIP]) > _STIFFER * rigid:
                return True
            arm = take3(numbers, i, ARM)
            rolls = abs(numbers[i, PUSH] - numbers[i, HELD_PUSH]) * numbers[i, HELD_ROLL]
            if rolls > _STIFFER * rigid * dot(arm, arm):
                return True
            moved = _apart(arm, take3(numbers, i, HELD_ARM))
            turned = _apart(take3(numbers, i, NORMAL), take3(numbers, i, HELD_NORMAL))
            turned += _apart(take3(numbers, i, SLIP), take3(numbers, i, HELD_SLIP))
            if moved > _MOVED**2 * dot(arm, arm) or turned > _MOVED**2:
                return True
    return False


@inlined
def _apart(x, y):
    out = sub(x, y)
    return dot(out, out)


@inlined
def _hold(numbers, i):
    """Let the articulated inertias know what resists at a point."""
    for own, held in ((ARM, HELD_ARM), (NORMAL, HELD_NORMAL), (SLIP, HELD_SLIP)):
        keep3(numbers, i, held, take3(numbers, i, own))
    for own, held in ((RIGID, HELD_RIGID), (GRIP, HELD_GRIP), (PUSH, HELD_PUSH)):
        numbers[i, held] = numbers[i, own]


@subroutine
def push_bodies(data, touching, factor, c2):
    """Add the forces to the bias forces and, to factorise, what resists accelerations to the inertias."""
    if factor:
        touching.counts[2] = 0
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body = touching.shapes.body[k]
        b, lane = body >> 3, body & 7
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            if touching.marks[i, STATUS] == APART:
                continue
            force, arm = take3(touching.numbers, i, FORCE), take3(touching.numbers, i, ARM)
            add3(data, b, col.PA_T + lane, scale(-1.0, force))
            add3(data, b, col.PA_R + lane, cross(force, arm))
            if factor:
                touching.counts[2] += 1
                _hold(touching.numbers, i)
                add_point(data, b, lane, arm, resistance(touching.numbers, i))
                _add_sliding(data, touching, k, i, c2)


@inlined
def _add_sliding(data, touching, k, i, c2):
    """Add what resists a turn of a body because its nearest point to what is round slides with it: by a solve that does
    not know it what lies on something large is turned too far, to and fro."""
    shapes, obstacles, numbers, j = touching.shapes, touching.obstacles, touching.numbers, touching.marks[i, OBSTACLE]
    numbers[i, HELD_ROLL] = 0.0
    t, across, width = numbers[i, ALONG], numbers[i, ACROSS], load3(shapes.side, k)
    is_free = 0.0 < t < 1.0 or (dot(width, width) > 0.0 and -1.0 < across < 1.0)
    if not (is_free and _is_round(obstacles.kind[j])):
        return
    body = shapes.body[k]
    b, lane = body >> 3, body & 7
    B, at, n = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane), take3(numbers, i, NORMAL)
    arm, radius = on_shape(shapes, k, t, across, B)
    feature, side = touching.marks[i, FEATURE], touching.marks[i, SIDE]
    H = change_of_normal(obstacles, touching.now, feature, side, j, add(at, arm), n, radius)
    u, Hu, bends, w, Hw, bends_across = ways_to_slide(shapes, k, t, across, B, H)
    push = max(numbers[i, PUSH], 0.0)  # what is held back gives none of it
    if bends > 0.0:
        add_line(data, b, lane, turned_by_sliding(arm, n, u, Hu), Hu, push * c2 / bends)
        numbers[i, HELD_ROLL] = c2 / bends
    if bends_across > 0.0:
        add_line(data, b, lane, turned_by_sliding(arm, n, w, Hw), Hw, push * c2 / bends_across)
        numbers[i, HELD_ROLL] = max(numbers[i, HELD_ROLL], c2 / bends_across)


@subroutine
def missed(data, touching, h, c1, c2, share):
    """What the last solve did not know of the forces at points, were this share of its correction made.

    Returns the work (N m/s2, per acceleration) that these do along it besides what they were taken to, how many points
    do something else than they were taken to do, how many slide by the secant, by how much friction's push is wrong,
    and the largest push (N).
    """
    work, unknown, led, wrong, largest, shapes = 0.0, 0, 0, 0.0, 0.0, touching.shapes
    marks, numbers, left_alone, traits = (
        touching.marks, touching.numbers, touching.left_alone, touching.obstacles.traits
    )  # fmt: skip
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[i, OBSTACLE]
            if j < 0:
                break
            if is_left_alone(left_alone, k, j, numbers[i, ALONG]) or passes(numbers, i):
                continue
            gained = scale(share, gained_at(data, shapes.body[k], take3(numbers, i, ARM)))
            more, is_unknown, is_led, lost, push = missed_at(
                marks, numbers, i, gained, law_on(shapes, traits, k, j), h, c1, c2
            )
            work, unknown, led = work + more, unknown + is_unknown, led + is_led
            wrong, largest = max(wrong, lost), max(largest, push)
    return work, unknown, led, wrong, largest


@subroutine
def finish_contacts(data, touching, h, c1, c2, slow):
    """Let the points be what they are at the step's corrected end.

    Returns the least radius (m) of what has begun to touch, faster than a speed (m/s) that counts as none, else inf;
    by how many radii what is to bounce is inside, and what touches; and the least radius of what touches a mesh, else
    inf.
    """
    hit, deep, sunk, rough, shapes = math.inf, 0.0, 0.0, math.inf, touching.shapes
    marks, numbers, left_alone, traits = (
        touching.marks, touching.numbers, touching.left_alone, touching.obstacles.traits
    )  # fmt: skip
    for near in range(touching.counts[0]):
        k = touching.near[near]
        thin = min(shapes.radius[k, 0], shapes.radius[k, 1])
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[i, OBSTACLE]
            if j < 0:
                break
            gained = gained_at(data, shapes.body[k], take3(numbers, i, ARM))
            is_alone, law = is_left_alone(left_alone, k, j, numbers[i, ALONG]), law_on(shapes, traits, k, j)
            if finish_at(marks, numbers, i, gained, law, is_alone, h, c1, c2, slow):
                hit = min(hit, thin)
            deep = max(deep, depth_of_hit(marks, numbers, i, law))
            if marks[i, STATUS] != APART:
                sunk = max(sunk, -numbers[i, GAP] / thin)
                rough = min(rough, thin) if touching.obstacles.kind[j] == MESH else rough
    return hit, deep, sunk, rough


@subroutine
def contact_energy(data, touching):
    """Energy (J) of the springs at the points of one plant where its bodies' columns are."""
    energy, shapes, obstacles, now = 0.0, touching.shapes, touching.obstacles, touching.now
    marks, numbers, left_alone, traits = touching.marks, touching.numbers, touching.left_alone, obstacles.traits
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body = shapes.body[k]
        b, lane = body >> 3, body & 7
        B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[i, OBSTACLE]
            if j < 0:
                break
            arm, radius = on_shape(shapes, k, numbers[i, ALONG], numbers[i, ACROSS], B)
            distance, _, _ = where(obstacles, now, marks[i, FEATURE], marks[i, SIDE], j, add(at, arm))
            if not (is_left_alone(left_alone, k, j, numbers[i, ALONG]) or passes(numbers, i)):
                gap = felt(numbers, i, distance - radius - traits[j, MARGIN])
                energy += energy_of(marks, i, law_on(shapes, traits, k, j), gap)
    return energy
