# SPDX-License-Identifier: GPL-3.0-or-later
"""What hits bounces: impulses at the end of a step, point by point (Arnold 1996, 2.4.3; see contact/collision.py).

Until then a point that will bounce goes on as if there were nothing, and the step is so short that it is hardly inside.
An impulse at it changes all joints' rates at once, as a force would their accelerations if there were no springs. Where
one throws another back, all are looked at again, and what touches as well, which may be thrown against what it lies on.
What still comes then, between what presses it from two sides, or cannot give way because its joints hold it, is pushed
from the next step on as if it did not bounce.
"""

import math

from ...contact.collision import impulse
from ...contact.law import FAST
from ...contact.obstacles import where
from ...contact.pair_forces import law_of, push_pair
from ...contact.pairs import ARM_B, PAIR_SLOTS, POINTED
from ...contact.points import on_shape
from ...contact.touch import (
    ACROSS,
    ALONG,
    APART,
    ARM,
    FEATURE,
    HITS,
    NORMAL,
    OBSTACLE,
    SIDE,
    SLOTS,
    STATUS,
    STICKS,
    THROWN,
)
from ...data import columns as col
from ...data.lanes import LANES, add3, get3, get9, put3
from ...forces.body import own_inertias
from ...forces.contact import law_on
from ...joints.loose import CORRECTION, SPEED, VELOCITY
from ...joints.springs import resist_turns, springs
from ...machine.jit import inlined, subroutine
from ...math.matrices import mat_t_vec
from ...math.memory import keep3, take3
from ...math.vectors import ZERO, across_of, add, cross, dot, scale, sub
from ..articulated_body import acceleration_pass, begin_sums, bias_pass, factorise
from ..kinematics import at_present, kinematics
from .arnold import response_between, times
from .keeping import push_of

#: All points are looked at so often at most.
_ROUNDS = 20

#: What gives way along the normal by less than this share of what it does in all directions is held by its joints.
_HELD = 1e-4

#: Friction that would wedge a point against them, so that it takes so many times the impulse without it, does not act.
_WEDGED = 100.0


@subroutine
def bounce_off(data, parent, stands, world):
    """Throw back what hits, where the accepted end of a step is."""
    at_present(data, world.loose)
    springs(data, 1.0)
    kinematics(data, parent, stands, world.loose, ZERO)
    _at_rest(data)
    resist_turns(data, 1.0, 0.0, 0.0)
    own_inertias(data, 0.0)
    begin_sums(data)
    factorise(data, parent, world.loose, 0.0)
    for again in range(_ROUNDS):
        is_last = again + 1 == _ROUNDS
        thrown = _off_obstacles(data, parent, world, again > 0, is_last)
        thrown += _off_others(data, parent, world, again > 0, is_last)
        if thrown == 0:
            break


@inlined
def _at_rest(data):
    """Let nothing act."""
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, col.PA_R + lane, ZERO)
            put3(data, b, col.PA_T + lane, ZERO)
            put3(data, b, col.SPRING + lane, ZERO)


@inlined
def _may_hit(marks, numbers, p, is_shaken):
    """Whether a point may have to be thrown back: one that hits or, where others have been, that touches."""
    return numbers[p, THROWN] == HITS or (is_shaken and marks[p, STATUS] != APART)


@inlined
def _comes(numbers, p, parting, law):
    """Whether one that parts with so many m/s has to be."""
    return parting < 0.0 if numbers[p, THROWN] == HITS else law.bounce > 0.0 and parting < -FAST


@subroutine
def _off_obstacles(data, parent, world, is_shaken, is_last):
    """Returns how many points have been thrown back; in the last round those that would have to be touch."""
    touching, thrown = world.touching, 0
    shapes, obstacles, marks, numbers = touching.shapes, touching.obstacles, touching.marks, touching.numbers
    for near in range(touching.counts[0]):
        k = touching.near[near]
        i = shapes.body[k]
        b, lane = i >> 3, i & 7
        for p in range(SLOTS * k, SLOTS * k + SLOTS):
            j = marks[p, OBSTACLE]
            if j < 0:
                break
            if not _may_hit(marks, numbers, p, is_shaken):
                continue
            B, at = get9(data, b, col.ROTATION + lane), get3(data, b, col.POSITION + lane)
            arm, radius = on_shape(shapes, k, numbers[p, ALONG], numbers[p, ACROSS], B)
            _, n, moves = where(obstacles, touching.now, marks[p, FEATURE], marks[p, SIDE], j, add(at, arm))
            arm = sub(arm, scale(radius, n))
            speed = sub(_speed(data, i, arm), moves)
            law = law_on(shapes, obstacles.traits, k, j)
            if _comes(numbers, p, dot(speed, n), law):
                response_between(data, parent, world.loose, i, -1, touching.responses, 0, touching.borne)
                given, is_held = _impulse(touching.responses, 0, arm, n, speed, law)
                if is_held or is_last:
                    touching.kept_marks[p, STATUS] = STICKS
                    continue
                add3(data, b, col.PA_T + lane, scale(-1.0, given))
                add3(data, b, col.PA_R + lane, cross(given, arm))
                touching.pushed[k] += push_of(given)
                _go_on(data, parent, world.loose)
                thrown += 1
    return thrown


