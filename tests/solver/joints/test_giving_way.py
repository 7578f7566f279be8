# SPDX-License-Identifier: GPL-3.0-or-later
"""A spring that yields beyond a largest moment, against the least of its energy, sought by SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.joints.giving_way import share_that_fits, yielding, yielding_energy
from solver.machine.jit import kernel
from solver.math.memory import load3, load6, store3
from tests.oracles.energies import energy_of_a_yielding_spring

FULL = [[0, 1, 2], [1, 3, 4], [2, 4, 5]]


@kernel
def _yielding(stiffness, turn, most, moment, softer, energy):
    for i in range(len(turn)):
        found, in_a_row, slip = yielding(load6(stiffness, i), load3(turn, i), most[i])
        store3(moment, i, found)
        for c in range(6):
            softer[i, c] = in_a_row[c]
        energy[i] = yielding_energy(load3(turn, i), found, slip)


@kernel
def _fits(given, more, most, share):
    for i in range(len(share)):
        share[i] = share_that_fits(load3(given, i), load3(more, i), most[i])


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


def found(stiffness, turn, most):
    moment, softer, energy = np.empty((len(turn), 3)), np.empty((len(turn), 6)), np.empty(len(turn))
    _yielding(stiffness, turn, most, moment, softer, energy)
    return moment, softer, energy


def test_it_holds_up_to_its_largest_moment_and_then_gives_that():
    stiffness, turn, most = springs()
    moment, softer, _ = found(stiffness, turn, most)
    whole = np.einsum("nij,nj->ni", stiffness[:, FULL], turn)
    size, holds = np.linalg.norm(moment, axis=1), np.linalg.norm(whole, axis=1) <= most
    assert 30 < holds.sum() < 370
    assert (moment[holds] == whole[holds]).all()
    assert (softer[holds] == stiffness[holds]).all()
    assert np.abs(size[~holds] / most[~holds] - 1.0).max() < 1e-10  # axes differ by 1e4, of 16 digits


def test_what_the_spring_does_not_turn_by_slips_along_its_moment():
    stiffness, turn, most = springs()
    moment, softer, _ = found(stiffness, turn, most)
    slips = turn - np.linalg.solve(stiffness[:, FULL], moment[:, :, None])[:, :, 0]
    along = np.einsum("ni,ni->n", slips, moment) / most
    beyond = np.linalg.norm(np.einsum("nij,nj->ni", stiffness[:, FULL], turn), axis=1) > most
    across = np.linalg.norm(slips - along[:, None] * moment / most[:, None], axis=1)
    assert across[beyond].max() < 1e-9
    assert along[beyond].min() > -1e-12
    again = np.einsum("nij,nj->ni", softer[:, FULL], turn)
    assert np.abs(again - moment).max() < 1e-12 * most.max()


def test_its_energy_is_the_least_one_and_its_moment_the_gradient_of_that():
    stiffness, turn, most = springs()
    moment, _, energy = found(stiffness, turn, most)
    expected = np.array(list(map(energy_of_a_yielding_spring, stiffness[:, FULL], turn, most)))
    assert np.abs(energy / expected - 1.0).max() < 1e-9
    e = 1e-5
    for axis in np.eye(3):
        ends = [found(stiffness, turn + way * e * axis, most)[2] for way in (1.0, -1.0)]
        slope = (ends[0] - ends[1]) / (2.0 * e)
        assert (np.abs(slope - moment @ axis) < 1e-4 * np.linalg.norm(moment, axis=1)).all()


def test_a_joint_without_any_moment_gives_none():
    stiffness, turn, _ = springs(8)
    for part in found(stiffness, turn, np.zeros(8)):
        assert not part.any()


@pytest.mark.parametrize("seed", range(3))
def test_as_much_is_given_as_fits(seed):
    rng = np.random.default_rng(seed)
    given, more = rng.normal(size=(2, 300, 3))
    most = 10.0 ** rng.uniform(-1.0, 1.0, 300)
    share = np.empty(300)
    _fits(given, more, most, share)
    room = np.maximum(most, np.linalg.norm(given, axis=1))

    def size(of):
        return np.linalg.norm(given + of[:, None] * more, axis=1)

    assert (size(share) <= room * (1.0 + 1e-12)).all()
    assert ((share == 1.0) | (size(share + 1e-6) > room)).all()
    assert (share >= 0.0).all()
    assert (share <= 1.0).all()


def test_nothing_fits_where_there_is_no_room():
    more, share = np.array([(1.0, 2.0, 3.0), (0.0, 0.0, 0.0)]), np.empty(2)
    _fits(np.zeros((2, 3)), more, np.zeros(2), share)
    assert share.tolist() == [0.0, 1.0]
