# SPDX-License-Identifier: GPL-3.0-or-later
"""A stiff plate that turns on springs in steady wind: the speeds at which it does not stay where it is, as they are
found from its motion and from a linear analysis of the law of its force by hand.

The rod lies along x with its blade level and turns about its end: a flap moves the plate across itself, a twist turns
it about the rod. The air's force is along the normal, k = density / 2 lift area times speed and incidence, and acts on
points of the rod, a quarter of the chord towards the wind. With f and t for flap and twist, g = (place along the rod,
chord / 4) and U along the chord, there is M (f, t)'' + k U g g^T (f, t)' + diag(K_f, K_t) (f, t) - k U^2 t g = 0.
"""

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq

from solver import AIR_DENSITY, Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import exponential, logarithm, multiply, rotate
from tests.oracles.models import ALONG_X, beam

LENGTH, AREA, LIFT, ALONG, DRAG, STALL = 0.1, 0.004, 3.0, 0.4, 1.17, 0.4
CHORD, MIDDLE = AREA / LENGTH, 0.5 * LENGTH
STILL = {"gravity": (0.0, 0.0, 0.0)}
MASS, STALK = 0.002, 0.01
_BLADE: dict[str, Any] = {
    "inertia": [(1e-5, 2e-6, 1e-5)], "drag_across": 0.0, "drag_along": 0.0, "blade_area": AREA,
    "blade_drag_along": 0.0, "blade_lift": LIFT, "blade_lift_along": ALONG,
}  # fmt: skip


def plate(twist: float, flap: float = 1e3, shift: float = 0.0, rigidity: float = 0.0) -> Simulation:
    """With springs against twist and flap (N m/rad), a centre of pressure that moves so far, and a rigidity (N m)
    against being rolled up."""
    rods = beam(
        1, LENGTH, 0.001, mass=MASS, com=[(0.0, MIDDLE, 0.0)], stiffness=[(flap, twist, 1e3)], blade_shift=shift,
        blade_rigidity=rigidity, **_BLADE,
    )  # fmt: skip
    return Simulation(discretize(rods, "base"), Settings(max_step=1e-3))


def _ballasted(twist: float, flap: float, ballast: float, behind: float) -> Simulation:
    """A plate that carries kg so far (m) behind the middle of its middle line."""
    blade = {**_BLADE, "blade_area": [AREA, 0.0], "inertia": [*_BLADE["inertia"], (1e-9, 1e-9, 1e-9)]}
    rods = Rods(
        parent=[-1, 0], head=[(0.0, 0.0, 0.0), (MIDDLE, -behind, 0.0)], frame=ALONG_X, length=[LENGTH, 0.01],
        radius_base=0.001, radius_tip=0.001, young=1e9, density=1e3,
        mass=[MASS, ballast], com=[(0.0, MIDDLE, 0.0), (0.0, 0.0, 0.0)],
        stiffness=[(flap, twist, 1e3), (1e3, 1e3, 1e3)], **blade,
    )  # fmt: skip
    return Simulation(discretize(rods, "base"), Settings(max_step=1e-3))


def _on_stalk(spring: float, damping_time: float, incidence: float, lift: float) -> Simulation:
    """A plate along x, turned so far (rad) about it, on a stalk that turns about y alone, against a damped spring."""
    turned = multiply(ALONG_X, exponential(np.array([0.0, incidence, 0.0])))
    light = (1e-9, 1e-9, 1e-9)
    blade = {**_BLADE, "blade_area": [0.0, AREA], "inertia": [light, *_BLADE["inertia"]], "blade_lift": lift}
    rods = Rods(
        parent=[-1, 0], head=[(0.0, 0.0, 0.0), (STALK, 0.0, 0.0)], frame=[ALONG_X, turned], length=[STALK, LENGTH],
        radius_base=0.001, radius_tip=0.001, young=1e9, density=1e3,
        mass=[1e-6, MASS], com=[(0.0, 0.0, 0.0), (0.0, MIDDLE, 0.0)],
        stiffness=[(spring, 1e3, 1e3), (1e3, 1e3, 1e3)], damping_time=[damping_time, 0.0], **blade,
    )  # fmt: skip
    return Simulation(discretize(rods, "base"), Settings(max_step=1e-3))


def chord_of(plant: Simulation) -> np.ndarray:
    """The chord's direction as drawn, in world axes; the rod's is x."""
    return rotate(plant.model.bodies.rest[0], np.array([1.0, 0.0, 0.0]))


