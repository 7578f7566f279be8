# SPDX-License-Identifier: GPL-3.0-or-later
"""Lift, a share of the weight that carries rods, against other weights, against nothing, and against plain forces."""

import numpy as np
import pytest

from solver import Sample, Simulation, SolverError, discretize
from tests.oracles.models import ALONG_X, beam, binary_tree, run

GRAVITY = np.array([0.0, 0.0, -9.81])


def swung(sample: Sample) -> np.ndarray:
    rods = binary_tree(3, 3, radius=0.003, young=5e7, damping_time=0.01)
    plant = Simulation(discretize(rods))
    plant.start(Sample(), "settled")
    return run(plant, 0.5, sample=sample)


@pytest.mark.parametrize("share", [0.4, 1.0, 1.7])
def test_a_share_of_all_rods_is_that_much_less_weight(share):
    count = len(binary_tree(3, 3))
    lifted = swung(Sample(gravity=GRAVITY, lift=np.full(count, share)))
    assert lifted == pytest.approx(swung(Sample(gravity=(1.0 - share) * GRAVITY)), abs=1e-9)


def test_a_plant_that_is_wholly_carried_stands_as_drawn():
    plant = Simulation(discretize(beam(6, length=0.6, radius=0.002, young=1e8, frame=ALONG_X)))
    drawn = plant.rod_tails()
    plant.start(Sample(lift=np.ones(6)), "settled")
    assert plant.rod_tails() == pytest.approx(drawn, abs=1e-12)
    plant.start(Sample(), "settled")
    assert plant.rod_tails()[-1, 2] < drawn[-1, 2] - 0.05  # and sags otherwise


def test_some_rods_are_lifted_as_by_forces_of_that_size():
    """With one body a rod, the force at its centre of mass that the sample can also give."""
    rods = beam(5, length=0.5, radius=0.003, young=2e8, frame=ALONG_X)
    model = discretize(rods, "base")
    share = np.array([0.0, 0.0, 1.3, 0.0, 0.6])
    force = -share[:, None] * model.bodies.mass[model.middle][:, None] * GRAVITY
    tails = []
    for sample in (Sample(lift=share), Sample(force=force)):
        plant = Simulation(model)
        plant.start(sample, "settled")
        tails.append(plant.rod_tails())
    assert tails[0] == pytest.approx(tails[1], abs=1e-9)


@pytest.mark.parametrize("bad", [[1.0], "up", [[1.0, 2.0]], [np.nan, 0.0]])
def test_what_is_no_share_for_every_rod_is_refused(bad):
    plant = Simulation(discretize(beam(2)))
    with pytest.raises(SolverError, match="lift"):
        plant.start(Sample(lift=bad))
