# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods that have come off touch with all of their length: of one that is whole, the body below carries the part up to
its first joint."""

import numpy as np

from ...base.arrays import Floats, Ints, Ints1
from ...contact.clearance import LONGEST
from ...contact.touch import ALONG, APART, GAP, OBSTACLE, SLOTS, STATUS, Touch
from ...model.model import Model
from ..opening import OFF

#: New parts of shapes that are inside by this share of their radius, with their middle line, are left alone.
_INSIDE = 1.0 - 1e-6

#: A shape that begins within this share of the way from its joint to its rod's base has not been lengthened.
_NEAR = 1e-9


def reach_down(touch: Touch, model: Model, first_body: Ints, cracked: Ints1) -> tuple[Ints, Floats]:
    """Let the shapes of the first bodies of rods that are off begin at the rods' bases, in place; cracked (n,): what
    has become of joints; first_body (plants + 1,). Returns which have become longer (k,), and by which share of their
    new lengths (k,).

    What stood on the base begins a radius above it: it is round at its end, with which it would be in the ground.
    """
    shapes = touch.shapes
    plant = np.repeat(np.arange(len(first_body) - 1), np.diff(touch.first))
    body = shapes.body + first_body[plant]
    base = -(model.stub * model.length)[shapes.rod]
    is_short = shapes.start[:, 1] > _NEAR * base  # else it has been done
    off = np.flatnonzero((cracked[body] == OFF) & (model.first_joint[shapes.rod] == body) & is_short & (base < 0.0))
    start, end, radius, base = shapes.start[off, 1], shapes.end[off, 1], shapes.radius[off], base[off]
    thinner = (radius[:, 1] - radius[:, 0]) / (end - start)
    stood = model.lower[shapes.rod[off]] < 0
    begin = np.where(stood, np.minimum(base + (radius[:, 0] + thinner * (base - start)), start), base)
    shapes.start[off, 1], shapes.radius[off, 0] = begin, radius[:, 0] + thinner * (begin - start)
    side = np.linalg.norm(shapes.side[off], axis=1)
    reach = np.abs(begin) + side + shapes.radius[off].max(axis=1, initial=0.0)
    np.maximum.at(touch.travel[:, LONGEST], plant[off], reach)
    return off, (start - begin) / (end - begin)


def leave_alone_what_is_new(touch: Touch, longer: Ints, share: Floats) -> None:
    """Leave the lower halves of shapes that have just become longer, by so large shares (k,) of their lengths, alone
    with obstacles in which the middle lines of the new parts are and that they have not touched yet; touch has their
    points as they are."""
    for k, new in zip(longer.tolist(), share.tolist(), strict=True):
        slots = slice(SLOTS * k, SLOTS * (k + 1))
        marks, numbers, kept = touch.marks[slots], touch.numbers[slots], touch.kept_marks[slots]
        touched = kept[(kept[:, STATUS] != APART) | (touch.kept[slots, GAP] < 0.0), OBSTACLE]
        deep = numbers[:, GAP] < -_INSIDE * touch.shapes.radius[k].min()
        overlapped = marks[deep & (numbers[:, ALONG] < new), OBSTACLE]
        touch.left_alone[k, 2 * np.setdiff1d(overlapped[overlapped >= 0], touched)] = True
