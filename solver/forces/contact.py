# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact with obstacles, added to the bodies' own inertia so that it costs O(1): see contact/law.py."""

import math

from ..contact.finding import is_left_alone
from ..contact.law import finish_at, force_at, missed_at, passes
from ..contact.nearest import MESH, from_solid, from_triangle, weighted
from ..contact.obstacles import (
    BOUNCE,
    FRICTION,
    MARGIN,
    OMEGA,
    PLACE,
    ROTATION,
    VELOCITY,
    own_velocity,
    vertex_at,
)
from ..contact.touch import (
    ACROSS,
    ALONG,
    APART,
    ARM,
    FEATURE,
    FORCE,
    GAP,
    GRIP,
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
from ..math.vectors import ZERO, add, cross, scale, sub
from .implicit import add_point


@inlined
def where(touching, i, j, x):
    """Distance of a point x from an obstacle's feature, normal, and velocity of the obstacle there, in world axes."""
    now, obstacles = touching.now, touching.obstacles
    R, place = take9(now, j, ROTATION), take3(now, j, PLACE)
    out = sub(x, place)
    own = mat_t_vec(R, out)
    velocity = ZERO
    if obstacles.kind[j] == MESH:
        f = touching.marks[i, FEATURE]
        v0, v1, v2 = obstacles.triangles[f, 0], obstacles.triangles[f, 1], obstacles.triangles[f, 2]
        a, b, c = vertex_at(obstacles, now, j, v0), vertex_at(obstacles, now, j, v1), vertex_at(obstacles, now, j, v2)
        distance, n, weights = from_triangle(own, a, b, c, 1.0 * touching.marks[i, SIDE])
        at_corners = own_velocity(obstacles, v0), own_velocity(obstacles, v1), own_velocity(obstacles, v2)
        velocity = mat_vec(R, weighted(weights, at_corners[0], at_corners[1], at_corners[2]))
    else:
        distance, n = from_solid(obstacles.kind[j], load3(obstacles.size, j), own)
    normal = mat_vec(R, n)
    touched = sub(out, scale(distance, normal))
    velocity = add(velocity, add(take3(now, j, VELOCITY), cross(take3(now, j, OMEGA), touched)))
    return distance, normal, velocity


@inlined
def coefficient(touching, k, j):
    """Coulomb's, of shape k on obstacle j."""
    return math.sqrt(touching.shapes.friction[k] * touching.obstacles.traits[j, FRICTION])


@inlined
def restitution(touching, k, j):
    """Of shape k on obstacle j."""
    return max(touching.shapes.bounce[k], touching.obstacles.traits[j, BOUNCE])


@inlined
def on_shape(touching, k, i, B):
    """Arm from the body's joint to a point of shape k, with the body's rotation B, and the radius there."""
    shapes, t = touching.shapes, touching.numbers[i, ALONG]
    start, end = load3(shapes.start, k), load3(shapes.end, k)
    strip = scale(touching.numbers[i, ACROSS], load3(shapes.side, k))
    arm = mat_vec(B, add(start, add(scale(t, sub(end, start)), strip)))
    return arm, shapes.radius[k, 0] + t * (shapes.radius[k, 1] - shapes.radius[k, 0])


@subroutine
def contact_forces(data, touching, h, c1, c2, is_first, learns):
    """Find the forces at all points of one plant where its bodies' columns are, for a step of h (s).

    is_first: whether bodies are as predicted; learns: whether friction is to have the present push. Returns how many
    points touch.
    """
    touched = 0
    shapes, traits = touching.shapes, touching.obstacles.traits
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body = shapes.body[k]
        b, lane = body >> 3, body & 7
        B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
        velocity, omega = get3(data, b, col.VELOCITY + lane), get3(data, b, col.OMEGA + lane)
        stiffness = shapes.stiffness[k]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[i, OBSTACLE]
            if j < 0:
                break
            arm, radius = on_shape(touching, k, i, B)
            distance, n, moves = where(touching, i, j, add(at, arm))
            gap = distance - radius - traits[j, MARGIN]
            arm = sub(arm, scale(radius, n))
            speed = sub(add(velocity, cross(omega, arm)), moves)
            keep3(touching.numbers, i, ARM, arm)
            is_alone, friction = is_left_alone(touching, k, j, i), coefficient(touching, k, j)
            touched += force_at(
                touching, i, gap, n, speed, stiffness, friction, restitution(touching, k, j), is_alone, h, c1, c2,
                is_first, learns,
            )
    return touched


@subroutine
def push_bodies(data, touching, factor):
    """Add the forces to the bias forces and, to factorise, what resists accelerations to the inertias."""
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


@inlined
def gained_at(data, touching, k, i):
    """Acceleration (m/s2) that the last solve has added at a point."""
    body = touching.shapes.body[k]
    b, lane = body >> 3, body & 7
    return add(get3(data, b, col.X_T + lane), cross(get3(data, b, col.X_R + lane), take3(touching.numbers, i, ARM)))


@subroutine
def missed(data, touching, h, c1, c2, share):
    """What the last solve did not know of the forces at points, were this share of its correction made.

    Returns the work (N m/s2, per acceleration) that these do along it besides what they were taken to, how many points
    do something else than they were taken to do, and by which share of the largest push that of friction is wrong.
    """
    work, unknown, wrong, largest = 0.0, 0, 0.0, 0.0
    shapes = touching.shapes
    for near in range(touching.counts[0]):
        k = touching.near[near]
        stiffness = shapes.stiffness[k]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[i, OBSTACLE]
            if j < 0:
                break
            if is_left_alone(touching, k, j, i) or passes(touching, i):
                continue
            gained = scale(share, gained_at(data, touching, k, i))
            more, is_unknown, lost, push = missed_at(
                touching, i, gained, stiffness, coefficient(touching, k, j), h, c1, c2
            )
            work, unknown = work + more, unknown + is_unknown
            wrong, largest = max(wrong, lost), max(largest, push)
    return work, unknown, wrong, largest


@subroutine
def finish_contacts(data, touching, h, c1, c2, slow):
    """Let the points be what they are at the step's corrected end.

    Returns the least radius (m) of what has begun to touch, faster than a speed (m/s) that counts as none, else inf;
    and by how many radii what is to bounce is inside.
    """
    hit, deep = math.inf, 0.0
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[i, OBSTACLE]
            if j < 0:
                break
            gained, is_alone = gained_at(data, touching, k, i), is_left_alone(touching, k, j, i)
            stiffness, friction = touching.shapes.stiffness[k], coefficient(touching, k, j)
            thin = min(touching.shapes.radius[k, 0], touching.shapes.radius[k, 1])
            if finish_at(touching, i, gained, stiffness, friction, is_alone, h, c1, c2, slow):
                hit = min(hit, thin)
            if touching.numbers[i, THROWN] == HITS:
                deep = max(deep, -touching.numbers[i, GAP] / thin)
    return hit, deep


@subroutine
def contact_energy(data, touching):
    """Energy (J) of the springs at the points of one plant where its bodies' columns are."""
    energy, shapes = 0.0, touching.shapes
    for near in range(touching.counts[0]):
        k = touching.near[near]
        body = shapes.body[k]
        b, lane = body >> 3, body & 7
        B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[i, OBSTACLE]
            if j < 0:
                break
            arm, radius = on_shape(touching, k, i, B)
            distance, _, _ = where(touching, i, j, add(at, arm))
            deep = radius + touching.obstacles.traits[j, MARGIN] - distance
            is_free = is_left_alone(touching, k, j, i) or passes(touching, i)
            if deep > 0.0 and not is_free:
                energy += 0.5 * shapes.stiffness[k] * deep * deep
    return energy
