# SPDX-License-Identifier: GPL-3.0-or-later
"""A soft cantilever let go from the horizontal."""

import numpy as np

from solver import OK, Sample, Settings, Simulation, discretize
from tests.oracles.models import beam

#: Pa; 1 m long, 1 cm in radius, 923 kg/m3. The softest falls into a hanging rope.
YOUNGS = (1e5, 3e5, 1e6)
REFERENCE = Settings(max_step=1 / 4800)


def swing(internodes: int, young: float, settings: Settings | None = None, fps=24, seconds=1.0):
    """(frames, rods, 3) the rods' tips, and the worst status."""
    plant = Simulation(discretize(beam(internodes, young=young)), settings)
    plant.start(Sample())
    tips, worst = [], OK
    for _ in range(round(seconds * fps)):
        worst = max(worst, plant.advance(Sample(), 1 / fps).status)
        tips.append(plant.rod_tails())
    return np.array(tips), worst


def farthest_off(internodes: int, young: float, fps=24, step: float | None = None) -> float:
    """Largest distance (m, shares of the length) of any rod's tip from the reference in the first second."""
    exact, _ = swing(internodes, young, REFERENCE if step is None else Settings(max_step=step), fps)
    found, worst = swing(internodes, young, None, fps)
    assert worst == OK
    return float(np.linalg.norm(found - exact, axis=2).max())
