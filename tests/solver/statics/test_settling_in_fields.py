# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant that settles in a wind field stands in the air that is where it stands, and stays there."""

import numpy as np
import pytest

from solver import GustyWind, Sample, Settings, Simulation, discretize
from solver.statics.equilibrium import find_equilibrium
from tests.oracles.models import ALONG_Z, beam, binary_tree, read_anew


def sheared(slope):
    """A wind along x that grows with the height."""

    def field(points, time):
        return np.outer(points[:, 2], (slope, 0.0, 0.0))

    return field


def whirl(points, time):
    return 4.0 * np.stack([-points[:, 1], points[:, 0] + 0.3, np.zeros(len(points))], axis=1)


GUSTS = GustyWind((6.0, 2.0, 0.0), 0.3, 0.5, seed=4, height_exponent=0.3, reference_height=0.3)
FIELDS = {"shear": sheared(15.0), "whirl": whirl, "gusts": GUSTS}


def soft_tree():
    return binary_tree(3, 3, radius=0.004, young=4e7, damping_time=0.02)


def height(plant):
    return np.ptp(plant.rod_tails()[:, 2])


@pytest.mark.parametrize("name", FIELDS)
def test_plants_settled_in_a_field_stay(name):
    """100 frames of the same field as at the start: no node moves by more than 1e-6 of the plant's height."""
    plant = Simulation(discretize(soft_tree()))
    drawn = plant.rod_tails()
    sample = Sample(wind=FIELDS[name], time=0.0)
    found = plant.start(sample, "settled")
    assert found.residual <= 1e-9
    assert found.stable
    rest = plant.rod_tails()
    tall = height(plant)
    assert np.abs(rest - drawn).max() > 0.05 * tall  # the wind bends it
    moved = 0.0
    for _ in range(100):
        plant.advance(sample, 1 / 24)
        moved = max(moved, np.abs(plant.rod_tails() - rest).max())
    assert moved < 1e-6 * tall


@pytest.mark.parametrize("name", FIELDS)
def test_the_residual_is_that_of_the_air_where_the_plant_stands(name):
    """Loads read anew at the pose that was found are balanced to what is reported."""
    plant = Simulation(discretize(soft_tree()))
    sample = Sample(wind=FIELDS[name], time=0.0)
    found = plant.start(sample, "settled")
    bodies, q, world = read_anew(plant, sample).at_rest()
    assert np.abs(world.loads.air - plant.at_rest()[2].loads.air).max() < 1e-12 * np.abs(world.loads.air).max()
    again = find_equilibrium(bodies, q, world, 1e-9, 0)
    assert again.residual == pytest.approx(found.residual, rel=1e-3, abs=1e-13)


def test_the_whole_turn_is_told():
    """From the drawn pose on, however often the field was read on the way."""
    plant = Simulation(discretize(beam(1, length=0.3, radius=0.002, young=2e8, frame=ALONG_Z), "base"))
    found = plant.start(Sample(wind=sheared(60.0)), "settled")
    axis = plant.rod_tails()[0] / 0.3
    assert found.turn == pytest.approx(np.arccos(axis[2]), rel=1e-6)
    assert found.turn > 0.05


@pytest.mark.parametrize("slope", [30.0, 100.0, 300.0])
def test_steep_fields_converge_too(slope):
    """What bends low stands in less wind and rises: reading the field again and again overshoots."""
    plant = Simulation(discretize(soft_tree()))
    found = plant.start(Sample(wind=sheared(slope)), "settled")
    assert found.residual <= 1e-9
    assert found.stable


def test_where_no_pose_suits_the_field_it_is_said():
    """A wind only above a height that the plant bends below in it: in it it is too low, out of it too high."""

    def above(points, time):
        return np.where(points[:, 2:] > 0.15, (40.0, 0.0, 0.0), 0.0)

    plant = Simulation(discretize(beam(1, length=0.3, radius=0.002, young=2e8, frame=ALONG_Z)))
    found = plant.start(Sample(wind=above), "settled")
    assert np.isfinite(plant.state.q).all()
    assert found.residual > 1e-6
    assert not found.stable
    assert found.iterations <= Settings().settle_iterations


def test_plants_settle_in_a_field_as_they_would_alone():
    models = [discretize(soft_tree()), discretize(beam(6, length=0.3, radius=0.002, young=1e8, frame=ALONG_Z))]
    sample = Sample(wind=FIELDS["gusts"])
    meadow = Simulation(models)
    together = meadow.start(sample, "settled")
    alone = [Simulation(model) for model in models]
    found = [plant.start(sample, "settled") for plant in alone]
    assert np.array_equal(meadow.state.q, np.concatenate([plant.state.q for plant in alone]))
    assert together.iterations == sum(one.iterations for one in found)
    assert together.turn == max(one.turn for one in found)


def test_a_uniform_field_costs_no_more_than_a_uniform_wind():
    model, velocity = discretize(soft_tree()), (5.0, 1.0, 0.0)
    one, other = Simulation(model), Simulation(model)
    plain = one.start(Sample(wind=velocity), "settled")
    found = other.start(Sample(wind=lambda points, time: np.tile(velocity, (len(points), 1))), "settled")
    assert np.array_equal(one.state.q, other.state.q)
    assert found.iterations == plain.iterations
    assert found.turn == pytest.approx(plain.turn, rel=1e-12)
