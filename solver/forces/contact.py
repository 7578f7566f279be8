# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact with obstacles, added to the bodies' own inertia so that it costs O(1): see contact/law.py."""

import math

from ..contact.law import drawn_in, finish_at, force_at, gained_at, missed_at, passes
from ..contact.nearest import MESH, from_solid, from_triangle, grown_at, weighted
from ..contact.obstacles import (
    BOUNCE,
    FRICTION,
    MARGIN,
    OMEGA,
    PLACE,
    ROTATION,
    SIZE,
    STICKINESS,
    VELOCITY,
    growth_of,
    own_velocity,
    vertex_at,
)
from ..contact.past import begins_inside, bounced_in_vain, half_of, is_left_alone, leaves_any_alone
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
    HELD_RIGID,
    HELD_SLIP,
    HITS,
    NORMAL,
    OBSTACLE,
    RIGID,
    SIDE,
    SLIP,
    SLOTS,
    STATUS,
    THROWN,
)
from ..data import columns as col
from ..data.lanes import add3, get3, get9
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import keep3, load3, take3, take9
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from .implicit import add_point

#: What resists at a point may change by this share, of what is along the normal at most, and its arm and directions by
#: this one, before articulated inertias that know of it are computed anew.
_STIFFER, _MOVED = 0.02, 0.02


@inlined
def where(obstacles, now, feature, side, j, x):
    """Distance of a point x from an obstacle's feature seen from a side, normal, and velocity of the obstacle there, in
    world axes."""
    R, place = take9(now, j, ROTATION), take3(now, j, PLACE)
    out = sub(x, place)
    own = mat_t_vec(R, out)
    velocity = ZERO
    if obstacles.kind[j] == MESH:
        v0, v1, v2 = (obstacles.triangles[feature, 0], obstacles.triangles[feature, 1], obstacles.triangles[feature, 2])
        a, b, c = vertex_at(obstacles, now, j, v0), vertex_at(obstacles, now, j, v1), vertex_at(obstacles, now, j, v2)
        distance, n, weights = from_triangle(own, a, b, c, 1.0 * side)
        at_corners = own_velocity(obstacles, v0), own_velocity(obstacles, v1), own_velocity(obstacles, v2)
        velocity = mat_vec(R, weighted(weights, at_corners[0], at_corners[1], at_corners[2]))
    else:
        distance, n = from_solid(obstacles.kind[j], take3(now, j, SIZE), own)
        velocity = mat_vec(R, scale(obstacles.rate[0], grown_at(obstacles.kind[j], growth_of(obstacles, j), own, n)))
    normal = mat_vec(R, n)
    touched = sub(out, scale(distance, normal))
    velocity = add(velocity, add(take3(now, j, VELOCITY), cross(take3(now, j, OMEGA), touched)))
    return distance, normal, velocity


@inlined
def law_on(shapes, traits, k, j):
    """Stiffness (N/m), Coulomb's coefficient, restitution and stickiness (N) of shape k on obstacle j."""
    return (
        shapes.stiffness[k], math.sqrt(shapes.friction[k] * traits[j, FRICTION]),
        max(shapes.bounce[k], traits[j, BOUNCE]), max(shapes.stickiness[k], traits[j, STICKINESS]),
    )  # fmt: skip


@inlined
def on_shape(shapes, k, t, across, B):
    """Arm from the body's joint to a point of shape k, at shares of its length and of half its strip, with the body's
    rotation B, and the radius there."""
    start, end = load3(shapes.start, k), load3(shapes.end, k)
    arm = mat_vec(B, add(start, add(scale(t, sub(end, start)), scale(across, load3(shapes.side, k)))))
    return arm, shapes.radius[k, 0] + t * (shapes.radius[k, 1] - shapes.radius[k, 0])


@subroutine
def contact_forces(data, touching, h, c1, c2, is_first, learns, by_secant):
    """Find the forces at all points of one plant where its bodies' columns are, for a step of h (s).

    is_first: whether bodies are as predicted; learns: whether friction is to have the present push; by_secant: whether
    what almost sticks resists as if it did. Returns how many points touch.
    """
    touched, shapes, obstacles, now = 0, touching.shapes, touching.obstacles, touching.now
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
    return touched


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
    numbers[i, HELD_RIGID], numbers[i, HELD_GRIP] = numbers[i, RIGID], numbers[i, GRIP]


@subroutine
def push_bodies(data, touching, factor):
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
                x, y, z = take3(touching.numbers, i, NORMAL)
                u, v, w = take3(touching.numbers, i, SLIP)
                g = touching.numbers[i, GRIP]
                r = touching.numbers[i, RIGID] - g
                # r n n^T + g (1 - n n^T - t t^T), t the direction of slip, along which friction does not change
                G = (
                    g + r * x * x - g * u * u, r * x * y - g * u * v, r * x * z - g * u * w,
                    g + r * y * y - g * v * v, r * y * z - g * v * w, g + r * z * z - g * w * w,
                )  # fmt: skip
                add_point(data, b, lane, arm, G)


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
            if numbers[i, THROWN] == HITS:
                deep = max(deep, -numbers[i, GAP] / thin)
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
                stiffness, _, _, stickiness = law_on(shapes, traits, k, j)
                drawn = drawn_in(marks, i, distance - radius - traits[j, MARGIN], stickiness)
                energy += 0.5 * stiffness * drawn * drawn
    return energy