def divergence() -> tuple[float, float]:
    """m/s at which a plate turns across the wind along its chord, as found and by k U chord / 4 = K_t."""
    twist = 2e-4
    wanted = math.sqrt(twist / (0.5 * AIR_DENSITY * LIFT * AREA * 0.25 * CHORD))

    def stands(speed: float) -> float:
        plant = plate(twist)
        found = plant.start(Sample(**STILL, wind=speed * chord_of(plant)), "settled")
        return 1.0 if found.stable and not found.fell else -1.0

    return brentq(stands, 0.5 * wanted, 2.0 * wanted, xtol=1e-3 * wanted), wanted


def growth(plant: Simulation, wind: np.ndarray, start: np.ndarray, seconds: float) -> float:
    """1/s at which a swing about where the plate rests in the wind grows, that starts with this turn (3,) rad."""
    plant.start(Sample(**STILL, wind=wind), "settled")
    rest = logarithm(plant.state.q)
    plant.start(Sample(**STILL, wind=wind), initial=rest + start)
    off = []
    for _ in range(round(240 * seconds)):
        plant.advance(Sample(**STILL, wind=wind), 1 / 240)
        off.append(logarithm(plant.state.q)[0] - rest[0])
    size = np.linalg.norm(np.array(off), axis=1).reshape(8, -1).max(axis=1)
    return float(np.polyfit(np.arange(8) * seconds / 8.0, np.log(size), 1)[0])


def flutter() -> tuple[float, float]:
    """m/s from which flap and twist feed each other, of a plate with a weight behind its middle line, as found and
    where an eigenvalue of the linear equations comes to have no damping."""
    flap, twist, ballast, behind = 0.02, 8e-3, 0.002, 0.4 * CHORD
    arm = np.array([MIDDLE, -behind])
    M = ballast * np.outer(arm, arm) + np.diag(_BLADE["inertia"][0][:2])
    lowers, raises = np.zeros((2, 2)), np.zeros((2, 2))
    for share in (0.5 - 12.0**-0.5, 0.5 + 12.0**-0.5):  # air is taken at two points of Gauss
        g = np.array([share * LENGTH, 0.25 * CHORD])
        lowers += 0.5 * np.outer(g, g)
        raises += 0.5 * np.outer(g, [0.0, 1.0])

    def fastest(speed: float) -> float:
        k = 0.5 * AIR_DENSITY * LIFT * AREA * speed
        K = np.diag([flap, twist]) - k * speed * raises
        rates = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -k * np.linalg.solve(M, lowers)]])
        return float(np.linalg.eigvals(rates).real.max())

    def grows(speed: float) -> float:
        plant = _ballasted(twist, flap, ballast, behind)
        return growth(plant, speed * chord_of(plant), np.array([1e-4, 1e-4, 0.0]), 4.0)

    wanted = brentq(fastest, 0.5, 30.0)
    return brentq(grows, 0.7 * wanted, 1.3 * wanted, xtol=1e-3 * wanted), wanted


def normal_force(incidence: float, lift: float) -> float:
    """Of a plate that air meets at an angle (rad) along its chord, over density / 2 area speed^2."""
    across, along = math.sin(incidence), math.cos(incidence)
    return DRAG * across**2 + lift * across * along**3 / (along**2 + (across / STALL) ** 2)


def galloping() -> tuple[float, float]:
    """m/s from which a stalled plate on a damped spring across the wind does not stay, as found and by Den Hartog: what
    its force across the wind loses as it meets the air more steeply is more than the spring's damping."""
    lift, incidence, spring, damping_time = 6.0, 0.5, 0.2, 1e-4
    step = 1e-5
    slope = (normal_force(incidence + step, lift) - normal_force(incidence - step, lift)) / (2.0 * step)
    arms = STALK + LENGTH * np.array([0.5 - 12.0**-0.5, 0.5 + 12.0**-0.5])
    wanted = -damping_time * spring / (0.5 * AIR_DENSITY * AREA * slope * math.cos(incidence) * (arms**2).mean())

    def grows(speed: float) -> float:
        plant = _on_stalk(spring, damping_time, incidence, lift)
        return growth(plant, speed * np.array([0.0, -1.0, 0.0]), np.array([1e-4, 0.0, 0.0]), 2.0)

    return brentq(grows, 0.6 * wanted, 1.5 * wanted, xtol=1e-3 * wanted), wanted
