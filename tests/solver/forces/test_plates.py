# SPDX-License-Identifier: GPL-3.0-or-later
"""Blades that lift: the law beside hand-derived cases, and that still air only takes energy."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from solver import AIR_DENSITY, Sample, Simulation, discretize, sections
from solver.math.rotations import logarithm
from tests.oracles.energies import energy_of
from tests.oracles.models import random_rods
from tests.oracles.runs.in_air import plate_in_wind
from tests.oracles.runs.in_air.plate_in_wind import ALONG, AREA, CHORD, DRAG, LENGTH, LIFT, STILL, chord_of, plate


@pytest.mark.parametrize(("found", "within"), [
    (plate_in_wind.divergence, 5e-3), (plate_in_wind.flutter, 1e-2), (plate_in_wind.galloping, 1e-2),
])  # fmt: skip
def test_a_plate_on_springs_leaves_its_place_at_the_speed_of_the_linear_analysis(found, within) -> None:
    speed, wanted = found()
    print(f"{speed:.4f} m/s, wanted {wanted:.4f}")
    assert speed == pytest.approx(wanted, rel=within)


def test_where_a_plate_comes_to_rest_beyond() -> None:
    """K a = density / 2 lift area chord / 4 U^2 cos(a) sin(a), of which stall leaves 1 / (1 + (tan(a) / 0.4)^2)."""
    twist, speed = 1e-4, 6.0
    plant = plate(twist)
    wind = speed * chord_of(plant)
    start = np.array([[0.0, 0.3, 0.0]])
    plant.start(Sample(**STILL, wind=wind), "settled", initial=start)
    k = 0.5 * AIR_DENSITY * LIFT * AREA * 0.25 * CHORD * speed**2
    wanted = brentq(lambda a: twist * a - k * math.cos(a) * math.sin(a) / (1.0 + (math.tan(a) / 0.4) ** 2), 0.05, 1.5)
    assert abs(logarithm(plant.state.q)[0, 1]) == pytest.approx(wanted, rel=1e-5)  # the rod itself gives a little


@pytest.mark.parametrize("along", [0.0, 0.3, 0.8, 1.2, 1.5])
def test_air_along_the_rod_lifts_less(along: float) -> None:
    """K b = lever density / 2 area (lift + drag), of air that meets the plate at a small angle, along the rod by so
    much (rad): told by the bend of the rod's joint, whose spring is next to rigid."""
    plant = plate(1e3)
    middle, meets, speed = 0.5 * LENGTH, 0.05, 3.0
    chord, normal = chord_of(plant), np.array([0.0, 0.0, 1.0])
    rod = np.cross(normal, chord)
    flow = math.cos(along) * chord + math.sin(along) * rod
    plant.start(Sample(**STILL, wind=speed * (math.cos(meets) * flow + math.sin(meets) * normal)), "settled")
    lift = LIFT * math.cos(along) ** 2 + ALONG * math.sin(along) ** 2
    lift /= 1.0 + (math.tan(meets) / 0.4) ** 2
    force = 0.5 * AIR_DENSITY * AREA * speed**2 * (lift * math.cos(meets) + DRAG * math.sin(meets)) * math.sin(meets)
    assert np.linalg.norm(logarithm(plant.state.q)[0, [0, 2]]) * 1e3 == pytest.approx(force * middle, rel=2e-3)


def test_a_plate_that_spins_in_still_air_slows_down_as_its_points_do() -> None:
    """I w' = - density / 96 C area chord^3 w^2, by the turn alone."""
    plant = plate(0.0)
    plant.start(Sample(**STILL, wind=np.zeros(3)))
    beginning = plant.snapshot()
    beginning.state.u[0, 1] = 40.0
    beginning.state.energy_bound[:] = np.inf
    plant.restore(beginning)
    resists = AIR_DENSITY * DRAG * AREA * CHORD**2 / 24.0 * 0.25 * CHORD
    wanted = solve_ivp(lambda _, w: -resists * w * abs(w) / 2e-6, (0.0, 4.0), [40.0], rtol=1e-9, atol=1e-12).y[0, -1]
    for _ in range(96):
        plant.advance(Sample(**STILL, wind=np.zeros(3)), 4.0 / 96)
    assert wanted < 35.0
    assert plant.state.u[0, 1] == pytest.approx(wanted, rel=2e-3)


@pytest.mark.parametrize("seed", range(6))
def test_still_air_only_takes_energy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 10
    rods = random_rods(
        rng, n, young=3e7, blade_area=rng.uniform(0.0, 0.01, n), blade_lift=rng.uniform(0.0, 6.0, n),
        blade_lift_along=rng.uniform(0.0, 2.0, n), section=sections.flat(2.0, 0.5),
        blade_air_mass=rng.uniform(0.0, 0.8, n),
    )  # fmt: skip
    plant = Simulation(discretize(rods, "double_root"))
    still = Sample(**STILL, wind=np.zeros(3))
    plant.start(still, initial=0.3 * rng.normal(size=(n, 3)))
    held = energy_of(plant, still.gravity, AIR_DENSITY).total
    for _ in range(48):
        plant.advance(still, 1 / 24)
        energy = energy_of(plant, still.gravity, AIR_DENSITY).total
        assert energy <= held * (1.0 + 1e-6)
        held = energy
