# SPDX-License-Identifier: GPL-3.0-or-later
"""How softly contacts land, and that it changes nothing of what they come to."""

import numpy as np
import pytest

from solver import Collider, Sample, Settings, Simulation, SolverError, discretize, solid
from solver.contact.touch import remembered

from ...oracles.models import beam

GROUND = Collider("plane", friction=0.5)
RADIUS = 0.05


@pytest.mark.parametrize("landing_time", [2e-4, 2e-3, 2e-2])
def test_what_lands_comes_nearer_by_an_even_share_in_every_landing_time(landing_time):
    """gap + T gap' = 0, but for its weight, which the spring of 50 m / T^2 bears, and inertia, which is a 50th."""
    plant = Simulation(solid("ball", [RADIUS], landing_time=landing_time), Settings(max_step=landing_time / 20))
    sample = Sample(np.array([0.0, 0.0, RADIUS + 1.0 / 19.62]), colliders=[GROUND], cut=[1.0])
    plant.start(sample)
    gaps = []
    for _ in range(round(0.4 / landing_time)):
        plant.advance(sample, 0.5 * landing_time)
        gaps.append(plant.placed().position[0, 2] - RADIUS)
    gap = np.array(gaps) + 9.81 * landing_time**2 / 50.0
    lands = gap[(gap < 0.5 * landing_time) & (gap > 0.01 * landing_time)]
    assert len(lands) >= 6
    assert lands[1:] / lands[:-1] == pytest.approx(np.full(len(lands) - 1, np.exp(-0.5)), rel=0.04)
    assert gap.min() > -1e-3 * RADIUS


@pytest.mark.parametrize(("above", "below"), [(2e-2, 2e-2), (1e-3, 4e-1), (4e-1, 1e-3)])
def test_bodies_land_on_each_other_as_softly_as_both(above, below):
    """A ball that falls onto a heavy box that lies: within the geometric mean of their landing times."""
    heavy = solid("box", [0.3, 0.3, 0.1], density=1e6, landing_time=below)
    models = [solid("ball", [RADIUS], landing_time=above), heavy]
    plant = Simulation(models, Settings(max_step=1e-3), together=True)
    sample = Sample(
        np.array([[0.0, 0.0, 0.2 + RADIUS + 1.0 / 19.62], [0.0, 0.0, 0.1]]), colliders=[GROUND], cut=[1.0, 1.0],
        touches_others=True,
    )  # fmt: skip
    plant.start(sample)
    landing_time, gaps = np.sqrt(above * below), []
    for _ in range(round(0.4 / landing_time)):
        plant.advance(sample, 0.5 * landing_time)
        ball, box = plant.placed().position[:, 2]
        gaps.append(ball - box - 0.1 - RADIUS)
    gap = np.array(gaps)
    lands = gap[(gap < 0.4 * landing_time) & (gap > 0.01 * landing_time)]
    assert len(lands) >= 5
    assert lands[1:] / lands[:-1] == pytest.approx(np.full(len(lands) - 1, np.exp(-0.5)), rel=0.06)


def test_it_must_be_neither_too_short_nor_too_long():
    for given in (5e-6, 2.0, np.nan):
        with pytest.raises(SolverError, match="landing_time"):
            solid("ball", [RADIUS], landing_time=given)
    with pytest.raises(SolverError, match="landing time must be between 1e-05 and 1 s"):
        discretize(beam(2, landing_time=[2e-3, 5e-6]))


@pytest.mark.parametrize("landing_time", [2e-4, 2e-2])
def test_what_rests_bears_the_same(landing_time):
    """A stick across two props, and what it pushes them with, however softly it has landed."""
    model = discretize(beam(1, 0.4, 0.005, young=1e9, density=600.0, landing_time=landing_time), "base", segments=1)
    props = [Collider("box", [0.01, 0.1, 0.05], position=(x, 0.0, -0.056)) for x in (0.1, 0.3)]
    sample = Sample(colliders=props, cut=[1.0])
    plant = Simulation(model)
    plant.start(sample)
    for _ in range(24):
        plant.advance(sample, 1 / 24)
    touched = plant.contacts()
    assert touched.force[:, 2].sum() == pytest.approx(9.81 * model.bodies.mass.sum(), rel=1e-3)
    assert np.abs(touched.gap).max() < 0.01 * 0.005
    assert np.abs(plant.placed().velocity).max() < 1e-4


@pytest.mark.parametrize(("landing_time", "delay"), [(2e-4, 5e-5), (2e-3, 5e-3), (2e-2, 5e-2)])
def test_friction_follows_the_push_with_a_delay(landing_time, delay):
    """What slides and is pushed twice as hard from one step to the next: its friction is old + (1 - e^(-t / delay)) of
    what is new. The delay is 2.5 landing times, and falls with the square of those below the usual one."""
    load = 1.0
    for _ in range(200):
        load = remembered(load, 2.0, 2.0, 0.004 * delay, landing_time)
    assert load - 1.0 == pytest.approx(1.0 - np.exp(-0.8), rel=1e-4)
