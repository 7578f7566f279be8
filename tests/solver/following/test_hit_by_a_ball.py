# SPDX-License-Identifier: GPL-3.0-or-later
"""Kavafoglu's (2018) two cylinders that stand as posed, and a ball of 1 kg that falls on them from 1 m, by contact."""

import numpy as np
import pytest

from solver import Sample, Simulation, discretize, solid
from solver.math.rotations import logarithm
from tests.oracles.runs.humanoid import two_cylinders

RADIUS, HEIGHT = 0.05, 0.6 + 1.0


@pytest.mark.parametrize("h", [1.0 / 24.0, 1.0 / 100.0])
def test_they_are_pushed_aside_and_come_back(h):
    """His mean errors are 2.82 degrees and 0.012 m; with damping 1 they do not swing beyond."""
    density = 1.0 / (4.0 / 3.0 * np.pi * RADIUS**3)
    ball = solid("ball", [RADIUS], centre=(0.02, 0.0, HEIGHT + RADIUS), density=density)
    plant = Simulation([discretize(two_cylinders(), "base", segments=1), ball], together=True)
    world = Sample(
        follow=[1.0, 1.0, 0.0], recovery=np.full(3, np.sqrt(300.0) / (2.0 * np.pi)), cut=[0.0, 0.0, 1.0],
        touches_itself=True, touches_others=True,
    )  # fmt: skip
    plant.start(world)
    drawn, turned, away = plant.rod_tails()[:2], [], []
    for _ in range(round(3.0 / h)):
        plant.advance(world, h)
        turned.append(np.linalg.norm(logarithm(plant.state.q[:2]), axis=1))
        away.append(plant.rod_tails()[:2] - drawn)
    degrees, way = np.degrees(turned), np.array(away)
    off = np.linalg.norm(way, axis=2)
    assert degrees.max() > 1.0
    assert degrees.mean() < 2.82
    assert off.mean() < 0.012
    assert off[-1].max() < 1e-3 * off.max()
    farthest = way[off[:, 1].argmax(), 1]
    assert (way[off[:, 1].argmax() :, 1] @ farthest).min() > -0.01 * farthest @ farthest
