# SPDX-License-Identifier: GPL-3.0-or-later
"""Blades that wind rolls up: they face it with 1 / sqrt(1 + (v / U)^2) of their width, beside closed forms."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from solver import AIR_DENSITY, Sample, Simulation, SolverError, discretize
from solver.math.rotations import logarithm
from tests.oracles.models import ALONG_X, beam
from tests.oracles.runs.in_air.plate_in_wind import AREA, CHORD, DRAG, LENGTH, LIFT, MIDDLE, STILL, chord_of, plate

UP = np.array([0.0, 0.0, 1.0])
RIGIDITY = 1e-5

#: m/s of wind that would bend half the blade, held at its midrib, by as much as it is wide.
ROLL_SPEED = math.sqrt(16.0 * RIGIDITY / (AIR_DENSITY * DRAG * (0.5 * CHORD) ** 3))


def faces(speed: float) -> float:
    return 1.0 / math.sqrt(1.0 + (speed / ROLL_SPEED) ** 2)


@pytest.mark.parametrize("speed", [0.5, 4.0, 30.0])
def test_drag_grows_with_the_speed_where_it_grew_with_its_square(speed: float) -> None:
    """Wind flat on a plate that is held: density / 2 C area v^2 of it acts on its middle."""
    held = plate(1e3, rigidity=RIGIDITY)
    held.start(Sample(**STILL, wind=speed * UP), "settled")
    wanted = 0.5 * AIR_DENSITY * DRAG * AREA * faces(speed) * speed**2 * MIDDLE
    assert held.bending_moments()[0] == pytest.approx(wanted, rel=1e-4)


def moment(incidence: float, speed: float) -> float:
    """N m about the middle of a plate that air meets at an angle (rad): area and lever are both as much less."""
    sine, cosine = math.sin(incidence), math.cos(incidence)
    lifted = 0.25 * LIFT * cosine * sine / (1.0 + (math.tan(incidence) / 0.4) ** 2)
    pressed = DRAG * sine**2 * 0.75 * cosine / (4.0 + math.pi * sine)
    return 0.5 * AIR_DENSITY * AREA * CHORD * (faces(speed) * speed) ** 2 * (lifted + pressed)


@pytest.mark.parametrize("speed", [3.0, 8.0])
def test_it_is_turned_by_as_much_less_again(speed: float) -> None:
    twist = 2e-4
    turning = plate(twist, shift=1.0, rigidity=RIGIDITY)
    blown = Sample(**STILL, wind=speed * (math.cos(0.6) * chord_of(turning) + math.sin(0.6) * UP))
    turning.start(blown, "settled")
    wanted = brentq(lambda a: twist * a - moment(0.6 + a, speed), 0.0, 0.5 * math.pi - 0.6)
    assert abs(logarithm(turning.state.q)[0, 1]) == pytest.approx(wanted, rel=1e-5)
    for _ in range(12):
        turning.advance(blown, 1 / 24)
    assert abs(logarithm(turning.state.q)[0, 1]) == pytest.approx(wanted, rel=1e-5), "it stays there in motion too"


def test_it_moves_through_still_air_as_it_stands_in_wind() -> None:
    """I w' = -density / 2 C area / 2 sum of y (w y)^2 with what faces there, at the two points of Gauss."""
    flapping = plate(1e3, flap=0.0, rigidity=RIGIDITY)
    begins, time, inertia = 60.0, 0.5, 1e-5
    still = Sample(**STILL, wind=np.zeros(3))
    flapping.start(still)
    beginning = flapping.snapshot()
    beginning.state.u[0, 0] = begins
    beginning.state.energy_bound[:] = np.inf
    flapping.restore(beginning)
    at = LENGTH * (0.5 + np.array([-0.5, 0.5]) / math.sqrt(3.0))

    def slows(_: float, w: np.ndarray) -> np.ndarray:
        speeds = w[0] * at
        share = 1.0 / np.sqrt(1.0 + (speeds / ROLL_SPEED) ** 2)
        return np.array([-0.25 * AIR_DENSITY * DRAG * AREA * (share * speeds**2 * at).sum() / inertia])

    wanted = solve_ivp(slows, (0.0, time), [begins], rtol=1e-10).y[0, -1]
    for _ in range(480):
        flapping.advance(still, time / 480)
    assert wanted < 0.7 * begins
    assert abs(flapping.state.u[0, 0]) == pytest.approx(wanted, rel=2e-3)


@pytest.mark.parametrize(("stretch", "thickness"), [(1.0, 2.0), (1.0, 0.5), (2.0, 1.0), (2.0, 2.0)])
def test_a_stretched_blade_is_as_one_that_is_so_large(stretch: float, thickness: float) -> None:
    """Its rigidity goes with the third power of what it is thicker, at rest and in motion."""

    def leaf(**given: float) -> Simulation:
        return Simulation(discretize(beam(1, frame=ALONG_X, young=1e8, density=900.0, damping_time=0.05, **given)))

    blown = Sample(**STILL, wind=15.0 * UP)
    drawn = leaf(length=0.1, radius=0.002, blade_area=0.006, blade_rigidity=1e-4)
    grown = leaf(
        length=0.1 * stretch, radius=0.002 * thickness, blade_area=0.006 * stretch * thickness,
        blade_rigidity=1e-4 * thickness**3,
    )  # fmt: skip
    longer = replace(blown, stretch=[stretch], thickness=[thickness])
    drawn.start(longer, "settled")
    grown.start(blown, "settled")
    assert drawn.bending_moments()[0] == pytest.approx(grown.bending_moments()[0], rel=1e-6)
    settled = drawn.bending_moments()[0]
    for _ in range(48):
        drawn.advance(longer, 1 / 24)
    assert drawn.bending_moments()[0] == pytest.approx(settled, rel=1e-3)


def test_in_water_it_rolls_up_as_in_wind_of_the_same_pressure() -> None:
    found = []
    for density, speed in ((AIR_DENSITY, 8.0), (1000.0, 8.0 * math.sqrt(AIR_DENSITY / 1000.0))):
        held = plate(1e3, rigidity=RIGIDITY)
        held.start(Sample(**STILL, wind=speed * UP, air_density=density), "settled")
        found.append(held.bending_moments()[0])
    assert found[1] == pytest.approx(found[0], rel=1e-12)


def test_a_rigidity_below_zero_is_refused() -> None:
    with pytest.raises(SolverError, match="blade rigidity"):
        beam(2, blade_rigidity=-1.0)
