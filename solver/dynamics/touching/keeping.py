# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step leaves: points that the next one remembers, and what they have pushed with in the frame."""

import math

import numpy as np

from ...base.arrays import Floats
from ...contact.pair_points import keep_pairs
from ...contact.pairs import PAIR_SLOTS, POINTED, touches
from ...contact.past import keep
from ...contact.touch import APART, FORCE, OBSTACLE, SLOTS, STATUS, Touch
from ...machine.jit import inlined, subroutine
from ...math.memory import take3
from ...math.vectors import dot


@inlined
def push_of(force):
    """How strong it is, whatever its direction."""
    return math.sqrt(dot(force, force))


@inlined
def keep_step(touching, pairs, h):
    """Let the next step remember the points of an accepted one of h (s)."""
    keep(touching, h)
    keep_pairs(pairs, touching.shapes.landing, h)
    _add_pushes(touching, pairs, h)


@subroutine
def _add_pushes(touching, pairs, h):
    """Add the forces of all points to what their shapes have been pushed with in the frame."""
    pushed, marks = touching.pushed, touching.marks
    for near in range(touching.counts[0]):
        k = touching.near[near]
        for i in range(SLOTS * k, SLOTS * k + SLOTS):
            if marks[i, OBSTACLE] < 0:
                break
            if marks[i, STATUS] != APART:
                pushed[k] += h * push_of(take3(touching.numbers, i, FORCE))
    for pair in range(pairs.counts[0, POINTED]):
        row = pairs.with_points[pair]
        for i in range(PAIR_SLOTS * row, PAIR_SLOTS * row + PAIR_SLOTS):
            if pairs.marks[i, OBSTACLE] < 0:
                break
            if touches(pairs.marks, i):
                for end in range(2):
                    pushed[pairs.ends[row, end]] += h * push_of(take3(pairs.numbers, i, FORCE))


def mean_pushes(touch: Touch, rods: int, duration: float) -> Floats:
    """(rods,) N: of all that pushed them, bounces too, on average over a frame of so long (s)."""
    return np.bincount(touch.shapes.rod, weights=touch.pushed / duration, minlength=rods).astype(np.float64)
