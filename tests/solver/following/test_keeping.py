# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots, plants side by side, starts, cut rods and refusals of plants that follow."""

import numpy as np
import pytest

from solver import (
    Sample,
    SideBySide,
    Simulation,
    SolverError,
    discretize,
    snapshot_arrays,
    snapshot_from_arrays,
)
from solver.math.rotations import conjugate, logarithm, multiply
from tests.oracles.models import beam
from tests.oracles.runs.humanoid import Swinging

FRAME = 1.0 / 24.0


def plant_of(n: int, **columns) -> Simulation:
    return Simulation(discretize(beam(n, young=1e8, **columns), "base", segments=1))


def world(n: int, frame: int, share=1.0, **columns) -> Sample:
    pose = Swinging(n, 0.3, 1.0).pose(frame * FRAME)
    return Sample(pose=pose, follow=np.full(n, share), wind=(3.0, 1.0, 0.0), **columns)


def test_it_goes_on_from_a_snapshot_and_from_a_file_as_if_nothing_had_been():
    plant, other = plant_of(7), plant_of(7)
    plant.start(world(7, 0))
    other.start(world(7, 0))
    for frame in range(1, 9):
        plant.advance(world(7, frame), FRAME)
    kept = plant.snapshot()
    other.restore(snapshot_from_arrays(other, snapshot_arrays(kept)))
    ends = []
    for one in (plant, plant, other):
        if ends:
            one.restore(kept) if one is plant else None
        for frame in range(9, 15):
            one.advance(world(7, frame), FRAME)
        ends.append(one.state.q)
    assert np.array_equal(ends[0], ends[1])
    assert np.array_equal(ends[0], ends[2])


def test_plants_side_by_side_move_as_alone():
    """One follows, one does not, one begins to."""
    shares = ((lambda frame: 1.0), (lambda frame: 0.0), (lambda frame: 0.2 * max(0, frame - 3)))
    alone = [plant_of(5 + k) for k in range(3)]
    together = [plant_of(5 + k) for k in range(3)]
    for k in range(3):
        for plant in (alone[k], together[k]):
            plant.start(world(5 + k, 0, shares[k](0)))
    side = SideBySide(together)
    for frame in range(1, 9):
        worlds = [world(5 + k, frame, shares[k](frame)) for k in range(3)]
        side.advance(worlds, FRAME)
        for plant, one in zip(alone, worlds, strict=True):
            plant.advance(one, FRAME)
    for plant, snapshot in zip(alone, side.snapshots(), strict=True):
        assert np.array_equal(plant.state.q, snapshot.state.q)
        assert np.array_equal(plant.snapshot().loads.path, snapshot.loads.path)


@pytest.mark.parametrize("mode", ["drawn", "settled", "keep_shape"])
def test_it_starts_in_equilibrium(mode):
    plant = plant_of(8)
    still = Sample(pose=Swinging(8, 0.5, 1.0).pose(1.0), follow=np.ones(8))
    plant.start(still, mode)
    first = plant.rod_tails()
    for _ in range(24):
        plant.advance(still, FRAME)
    assert np.abs(plant.rod_tails() - first).max() < 1e-4


@pytest.mark.parametrize("share", [0.5, 0.95])
def test_what_follows_settles_alike_however_its_springs_are_as_stiff(share):
    """By their material or by the plant's factor, which what they follow by does not know."""
    tips = []
    for young, factor in ((1e5, 1.0), (1e8, 1e-3)):
        plant = Simulation(discretize(beam(6, 1.2, 0.01, young, 900.0), "base"))
        found = plant.start(Sample(follow=np.full(6, share), recovery=np.ones(6), stiffness_scale=factor), "settled")
        assert found.balanced
        tips.append(plant.rod_tails()[-1])
    assert np.abs(tips[1] - tips[0]).max() < 1e-6
    assert tips[0][2] < -0.01


