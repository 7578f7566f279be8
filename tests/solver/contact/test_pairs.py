# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of one plant that touch each other."""

import numpy as np
import pytest

from solver import Rods, Sample, Settings, Simulation, can_go_together, discretize
from solver.math.rotations import from_matrices
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import beam, binary_tree, random_rods
from tests.oracles.momenta import momenta

G, RADIUS, FRAME = 9.81, 0.01, 1.0 / 24.0
ITSELF = Sample(touches_itself=True)


def along(way) -> np.ndarray:
    """(4,) quaternion of a rod along a way that is level."""
    y = np.asarray(way) / np.linalg.norm(way)
    return from_matrices(np.column_stack([np.cross(y, (0.0, 0.0, 1.0)), y, (0.0, 0.0, 1.0)])[None])[0]


def sticks(heads, ways, **given):
    """Straight stiff rods, each on a hinge of its own."""
    values = {
        "parent": [-1] * len(heads), "head": heads, "frame": [along(way) for way in ways],
        "length": np.linalg.norm(ways, axis=1), "radius_base": RADIUS, "radius_tip": RADIUS, "young": 1e9,
        "density": 600.0, "stiffness": np.zeros((len(heads), 3)), "friction": 0.4,
    }  # fmt: skip
    return discretize(Rods(**values | given), "base", segments=1)


def run(plant: Simulation, sample: Sample, seconds: float) -> None:
    for _ in range(round(24 * seconds)):
        plant.advance(sample, FRAME)


def distance(plant: Simulation, one: int, other: int) -> float:
    """Least distance (m) of the axes of two rods, by trying many points of both."""
    heads, tails, t = plant.rod_heads(), plant.rod_tails(), np.linspace(0.0, 1.0, 801)[:, None]
    a, b = (heads[k] + t * (tails[k] - heads[k]) for k in (one, other))
    return float(np.linalg.norm(a[:, None] - b[None], axis=2).min())


def test_a_stick_is_carried_by_another_one():
    """One lies on one that its spring holds: its hinge and the other one bear its weight by the law of the lever, and
    that pushes the spring down by as much."""
    heads, ways = [(0.0, 0.0, 0.0), (0.3, -0.4, 0.025)], [(0.5, 0.0, 0.0), (0.0, 0.8, 0.0)]
    spring = 50.0
    model = sticks(heads, ways, stiffness=[[spring] * 3, [0.0] * 3], joint_damping=0.3, friction=0.0)
    plant = Simulation(model)
    plant.start(ITSELF)
    run(plant, ITSELF, 6.0)
    weight = model.bodies.mass * G
    gap = distance(plant, 0, 1) - 2 * RADIUS
    assert -0.02 * RADIUS < gap < 0.0
    tail = plant.rod_tails()[0]
    sunk = np.arcsin(-tail[2] / 0.5)
    push = weight[1] * 0.4 / np.hypot(0.4, 0.0)  # half its weight at its middle, where the other one is
    lever = 0.3
    assert spring * sunk == pytest.approx(weight[0] * 0.25 + push * lever, rel=0.02)
