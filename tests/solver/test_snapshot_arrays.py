# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots as plain arrays: another simulation goes on from them with the same bits, and refuses what is not its."""

import numpy as np
import pytest

from solver import Rods, Sample, Settings, Simulation, SolverError, discretize, snapshot_arrays, snapshot_from_arrays


def chain(bones: int) -> Rods:
    """A chain along X."""
    y_along_x = np.tile([np.sqrt(0.5), 0.0, 0.0, -np.sqrt(0.5)], (bones, 1))
    head = np.zeros((bones, 3))
    head[:, 0] = 0.1 * np.arange(bones)
    return Rods(
        parent=np.arange(-1, bones - 1), head=head, frame=y_along_x, length=np.full(bones, 0.1),
        radius_base=np.full(bones, 0.004), radius_tip=np.full(bones, 0.004),
        young=np.full(bones, 3e8), density=np.full(bones, 900.0),
    )  # fmt: skip


def sample(frame: int) -> Sample:
    """A moving base, a pull, still air that damps and a force field."""
    return Sample(
        base_position=[(0.01 * frame, 0.0, 0.0), (0.0, 0.02 * frame, 0.0)],
        base_orientation=[(1.0, 0.0, 0.0, 0.0)] * 2,
        wind=(0.0, 0.1 * frame, 0.0),
        force_field=lambda points, velocities, time: np.sin(points + time) - 0.1 * velocities,
        pull_rod=[2], pull_along=[1.0], pull_target=[(0.3, 0.0, 0.1)], pull_stiffness=[20.0], pull_damping=[0.1],
    )  # fmt: skip


def simulation() -> Simulation:
    return Simulation([discretize(chain(3)), discretize(chain(4))], Settings(threads=1))


@pytest.fixture(scope="module")
def stored() -> dict[str, np.ndarray]:
    plants = simulation()
    plants.start(sample(0))
    for frame in range(1, 6):
        plants.advance(sample(frame), 1 / 24)
    return snapshot_arrays(plants.snapshot())


def test_another_simulation_goes_on_with_the_same_bits(stored):
    assert all(array.dtype.kind in "bif" for array in stored.values())
    straight, other = simulation(), simulation()
    straight.start(sample(0))
    other.start(sample(0))
    for frame in range(1, 6):
        straight.advance(sample(frame), 1 / 24)
    other.restore(snapshot_from_arrays(other, stored))
    for frame in range(6, 20):
        for plants in (straight, other):
            plants.advance(sample(frame), 1 / 24)
        assert np.array_equal(straight.rod_tails(), other.rod_tails())
        assert straight.time == other.time


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("state.q", np.zeros((2, 4))),
        ("state.u", np.zeros((14, 3), dtype=np.float32)),
        ("state.a", np.full((14, 3), np.nan)),
        ("loads.pull_body", np.array([14])),
        ("loads.pull_body", np.array([-2])),
        ("loads.pull_body", np.array([[0]])),
        ("loads.pull_target", np.zeros((2, 3))),
        ("loads.field", np.zeros((3, 24))),
        ("loads.gravity", np.array([0.0, 0.0, np.inf])),
        ("bases.now", np.zeros((1, 6, 4))),
        ("time", np.zeros(2)),
        ("time", None),
    ],
)
def test_what_is_not_of_this_simulation_is_refused(stored, name, wrong):
    arrays = {key: value for key, value in stored.items() if key != name}
    if wrong is not None:
        arrays[name] = wrong
    with pytest.raises(SolverError, match=r"snapshot"):
        snapshot_from_arrays(simulation(), arrays)
