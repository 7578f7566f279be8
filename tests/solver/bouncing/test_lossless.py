# SPDX-License-Identifier: GPL-3.0-or-later
"""What gives back all keeps its energy for 10 s, and gains none."""

import numpy as np
import pytest

from solver import Collider, Sample, Simulation, solid
from tests.forms import IS_FULL
from tests.oracles.touching.bouncing import SCENES, WHIPS, changed_by_bounces, gained_and_lost


@pytest.mark.parametrize("name", SCENES)
def test_energy_stays(name):
    gained, lost = gained_and_lost(name, 0.0, 10.0)
    assert gained < 1e-3
    assert lost < 0.02


BOUNCES = ["a box on a mesh", "two sticks, one on the other"]
if IS_FULL:
    BOUNCES += [WHIPS, "a stick that falls aslant"]


@pytest.mark.parametrize("name", BOUNCES)
def test_bounces_change_no_energy(name):
    changed, bounces = changed_by_bounces(name, 0.0, 2.0)
    assert bounces >= 3
    assert changed < 1e-12 * bounces


@pytest.mark.parametrize("name", SCENES)
def test_friction_gives_no_energy(name):
    gained, _ = gained_and_lost(name, 0.5, 10.0)
    assert gained < 1e-3


@pytest.mark.parametrize(
    ("tilt", "height", "off"),
    [(-0.05, 0.12, -0.04), (-0.06, 0.41, -0.01), (-0.23, 0.39, -0.04), (0.05, 0.1, -0.04), (0.1, 0.29, 0.0)],
)
def test_a_thin_stick_bounces_off_an_edge(tilt, height, off):
    """One that falls across an edge of a box, far deeper in a step than it is thick, meets the face it comes from."""
    edge = Collider("box", (0.2, 0.2, 0.2), position=(0.0, -0.2, -0.2), friction=0.0, bounce=1.0)
    model = solid("capsule", [0.001, 0.05], friction=0.0, bounce=1.0)
    turned = (np.cos(0.5 * tilt), np.sin(0.5 * tilt), 0.0, 0.0)
    sample = Sample((0.0, off, height), base_orientation=turned, cut=[1.0], colliders=[edge])
    plant = Simulation(model)
    plant.start(sample)
    before, fallen = sum(plant.energy()), float(model.bodies.mass.sum()) * 9.81 * height
    for _ in range(14):
        plant.advance(sample, 1.0 / 24.0)
        assert abs(sum(plant.energy()) - before) < 0.02 * fallen
