# SPDX-License-Identifier: GPL-3.0-or-later
"""Beams that are not round: bent about either axis, buckling sideways, swinging and twisting."""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import jv

from solver import DEFAULT_LAYOUT, Model, Sample, Settings, Simulation, discretize, natural_modes, sections
from solver.math.rotations import logarithm, rotate
from solver.model.layouts import RULES
from tests.oracles.models import beam

WEIGHTLESS = Sample(gravity=(0.0, 0.0, 0.0))
#: A flat beam of 1 m: its section; Pa, kg/m3, m of the round one of its size.
FLAT, YOUNG, DENSITY, RADIUS = sections.flat(3.0, 0.5), 1e9, 800.0, 0.004
#: Of a blade on edge, which hardly bends about its strong axis before it buckles, so that theory leaves that out.
BLADE, BLADE_YOUNG, BLADE_RODS = sections.measured(1.0, 1e7, 1.3), 1e9, 40
#: Twice the first zero of the Bessel function of order -1/4: 4.0126.
FIRST_BUCKLING = 2.0 * brentq(lambda x: jv(-0.25, x), 1.5, 2.5)
#: Of what `of_theory` tells, the power of the number of rods with which the error falls, at least. At Hall's
#: places the joints' mean is not a piece's middle: by 0.06 % of its length, with his own shares of twist by 10 %.
ORDERS = {"base": 1, "double_root": 2, "mid": 2, "gauss2": 2, "prbm3r": 1, "prbm3r_hall": 1}
COMPARED = ("weak", "strong", "twist", "buckling")


def bent_tip(section: sections.Section, young: float, layout: str, force: tuple[float, float, float]) -> np.ndarray:
    """Where (m) the tip of a beam of 1 m along x comes to rest under a force (N) on the middle of its last rod."""
    plant = Simulation(discretize(beam(8, section=section, young=young), layout))
    pushed = np.zeros((8, 3))
    pushed[-1] = force
    if not plant.start(Sample(gravity=(0.0, 0.0, 0.0), force=pushed), "settled").balanced:
        raise AssertionError(f"the beam of layout {layout} does not come to rest")
    return plant.rod_tails()[-1]


def buckling(layout: str = DEFAULT_LAYOUT, rods: int = BLADE_RODS) -> tuple[float, float]:
    """N, as found and by P = 4.0126 sqrt(EI_weak GJ) / L^2 (Timoshenko and Gere 1961, Theory of Elastic Stability,
    section 6.3), of a clamped blade on edge with a load at its tip. L is where the load is: see `loaded`."""
    model = discretize(beam(rods, section=BLADE, young=BLADE_YOUNG, density=1.0), layout)

    def stands(load: float) -> float:
        pushed = np.zeros((rods, 3))
        pushed[-1] = (0.0, -load, 0.0)  # along its width
        found = Simulation(model).start(Sample(gravity=(0.0, 0.0, 0.0), force=pushed), "settled")
        return 1.0 if found.stable and not found.fell else -1.0

    weak = BLADE_YOUNG * 0.25 * math.pi * 0.01**4
    wanted = FIRST_BUCKLING * math.sqrt(weak * weak * BLADE.twist / 1.3) / loaded(Simulation(model))[0] ** 2
    return brentq(stands, 0.8 * wanted, 1.2 * wanted, xtol=1e-7 * wanted), wanted


def loaded(plant: Simulation) -> np.ndarray:
    """(3,) m, where the last rod's force acts: the centre of the body that carries its middle."""
    body, placed = plant.model.middle[-1], plant.placed()
    return placed.position[body] + rotate(placed.orientation[body], plant.model.bodies.com[body])


def of_theory(what: str, layout: str, rods: int) -> float:
    """What a flat beam of so many rods is off, as a share: the deflection about its weak or strong axis of where a
    small force acts, F a^3 / 3 EI; the first frequency of its twist (de Saint-Venant); the load at which it buckles."""
    if what == "buckling":
        found, wanted = buckling(layout, rods)
        return found / wanted - 1.0
    model = flat_beam(rods, layout)
    if what == "twist":
        frequency, shape = natural_modes(model, WEIGHTLESS, 8)
        turned = (shape**2).sum(axis=1)
        return float(frequency[(turned[:, 1] / turned.sum(axis=1)).argmax()] / _twists()[0] - 1.0)
    along, bend = (2, FLAT.bend_x) if what == "weak" else (1, FLAT.bend_z)
    plant, pushed, off = Simulation(model), np.zeros((rods, 3)), 1e-5
    pushed[-1, along] = 3.0 * YOUNG * 0.25 * math.pi * RADIUS**4 * bend / loaded(plant)[0] ** 3 * off
    plant.start(Sample(gravity=(0.0, 0.0, 0.0), force=pushed), "settled")
    return float(loaded(plant)[along] / off - 1.0)


def limit(what: str, layout: str) -> float:
    """What of_theory tends to: the compliances of a piece's joints need not add up to its own, as Hall's do not."""
    bend, twist = RULES[layout].bend.sum(), RULES[layout].twist.sum()
    if what in ("weak", "strong"):
        return float(bend - 1.0)
    return float((twist if what == "twist" else bend * twist) ** -0.5 - 1.0)


def flat_beam(rods: int, layout: str = DEFAULT_LAYOUT) -> Model:
    return discretize(beam(rods, radius=RADIUS, young=YOUNG, density=DENSITY, section=FLAT), layout)


def theory() -> np.ndarray:
    """Hz of the first eight modes: bending about both axes (Euler and Bernoulli) and twist (de Saint-Venant)."""
    area, second = math.pi * RADIUS**2, 0.25 * math.pi * RADIUS**4
    bends = [
        root**2 / (2.0 * math.pi) * math.sqrt(YOUNG * second * bend / (DENSITY * area * FLAT.area))
        for bend in (FLAT.bend_x, FLAT.bend_z)
        for root in (1.8751041, 4.6940911, 7.8547574, 10.9955407, 14.1371684)
    ]
    return np.sort(bends + _twists())[:8]


def _twists() -> list[float]:
    second = 0.25 * math.pi * RADIUS**4
    polar = DENSITY * second * (FLAT.second_x + FLAT.second_z)
    return [k / 4.0 * math.sqrt(YOUNG * second / 1.3 * FLAT.twist / polar) for k in (1.0, 3.0)]


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
