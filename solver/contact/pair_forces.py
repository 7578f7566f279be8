# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact of pairs of shapes of one plant: forces on both bodies, and what resists an acceleration between them."""

import math

from ..data import columns as col
from ..data.lanes import add3
from ..machine.jit import inlined, subroutine
from ..math.memory import keep3, take3
from ..math.vectors import add, cross, dot, scale, sub
from .law import Law, depth_of_hit, energy_of, felt, finish_at, force_at, gained_at, missed_at, passes
from .pair_points import OF_FIRST, OF_NONE, OF_SECOND, shape_at
from .pairs import ACROSS_B, ALONG_B, ARM_B, NEAR, PAIR_SLOTS, POINTED, touches
from .past import HAIR, begins_inside, bounced_in_vain
from .points import at_share, projected, radius_at
from .touch import ACROSS, ALONG, ARM, FORCE, GAP, NORMAL, OBSTACLE, SIDE, landing_of, stiffness_of, thinnest


@inlined
def law_of(shapes, k, m):
    """The law of shapes k and m on each other. There is no spring behind: the first one knows of both."""
    friction = math.sqrt(shapes.friction[k] * shapes.friction[m])
    bounce, stickiness = max(shapes.bounce[k], shapes.bounce[m]), max(shapes.stickiness[k], shapes.stickiness[m])
    landing, thin = landing_of(shapes.landing, k, m), thinnest(shapes.radius, k, m)
    return Law(stiffness_of(shapes, k, m), friction, bounce, stickiness, landing, thin, 0.0)


@subroutine
def pair_forces(data, shapes, pairs, h, c1, c2, is_first, learns, by_secant):
    """Find the forces at all points of pairs where bodies' columns are. Returns how many points touch."""
    touched, ends, marks, numbers = 0, pairs.ends, pairs.marks, pairs.numbers
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        first, k, m = PAIR_SLOTS * row, ends[row, 0], ends[row, 1]
        one, other, law = shape_at(data, shapes, k), shape_at(data, shapes, m), law_of(shapes, k, m)
        for i in range(first, first + PAIR_SLOTS):
            if marks[i, OBSTACLE] < 0:
                break
            arm, _, n, gap, radius = gap_between(shapes.radius, k, m, marks, numbers, i, one, other)
            gap += pairs.allowed[row]
            arm = sub(arm, scale(radius, n))
            arm_b = sub(add(one[0], arm), other[0])
            speed = sub(add(one[4], cross(one[5], arm)), add(other[4], cross(other[5], arm_b)))
            keep3(numbers, i, ARM, arm)
            keep3(numbers, i, ARM_B, arm_b)
            thin = thinnest(shapes.radius, k, m)
            if is_first and pairs.is_new[row] and max(gap, gap - h * dot(n, speed)) < -HAIR * thin:
                pairs.alone[row] = True  # what it has become longer by is inside
            begins_deep = is_first and begins_inside(marks, i, gap, dot(n, speed), thin, h)
            if begins_deep:
                pairs.alone[row] = pairs.alone[row] or _is_by_one_alone(pairs, row)
            begins_deep = begins_deep or (is_first and bounced_in_vain(numbers, i, thin))
            touched += force_at(
                marks, numbers, i, gap, n, speed, law, pairs.alone[row], begins_deep, h, c1, c2, is_first, learns,
                by_secant,
            )  # fmt: skip
    return touched


@inlined
def _is_by_one_alone(pairs, row):
    """Whether a pair with one of the same shapes is left alone."""
    is_by, ends = False, pairs.ends
    for other in range(pairs.counts[0, NEAR]):
        for end in range(2):
            k = ends[row, end]
            is_by = is_by or (pairs.alone[other] and (ends[other, 0] == k or ends[other, 1] == k))
    return is_by


@inlined
def gap_between(radii, k, m, marks, numbers, i, one, other):
    """Arms of point i from the joints of both bodies to the middles of their shapes, normal, gap (m), and the first
    one's radius there."""
    a, b = add(one[0], one[1]), add(other[0], other[1])
    t, s, u, v = numbers[i, ALONG], numbers[i, ACROSS], numbers[i, ALONG_B], numbers[i, ACROSS_B]
    if marks[i, SIDE] != OF_SECOND:
        u, v = projected(at_share(a, one[2], one[3], t, s), b, other[2], other[3])
    if marks[i, SIDE] != OF_FIRST:
        t, s = projected(at_share(b, other[2], other[3], u, v), a, one[2], one[3])
    if marks[i, SIDE] == OF_NONE:
        u, v = projected(at_share(a, one[2], one[3], t, s), b, other[2], other[3])
    arm, arm_b = at_share(one[1], one[2], one[3], t, s), at_share(other[1], other[2], other[3], u, v)
    n, distance = _normal(sub(add(one[0], arm), add(other[0], arm_b)), take3(numbers, i, NORMAL))
    radius = radius_at(radii, k, t)
    return arm, arm_b, n, distance - radius - radius_at(radii, m, u), radius


