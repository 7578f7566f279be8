# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants let go with steps of fixed length, none halved."""

import numpy as np

from solver import LIMITED, Model, Rods, Sample, Settings, Simulation
from tests.oracles.energies import energy_of
from tests.oracles.models import binary_tree
from tests.oracles.motions import standing_radius

STEPS = (1 / 24, 1 / 60, 1 / 240)
DAMPING_TIMES = (0.0, 0.002, 0.02)
CANTILEVERS = (10, 25, 100, 250, 500)
#: Internodes per branch, orders, Young's modulus (Pa) of standing trees, E I / (W H^2) = 1/4.
TREES = {45: (3, 4, 1e8), 155: (5, 5, 1e8), 504: (8, 6, 5e9), 1524: (12, 7, 5e9)}


def standing(bodies: int, damping_time: float) -> Rods:
    internodes, orders, young = TREES[bodies]
    radius = standing_radius(internodes, orders, young)
    return binary_tree(internodes, orders, radius=radius, young=young, damping_time=damping_time)


def let_go(model: Model, step: float, seconds: float) -> tuple[float, float, bool]:
    """Released as drawn under its weight: largest gain of energy over that exchanged, share of frames in which
    something turned too far for the step and was slowed down, whether all stayed finite."""
    plant = Simulation(model, Settings(max_step=step, halvings=0, tolerance=np.inf))
    plant.start(Sample())
    start, gain, lowest, limited, finite = energy_of(plant), 0.0, np.inf, 0, True
    frames = round(12 * seconds)
    for _ in range(frames):
        limited += plant.advance(Sample(), 1 / 12).status >= LIMITED
        energy = energy_of(plant)
        gain, lowest = max(gain, energy.total - start.total), min(lowest, energy.weight)
        finite &= bool(np.isfinite(plant.rod_tails()).all())
    return gain / (start.weight - lowest), limited / frames, finite
