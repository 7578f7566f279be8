# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads at both ends of a frame, brought together, and those of one plant of several."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Floats, Floats2, Ints
from ..math.rotations import conjugate, logarithm, multiply
from .loads import AS_DRAWN, Loads


class LoadInterval(NamedTuple):
    """What acts on bodies and panels at both ends of a frame: force, torque and twist (n, 7), the air (p, 3); and the
    pose of joints (n, 4) at its beginning with its turn (n, 3) rad to its end. Of none (0, k)."""

    applied_before: Floats2
    applied_after: Floats2
    air_before: Floats2
    air_after: Floats2
    pose: Floats2
    turn: Floats2


_NOTHING = LoadInterval(*(np.zeros((0, k)) for k in (7, 7, 3, 3, 4, 3)))


def load_interval(before: Loads, after: Loads, posed: bool) -> LoadInterval:
    """Bring both ends together. posed: whether joints have, or have had, another pose than as drawn."""
    interval = _NOTHING
    if before.applied or after.applied:
        interval = interval._replace(applied_before=before.applied_to_bodies(), applied_after=after.applied_to_bodies())
    if before.air_density.any() or after.air_density.any():
        interval = interval._replace(air_before=before.air, air_after=after.air)
    if posed:
        first, last = pose_of(before), pose_of(after)
        interval = interval._replace(pose=first, turn=logarithm(multiply(conjugate(first), last)))
    return interval


def driven_plants(
    interval: LoadInterval, before: Loads, after: Loads, plant_of_bodies: Ints, plant_of_panels: Ints, plants: int
) -> NDArray[np.bool_]:
    """(plants,) whether loads, wind, a force field or a moving pose can add energy."""
    driven = np.full(plants, len(before.field) > 0 or len(after.field) > 0)
    for plant, ends in (
        (plant_of_bodies, interval[:2]), (plant_of_panels, interval[2:4]), (plant_of_bodies, interval[5:]),
    ):  # fmt: skip
        if len(ends[0]) == 0:
            continue
        if plants == 1:
            driven |= any(bool(end.any()) for end in ends)
        else:
            acts = np.logical_or.reduce([end.any(axis=1) for end in ends])
            driven |= np.bincount(plant, acts, plants) > 0
    return driven


def field_of_frame(one_end: Loads, other_end: Loads) -> Floats:
    """The force field at one end of a frame: none there, but at the other, is one of zeros."""
    return one_end.field if len(one_end.field) >= len(other_end.field) else np.zeros_like(other_end.field)


def pose_of(loads: Loads) -> Floats:
    """(n, 4) quaternions of all joints."""
    if len(loads.pose) == len(loads.twist):
        return loads.pose
    drawn = np.zeros((len(loads.twist), 4))
    drawn[:, 0] = 1.0
    return drawn


def loads_of_bodies(loads: Loads, bodies: slice, panels: slice, plant: int) -> Loads:
    """What acts on these bodies, of one plant, and on their panels; drawn in their pose."""
    own = plant if len(loads.stiffness_scale) > 1 else 0
    pulled = np.flatnonzero((loads.pull_body >= bodies.start) & (loads.pull_body < bodies.stop))
    return loads._replace(
        gravity=loads.gravity.reshape(-1, 3)[own], stiffness_scale=loads.stiffness_scale[own : own + 1],
        air_density=loads.air_density[own : own + 1] if len(loads.air_density) > 1 else loads.air_density,
        force=loads.force[bodies], torque=loads.torque[bodies], twist=loads.twist[bodies], air=loads.air[panels],
        pull_body=loads.pull_body[pulled] - bodies.start, pull_point=loads.pull_point[pulled],
        pull_target=loads.pull_target[pulled], pull_stiffness=loads.pull_stiffness[pulled],
        pull_damping=loads.pull_damping[pulled], field=loads.field[2 * bodies.start : 2 * bodies.stop], pose=AS_DRAWN,
    )  # fmt: skip
