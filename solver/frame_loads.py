# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads at both ends of a frame, brought together: what is at one end only, and what is of which plant."""

import numpy as np

from .loads import Loads, pull_numbers
from .model import Floats, Ints


def pulls_of_frame(before: Loads, after: Loads, first_body: Ints) -> tuple[Ints, Ints, Floats, Floats, Floats, Floats]:
    """Pulls in the order of their plants, as in integrate.Frame. first_body (plants + 1,): the plants' bodies."""
    plants = len(first_body) - 1
    if not len(after.pull_body):
        nothing = np.zeros((0, 5))
        return np.zeros(plants + 1, dtype=np.int64), after.pull_body, after.pull_point, nothing, nothing, nothing
    pulls_after = pull_numbers(after)
    # A point that was not pulled before begins to be at zero strength.
    pulls_before = pulls_after * (1.0, 1.0, 1.0, 0.0, 0.0)
    for j, numbers in enumerate(pull_numbers(before)):
        same = (after.pull_body == before.pull_body[j]) & (after.pull_point == before.pull_point[j]).all(axis=1)
        pulls_before[np.flatnonzero(same)[:1]] = numbers
    plant = plant_of(after.pull_body, first_body)
    order = np.argsort(plant, kind="stable")
    local = np.where(after.pull_body < 0, -1, after.pull_body - first_body[plant])
    start = np.searchsorted(plant[order], np.arange(plants + 1))
    return (
        start, local[order], after.pull_point[order],
        pulls_before[order], pulls_after[order], np.zeros((len(order), 5)),
    )  # fmt: skip


def plant_of(body: Ints, first_body: Ints) -> Ints:
    """Plant of every body; the base, -1, counts as the first's."""
    return np.maximum(np.searchsorted(first_body, body, "right") - 1, 0)


def field_of_frame(one_end: Loads, other_end: Loads) -> Floats:
    """The force field at one end of a frame: none there, but at the other, is one of zeros."""
    return one_end.field if len(one_end.field) >= len(other_end.field) else np.zeros_like(other_end.field)
