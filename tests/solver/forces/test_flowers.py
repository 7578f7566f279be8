# SPDX-License-Identifier: GPL-3.0-or-later
"""Flowers that turn in the wind (Etnier and Vogel 2000), and blades with more drag on their hollow side."""

import numpy as np
import pytest

from solver import AIR_DENSITY, Sample, Simulation, SolverError, discretize
from solver.math.rotations import logarithm
from tests.oracles.energies import energy_of
from tests.oracles.models import beam, random_rods
from tests.oracles.runs.in_air.flowers_in_wind import (
    CUP_DRAG,
    CUP_HEIGHT,
    CUP_WIDTH,
    DAFFODIL,
    INTERNODES,
    ISOTROPIC,
    blown,
    daffodil,
    drag_of_flower,
    off_the_lee,
    tulip,
    turned,
    turned_by_hand,
)

WEIGHTLESS = (0.0, 0.0, 0.0)


def test_what_has_no_cup_has_the_same_drag_turned_by_half_a_turn():
    rods = daffodil(DAFFODIL, is_rigid=True, cupped=False)
    for angle in (0.0, 30.0, 60.0):
        assert turned(rods, angle + 180.0) == pytest.approx(turned(rods, angle), rel=1e-5)  # the stem gives a little


def test_a_daffodil_that_faces_downwind_has_a_third_less_drag_than_one_that_faces_the_wind():
    rods = daffodil(DAFFODIL, is_rigid=True)
    lost = 1.0 - turned(rods, 0.0) / turned(rods, 180.0)
    print(f"daffodil loses {100.0 * lost:.1f} %")
    assert lost == pytest.approx(0.30, abs=0.05)


def test_a_tulip_gains_nothing_by_turning():
    rods = tulip(is_rigid=True)
    drags = np.array([turned(rods, angle) for angle in (0.0, 30.0, 90.0, 180.0)])
    print(f"tulip loses at most {100.0 * (1.0 - drags.min() / drags.max()):.2f} %")
    assert drags.min() > 0.95 * drags.max()


@pytest.mark.parametrize("disturbance", [0.0, 1e-15])
def test_a_daffodil_turns_its_back_to_the_wind_that_an_isotropic_stem_would_go_on_facing(disturbance):
    """From 30 degrees off the wind, at 10 m/s."""
    plant, wind = blown(daffodil(DAFFODIL), 150.0, 10.0, disturbance)
    found = abs(off_the_lee(plant, wind))
    isotropic = abs(off_the_lee(*blown(daffodil(ISOTROPIC), 150.0, 10.0, disturbance)))
    print(f"{found:.0f} degrees off the lee, isotropic {isotropic:.0f}")
    assert found < 90.0 < isotropic


@pytest.mark.parametrize("degrees", [90.0, 120.0, 150.0, 170.0])
def test_a_daffodil_whose_stem_stays_upright_comes_as_near_the_lee_as_its_torsion_lets_it(degrees):
    """At 14 m/s, with the torsion of a daffodil's stem. By hand centres of pressure stay in the middle."""
    plant, wind = blown(daffodil(DAFFODIL, stiffer=100.0), degrees, 14.0)
    found, wanted = abs(off_the_lee(plant, wind)), turned_by_hand(degrees, 14.0)
    print(f"{found:.1f} degrees off the lee, by hand {wanted:.1f}")
    assert found == pytest.approx(wanted, abs=1.5)


@pytest.mark.parametrize("degrees", [90.0, 120.0, 150.0, 170.0])
@pytest.mark.parametrize("speed", [5.0, 10.0])
def test_a_daffodil_that_has_turned_has_at_least_30_percent_less_drag_than_facing_the_wind(degrees, speed):
    """From 10 degrees off the wind on."""
    plant, wind = blown(daffodil(DAFFODIL), degrees, speed)
    lost = 1.0 - drag_of_flower(plant, wind) / (speed**2 * turned(daffodil(DAFFODIL, is_rigid=True), 180.0))
    print(f"{off_the_lee(plant, wind):.0f} degrees off the lee, {100.0 * lost:.0f} % lost")
    assert lost > 0.30


