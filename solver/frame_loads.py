# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads at both ends of a frame, brought together, and those of one plant of several."""

import numpy as np
from numpy.typing import NDArray

from .loads import AS_DRAWN, Loads, pull_numbers
from .model import Floats, Ints
from .rotation import conjugate, logarithm, multiply


def pulls_of_frame(before: Loads, after: Loads, first_body: Ints) -> tuple[Ints, Ints, Floats, Floats, Floats, Floats]:
    """Pulls in the order of their plants, as in integrate.Frame. first_body (plants + 1,): the plants' bodies."""
    plants = len(first_body) - 1
    if not len(after.pull_body):
        nothing = np.zeros((0, 5))
        return np.zeros(plants + 1, dtype=np.int64), after.pull_body, after.pull_point, nothing, nothing, nothing
    pulls_after = pull_numbers(after)
    # A point that was not pulled before begins to be at zero strength.
    pulls_before = pulls_after * (1.0, 1.0, 1.0, 0.0, 0.0)
    unmatched = np.full(len(after.pull_body), True)
    for j, numbers in enumerate(pull_numbers(before)):
        same = (after.pull_body == before.pull_body[j]) & (after.pull_point == before.pull_point[j]).all(axis=1)
        match = np.flatnonzero(same & unmatched)[:1]  # several may pull at one point
        pulls_before[match] = numbers
        unmatched[match] = False
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


def has_air(before: Loads, after: Loads) -> bool:
    """Whether there is air at either end of a frame."""
    return before.air_density[0] > 0.0 or after.air_density[0] > 0.0


def driven_plants(
    before: Loads, after: Loads, plant_of_bodies: Ints, panel_body: Ints, plants: int
) -> NDArray[np.bool_]:
    """(plants,) whether loads, wind, a force field or a moving pose can add energy."""
    driven = np.full(plants, len(before.field) > 0 or len(after.field) > 0)
    if before.applied or after.applied:
        acts = [(end.force.any(axis=1) | end.torque.any(axis=1) | (end.twist != 0.0)) for end in (before, after)]
        driven |= np.bincount(plant_of_bodies, acts[0] | acts[1], plants) > 0
    if has_air(before, after):
        blows = before.air.any(axis=1) | after.air.any(axis=1)
        driven |= np.bincount(plant_of_bodies[panel_body], blows, plants) > 0
    if len(before.pose) > 0 or len(after.pose) > 0:
        _, turn = poses_of_frame(before, after)
        driven |= np.bincount(plant_of_bodies, turn.any(axis=1), plants) > 0
    return driven


def field_of_frame(one_end: Loads, other_end: Loads) -> Floats:
    """The force field at one end of a frame: none there, but at the other, is one of zeros."""
    return one_end.field if len(one_end.field) >= len(other_end.field) else np.zeros_like(other_end.field)


def poses_of_frame(before: Loads, after: Loads) -> tuple[Floats, Floats]:
    """The pose of the springs at the beginning, (n, 4), and its turn (n, 3) rad to the end, the shorter way."""
    first, last = pose_of(before), pose_of(after)
    return first, logarithm(multiply(conjugate(first), last))


def pose_of(loads: Loads) -> Floats:
    """(n, 4) quaternions of all joints."""
    if len(loads.pose) == len(loads.twist):
        return loads.pose
    drawn = np.zeros((len(loads.twist), 4))
    drawn[:, 0] = 1.0
    return drawn


def loads_of_bodies(loads: Loads, bodies: slice, panels: slice) -> Loads:
    """What acts on these bodies, of one plant, and on their panels; drawn in their pose."""
    pulled = np.flatnonzero((loads.pull_body >= bodies.start) & (loads.pull_body < bodies.stop))
    return loads._replace(
        force=loads.force[bodies], torque=loads.torque[bodies], twist=loads.twist[bodies], air=loads.air[panels],
        pull_body=loads.pull_body[pulled] - bodies.start, pull_point=loads.pull_point[pulled],
        pull_target=loads.pull_target[pulled], pull_stiffness=loads.pull_stiffness[pulled],
        pull_damping=loads.pull_damping[pulled], field=loads.field[2 * bodies.start : 2 * bodies.stop], pose=AS_DRAWN,
    )  # fmt: skip
