# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy of undamped motion: how much of it the scheme takes or makes in ten seconds."""


import numpy as np
import pytest

from solver import OK, Sample, Simulation, discretize
from tests.oracles.analytic import Motion, spring_energy
from tests.oracles.energies import energy_of
from tests.oracles.models import beam, random_rods, still_base
from tests.oracles.runs.energy_drift import RELEASES, drift, dropped


def test_the_measure_is_newtons():
    """The energies used here against plain sums over all bodies."""
    rng = np.random.default_rng(0)
    plant = Simulation(discretize(random_rods(rng, 20, young=1e6)))
    plant.start(Sample(), initial=rng.normal(size=(plant.model.body_count, 3)) * 0.2)
    assert plant.advance(Sample(), 0.4).status == OK
    state, bodies = plant.state, plant.model.bodies
    motion = Motion(bodies, state.q, state.u, state.a, still_base())
    expected = (
        motion.kinetic_energy(), spring_energy(bodies, state.q), motion.weight_energy(np.array([0.0, 0.0, -9.81]))
    )  # fmt: skip
    assert energy_of(plant) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", RELEASES)
def test_drift_of_energy_in_ten_seconds(name):
    loss, gain, swing = drift(*RELEASES[name])
    print(f"{name}: tip swings {100 * swing:.0f} cm, lost {100 * loss:.3f} %, gained {100 * gain:.3f} %")
    assert loss < 0.005
    assert gain < 0.005


def test_drift_of_energy_of_garcias_cantilever():
    """Of section 8.3, without damping, let go as drawn."""
    loss, gain, swing = drift(dropped, Sample(), discretize(beam(10)))
    print(f"tip swings {100 * swing:.1f} cm, lost {100 * loss:.3f} %, gained {100 * gain:.3f} %")
    assert loss < 0.005
    assert gain < 0.005
