# SPDX-License-Identifier: GPL-3.0-or-later
"""Blades that lift: the law beside hand-derived cases, and that still air only takes energy."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from solver import AIR_DENSITY, Sample, Settings, Simulation, discretize, sections
from solver.math.rotations import logarithm, rotate
from tests.oracles.energies import energy_of
from tests.oracles.models import ALONG_X, beam, random_rods
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


def pressed(incidence: float, shift: float) -> float:
    """Moment about the middle of a plate that air meets at an angle (rad), over density / 2 area chord speed^2: lift
    acts at a quarter of the chord, drag at Rayleigh's 3 cos(a) / (16 + 4 pi sin(a))."""
    sine, cosine = math.sin(incidence), math.cos(incidence)
    lifted = 0.25 * LIFT * cosine * sine / (1.0 + (math.tan(incidence) / 0.4) ** 2)
    return lifted + shift * DRAG * sine**2 * 0.75 * cosine / (4.0 + math.pi * sine)


@pytest.mark.parametrize("shift", [0.5, 1.0])
@pytest.mark.parametrize("twist", [1e-4, 5e-4])
def test_the_centre_of_pressure_moves_back_as_air_meets_a_plate_more_steeply(twist: float, shift: float) -> None:
    """K a is the moment in a wind that the plate turned out of so far (rad); it stays there in motion too."""
    plant, speed = plate(twist, shift=shift), 6.0
    edge_on = chord_of(plant)
    blown = {**STILL, "wind": speed * (math.cos(0.6) * edge_on + math.sin(0.6) * np.array([0.0, 0.0, 1.0]))}
    plant.start(Sample(**blown), "settled")
    k = 0.5 * AIR_DENSITY * AREA * CHORD * speed**2
    wanted = brentq(lambda a: twist * a - k * pressed(0.6 + a, shift), 0.0, 0.5 * math.pi - 0.6)
    turned = abs(logarithm(plant.state.q)[0, 1])
    assert turned == pytest.approx(wanted, rel=1e-5)
    for _ in range(12):
        plant.advance(Sample(**blown), 1 / 24)
    assert abs(logarithm(plant.state.q)[0, 1]) == pytest.approx(turned, rel=1e-6)


@pytest.mark.parametrize(("degrees", "percent"), [(15, 34.95), (30, 38.3), (45, 41.5), (60, 44.4), (75, 47.2)])
def test_pressure_is_centred_where_free_streamlines_have_it(degrees: int, percent: float) -> None:
    """From the edge that meets the air, of the width: what a stiff spring carries of drag alone (Rayleigh 1876)."""
    twist, speed, incidence = 10.0, 3.0, math.radians(degrees)
    moments = []
    for shift in (0.0, 1.0):
        plant = plate(twist, shift=shift)
        flow = math.cos(incidence) * chord_of(plant) + math.sin(incidence) * np.array([0.0, 0.0, 1.0])
        plant.start(Sample(**STILL, wind=speed * flow), "settled")
        moments.append(abs(logarithm(plant.state.q)[0, 1]) * twist)
    force = 0.5 * AIR_DENSITY * AREA * DRAG * (speed * math.sin(incidence)) ** 2
    assert 50.0 - 100.0 * (moments[1] - moments[0]) / (force * CHORD) == pytest.approx(percent, abs=0.06)


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


class Whirl:
    """Air that turns about x, and has eddies as far as anybody asks."""

    def __call__(self, points: np.ndarray, time: float) -> np.ndarray:
        return 40.0 * np.cross([1.0, 0.0, 0.0], points)

    def without_eddies(self) -> Callable[[np.ndarray, float], np.ndarray]:
        return lambda points, time: np.zeros_like(points)


