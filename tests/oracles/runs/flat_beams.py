# SPDX-License-Identifier: GPL-3.0-or-later
"""Beams that are not round: bent about either axis, buckling sideways, swinging and twisting."""

import math

import numpy as np
from scipy.optimize import brentq

from solver import Model, Sample, Settings, Simulation, discretize, natural_modes, sections
from solver.math.rotations import logarithm
from tests.oracles.models import beam

WEIGHTLESS = Sample(gravity=(0.0, 0.0, 0.0))
#: A flat beam of 1 m: its section; Pa, kg/m3, m of the round one of its size.
FLAT, YOUNG, DENSITY, RADIUS = sections.flat(3.0, 0.5), 1e9, 800.0, 0.004
#: Of a blade on edge, which hardly bends about its strong axis before it buckles.
BLADE, BLADE_YOUNG, BLADE_RODS = sections.measured(1.0, 1e5, 1.3), 1e9, 40


def bent_tip(section: sections.Section, young: float, layout: str, force: tuple[float, float, float]) -> np.ndarray:
    """Where (m) the tip of a beam of 1 m along x comes to rest under a force (N) on the middle of its last rod."""
    plant = Simulation(discretize(beam(8, section=section, young=young), layout))
    pushed = np.zeros((8, 3))
    pushed[-1] = force
    if not plant.start(Sample(gravity=(0.0, 0.0, 0.0), force=pushed), "settled").balanced:
        raise AssertionError(f"the beam of layout {layout} does not come to rest")
    return plant.rod_tails()[-1]


def buckling_load() -> tuple[float, float]:
    """N, as found and by P = 4.013 sqrt(EI_weak GJ) / L^2 (Timoshenko and Gere 1961, Theory of Elastic Stability,
    section 6.3), of a clamped blade on edge with a load at its tip."""

    def stands(load: float) -> float:
        pushed = np.zeros((BLADE_RODS, 3))
        pushed[-1] = (0.0, -load, 0.0)  # along its width
        plant = Simulation(discretize(beam(BLADE_RODS, section=BLADE, young=BLADE_YOUNG, density=1.0)))
        found = plant.start(Sample(gravity=(0.0, 0.0, 0.0), force=pushed), "settled")
        return 1.0 if found.stable and not found.fell else -1.0

    weak = BLADE_YOUNG * 0.25 * math.pi * 0.01**4
    length = 1.0 - 0.5 / BLADE_RODS  # forces are on rods' middles
    wanted = 4.013 * math.sqrt(weak * weak * BLADE.twist / 1.3) / length**2
    return brentq(stands, 0.9 * wanted, 1.1 * wanted, xtol=1e-4 * wanted), wanted


def flat_beam(rods: int) -> Model:
    return discretize(beam(rods, radius=RADIUS, young=YOUNG, density=DENSITY, section=FLAT))


def theory() -> np.ndarray:
    """Hz of the first eight modes: bending about both axes (Euler and Bernoulli) and twist (de Saint-Venant)."""
    area, second = math.pi * RADIUS**2, 0.25 * math.pi * RADIUS**4
    bends = [
        root**2 / (2.0 * math.pi) * math.sqrt(YOUNG * second * bend / (DENSITY * area * FLAT.area))
        for bend in (FLAT.bend_x, FLAT.bend_z)
        for root in (1.8751041, 4.6940911, 7.8547574, 10.9955407, 14.1371684)
    ]
    polar = DENSITY * second * (FLAT.second_x + FLAT.second_z)
    twists = [k / 4.0 * math.sqrt(YOUNG * second / 1.3 * FLAT.twist / polar) for k in (1.0, 3.0)]
    return np.sort(bends + twists)[:8]


def swinging(mode: int) -> float:
    """Hz of a beam of 20 rods let go in the shape of a mode, from the times at which it goes through its middle."""
    model = flat_beam(20)
    shape = natural_modes(model, WEIGHTLESS, 8).shape[mode]
    step = 1.0 / 50.0 / theory()[mode]
    plant = Simulation(model, Settings(max_step=step))
    plant.start(WEIGHTLESS, initial=1e-3 / np.abs(shape).max() * shape)
    swings = []
    for _ in range(120):
        swings.append(float((logarithm(plant.state.q) * shape).sum()))
        plant.advance(WEIGHTLESS, step)
    places = np.array(swings)
    falls = np.flatnonzero((places[:-1] > 0.0) & (places[1:] <= 0.0))
    times = falls + places[falls] / (places[falls] - places[falls + 1])
    return float(1.0 / (np.diff(times).mean() * step))
