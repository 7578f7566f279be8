# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots that have been in a file go on with the same bits; what is not one is refused."""

import numpy as np
import pytest

from solver import Sample, Simulation, SolverError, discretize
from solver.math.rotations import exponential
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import binary_tree


def world(frame: int) -> Sample:
    pose = exponential(np.full((9, 3), 0.02 * frame))
    return Sample(
        base_position=(0.01 * frame, 0.0, 0.0), pose=pose, wind=(2.0, 0.0, 0.0), twist=np.full(9, 1e-4),
        force_field=lambda points, velocities, time: -points, pull_rod=[4], pull_along=[0.5],
        pull_target=[(0.1, 0.0, 0.2)], pull_stiffness=[5.0], pull_damping=[0.0],
    )  # fmt: skip


def simulation() -> Simulation:
    return Simulation(discretize(binary_tree(3, 2), "double_root"))


@pytest.fixture
def arrays(tmp_path):
    """Those of a snapshot after five frames, from a file, and where the rods are three frames later."""
    plant = simulation()
    plant.start(world(0), "settled")
    for frame in range(1, 6):
        plant.advance(world(frame), 1 / 24)
    np.savez(tmp_path / "snapshot.npz", **snapshot_arrays(plant.snapshot()))
    for frame in range(6, 9):
        plant.advance(world(frame), 1 / 24)
    with np.load(tmp_path / "snapshot.npz", allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}, plant.rod_tails()


def test_a_snapshot_from_a_file_goes_on_with_the_same_bits(arrays):
    saved, tails = arrays
    plant = simulation()
    plant.start(world(0), "settled")  # its springs' rest is not in the file
    plant.restore(snapshot_from_arrays(plant, saved))
    for frame in range(6, 9):
        plant.advance(world(frame), 1 / 24)
    assert (plant.rod_tails() == tails).all()


@pytest.mark.parametrize("name", ["state.q", "loads.pose", "loads.field", "pulls.body", "bases.now", "time"])
def test_what_is_no_snapshot_of_the_plant_is_refused(arrays, name):
    plant = simulation()
    plant.start(world(0))
    good = arrays[0]
    wrong = [{key: value for key, value in good.items() if key != name}]
    wrong.append(good | {name: np.full_like(good[name], np.nan) if good[name].dtype.kind == "f" else good[name] + 99})
    wrong.append(good | {name: good[name].astype("U8")})
    wrong.append(good | {name: np.repeat(np.atleast_1d(good[name]), 2, axis=0)})
    for broken in wrong:
        with pytest.raises(SolverError):
            plant.restore(snapshot_from_arrays(plant, broken))
