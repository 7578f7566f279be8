# SPDX-License-Identifier: GPL-3.0-or-later
"""How long and thick rods are and where they are shifted, frame by frame, and their way from frame to frame.

As the poses that joints follow (see reference.py), lengths are known at frames only, and nothing is looked ahead. The
way through a frame is a polynomial of order five, for accelerations of arms and masses that do not jump. Its second
derivative at a frame is that of the cubic through the last four frames, which with T for a frame's duration lacks 11/12
of T^2 times the fourth derivative. By this and by the rate's error the mean of the way over a frame, which is what
drives a plant, is off by T^2 / 60 times the one, less T^2 / 10 times how fast the other changes. So the rate is taken
13/24 of the way from that of the parabola through the last three frames to that of the cubic, where it lacks 11/72 of
T^2 times the third derivative: then both cancel.

Where lengths jump from frame to frame, a rod is to keep some. A polynomial of order five is nowhere less than the least
of its Bernstein coefficients, which at an end with the value x, rate v and second derivative a are x, x +- v T/5 and
x +- 2 v T/5 + a T^2/20. With v T within 2 x and a T^2 not below -2 x these are at least a tenth of x.

A plant starts with lengths that change as they do in the first frame, and on evenly through the second.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.arrays import Bools, Bools1, Floats, Floats1, Floats2, Ints, Ints1
from ..base.checks import finite
from ..base.errors import SolverError
from ..model.model import Model
from ..model.stretched import AS_LONG_AS_DRAWN, LENGTHS, SHIFT, STRETCH, THICKNESS
from ..world.sample import Sample

#: Columns of where a way has got to: rate at the frame (1/s, m/s), mean rate of the frame and of the one before, second
#: derivative, and how many frames there have been, as far as it matters.
RATE, MEAN, EARLIER, GAIN, PAST, WAY = 0, LENGTHS, 2 * LENGTHS, 3 * LENGTHS, 4 * LENGTHS, 4 * LENGTHS + 1

#: Frames whose mean rates the next one needs.
_NEEDED = 2.0

#: Mean rates of the last three frames, the latest first, in the rate at a frame, and in the frame's duration times the
#: second derivative there.
_IN_RATE, _IN_GAIN = (121.0 / 72.0, -62.0 / 72.0, 13.0 / 72.0), (2.0, -3.0, 1.0)

#: By no more than so many times itself a length is to change in a frame at the rate that it has at its end, and at what
#: that rate loses in a frame.
_STEEPEST = 2.0

#: Columns of a way through a frame, five each: lengths at its beginning and what they change by, first and second
#: derivative at its beginning, and at its end.
BEGINS, CHANGES, RATE_BEFORE, GAIN_BEFORE, RATE_AFTER, GAIN_AFTER, THROUGH = range(0, 7 * LENGTHS, LENGTHS)

#: Columns of now and of sums, see stretching.py.
NOW, SUMS = 3 * LENGTHS + 18, 29

#: Where all rods are as drawn.
NOT_STRETCHED, NO_WAY = np.zeros((0, LENGTHS)), np.zeros((0, WAY))


class Stretching(NamedTuple):
    """Plants side by side whose rods get longer; kernels take those of one plant. All indices are within the plant.

    stretches (plants,): whether any of its rods is not as drawn, or moves
    first_rod, first_slice (plants + 1,): rods and slices of plant p are first[p] to first[p + 1]
    rod_parent (m,), rod_joint (m,) body of its first joint, -1 without; turn (m, 9): the rod's axes in those of the
    body that carries its base; rod (m, 5): gap and length as of Matter, m from its base to its last joint
    body_rod (n,); body_at (n,) m from the rod's base as drawn; springs (n, 8): stiffness times stretch over the fourth
    power of thickness, at the frame's beginning (3) and end (3), and what makes up for thin threads at both
    slice_body, slice_rod (k,); matter (k, 10) as of Matter
    way (m, 30): see above
    shapes (k, 24): start, end, side (3 each), radius (2), stiffness at the frame's beginning, and at its end; (0, 24)
    where nothing is touched
    now (m, 33): lengths, their rates and gains, place of the rod's base in the axes of what carries it and of its tip,
    each with both derivatives; sums (n, 29): of the bodies' matter, scratch
    """

    stretches: Bools1
    first_rod: Ints1
    first_slice: Ints1
    rod_parent: Ints1
    rod_joint: Ints1
    turn: Floats2
    rod: Floats2
    body_rod: Ints1
    body_at: Floats1
    springs: Floats2
    slice_body: Ints1
    slice_rod: Ints1
    matter: Floats2
    way: Floats2
    shapes: Floats2
    now: Floats2
    sums: Floats2


def no_stretching(plants: int) -> Stretching:
    """Plants whose rods are as drawn."""
    none, first = np.zeros(0, dtype=np.int64), np.zeros(plants + 1, dtype=np.int64)
    rows = {name: np.zeros((0, k)) for name, k in _WIDTHS.items()}
    return Stretching(
        stretches=np.zeros(plants, dtype=np.bool_), first_rod=first, first_slice=first, rod_parent=none,
        rod_joint=none, body_rod=none, body_at=np.zeros(0), slice_body=none, slice_rod=none, **rows,
    )  # fmt: skip


_WIDTHS = {
    "turn": 9, "rod": 5, "springs": 8, "matter": 10, "way": THROUGH, "shapes": 24, "now": NOW, "sums": SUMS,
}  # fmt: skip


def lengths_of(sample: Sample, model: Model) -> Floats:
    """(m, 5) how the sample's rods are, NOT_STRETCHED where it does not say. Raises SolverError for bad input."""
    if sample.stretch is None and sample.thickness is None and sample.shift is None:
        return NOT_STRETCHED
    m = model.rod_count
    rows = np.tile(AS_LONG_AS_DRAWN, (m, 1))
    if sample.stretch is not None:
        rows[:, STRETCH] = _positive("stretch", finite("stretch", sample.stretch, (m,)))
        rows[:, THICKNESS] = rows[:, STRETCH] ** -0.5
    if sample.thickness is not None:
        rows[:, THICKNESS] = _positive("thickness", finite("thickness", sample.thickness, (m,)))
    if sample.shift is not None:
        rows[:, SHIFT:] = finite("shift", sample.shift, (m, 3))
    return rows