@subroutine
def _off_others(data, parent, world, is_shaken, is_last):
    """The same for points of pairs."""
    pairs, shapes, thrown = world.pairs, world.touching.shapes, 0
    marks, numbers = pairs.marks, pairs.numbers
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        k, m = pairs.ends[row, 0], pairs.ends[row, 1]
        one, other = shapes.body[k], shapes.body[m]
        law = law_of(shapes, k, m)
        for p in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if marks[p, OBSTACLE] < 0:
                break
            if not _may_hit(marks, numbers, p, is_shaken):
                continue
            n, arm = take3(numbers, p, NORMAL), take3(numbers, p, ARM)
            speed = sub(_speed(data, one, arm), _speed(data, other, take3(numbers, p, ARM_B)))
            if _comes(numbers, p, dot(speed, n), law):
                response_between(data, parent, world.loose, one, other, pairs.responses, row, pairs.borne)
                given, is_held = _impulse(pairs.responses, row, arm, n, speed, law)
                if is_held or is_last:
                    pairs.kept_marks[p, STATUS] = STICKS
                    continue
                push_pair(data, shapes.body, pairs.ends, numbers, p, given)
                for end in range(2):
                    world.touching.pushed[pairs.ends[row, end]] += push_of(given)
                _go_on(data, parent, world.loose)
                thrown += 1
    return thrown


@inlined
def _speed(data, i, arm):
    """Velocity (m/s) of what is at an arm (m) from body i's joint."""
    b, lane = i >> 3, i & 7
    return add(get3(data, b, col.VELOCITY + lane), cross(get3(data, b, col.OMEGA + lane), arm))


@subroutine
def _impulse(W, row, arm, n, speed, law):
    """Impulse (N s) in world axes at an arm from the body's joint, by row of W, and whether joints hold it there."""
    t = across_of(n)
    axes = t, cross(n, t), n
    x = _gained(W, row, arm, axes[0])
    y = _gained(W, row, arm, axes[1])
    z = _gained(W, row, arm, axes[2])
    K = (
        dot(axes[0], x), dot(axes[0], y), dot(axes[0], z), dot(axes[1], x), dot(axes[1], y), dot(axes[1], z),
        dot(axes[2], x), dot(axes[2], y), dot(axes[2], z),
    )  # fmt: skip
    if K[8] <= _HELD * (K[0] + K[4]):
        return ZERO, True
    v = dot(axes[0], speed), dot(axes[1], speed), dot(axes[2], speed)
    p, _ = impulse(K, v, law.friction, law.bounce)
    if not K[8] * p[2] <= _WEDGED * math.sqrt(dot(v, v)):
        p, _ = impulse(K, v, 0.0, law.bounce)
    return add(add(scale(p[0], axes[0]), scale(p[1], axes[1])), scale(p[2], axes[2])), False


@inlined
def _gained(W, row, arm, u):
    """Velocity (m/s) that a unit impulse along u gives where it acts."""
    moment = cross(arm, u)
    return add(times(W, row, 18, moment, u), cross(times(W, row, 0, moment, u), arm))


@subroutine
def _go_on(data, parent, loose):
    """Let rates be those after the impulses in the bias forces, which are none then."""
    bias_pass(data, parent, loose)
    acceleration_pass(data, parent, loose)
    for i in range(len(parent)):  # what is in lanes without a body would only grow
        b, lane = i >> 3, i & 7
        rate = mat_t_vec(get9(data, b, col.ROTATION + lane), get3(data, b, col.CORRECTION + lane))
        add3(data, b, col.STATE_U + lane, rate)
        add3(data, b, col.OMEGA + lane, get3(data, b, col.X_R + lane))
        add3(data, b, col.VELOCITY + lane, get3(data, b, col.X_T + lane))
    for f in range(loose.used[0, 0]):
        gained = take3(loose.trial, f, CORRECTION)
        keep3(loose.state, f, SPEED, add(take3(loose.state, f, SPEED), gained))
        keep3(loose.now, f, VELOCITY, add(take3(loose.now, f, VELOCITY), gained))
    _at_rest(data)
