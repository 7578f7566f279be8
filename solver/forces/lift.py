# SPDX-License-Identifier: GPL-3.0-or-later
"""Lift: rods carried by a share of their weight, as those of water plants are that are filled with gas."""

from ..base.arrays import Floats, Ints
from ..base.checks import finite
from ..model.model import Model
from ..world.sample import Sample
from .loads import Loads


def lifted(sample: Sample, loads: Loads, model: Model, plant_of_bodies: Ints) -> Floats | None:
    """(n, 3) N at the bodies' centres of mass, or None. Raises SolverError for what is not a number for every rod."""
    if sample.lift is None:
        return None
    share = finite("lift", sample.lift, (model.rod_count,))[model.body_rod]
    if not share.any():
        return None
    force: Floats = -(share * model.bodies.mass)[:, None] * loads.shared[plant_of_bodies, :3]
    return force
