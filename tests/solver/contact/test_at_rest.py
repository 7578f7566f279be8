# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies comes to rest, costs one solve a step, and goes on from a snapshot wherever that is restored."""

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Settings, Simulation, discretize
from solver.dynamics.touching import near_pairs
from solver.math.rotations import from_matrices
from tests.oracles.models import binary_tree

FRAME = 1.0 / 24.0
LYING = (0.5**0.5, 0.0, 0.5**0.5, 0.0)


def chain(links: int, head, way) -> Rods:
    y = np.asarray(way) / np.linalg.norm(way)
    frame = from_matrices(np.column_stack([np.cross(y, (0.0, 0.0, 1.0)), y, (0.0, 0.0, 1.0)])[None])
    return Rods(
        parent=np.arange(links) - 1, head=np.asarray(head) + np.arange(links)[:, None] / links * y,
        frame=np.repeat(frame, links, axis=0), length=1.0 / links, radius_base=0.01, radius_tip=0.01, young=1e9,
        density=500.0, friction=0.5, joint_damping=2e-4, stiffness=np.full((links, 3), 0.02),
    )  # fmt: skip


def pile() -> tuple[list, Sample]:
    """Three loose chains, one above the other crosswise, that touch each other and the ground."""
    ways = [np.array((np.cos(a), np.sin(a), 0.0)) for a in (0.0, 2.4, 4.8)]
    models = [
        discretize(chain(10, (0.0, 0.0, 0.03 * (k + 1)) - 0.5 * way, way), "base", segments=1)
        for k, way in enumerate(ways)
    ]
    cut = np.concatenate([np.eye(10)[0]] * 3)
    ground = Collider("plane", friction=0.5)
    return models, Sample(colliders=[ground], touches_itself=True, touches_others=True, cut=cut)


def a_second_of(plant: Simulation, sample: Sample) -> tuple[float, float]:
    """How far (m) an end of a rod is from where it was, and solves of a step, in a second."""
    before = plant.rod_tails()
    reports = [plant.advance(sample, FRAME) for _ in range(24)]
    moved = float(np.abs(plant.rod_tails() - before).max())
    return moved, sum(one.solves for one in reports) / sum(one.steps for one in reports)


def test_a_tree_that_was_let_go_comes_to_rest_to_the_last_digits():
    model = discretize(binary_tree(4, 5, 0.004, 1e7, damping_time=0.02, friction=0.5), "double_root", segments=1)
    plant = Simulation(model, Settings(threads=1))
    plant.start(Sample(base_orientation=LYING))
    lowest = float(plant.rod_tails()[:, 2].min()) - 0.05
    ground = Collider("plane", position=(0.0, 0.0, lowest), friction=0.5)
    sample = Sample(colliders=[ground], base_orientation=LYING, cut=np.eye(model.rod_count)[0])
    plant.start(sample)
    for _ in range(24 * 8):
        plant.advance(sample, FRAME)
    moved, solves = a_second_of(plant, sample)
    assert len(plant.contacts().rod) > 10
    assert moved < 1e-9
    assert solves <= 1.5


def test_a_pile_comes_to_rest():
    models, sample = pile()
    plant = Simulation(models, Settings(threads=1), together=True)
    plant.start(sample)
    for _ in range(24 * 6):
        plant.advance(sample, FRAME)
    moved, solves = a_second_of(plant, sample)
    assert (plant.contacts().collider < 0).sum() >= 4
    assert moved < 1e-9
    assert solves <= 1.5


@pytest.mark.parametrize("frames", [6, 24])
def test_a_snapshot_of_a_pile_goes_on_alike_where_it_is_restored_first(frames, monkeypatch):
    """In a simulation that has had room for few pairs only."""
    models, sample = pile()
    first = Simulation(models, Settings(threads=1), together=True)
    first.start(sample)
    for _ in range(frames):
        first.advance(sample, FRAME)
    kept = first.snapshot()
    expected = []
    for _ in range(6):
        first.advance(sample, FRAME)
        expected.append(first.rod_tails())
    monkeypatch.setattr(near_pairs, "FEW", 1)
    other = Simulation(models, Settings(threads=1), together=True)
    other.start(sample)
    other.restore(kept)
    for tails in expected:
        other.advance(sample, FRAME)
        assert np.array_equal(other.rod_tails(), tails)
