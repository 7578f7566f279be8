# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact with obstacles: one-sided springs that damp, and Coulomb's friction.

Where a shape is inside an obstacle by p it is pushed out along the normal by k (p + RELAXATION p'), which never pulls:
what approaches is braked a little before, and the force has no jumps (Castro and others 2022, An unconstrained convex
formulation of compliant contact). Across the normal a spring as stiff holds it where it is, up to friction times that
push; what has begun to slide draws the spring along (Cundall and Strack 1979). Both are as they are where the step
ends, so that they limit no step, and are added to the body's own inertia, so that they cost O(1).

Friction follows the push it is a share of with a delay (Prakash and Clifton 1993), without which the two excite each
other wherever a stiff rod leans on its tip. A solve takes that share as known (LOAD), so that all forces are the slope
of a potential, and a search along the correction leads nearer (see search.py).
"""

import math

from ..contact.finding import is_left_alone
from ..contact.nearest import MESH, from_solid, from_triangle, weighted
from ..contact.obstacles import (
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
    BORE,
    DRAWN,
    FEATURE,
    FORCE,
    GAP,
    GRIP,
    LOAD,
    NORMAL,
    OBSTACLE,
    PARTS,
    PUSH,
    REMEMBERED,
    RIGID,
    SIDE,
    SLIDES,
    SLIP,
    SLOTS,
    SPEED,
    STATUS,
    STICKS,
    WAS,
    remembered,
)
from ..data import columns as col
from ..data.lanes import add3, get3, get9
from ..machine.jit import inlined, subroutine
from ..math.matrices import mat_t_vec, mat_vec
from ..math.memory import keep3, load3, take3, take9
from ..math.vectors import ZERO, add, cross, dot, scale, sub
from ..model.shapes import RELAXATION
from .implicit import add_point

#: Friction follows the push at once where what begins to touch is slower than this (m/s).
GENTLE = 0.1


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
def _push(stiffness, gap, parting):
    """Force (N) along the normal of a point that parts with so many m/s."""
    return max(0.0, -stiffness * (gap + RELAXATION * parting))


@inlined
def coefficient(touching, k, j):
    """Coulomb's, of shape k on obstacle j."""
    return math.sqrt(touching.shapes.friction[k] * touching.obstacles.traits[j, FRICTION])


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
            push = _push(stiffness, gap, dot(n, speed))
            touching.numbers[i, GAP] = gap
            if is_first:
                touching.numbers[i, PARTS] = dot(n, speed)
            keep3(touching.numbers, i, ARM, arm)
            keep3(touching.numbers, i, NORMAL, n)
            keep3(touching.numbers, i, SPEED, speed)
            if learns:
                touching.numbers[i, LOAD] = _remembered(touching, i, push, h)
            if push == 0.0 or is_left_alone(touching, k, j, i):
                _let_go(touching, i)
                continue
            drawn = _drawn(touching, i, n, speed, h)
            sticks = _turns_back(touching, i, drawn)
            _hold(touching, i, n, drawn, sticks, push, coefficient(touching, k, j), stiffness, h)
            touching.numbers[i, RIGID] = stiffness * (c2 + c1 * RELAXATION)
            touching.numbers[i, GRIP] *= c1
            touched += 1
    return touched


@inlined
def _let_go(touching, i):
    touching.marks[i, STATUS] = APART
    touching.numbers[i, PUSH] = 0.0
    touching.numbers[i, RIGID] = 0.0
    touching.numbers[i, GRIP] = 0.0
    keep3(touching.numbers, i, FORCE, ZERO)
    keep3(touching.numbers, i, SLIP, ZERO)


@inlined
def _remembered(touching, i, push, h):
    """Normal force (N) that friction has at the end of a step of h (s), at which it is `push`."""
    if touching.marks[i, WAS] == APART and touching.numbers[i, PARTS] > -GENTLE:
        return push
    return remembered(touching.numbers[i, REMEMBERED], touching.numbers[i, BORE], push, h)


@inlined
def _across(v, n):
    return sub(v, scale(dot(v, n), n))


@inlined
def _drawn(touching, i, n, speed, h):
    """How far (m) the spring across the normal is drawn at the end of a step of h (s), were it to stick; it damps as
    the one along the normal."""
    return add(_across(take3(touching.numbers, i, DRAWN), n), scale(h + RELAXATION, _across(speed, n)))


@inlined
def _turns_back(touching, i, drawn):
    """Whether a point slid in the last solve, and would now slide to the other side: what it does is to stick."""
    return touching.marks[i, STATUS] == SLIDES and dot(take3(touching.numbers, i, SLIP), drawn) < 0.0


@inlined
def _hold(touching, i, n, drawn, sticks, push, friction, stiffness, h):
    """Friction at one point: force, and what resists a velocity across the normal (kg/s). sticks: whatever it takes."""
    wanted, most = stiffness * math.sqrt(dot(drawn, drawn)), friction * touching.numbers[i, LOAD]
    held = sticks or wanted <= most
    share = 1.0 if held else most / wanted
    touching.marks[i, STATUS] = STICKS if held else SLIDES
    touching.numbers[i, PUSH] = push
    touching.numbers[i, GRIP] = share * stiffness * (h + RELAXATION)
    keep3(touching.numbers, i, FORCE, add(scale(push, n), scale(-share * stiffness, drawn)))
    keep3(touching.numbers, i, SLIP, ZERO if held else scale(stiffness / wanted, drawn))


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
            if is_left_alone(touching, k, j, i):
                continue
            gained, n = scale(share, gained_at(data, touching, k, i)), take3(touching.numbers, i, NORMAL)
            _, push = _after(touching, k, i, gained, n, c1, c2)
            was = touching.marks[i, STATUS]
            if push == 0.0 and was == APART:
                continue
            speed = add(take3(touching.numbers, i, SPEED), scale(c1, gained))
            drawn = _drawn(touching, i, n, speed, h)
            wanted = stiffness * math.sqrt(dot(drawn, drawn))
            most = coefficient(touching, k, j) * touching.numbers[i, LOAD]
            status = APART if push == 0.0 else (STICKS if wanted <= most else SLIDES)
            unknown += 1 if status != was or _turns_back(touching, i, drawn) else 0
            largest = max(largest, push)
            if status == SLIDES:
                wrong = max(wrong, abs(_remembered(touching, i, push, h) - touching.numbers[i, LOAD]))
            force = ZERO
            if push > 0.0:
                held = stiffness if wanted <= most else stiffness * most / wanted
                force = add(scale(push, n), scale(-held, drawn))
            more = add(sub(force, take3(touching.numbers, i, FORCE)), resisted(touching, i, gained))
            work += dot(gained, more)
    return work, unknown, wrong / max(largest, 1e-300)


@inlined
def resisted(touching, i, gained):
    """Force (N) that a point was taken to set against an acceleration of it."""
    n, t = take3(touching.numbers, i, NORMAL), take3(touching.numbers, i, SLIP)
    across = _across(gained, n)
    across = scale(touching.numbers[i, GRIP], sub(across, scale(dot(across, t), t)))
    return add(scale(touching.numbers[i, RIGID] * dot(gained, n), n), across)


@inlined
def _after(touching, k, i, gained, n, c1, c2):
    """Gap (m) and push (N) of a point after a correction of its acceleration."""
    closer = dot(n, gained)
    gap = touching.numbers[i, GAP] + c2 * closer
    return gap, _push(touching.shapes.stiffness[k], gap, dot(n, take3(touching.numbers, i, SPEED)) + c1 * closer)


@subroutine
def finish_contacts(data, touching, h, c1, c2, slow):
    """Let the points be what they are at the step's corrected end.

    Returns the least radius (m) of what has begun to touch, faster than a speed (m/s) that counts as none; else inf.
    """
    hit = math.inf
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[i, OBSTACLE]
            if j < 0:
                break
            gained, n = gained_at(data, touching, k, i), take3(touching.numbers, i, NORMAL)
            gap, push = _after(touching, k, i, gained, n, c1, c2)
            touching.numbers[i, GAP] = gap
            if push == 0.0 or is_left_alone(touching, k, j, i):
                _let_go(touching, i)
                touching.numbers[i, BORE] = 0.0
                touching.numbers[i, REMEMBERED] = 0.0
                keep3(touching.numbers, i, DRAWN, ZERO)
                continue
            friction = coefficient(touching, k, j)
            speed = add(take3(touching.numbers, i, SPEED), scale(c1, gained))
            drawn = _drawn(touching, i, n, speed, h)
            _hold(touching, i, n, drawn, False, push, friction, touching.shapes.stiffness[k], h)
            touching.numbers[i, REMEMBERED] = _remembered(touching, i, push, h)
            touching.numbers[i, BORE] = push
            across = sub(take3(touching.numbers, i, FORCE), scale(push, n))
            drawn = scale(-1.0 / touching.shapes.stiffness[k], across)
            keep3(touching.numbers, i, DRAWN, sub(drawn, scale(RELAXATION, _across(speed, n))))
            if touching.marks[i, WAS] == APART and touching.numbers[i, PARTS] < -slow:
                hit = min(hit, touching.shapes.radius[k, 0], touching.shapes.radius[k, 1])
    return hit


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
            if deep > 0.0 and not is_left_alone(touching, k, j, i):
                energy += 0.5 * shapes.stiffness[k] * deep * deep
    return energy