@subroutine
def pair_energy(data, shapes, pairs):
    """Energy (J) of the springs at points of pairs where bodies' columns are."""
    energy, ends, marks, numbers = 0.0, pairs.ends, pairs.marks, pairs.numbers
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        first, k, m = PAIR_SLOTS * row, ends[row, 0], ends[row, 1]
        if not pairs.alone[row]:
            one, other = shape_at(data, shapes, k), shape_at(data, shapes, m)
            law = law_of(shapes, k, m)
            for i in range(first, first + PAIR_SLOTS):
                if marks[i, OBSTACLE] < 0:
                    break
                _, _, _, gap, _ = gap_between(shapes.radius, k, m, marks, numbers, i, one, other)
                if not passes(numbers, i):
                    energy += energy_of(marks, i, law, felt(numbers, i, gap + pairs.allowed[row]))
    return energy


@inlined
def _normal(out, before):
    """Direction of out, on the side of what the normal was before, and length along it."""
    length = math.sqrt(dot(out, out))
    side = 1.0 if dot(out, before) >= 0.0 else -1.0
    if length < 1e-12:
        return before, side * length
    return scale(side / length, out), side * length


@inlined
def push_pair(data, body, ends, numbers, i, force):
    """Add a force at point i, on the body of the first shape, and its opposite to the other one's bias forces."""
    for end in range(2):
        which = body[ends[i // PAIR_SLOTS, end]]
        b, lane = which >> 3, which & 7
        arm = take3(numbers, i, ARM if end == 0 else ARM_B)
        f = force if end == 0 else scale(-1.0, force)
        add3(data, b, col.PA_T + lane, scale(-1.0, f))
        add3(data, b, col.PA_R + lane, cross(f, arm))


@subroutine
def push_pairs(data, shapes, pairs):
    """Add the forces at all points to the bias forces."""
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if pairs.marks[i, OBSTACLE] < 0:
                break
            if touches(pairs.marks, i):
                push_pair(data, shapes.body, pairs.ends, pairs.numbers, i, take3(pairs.numbers, i, FORCE))


@inlined
def gained_by_pair(data, body, ends, numbers, i):
    """Acceleration (m/s2) that the last solve has added between the bodies at a point."""
    one, other = body[ends[i // PAIR_SLOTS, 0]], body[ends[i // PAIR_SLOTS, 1]]
    first, second = gained_at(data, one, take3(numbers, i, ARM)), gained_at(data, other, take3(numbers, i, ARM_B))
    return sub(first, second)


@subroutine
def pairs_missed(data, shapes, pairs, h, c1, c2, share):
    """As missed of forces/contact.py."""
    work, unknown, led, wrong, largest = 0.0, 0, 0, 0.0, 0.0
    marks, numbers = pairs.marks, pairs.numbers
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        law = law_of(shapes, pairs.ends[row, 0], pairs.ends[row, 1])
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if marks[i, OBSTACLE] < 0:
                break
            if pairs.alone[row] or passes(numbers, i):
                continue
            gained = scale(share, gained_by_pair(data, shapes.body, pairs.ends, numbers, i))
            more, is_unknown, is_led, lost, push = missed_at(marks, numbers, i, gained, law, h, c1, c2)
            work, unknown, led = work + more, unknown + is_unknown, led + is_led
            wrong, largest = max(wrong, lost), max(largest, push)
    return work, unknown, led, wrong, largest


@subroutine
def finish_pairs(data, shapes, pairs, h, c1, c2, slow):
    """As finish_contacts of forces/contact.py, but for meshes."""
    hit, deep, sunk, marks, numbers = math.inf, 0.0, 0.0, pairs.marks, pairs.numbers
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        k, m = pairs.ends[row, 0], pairs.ends[row, 1]
        law = law_of(shapes, k, m)
        thin = thinnest(shapes.radius, k, m)
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if marks[i, OBSTACLE] < 0:
                break
            gained = gained_by_pair(data, shapes.body, pairs.ends, numbers, i)
            if finish_at(marks, numbers, i, gained, law, pairs.alone[row], h, c1, c2, slow):
                hit = min(hit, thin)
            deep = max(deep, depth_of_hit(marks, numbers, i, law))
            if touches(marks, i):
                sunk = max(sunk, -numbers[i, GAP] / thin)
    return hit, deep, sunk
