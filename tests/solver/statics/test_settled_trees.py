# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of 504 bodies, too soft to stand, that settle on what they collapse onto."""

import numpy as np
import pytest

from solver import Collider, Sample, Settings, Simulation, discretize, rotations
from tests.oracles.models import binary_tree

G, LYING, UP = 9.81, (0.5**0.5, 0.0, 0.5**0.5, 0.0), (1.0, 0.0, 0.0, 0.0)

PLANE, LOW_PLANE = (Collider("plane", position=(0.0, 0.0, -h), friction=0.5) for h in (0.05, 1.3))
BALL, LOW_BALL = (Collider("ball", size=3.0, position=(0.5, 0.0, -3.0 - h), friction=0.5) for h in (0.05, 1.3))


@pytest.mark.parametrize(
    ("young", "ground", "orientation"),
    [
        (1e9, PLANE, UP), (1e8, LOW_PLANE, LYING), (1e9, LOW_BALL, LYING),
        pytest.param(1e8, BALL, UP, marks=pytest.mark.full),
    ],
)
def test_a_tree_that_collapses_onto_the_ground_settles(young, ground, orientation):
    model = discretize(binary_tree(8, 6, 0.004, young, damping_time=0.02, friction=0.5), "double_root", segments=1)
    sample = Sample(colliders=[ground], base_orientation=orientation, gravity=(0.0, 0.0, -G))
    plant = Simulation(model, Settings(threads=1))
    found = plant.start(sample, "settled")
    assert found.residual <= 1e-9
    assert found.stable
    touched, placed = plant.contacts(), plant.placed()
    assert len(touched.rod) > 50
    assert (-touched.gap / model.shapes.radius.min(axis=1)[touched.rod]).max() < 0.01
    # What the root's spring bends it with is what weight and contacts turn it by, along and across the root's axis.
    arm = placed.position + rotations.rotate(placed.orientation, model.bodies.com) - placed.position[0]
    moment = np.cross(arm, model.bodies.mass[:, None] * (0.0, 0.0, -G)).sum(axis=0)
    moment += np.cross(touched.point - placed.position[0], touched.force).sum(axis=0)
    own = rotations.unrotate(placed.orientation[:1], moment[None])[0]
    scale = float(np.abs(np.cross(arm, model.bodies.mass[:, None] * (0.0, 0.0, -G))).sum())
    assert np.hypot(own[0], own[2]) == pytest.approx(plant.bending_moments()[0], abs=1e-6 * scale)
    before = plant.rod_tails()
    for _ in range(24):
        plant.advance(sample, 1 / 24)
    assert np.abs(plant.rod_tails() - before).max() < 1e-4 * np.ptp(before, axis=0).max()
