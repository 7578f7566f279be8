# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole trajectories against MuJoCo's, whose fourth-order integrator at short steps is exact to nine digits."""

from functools import cache

import numpy as np
import pytest

from solver import discretize, sections
from tests.forms import IS_FULL
from tests.oracles.models import random_rods
from tests.oracles.motions import (
    equally_stiff,
    kick,
    root_mean_square,
    soft_cantilever,
    standing_tree,
    straight,
    tip_path,
)  # fmt: skip

pytest.importorskip("mujoco")
pytest.importorskip("pinocchio")

from tests.oracles.mujoco_model import MujocoPlant
from tests.oracles.runs.flat_trees import off_mujoco

TIMES, INTERVAL = 45, 1.0 / 60.0
#: Light damping, which an explicit integrator can follow at these steps.
DAMPING_TIME = 2e-4


@cache
def kicked_tree():
    model = standing_tree(3, 4, 1e8, DAMPING_TIME)
    return model, kick(model, 1.0)


@cache
def released_cantilever():
    model = soft_cantilever(DAMPING_TIME)
    return model, np.zeros((model.body_count, 3))


@cache
def exact_path(motion):
    """Of one of the two above, by MuJoCo."""
    return mujoco_path(*motion(), 1 / 9600, "RK4")


def mujoco_path(model, rates, step, integrator, unequal=False):
    plant = MujocoPlant(model.bodies, step, integrator, unequal=unequal)
    plant.put(straight(model), rates)
    path = []
    for _ in range(TIMES):
        plant.run(round(INTERVAL / step))
        path.append(plant.point(model.upper[-1], model.tail[-1]))
    return np.array(path)


def length(path):
    return np.linalg.norm(np.diff(path, axis=0), axis=1).sum()


@pytest.mark.parametrize(("motion", "steps"), [(kicked_tree, (7680, 30720)), (released_cantilever, (960, 3840))])
def test_our_path_converges_to_theirs(motion, steps):
    """MuJoCo at two steps differs by less than 1e-8 of the path; our error falls with h^2.

    How many solves a step gets changes with h, and with it the error's constant; the order is measured with all of
    them converged.
    """
    (model, rates), theirs = motion(), exact_path(motion)
    scale = length(theirs)
    assert scale > 1.0  # m, of plants about a metre high: no small swing
    assert root_mean_square(theirs - mujoco_path(model, rates, 1 / 19200, "RK4")) < 1e-8 * scale

    def error(k, **settings):
        return root_mean_square(tip_path(model, rates, 1 / k, TIMES, INTERVAL, **settings) - theirs) / scale

    assert error(7680) < 5e-6
    coarse, fine = (error(k, newton_tolerance=1e-10) for k in steps)
    assert fine < 1e-6
    assert np.log2(coarse / fine) / 2 == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize("motion", [kicked_tree, released_cantilever])
def test_at_equal_steps_we_are_closer_than_their_implicit_scheme(motion):
    (model, rates), theirs = motion(), exact_path(motion)
    ours = root_mean_square(tip_path(model, rates, 1 / 240, TIMES, INTERVAL) - theirs)
    assert ours < 0.1 * root_mean_square(mujoco_path(model, rates, 1 / 240, "discrete") - theirs)


def test_bodies_are_found_again_in_another_order():
    """MuJoCo counts depth first; a tree whose rods are numbered by levels must move alike."""
    rng = np.random.default_rng(3)
    model = equally_stiff(random_rods(rng, 12, young=1e8))
    parent = model.bodies.parent
    assert (np.diff(parent) < 0).any()
    rates = rng.normal(size=(12, 3))
    theirs = mujoco_path(model, rates, 1 / 19200, "RK4")
    ours = tip_path(model, rates, 1 / 15360, TIMES, INTERVAL)
    assert root_mean_square(ours - theirs) < 2e-5 * length(theirs)


def test_equal_springs_are_theirs_in_whatever_form():
    (model, rates), theirs = kicked_tree(), exact_path(kicked_tree)
    assert root_mean_square(mujoco_path(model, rates, 1 / 9600, "RK4", unequal=True) - theirs) < 1e-7 * length(theirs)


@pytest.mark.parametrize("seed", range(3 if IS_FULL else 1))
def test_trees_of_flat_and_grooved_rods(seed):
    """Which bend to one side and twist far more easily."""
    rng = np.random.default_rng(seed)
    kinds, n = rng.integers(1, 4, 12), 12
    section = sections.of_kinds(kinds, rng.uniform(1.5, 4.0, n), rng.choice([0.0, 8.0], n), np.full(n, 0.3))
    model = discretize(random_rods(rng, n, young=2e8, section=section, damping_time=DAMPING_TIME), "double_root")
    assert (np.ptp(model.bodies.stiffness, axis=1) > 0.5 * model.bodies.stiffness.max(axis=1)).all()
    rates = rng.normal(size=(n, 3))
    theirs = mujoco_path(model, rates, 1 / 9600, "RK4", unequal=True)
    ours = tip_path(model, rates, 1 / 3840, TIMES, INTERVAL)
    assert root_mean_square(ours - theirs) < 1e-3 * length(theirs)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2 if IS_FULL else 1))
def test_trees_of_flat_and_grooved_rods_until_chaos(seed):
    """Whose joints turn by up to 150 degrees."""
    off, seconds = off_mujoco(seed)
    assert seconds > 1.0
    assert off < 1e-2


def test_unequal_stiffness_is_refused():
    model = soft_cantilever(0.0)
    model.bodies.stiffness[3, 1] *= 2.0
    with pytest.raises(ValueError, match="one stiffness"):
        MujocoPlant(model.bodies, 1e-3)
