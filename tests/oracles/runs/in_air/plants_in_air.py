# SPDX-License-Identifier: GPL-3.0-or-later
"""A leafy tree in strong gusts, and a rod as dense as the fluid it is in."""

import numpy as np

from solver import GustyWind, Sample, Simulation, discretize
from tests.oracles.models import beam, random_rods
from tests.oracles.runs.in_air.sticks_in_air import NO_GRAVITY


def gust_plant():
    """A tree of 50 rods and 100 bodies."""
    return discretize(random_rods(np.random.default_rng(9), 50, young=2e9, damping_time=0.002, blade_area=1e-3))


def in_gusts(model, seconds=4.0, settings=None):
    """(frames, m, 3) the rods' tips at 24 frames a second in gusts about 30 m/s, and the frames' statuses."""
    plant = Simulation(model, settings)
    wind = GustyWind((30.0, 0.0, 0.0), turbulence_intensity=0.3, length_scale=10.0, seed=2)
    plant.start(Sample(wind=wind), "settled")
    tips, statuses = [], []
    for _ in range(round(seconds * 24)):
        statuses.append(plant.advance(Sample(wind=wind), 1 / 24).status)
        tips.append(plant.rod_tails())
    return np.array(tips), np.array(statuses)


def sag_afloat(internodes: int, layout: str) -> float:
    """Sag of a soft level rod of water's density in water over that of its weight, settled and after 2 s."""
    model = discretize(beam(internodes, young=1e8, density=1000.0), layout)
    water = Sample(wind=NO_GRAVITY, air_density=1000.0, buoyancy=True)
    dry, afloat = Simulation(model), Simulation(model)
    dry.start(Sample(), "settled")
    most = 0.0
    for mode in ("settled", "drawn"):
        afloat.start(water, mode)
        for _ in range(48):
            afloat.advance(water, 1 / 24)
        most = max(most, float(np.abs(afloat.rod_tails()[:, 2]).max()))
    return most / -float(dry.rod_tails()[-1, 2])
