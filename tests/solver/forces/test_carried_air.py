# SPDX-License-Identifier: GPL-3.0-or-later
"""Air that plates carry with them: closed forms of what it weighs, energy, and that only relative motion counts."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver import Sample, Settings, Simulation, discretize, sections
from solver.math.rotations import logarithm
from tests.oracles.energies import energy_of
from tests.oracles.models import beam, random_rods

LENGTH, AREA, CARRIES, DENSITY = 0.1, 0.004, 0.7, 40.0
CHORD = AREA / LENGTH
MASS = CARRIES * DENSITY * AREA * CHORD  # kg, of air
INERTIA = (4e-5, 2e-6, 5e-5)  # kg m2
ONLY_CARRIED = {"drag_across": 0.0, "drag_along": 0.0, "blade_drag_normal": 0.0, "blade_drag_along": 0.0}


def in_air(wind=(0.0, 0.0, 0.0), gravity=(0.0, 0.0, 0.0), **other) -> Sample:
    return Sample(gravity=gravity, wind=np.array(wind), air_density=DENSITY, **other)


def plate(stiffness) -> Simulation:
    """A rod along x with a level blade that only carries air; N m/rad."""
    rods = beam(
        1, LENGTH, 0.001, mass=0.002, com=[(0.0, 0.5 * LENGTH, 0.0)], inertia=[INERTIA], stiffness=[stiffness],
        blade_area=AREA, blade_air_mass=CARRIES, **ONLY_CARRIED,
    )  # fmt: skip
    return Simulation(discretize(rods, "base"), Settings(max_step=2e-4, tolerance=1e-9))


@pytest.mark.parametrize(
    ("axis", "carried"), [(0, MASS * LENGTH**2 / 3.0), (1, MASS * CHORD**2 / 32.0), (2, 0.0)],
    ids=["up and down", "about itself", "edge on"],
)  # fmt: skip
def test_a_plate_swings_as_if_it_was_heavier(axis, carried) -> None:
    """After five and a quarter periods of sqrt(stiffness / (inertia + carried)) it passes its rest."""
    twist = 2e-3
    plant = plate((twist, twist, twist))
    angle = np.zeros((1, 3))
    angle[0, axis] = 0.02
    plant.start(in_air(), initial=angle)
    period = 2.0 * math.pi * math.sqrt((INERTIA[axis] + carried) / twist)
    before = 0.0
    for _ in range(21):
        before = logarithm(plant.state.q)[0, axis]
        plant.advance(in_air(), 0.25 * period)
    assert abs(before) == pytest.approx(0.02, rel=0.01)
    assert abs(logarithm(plant.state.q)[0, axis]) < 0.005 * 2.0 * math.pi * 5.25 * 0.02


def test_air_that_gains_speed_pushes_a_plate() -> None:
    """Angle = a t^2 / 2 with (I + m L^2 / 3) a = m L / 2 times what the air gains in a second."""
    plant, gains, time = plate((1e-9, 1e-3, 1e-3)), 0.5, 0.1
    plant.start(in_air())
    plant.advance(in_air((0.0, 0.0, gains * time)), time)
    turns = 0.5 * MASS * LENGTH * gains / (INERTIA[0] + MASS * LENGTH**2 / 3.0)
    assert logarithm(plant.state.q)[0, 0] == pytest.approx(0.5 * turns * time**2, rel=2e-3)


@pytest.mark.parametrize("speed", [1.5, -1.5])
def test_turning_in_wind_along_the_rod_changes_what_meets_the_plate(speed: float) -> None:
    """(I + m L^2 / 3) a'' = - k a - m L / 2 U cos(a) a': wind from the base to the tip damps, against it drives."""
    twist, frames = 2e-3, 24
    plant = plate((twist, 1.0, 1.0))
    plant.start(in_air(), initial=np.array([[0.2, 0.0, 0.0]]))  # without wind, in which it would begin at rest
    heavy, damping = INERTIA[0] + MASS * LENGTH**2 / 3.0, 0.5 * MASS * LENGTH * speed

    def gains(t: float, y: np.ndarray) -> tuple[float, float]:
        u = min(1.0, t * 24.0)  # wind that rises in the first frame, of which only the part across pushes
        rises = 24.0 * speed if t < 1.0 / 24.0 else 0.0
        a, rate = y
        pushes = 0.5 * MASS * LENGTH * rises * math.sin(a)
        return rate, (-twist * a - u * damping * math.cos(a) * rate - pushes) / heavy

    wanted = solve_ivp(gains, (0.0, frames / 24), [0.2, 0.0], max_step=1e-3, rtol=1e-9, atol=1e-12).y[0, -1]
    for _ in range(frames):
        plant.advance(in_air((speed, 0.0, 0.0)), 1 / 24)
    assert logarithm(plant.state.q)[0, 0] == pytest.approx(wanted, rel=5e-3)


def tree(seed: int) -> tuple[Simulation, np.ndarray]:
    rng, n = np.random.default_rng(seed), 8
    rods = random_rods(
        rng, n, young=3e7, blade_area=rng.uniform(0.002, 0.01, n), blade_air_mass=rng.uniform(0.2, 0.8, n),
        section=sections.flat(2.0, 0.5), **ONLY_CARRIED,
    )  # fmt: skip
    return Simulation(discretize(rods, "base"), Settings(max_step=1e-4, tolerance=1e-7)), 0.4 * rng.normal(size=(n, 3))


@pytest.mark.parametrize("seed", range(4))
def test_air_takes_no_energy_and_gives_none(seed: int) -> None:
    plant, initial = tree(seed)
    plant.start(in_air(), initial=initial)
    held = energy_of(plant, (0.0, 0.0, 0.0), DENSITY).total
    for _ in range(12):
        plant.advance(in_air(), 1 / 60)
        now = energy_of(plant, (0.0, 0.0, 0.0), DENSITY)
        assert now.total == pytest.approx(held, rel=2e-3)
    vacuum = energy_of(plant, (0.0, 0.0, 0.0)).motion
    assert now.motion > 1.1 * vacuum


def test_the_last_digit_does_not_matter() -> None:
    """A frame's motion of a tree whose start and air differ by 1e-15 of them."""
    places = []
    for factor in (1.0, 1.0 + 1e-15):
        plant, initial = tree(0)
        plant.start(in_air(), initial=factor * initial)
        for frame in range(1, 4):
            plant.advance(in_air((factor * frame, 0.0, 0.5)), 1 / 24)
        places.append(plant.rod_tails())
    assert np.abs(places[1] - places[0]).max() < 1e-7