def test_it_keeps_a_shape_that_is_followed_by_a_share():
    plant = plant_of(8, radius=0.02)
    still = Sample(follow=np.full(8, 0.4))
    plant.start(still, "keep_shape")
    first = plant.rod_tails()
    for _ in range(48):
        plant.advance(still, FRAME)
    assert np.abs(plant.rod_tails() - first).max() < 1e-6


def test_a_keyed_share_leads_from_hanging_to_the_pose():
    plant = plant_of(6, radius=0.005, damping_time=0.2)
    pose = Swinging(6, 0.5, 1.0).pose(1.0)
    plant.start(Sample(pose=pose), "settled")
    for frame in range(72):
        plant.advance(Sample(pose=pose, follow=np.full(6, min(1.0, frame / 12.0))), FRAME)
    assert np.abs(logarithm(multiply(conjugate(plant.state.q), pose))).max() < 1e-3


def test_what_is_cut_off_falls_and_the_rest_follows():
    plant, cut = plant_of(6), np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    plant.start(Sample(follow=np.ones(6)))
    for _ in range(12):
        plant.advance(Sample(follow=np.ones(6), cut=cut), FRAME)
    heads = plant.rod_heads()
    assert np.abs(heads[:3, 2]).max() < 1e-3
    assert heads[3:, 2].max() < -0.5


@pytest.mark.parametrize("hertz", [0.5, 2.0, 10.0])
@pytest.mark.parametrize("disturbance", [0.0, 1e-15])
def test_what_is_let_go_at_its_base_falls_as_it_is(hertz, disturbance):
    """All of it by g t^2 / 2, for nothing has to be borne then."""
    plant, cut = plant_of(6), np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    following = {"follow": np.ones(6), "recovery": np.full(6, hertz * (1.0 + disturbance))}
    plant.start(Sample(**following))
    first = plant.rod_tails()
    steps = sum(plant.advance(Sample(cut=cut, **following), FRAME).steps for _ in range(25))
    fallen = first - (0.0, 0.0, 0.5 * 9.81 * (24 * FRAME) ** 2)
    assert np.abs(plant.rod_tails() - fallen).max() < 5e-3
    assert steps < 25 * 20, "and hardly turns"


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"follow": [0.5, 0.5, 1.5]}, "follow"),
        ({"follow": [1.0, 1.0]}, "follow"),
        ({"follow": np.ones(3), "recovery": [-1.0, 1.0, 1.0]}, "recovery"),
        ({"follow": np.ones(3), "recovery_damping": np.full(3, np.nan)}, "recovery_damping"),
        ({"follow": np.ones(3), "largest_moment": [-1.0, 1.0, 1.0]}, "largest_moment"),
    ],
)
def test_what_is_no_following_is_refused(columns, words):
    with pytest.raises(SolverError, match=words):
        plant_of(3).start(Sample(**columns))


@pytest.mark.parametrize("breaks", [False, True])
def test_a_pose_that_stands_still_is_followed_as_one_that_hardly_moves(breaks):
    """Which it is found anew for in every step; and what breaks off follows neither any more."""
    columns = {"strength": [1e9] * 3 + [2e5] + [1e9] * 2, "fibres": 0.0} if breaks else {}
    ends = []
    for moves in (0.0, 1e-9):
        plant = plant_of(6, damping_time=0.02, **columns)
        pose = Swinging(6, 0.3, 1.0).pose(0.3)
        plant.start(Sample(pose=pose, follow=np.ones(6)))
        for frame in range(1, 13):
            turn = np.tile([1.0, moves * frame, 0.0, 0.0], (6, 1))
            turned = multiply(pose, turn / np.linalg.norm(turn, axis=1, keepdims=True))
            force = np.full((6, 3), 2.0 * frame if frame < 4 else 0.0)
            plant.advance(Sample(pose=turned, follow=np.ones(6), force=force), FRAME)
        ends.append(plant.rod_tails())
        assert (plant.broken().max() == 2) == breaks
    assert np.abs(ends[0] - ends[1]).max() < 1e-6