def test_air_that_turns_about_a_plate_takes_it_along() -> None:
    """I w' = density / 96 C area chord^3 (40 - w)^2, by the turn alone: the rod is where the air is still."""
    plant = plate(0.0)
    blown = Sample(**STILL, wind=Whirl())
    plant.start(blown)
    resists = AIR_DENSITY * DRAG * AREA * CHORD**2 / 24.0 * 0.25 * CHORD
    wanted = 40.0 - 1.0 / (1.0 / 40.0 + resists * 4.0 / 2e-6)
    for _ in range(384):  # so that it turns by little from frame to frame
        plant.advance(blown, 4.0 / 384)
    assert wanted > 5.0
    assert abs(plant.state.u[0, 1]) == pytest.approx(wanted, rel=2e-3)
    rod = rotate(plant.model.bodies.rest[0], np.array([0.0, 1.0, 0.0]))
    assert plant.state.u[0, 1] * rod[0] > 0.0


@pytest.mark.parametrize("flutter", [0.0, 0.5, 2.0])
def test_flutter_multiplies_what_blades_do(flutter: float) -> None:
    """As blades that rise and carry so much, at rest and in motion; their pressure moves at most as it does at 1. Those
    that hardly rise resist their turning all the same."""
    wind = np.array([2.0, -3.0, 2.5])
    found = []
    for now, made in ((flutter, 1.0), (1.0, max(flutter, 1e-9))):
        rods = random_rods(
            np.random.default_rng(3), 8, young=3e7, blade_area=0.004, blade_lift=3.0 * made, blade_air_mass=0.6 * made,
            blade_lift_along=made, blade_shift=min(made, 1.0),
        )  # fmt: skip
        plant = Simulation(discretize(rods, "double_root"))
        plant.start(Sample(**STILL, wind=wind, flutter=now), "settled")
        found.append(plant.state.q.copy())
        for _ in range(12):
            plant.advance(Sample(**STILL, wind=1.5 * wind, flutter=now), 1 / 24)
        found.append(plant.state.q.copy())
    np.testing.assert_allclose(found[0], found[2], atol=1e-9)
    np.testing.assert_allclose(found[1], found[3], atol=1e-6)
    assert np.abs(found[0] - found[1]).max() > 1e-2


def test_keyed_flutter_in_still_air_holds_nothing_back() -> None:
    """What air blades carry, and its energy, changes with it, as it does in fine steps."""

    def swing(**settings: float) -> float:
        rods = beam(
            5, 0.2, 0.0006, 2e8, 600.0, frame=ALONG_X, drag_across=0.12, drag_along=0.0, blade_area=0.002,
            blade_drag_normal=0.117, blade_drag_along=0.0, blade_lift=0.3, blade_air_mass=0.6,
        )  # fmt: skip
        plant, tips = Simulation(discretize(rods), Settings(**settings)), []
        bent = np.zeros((plant.model.body_count, 3))
        bent[:, 0] = 0.15
        still = Sample(**STILL, wind=(0.0, 0.0, 0.0), flutter=0.5)
        plant.start(still, initial=bent)
        for frame in range(1, 25):
            plant.advance(replace(still, flutter=0.5 + 0.5 * np.sin(1.3 * frame)), 1 / 24)
            tips.append(plant.rod_tails()[-1, 2])
        return float(np.ptp(tips[12:]))

    assert swing() == pytest.approx(swing(max_step=1 / 15360, halvings=0), rel=0.15), "no guard takes it away"


@pytest.mark.parametrize("seed", range(6))
def test_still_air_only_takes_energy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 10
    rods = random_rods(
        rng, n, young=3e7, blade_area=rng.uniform(0.0, 0.01, n), blade_lift=rng.uniform(0.0, 6.0, n),
        blade_lift_along=rng.uniform(0.0, 2.0, n), section=sections.flat(2.0, 0.5),
        blade_air_mass=rng.uniform(0.0, 0.8, n), blade_shift=rng.uniform(0.0, 1.0, n),
        blade_rigidity=rng.uniform(0.0, 1e-6, n),
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