@pytest.mark.parametrize("degrees", [150.0, 170.0])
def test_were_its_stem_isotropic_a_daffodil_that_faces_the_wind_would_lose_less(degrees):
    """At 5 m/s, a moderate wind, in which a stem that only bends hardly does."""
    plant, wind = blown(daffodil(ISOTROPIC), degrees, 5.0)
    lost = 1.0 - drag_of_flower(plant, wind) / (25.0 * turned(daffodil(DAFFODIL, is_rigid=True), 180.0))
    print(f"{off_the_lee(plant, wind):.0f} degrees off the lee, {100.0 * lost:.0f} % lost")
    assert lost < 0.30


def test_a_cup_of_petals_has_the_drag_of_a_short_cylinder():
    drag = turned(tulip(is_rigid=True), 0.0)
    assert drag == pytest.approx(0.5 * AIR_DENSITY * CUP_DRAG * CUP_HEIGHT * CUP_WIDTH, rel=0.05)


@pytest.mark.parametrize("speed", [1.0, 2.0, 4.0])
def test_a_tulip_stands_in_moderate_wind(speed):
    plant, wind = blown(tulip(), 0.0, speed)
    lost = 1.0 - drag_of_flower(plant, wind) / (speed**2 * turned(tulip(is_rigid=True), 0.0))
    print(f"{100.0 * lost:.2f} % lost")
    assert lost < 0.05


def test_a_tulip_does_not_turn():
    plant, wind = blown(tulip(), 150.0, 10.0)
    twist = logarithm(plant.state.q)[:, 1]
    assert np.abs(twist).max() < 1e-6
    assert abs(off_the_lee(plant, wind, INTERNODES - 1)) < 1e-3


@pytest.mark.parametrize(("wind", "coefficient"), [(-3.0, 1.42), (3.0, 0.38)])
def test_a_cup_has_the_drag_of_its_side(wind, coefficient):
    """A hollow hemisphere at the end of a stiff rod: moment of the drag over twice the arm of the blade's middle."""
    rods = beam(
        1, 0.1, 0.001, stiffness=[(10.0, 10.0, 10.0)], drag_across=0.0, drag_along=0.0, blade_area=0.002,
        blade_drag_normal=0.9, blade_drag_along=0.0, blade_cup=(1.42 - 0.38) / (1.42 + 0.38),
    )  # fmt: skip
    plant = Simulation(discretize(rods, "base"))
    plant.start(Sample(gravity=WEIGHTLESS, wind=(0.0, 0.0, wind)), "settled")
    moment = 10.0 * np.linalg.norm(logarithm(plant.state.q)[0])
    assert moment == pytest.approx(0.5 * AIR_DENSITY * coefficient * 0.002 * wind**2 * 0.05, rel=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_still_air_only_takes_energy_from_cups(seed):
    rng = np.random.default_rng(seed)
    rods = random_rods(rng, 10, young=3e7, blade_area=rng.uniform(0.0, 0.01, 10), blade_cup=rng.uniform(-1.0, 1.0, 10))
    plant, still = Simulation(discretize(rods)), Sample(gravity=WEIGHTLESS, wind=np.zeros(3))
    plant.start(still, initial=0.3 * rng.normal(size=(plant.model.body_count, 3)))
    held = energy_of(plant, WEIGHTLESS).total
    for _ in range(48):
        plant.advance(still, 1 / 24)
        energy = energy_of(plant, WEIGHTLESS).total
        assert energy <= held * (1.0 + 1e-6)
        held = energy


def test_cups_beyond_one_are_refused():
    with pytest.raises(SolverError, match="blade cup must be in"):
        beam(2, blade_cup=1.1)
