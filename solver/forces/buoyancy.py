# SPDX-License-Identifier: GPL-3.0-or-later
"""Buoyancy: air or water carries a rod by the weight of as much of it as the rod's volume."""

from ..base.arrays import Floats, Ints
from ..base.checks import truth
from ..model.model import Model
from ..world.sample import Sample
from .loads import AIR_DENSITY, Loads


def carried_by_air(sample: Sample, loads: Loads, model: Model, plant_of_bodies: Ints) -> Floats | None:
    """(n, 3) N at the bodies' centres of mass, or None. Raises SolverError for what is not True or False."""
    shared = loads.shared[plant_of_bodies] if truth("buoyancy", sample.buoyancy) else None
    if shared is None or not shared[:, AIR_DENSITY].any():
        return None
    force: Floats = -shared[:, AIR_DENSITY:] * model.body_volume[:, None] * shared[:, :3]
    return force
