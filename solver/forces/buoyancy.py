# SPDX-License-Identifier: GPL-3.0-or-later
"""Buoyancy: air or water carries a rod by the weight of as much of it as the rod's volume."""

from ..base.arrays import Ints
from ..model.model import Model
from .loads import AIR_DENSITY, Loads


def carried_by_air(loads: Loads, model: Model, plant_of_bodies: Ints) -> Loads:
    """The loads with what carries the bodies (n,) of these plants, at their centres of mass."""
    shared = loads.shared[plant_of_bodies]
    applied = loads.applied.copy()
    applied[:, :3] -= shared[:, AIR_DENSITY:] * model.body_volume[:, None] * shared[:, :3]
    return loads._replace(applied=applied)
