# SPDX-License-Identifier: GPL-3.0-or-later
"""A point that slides on what holds it."""

from dataclasses import replace

import numpy as np

from solver import Guide, Rods, Sample, Settings, Simulation, discretize
from tests.oracles.models import ALONG_X

GRAVITY = 9.81


def bead() -> Simulation:
    """A rod that nothing holds, once it is cut off, with all its mass at its base: a point."""
    rods = Rods(
        parent=[-1], head=[[0.0, 0.0, 0.0]], frame=ALONG_X, length=0.01, radius_base=0.002, radius_tip=0.002,
        young=1e6, density=1000.0, mass=0.1, com=[[0.0, 0.0, 0.0]], inertia=[[1e-6, 1e-6, 1e-6]],
        stiffness=[[1.0, 1.0, 1.0]],
    )  # fmt: skip
    return Simulation(discretize(rods, "base"), Settings(max_step=1.0 / 240.0))


def slide(held: Guide, start: np.ndarray, times: int, step: float) -> np.ndarray:
    """(times + 1, 3) m: where a bead is that such a guide holds, while it slides from its start."""
    point, place = bead(), np.array(start)
    guides = [replace(held, rod=0, along=0.0)]
    world = Sample(base_position=place, gravity=(0.0, 0.0, -GRAVITY), cut=[1.0], guides=guides)
    point.start(world)
    places = [place]
    for _ in range(times):
        point.advance(world, step)
        places.append(point.rod_heads()[0])
    return np.array(places)
