# SPDX-License-Identifier: GPL-3.0-or-later
"""The energy of a spring that yields beyond a largest moment, against the least of all ways to share its turn, which
SciPy seeks."""

import numpy as np
from scipy.spatial.transform import Rotation

from solver.joints.giving_way import yielding_energy
from solver.machine.jit import kernel
from solver.math.memory import load3, load6
from tests.oracles.energies import energy_of_a_yielding_spring

FULL = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]


@kernel
def _energies(stiffness, turn, most, energy):
    for i in range(len(turn)):
        energy[i] = yielding_energy(load6(stiffness, i), load3(turn, i), most[i])


def springs(count=400):
    """Stiffnesses (count, 6) whose axes differ by up to 1e8, turns (count, 3), largest moments (count,),
    from far too small to hold to more than enough."""
    rng = np.random.default_rng(1)
    axes = Rotation.random(count, random_state=1).as_matrix()
    stiff = 10.0 ** (rng.uniform(-4.0, 4.0, (count, 3)) + rng.uniform(-3.0, 3.0, (count, 1)))
    stiffness = np.einsum("nij,nj,nkj->nik", axes, stiff, axes)[:, (0, 0, 0, 1, 1, 2), (0, 1, 2, 1, 2, 2)]
    turn = rng.normal(size=(count, 3))
    moment = np.linalg.norm(np.einsum("nij,nj->ni", stiffness[:, FULL], turn), axis=1)
    return stiffness, turn, moment * 10.0 ** rng.uniform(-6.0, 1.0, count)


def energies(stiffness, turn, most):
    found = np.empty(len(turn))
    _energies(stiffness, turn, most, found)
    return found


def test_its_energy_is_the_least_one():
    stiffness, turn, most = springs()
    expected = np.array(list(map(energy_of_a_yielding_spring, stiffness[:, FULL], turn, most)))
    holds = np.linalg.norm(np.einsum("nij,nj->ni", stiffness[:, FULL], turn), axis=1) <= most
    assert 30 < holds.sum() < 370
    assert np.abs(energies(stiffness, turn, most) / expected - 1.0).max() < 1e-9


def test_its_slope_is_no_more_than_the_largest_moment():
    stiffness, turn, most = springs()
    e = 1e-5
    for axis in np.eye(3):
        ends = [energies(stiffness, turn + way * e * axis, most) for way in (1.0, -1.0)]
        assert (np.abs(ends[0] - ends[1]) / (2.0 * e) < most * (1.0 + 1e-4)).all()


def test_a_joint_without_any_moment_holds_none():
    stiffness, turn, _ = springs(8)
    assert not energies(stiffness, turn, np.zeros(8)).any()
