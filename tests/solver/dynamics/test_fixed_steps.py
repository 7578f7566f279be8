# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of fixed length, none halved, on plants whose fastest motions are thousands of times shorter than a step."""

import numpy as np
import pytest

from solver import OK, Sample, Settings, Simulation, discretize
from tests.forms import IS_FULL
from tests.oracles.models import ALONG_Z, beam
from tests.oracles.runs.fixed_steps import CANTILEVERS, DAMPING_TIMES, STEPS, TREES, let_go, standing

#: Without the largest in the short form.
CHAINS, STANDING = (CANTILEVERS, list(TREES)) if IS_FULL else (CANTILEVERS[:-1], list(TREES)[:-1])

DOWN = np.array([0.5**0.5, -(0.5**0.5), 0.0, 0.0])


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
@pytest.mark.parametrize("bodies", CHAINS)
def test_cantilevers(bodies, damping_time, step):
    model = discretize(beam(bodies, damping_time=damping_time), "double_root")
    gain, limited, finite = let_go(model, step, 1.0)
    assert finite
    assert gain < 0.01
    assert limited == 0.0


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
@pytest.mark.parametrize("bodies", STANDING)
def test_standing_trees(bodies, damping_time, step):
    """The heavy ones among them fall over: faster than a step of 1/24 s can follow, but without gaining energy."""
    gain, _, finite = let_go(discretize(standing(bodies, damping_time), "double_root"), step, 2.0)
    assert finite
    assert gain < 0.01


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("young", [1e4, 1e5, 1e7])
def test_what_hangs_stays_where_it_settled(young, step):
    """A chain held by hardly more than its own tension, which a step of 1/24 s must know of."""
    plant = Simulation(discretize(beam(10, frame=DOWN, young=young)), Settings(max_step=step, halvings=0))
    assert hangs_still(plant, Sample()) < 1e-6


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("stiffness", [50.0, 1e6])
def test_what_is_pulled_taut_stays_where_it_settled(stiffness, step):
    rods = beam(6, length=0.3, frame=ALONG_Z, radius=0.003, young=5e7, damping_time=0.01)
    plant = Simulation(discretize(rods), Settings(max_step=step, halvings=0))
    taut = Sample(pull_rod=[5], pull_along=[1.0], pull_target=[(0.1, 0.0, 0.35)], pull_stiffness=[stiffness],
                  pull_damping=[0.0])  # fmt: skip
    assert hangs_still(plant, taut) < 1e-6


def hangs_still(plant: Simulation, sample: Sample) -> float:
    """How far (m) a tip gets in 100 frames from where it settled; no frame may be short of anything."""
    plant.start(sample, "settled")
    rest, farthest = plant.rod_tails(), 0.0
    for _ in range(100):
        assert plant.advance(sample, 1 / 24).status == OK
        farthest = max(farthest, float(np.abs(plant.rod_tails() - rest).max()))
    return farthest
