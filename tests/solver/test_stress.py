# SPDX-License-Identifier: GPL-3.0-or-later
"""Bending stress against M r / I of cantilevers, whatever else acts on them."""

import numpy as np
import pytest

from solver import (
    LAYOUTS,
    Sample,
    Simulation,
    SolverError,
    discretize,
    join,
    natural_modes,
    rod_stresses,
    section_moduli,
)
from solver.math.rotations import exponential, logarithm, multiply, unrotate
from solver.stress import bending_moments
from tests.oracles.models import beam, random_rods

NO_GRAVITY = (0.0, 0.0, 0.0)
N = 8


def stresses(plant, rods):
    return rod_stresses(plant.model, plant.bending_moments(), section_moduli(rods, plant.model))


def tip_force(newton, direction=(0.0, 0.0, -1.0), n=N):
    force = np.zeros((n, 3))
    force[-1] = newton * np.array(direction)
    return force


def lever(model, rods):
    """(m,) m from every rod's first joint to the middle of the tip's body, where its force acts."""
    first = model.first_joint
    at = np.arange(N) / N + model.body_at[first] / N
    last = model.middle[-1]
    end = (N - 1) / N + model.body_at[last] / N + model.bodies.com[last, 1]
    return end - at


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("hollow", [0.0, 0.8])
def test_a_force_at_the_tip_of_a_cantilever(layout, hollow):
    rods = beam(N, hollow=hollow)
    plant = Simulation(discretize(rods, layout))
    force = 0.02
    plant.start(Sample(gravity=NO_GRAVITY, force=tip_force(force)), "settled")
    inertia = np.pi * 0.01**4 / 4 * (1 - hollow**4)
    expected = force * lever(plant.model, rods) * 0.01 / inertia
    # what lies beyond the force bears none; the beam turns by 0.2 mrad
    arms = lever(plant.model, rods)
    assert stresses(plant, rods)[arms > 1e-9] == pytest.approx(expected[arms > 1e-9], rel=1e-6)


def test_a_tapered_rod_has_its_own_radius_at_every_joint():
    rods = beam(1, radius=0.01)
    rods.radius_tip = np.array([0.004])
    plant = Simulation(discretize(rods, "gauss2", segments=6))
    plant.start(Sample(gravity=NO_GRAVITY, force=tip_force(1e-3, n=1)), "settled")
    model = plant.model
    middle = model.middle[0]
    acts = model.body_at[middle] + model.bodies.com[middle, 1]
    radius = 0.01 - 0.006 * model.body_at
    moment = 1e-3 * np.maximum(acts - model.body_at, 0.0)
    assert plant.bending_moments() == pytest.approx(moment, rel=1e-6, abs=1e-12)
    largest = (4 * moment / (np.pi * radius**3)).max()
    assert stresses(plant, rods) == pytest.approx([largest], rel=1e-6)


def test_a_twist_is_no_bending():
    rods = beam(N)
    plant = Simulation(discretize(rods))
    twist = np.zeros(N)
    twist[-1] = 1.0
    plant.start(Sample(gravity=NO_GRAVITY, twist=twist), "settled")
    assert np.abs(plant.state.q[:, 2]).min() > 1e-4
    assert stresses(plant, rods) == pytest.approx(np.zeros(N), abs=1e-3)
    plant.start(Sample(gravity=NO_GRAVITY, twist=twist, force=tip_force(0.02)), "settled")
    expected = 0.02 * lever(plant.model, rods) * 4 / (np.pi * 0.01**3)
    assert stresses(plant, rods) == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("poisson", [-0.9, 0.0, 0.5])
