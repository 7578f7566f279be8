# SPDX-License-Identifier: GPL-3.0-or-later
"""Sliding friction that follows its own normal force.

Friction is its coefficient times the normal force, which changes with the solve, which changes with friction: a matrix
that is not symmetric, as inertias here are. So a solve takes normal forces as known, and these are found afterwards, as
the solution of (1 - A) x = what they are wrong by, where A x is what normal forces gain from friction by x: one pass
along the tree each. Generalised conjugate residuals (Eisenstat, Elman and Schultz 1983) need few of them.
"""

from ..contact.touch import (
    ARM,
    IMAGES,
    MOST_TRIALS,
    NORMAL,
    OBSTACLE,
    PUSH,
    RIGID,
    SLIDES,
    SLIP,
    SLOTS,
    STATUS,
    TRIALS,
    WRONG,
)
from ..data import columns as col
from ..data.lanes import LANES, add3, copy, put3
from ..forces.contact import coefficient, gained_at
from ..machine.jit import subroutine
from ..math.memory import take3
from ..math.vectors import ZERO, cross, dot, scale
from .articulated_body import acceleration_pass, bias_pass

#: Normal forces are found to this share of the largest.
_FOUND = 1e-7

#: What the solve has found, X_R and X_T, and the correction, while others follow it.
_FOUND_X, _FOUND_CORRECTION = col.ALPHA, col.OMEGA


@subroutine
def follow_pushes(data, parent, touching):
    """Correct the last solve so that what slides is braked by the normal force it has after it."""
    worst, largest = _wrong(data, touching)
    if worst <= _FOUND * largest:
        return
    copy(data, col.X_R, _FOUND_X, 6)
    copy(data, col.CORRECTION, _FOUND_CORRECTION, 3)
    for trial in range(MOST_TRIALS):
        _answer(data, parent, touching, WRONG)
        worst = _improve(data, touching, trial)
        if worst <= _FOUND * largest:
            break
    _answer(data, parent, touching, PUSH)
    for b in range(len(data)):
        for c in range(6 * LANES):
            data[b, col.X_R + c] += data[b, _FOUND_X + c]
        for c in range(3 * LANES):
            data[b, col.CORRECTION + c] += data[b, _FOUND_CORRECTION + c]


@subroutine
def _wrong(data, touching):
    """Fill by how much (N) the normal forces of what slides are other than they were taken to be; PUSH counts from
    there on what they are to gain. Returns the largest of both."""
    worst, largest = 0.0, 0.0
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            if touching.marks[i, STATUS] != SLIDES:
                continue
            gained = dot(take3(touching.numbers, i, NORMAL), gained_at(data, touching, k, i))
            touching.numbers[i, WRONG] = -touching.numbers[i, RIGID] * gained
            worst = max(worst, abs(touching.numbers[i, WRONG]))
            largest = max(largest, touching.numbers[i, PUSH])
            touching.numbers[i, PUSH] = 0.0
    return worst, largest


@subroutine
def _answer(data, parent, touching, column):
    """What the plant does when friction of what slides gains by this column (N) times its coefficient."""
    for b in range(len(data)):
        for lane in range(LANES):
            put3(data, b, col.PA_R + lane, ZERO)
            put3(data, b, col.PA_T + lane, ZERO)
            put3(data, b, col.SPRING + lane, ZERO)
    for near in range(touching.counts[0]):
        k = touching.near[near]
        b, lane = touching.shapes.body[k] >> 3, touching.shapes.body[k] & 7
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            j = touching.marks[i, OBSTACLE]
            if j < 0:
                break
            if touching.marks[i, STATUS] == SLIDES:
                size = coefficient(touching, k, j) * touching.numbers[i, column]
                against = scale(size, take3(touching.numbers, i, SLIP))
                add3(data, b, col.PA_T + lane, against)
                add3(data, b, col.PA_R + lane, cross(take3(touching.numbers, i, ARM), against))
    bias_pass(data, parent)
    acceleration_pass(data, parent)


@subroutine
def _improve(data, touching, trial):
    """Go along the trial WRONG, made of its own, as far as lowers what is wrong most. Returns what is left (N)."""
    _image(data, touching, trial)
    for other in range(trial):
        _make_apart(touching, trial, other)
    size = _product(touching, IMAGES + trial, IMAGES + trial)
    if size == 0.0:
        return 0.0
    share, worst = _product(touching, WRONG, IMAGES + trial) / size, 0.0
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            if touching.marks[i, STATUS] == SLIDES:
                touching.numbers[i, PUSH] += share * touching.numbers[i, TRIALS + trial]
                touching.numbers[i, WRONG] -= share * touching.numbers[i, IMAGES + trial]
                worst = max(worst, abs(touching.numbers[i, WRONG]))
    return worst


@subroutine
def _image(data, touching, trial):
    """Keep the trial, and what normal forces lack of it after the plant's answer."""
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            if touching.marks[i, STATUS] == SLIDES:
                gained = dot(take3(touching.numbers, i, NORMAL), gained_at(data, touching, k, i))
                own = touching.numbers[i, WRONG]
                touching.numbers[i, TRIALS + trial] = own
                touching.numbers[i, IMAGES + trial] = own + touching.numbers[i, RIGID] * gained


@subroutine
def _make_apart(touching, trial, other):
    """Take from a trial what its image has in common with another one's."""
    size = _product(touching, IMAGES + other, IMAGES + other)
    share = _product(touching, IMAGES + trial, IMAGES + other) / size if size > 0.0 else 0.0
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            if touching.marks[i, STATUS] == SLIDES:
                touching.numbers[i, TRIALS + trial] -= share * touching.numbers[i, TRIALS + other]
                touching.numbers[i, IMAGES + trial] -= share * touching.numbers[i, IMAGES + other]


@subroutine
def _product(touching, one, other):
    """Sum of the products of two columns of what slides."""
    total = 0.0
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if touching.marks[i, OBSTACLE] < 0:
                break
            if touching.marks[i, STATUS] == SLIDES:
                total += touching.numbers[i, one] * touching.numbers[i, other]
    return total
