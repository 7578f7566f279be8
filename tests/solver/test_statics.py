# SPDX-License-Identifier: GPL-3.0-or-later
"""The frame before the first frame: settled, or holding the drawn shape."""

import numpy as np
import pytest

from solver import Sample, Settings, Simulation, SolverError, discretize
from tests.solver.analytic import Motion, spring_moments
from tests.solver.models import beam, binary_tree, random_rods, run, still_base

LAYOUTS = ("base", "double_root", "mid")
PULL = {
    "pull_rod": [5],
    "pull_along": [1.0],
    "pull_target": [[0.1, 0.1, 0.2]],
    "pull_stiffness": [5.0],
    "pull_damping": [1.0],
}


def plants():
    rng = np.random.default_rng(4)
    return {
        "tree": binary_tree(3, 4, radius=0.008, damping_time=0.02),
        "random": random_rods(rng, 25, damping_time=0.02),
        "beam": beam(30, radius=0.004, young=1e9, damping_time=0.02),
    }


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", plants())
def test_settled_plants_are_in_balance_and_stay(name, layout):
    plant = Simulation(discretize(plants()[name], layout))
    sample = Sample(**PULL)
    found = plant.start(sample, "settled")
    assert found.residual < 1e-8
    rest = plant.rod_tails()
    tails = run(plant, 100 / 24, sample=sample)
    assert np.abs(tails - rest).max() < 1e-7


@pytest.mark.parametrize("name", plants())
def test_the_balance_is_newtons(name):
    """Spring moments equal the weight moments found by plain sums over the bodies."""
    model = discretize(plants()[name])
    plant = Simulation(model)
    plant.start(Sample(), "settled")
    q, nothing = plant.state.q, np.zeros((model.body_count, 3))
    needed = Motion(model.bodies, q, nothing, nothing, still_base()).joint_moments(np.array([0.0, 0.0, -9.81]))
    supplied = spring_moments(model.bodies.stiffness, q)
    assert np.abs(needed - supplied).max() < 1e-6 * np.abs(needed).max()


@pytest.mark.parametrize("beta", [0.02, 0.2])
def test_a_collapsing_tree_settles(beta):
    """The tree that cannot carry itself: settling ends in balance, and time stepping does not leave it."""
    plant = Simulation(discretize(binary_tree(5, 5, damping_time=beta)))
    found = plant.start(Sample(), "settled")
    assert found.residual < 1e-8
    rest = plant.rod_tails()
    assert np.abs(run(plant, 2.0)[-1] - rest).max() < 1e-5


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", plants())
def test_keeping_the_drawn_shape(name, layout):
    rods = plants()[name]
    plant = Simulation(discretize(rods, layout))
    plant.start(Sample())
    drawn, orientations = plant.rod_tails(), plant.rod_orientations()
    plant.start(Sample(**PULL), "keep_shape")
    assert np.abs(plant.rod_tails() - drawn).max() < 1e-12
    assert np.abs(plant.rod_orientations() - orientations).max() < 1e-12
    tails = run(plant, 100 / 24, sample=Sample(**PULL))
    assert np.abs(tails - drawn).max() < 1e-8
    assert np.abs(plant.rod_orientations() - orientations).max() < 1e-7


def test_springs_kept_in_shape_still_bend_about_it():
    """Without the weight the kept plant rises; with it, it comes back."""
    plant = Simulation(discretize(binary_tree(3, 4, radius=0.008, damping_time=0.02)))
    plant.start(Sample(), "keep_shape")
    drawn = plant.rod_tails()
    run(plant, 4.0, sample=Sample(gravity=(0.0, 0.0, 0.0)))
    assert plant.rod_tails()[:, 2].max() > drawn[:, 2].max() + 1e-4
    run(plant, 8.0)
    assert np.abs(plant.rod_tails() - drawn).max() < 1e-5


def test_starting_again_forgets_the_kept_shape():
    plant, fresh = (Simulation(discretize(binary_tree(3, 3, radius=0.006))) for _ in range(2))
    plant.start(Sample(), "keep_shape")
    plant.start(Sample(), "settled")
    fresh.start(Sample(), "settled")
    assert np.array_equal(plant.rod_tails(), fresh.rod_tails())


def test_a_rod_too_soft_to_keep_its_shape_is_named():
    rods = beam(6, young=[8e9, 8e9, 8e9, 1e5, 8e9, 8e9], pinned=[1, 0, 0, 0, 0, 0])
    plant = Simulation(discretize(rods))
    with pytest.raises(SolverError, match="too soft") as error:
        plant.start(Sample(), "keep_shape")
    assert error.value.rod in (3, 4)  # the joints next to the soft rod
    assert "rod" not in error.value.message
    with pytest.raises(SolverError, match="start the simulation"):
        plant.advance(Sample(), 1 / 24)
    plant.start(Sample())
    plant.advance(Sample(), 1 / 24)


def test_few_iterations_are_reported_as_such():
    plant = Simulation(discretize(binary_tree(5, 5)), Settings(settle_iterations=3))
    found = plant.start(Sample(), "settled")
    assert found.iterations == 3
    assert found.residual > 1e-8
    assert np.isfinite(plant.rod_tails()).all()