def _positive(name: str, factors: Floats) -> Floats:
    for rod in np.flatnonzero(factors <= 0.0)[:1]:
        raise SolverError(f"its {name} is {factors[rod]:.9g}, expected more than 0", int(rod))
    return factors


def filled_ends(lengths: Floats, way: Floats, m: int) -> tuple[Floats, Floats]:
    """Lengths and where they have got to, or those of m rods that have always been as drawn where there are none."""
    if not len(way):
        way = np.zeros((m, WAY))
        way[:, PAST] = _NEEDED
    return lengths if len(lengths) else np.tile(AS_LONG_AS_DRAWN, (m, 1)), way


def is_as_drawn(lengths: Floats, way: Floats) -> bool:
    """Whether rods that are so (m, 5), or none, are as if nothing had ever been said of them."""
    moves = way[:, :PAST].any() or (way[:, PAST] < _NEEDED).any()
    return not moves and not (lengths != AS_LONG_AS_DRAWN).any()


def joined_ways(parts: Sequence[tuple[Floats, Floats]], counts: Ints) -> tuple[Floats, Floats]:
    """Lengths and ways of groups of plants side by side that have so many rods each."""
    if not any(len(lengths) for lengths, _ in parts):
        return NOT_STRETCHED, NO_WAY
    each = list(zip(parts, counts.tolist(), strict=True))
    filled = [filled_ends(*one, m) for one, m in each]
    return np.concatenate([one for one, _ in filled]), np.concatenate([way for _, way in filled])


def way_at_start(lengths: Floats) -> Floats:
    """(m, 21) that nothing has gone yet."""
    return np.zeros((len(lengths), WAY))


def way_on(way: Floats, before: Floats, after: Floats, duration: float) -> Floats:
    """(m, 21) where a way has got to after a frame of duration (s) from lengths before to after, both (m, 5) or none
    where all are as drawn; way: where it was, none where it begins now."""
    before, way = filled_ends(before, way, len(after))
    mean, past = (after - before) / duration, way[:, PAST:]
    last = np.where(past >= 1.0, way[:, MEAN : MEAN + LENGTHS], mean)
    earlier = np.where(past >= 2.0, way[:, EARLIER : EARLIER + LENGTHS], 2.0 * last - mean)
    rate = _IN_RATE[0] * mean + _IN_RATE[1] * last + _IN_RATE[2] * earlier
    gain = (_IN_GAIN[0] * mean + _IN_GAIN[1] * last + _IN_GAIN[2] * earlier) / duration
    positive = [STRETCH, THICKNESS]
    steepest = _STEEPEST * after[:, positive] / duration
    rate[:, positive] = np.clip(rate[:, positive], -steepest, steepest)
    gain[:, positive] = np.maximum(gain[:, positive], -steepest / duration)
    return np.column_stack([rate, mean, last, gain, np.minimum(past + 1.0, _NEEDED)])


def way_between(before: Floats, after: Floats, way_before: Floats, way_after: Floats) -> Floats:
    """(m, 30) the way through a frame between lengths (m, 5), at whose ends it is (m, 21)."""
    begins = np.where(way_before[:, PAST:] > 0.0, way_before[:, :LENGTHS], way_after[:, MEAN : MEAN + LENGTHS])
    first, second = slice(RATE, RATE + LENGTHS), slice(GAIN, GAIN + LENGTHS)
    return np.column_stack(
        [before, after - before, begins, way_before[:, second], way_after[:, first], way_after[:, second]]
    )


def are_stretched(way: Floats, first_rod: Ints) -> Bools:
    """(plants,) whether rods are not as drawn, or do not stay so, on a way (m, 30)."""
    return moving_rods(way, first_rod) | _any_of((way[:, :CHANGES] != AS_LONG_AS_DRAWN).any(axis=1), first_rod)


def moving_rods(way: Floats, first_rod: Ints) -> Bools:
    """(plants,) whether rods move on a way (m, 30), or (0, 30), and so may add energy."""
    return _any_of(way[:, CHANGES:].any(axis=1), first_rod)


def _any_of(rods: Bools, first_rod: Ints) -> Bools:
    """(plants,) whether any is, of rods (m,) which begin at first_rod (plants + 1,)."""
    if not len(rods):
        return np.zeros(len(first_rod) - 1, dtype=np.bool_)
    return np.diff(np.append(0, np.cumsum(rods))[first_rod]) > 0