def test_large_bends_and_twists_balance_the_force(poisson):
    """One joint, turned by more than a right angle in all: its moment across the axis that lies halfway."""
    rods = beam(1, young=1e5, poisson=poisson, radius=0.01)
    plant = Simulation(discretize(rods, "base"))
    sample = Sample(gravity=NO_GRAVITY, force=[[0.0, 6e-3, -8e-3]], torque=[[1e-3, 0.0, 0.0]])
    found = plant.start(sample, "settled")
    assert found.residual < 1e-9
    turn = plant.state.q[0]
    assert 1.0 < 2 * np.arccos(abs(turn[0])) < 3.0
    head, tail = plant.rod_heads()[0], plant.rod_tails()[0]
    torque = np.cross(0.5 * (tail - head), sample.force[0]) + sample.torque[0]
    world = plant.model.bodies.rest[0]
    halfway = unrotate(multiply(world, exponential(0.5 * logarithm(turn))), torque)
    assert plant.bending_moments()[0] == pytest.approx(np.hypot(halfway[0], halfway[2]), rel=1e-6)


def test_limits_bear_what_is_beyond_them():
    rods = beam(N, young=1e6, bend_limit=0.01, twist_limit=0.01)
    plant = Simulation(discretize(rods))
    plant.start(Sample(gravity=NO_GRAVITY, force=tip_force(0.2)), "settled")
    sagged = -plant.rod_tails()[-1, 2]
    assert 0.01 < sagged < 0.2
    first = plant.bending_moments()[0]
    assert first == pytest.approx(0.2 * lever(plant.model, rods)[0], rel=0.02)  # its lever is shorter by the sag


def test_a_motion_has_more_stress_than_rest_and_damping_none():
    rods = beam(N, young=8100e5)
    plant, damped = Simulation(discretize(rods)), Simulation(discretize(beam(N, young=8100e5, damping_time=10.0)))
    plant.start(Sample(), "settled")
    at_rest = stresses(plant, rods)[0]
    for one in (plant, damped):
        one.start(Sample(), "drawn")
    half_period = 0.5 / natural_modes(plant.model).frequency[0]
    plant.advance(Sample(), half_period)
    damped.advance(Sample(), half_period)
    assert stresses(plant, rods)[0] > 1.5 * at_rest
    assert stresses(damped, rods)[0] < 0.1 * at_rest


def test_a_softer_season_and_a_kept_shape():
    rods = beam(N)
    plant = Simulation(discretize(rods))
    plant.start(Sample(), "keep_shape")
    kept = stresses(plant, rods)
    plant.start(Sample(), "settled")
    assert stresses(plant, rods) == pytest.approx(kept, rel=1e-2)
    plant.start(Sample(stiffness_scale=0.5), "settled")
    assert stresses(plant, rods) == pytest.approx(kept, rel=1e-2)


def test_a_pose_alone_has_no_stress():
    rods = beam(N)
    plant = Simulation(discretize(rods, "double_root"))
    pose = exponential(np.tile([0.3, 0.1, 0.0], (N, 1)))
    plant.start(Sample(gravity=NO_GRAVITY, pose=pose), "settled")
    assert stresses(plant, rods) == pytest.approx(np.zeros(N), abs=1e-3)


def test_welded_rods_are_not_told_and_plants_stand_side_by_side():
    rods = [random_rods(np.random.default_rng(k), 12, pinned=[0.0, 0.0, 1.0] * 4) for k in range(2)]
    models = [discretize(one) for one in rods]
    plant = Simulation(models)
    plant.start(Sample(), "settled")
    moduli = np.concatenate([section_moduli(*pair) for pair in zip(rods, models, strict=True)])
    together = rod_stresses(join(models), plant.bending_moments(), moduli)
    assert np.isnan(together).tolist() == [False, False, True] * 8
    for k in range(2):
        alone = Simulation(models[k])
        alone.start(Sample(), "settled")
        assert together[12 * k : 12 * k + 12] == pytest.approx(stresses(alone, rods[k]), rel=1e-6, nan_ok=True)


def test_before_the_start_there_is_nothing_to_tell():
    plant = Simulation(discretize(beam(2)))
    with pytest.raises(SolverError, match="start the simulation"):
        plant.bending_moments()


def test_moments_of_nothing_turned_are_zero():
    bodies = discretize(beam(3)).bodies
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (len(bodies.parent), 1))
    assert not bending_moments(bodies, turn, 1.0).any()
