# SPDX-License-Identifier: GPL-3.0-or-later
"""Into which steps a frame may be cut, and what is told of them."""

import math
from typing import NamedTuple

from ..base.arrays import Bools1, Floats1, Floats2
from ..contact.pairs import NEAR, POINTED
from ..machine.jit import inlined

#: A frame is never cut into more steps than this, so that no number typed by the user hangs the program.
MOST_STEPS = 100_000

#: For each of the shortest steps of a frame what touches may take so many passes along the tree, of solves or of what
#: couples pairs, or so many by bodies, as those of small plants take less time: five seconds or so in all. Where
#: anything leads the plant on this share of it may be spent at once, the rest as the frame goes on.
LEAST_PASSES, PASSES_BY_BODIES, AT_ONCE = 4.0, 2e4, 0.25

#: To look in a step whether so many pairs that are near have points, or an eighth as many shapes what is near them,
#: takes as long as a body in a pass; and so does a pair with points in a solve.
LOOKS_A_BODY, OF_SHAPES = 16, 8


class Stepping(NamedTuple):
    """max_step (s): longest step; multistep: BDF2 with a share of BDF3, else backward Euler; halvings: how often a step
    may be halved; tolerance: local error of a step over the plant's size; newton_tolerance (1/s): what unfinished
    solves may leave in a second, over the plant's size, of bodies that turn by 1 rad/s or faster; of slower ones less
    in proportion, and of plants whose joints have limits a tenth."""

    max_step: float
    multistep: bool
    halvings: int
    tolerance: float
    newton_tolerance: float


class Frame(NamedTuple):
    """A frame of plants side by side: size (plants,) m; limited, breaks (plants,): whether a joint has limits, may
    break; position (b, 3) m and orientation (b, 4) of the bases at the end; duration (s)."""

    size: Floats1
    limited: Bools1
    breaks: Bools1
    position: Floats2
    orientation: Floats2
    duration: float


class Report(NamedTuple):
    """How a frame went.

    status: OK; COARSE when the shortest steps were still too long for the tolerances, or it was crowded; LIMITED when
    they were so much too long, or it took so long, that the motion had to be slowed down; STOPPED when even that was
    not finite, or led nowhere in the whole frame though the plant was not in balance, and it was brought to rest where
    it was.
    steps: taken; rejected: thrown away and halved; solves: O(n) ones for all of them; rod: whose joint was turning
    fastest when first LIMITED or STOPPED, else -1. Of advance_plants: the body, and RESTED where no step led anywhere.
    crowded: whether more pairs of shapes were near each other than a frame may have; those beyond were let through
    """

    status: int
    steps: int
    rejected: int
    solves: int
    rod: int = -1
    crowded: bool = False


@inlined
def grid_of(duration, stepping):
    """How often the longest steps of a frame may be halved, and how many of them it has."""
    finest = stepping.halvings
    whole = max(1, math.ceil(duration / stepping.max_step - 1e-9))
    while finest > 0 and whole << finest > MOST_STEPS:
        finest -= 1
    return finest, whole


@inlined
def most_passes(finest, whole, bodies):
    """How many passes what touches may take in a frame of so many longest steps."""
    return (whole << finest) * max(LEAST_PASSES, PASSES_BY_BODIES / bodies)


@inlined
def passes_of_pairs(solves, pairs, bodies):
    """As how many passes over so many bodies the pairs of one plant count in a step of so many solves."""
    looks = (pairs.counts[0, NEAR] + OF_SHAPES * len(pairs.order)) // LOOKS_A_BODY
    return (looks + solves * pairs.counts[0, POINTED]) // bodies


@inlined
def takes_too_long(passes, most, share):
    """Whether a frame, this share of which is over, has taken so many passes that it would hold up who waits for it:
    then it ends there, in slow motion, or goes on in the longest steps where anything leads the plant on."""
    return passes > most * (AT_ONCE + (1.0 - AT_ONCE) * share)


@inlined
def level_of_last_step(last_steps, duration, finest, whole):
    """How often the longest steps of a frame are halved for steps as long as the last ones."""
    level = 0
    while level < finest and last_steps[0] > 0.0 and duration / (whole << level) > 1.5 * last_steps[0]:
        level += 1
    return level
