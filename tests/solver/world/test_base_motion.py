# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant on a base that moves and turns."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver import Sample, Settings, Simulation, discretize
from solver.dynamics.multistep import BLEND
from solver.machine.jit import kernel
from solver.math.rotations import exponential, rotate, unrotate
from solver.world.base_motion import are_at_rest, base_arrived, base_at, base_of, bases_at, bases_at_rest, path_to
from tests.oracles.models import base_at_rest, beam, binary_tree, random_quaternions, weights_of


@kernel
def _set_out(base, position, orientation, duration):
    path_to(base, position, orientation, duration)


@kernel
def _stand_at(base, s, duration, past, older, g):
    base_at(base, s, duration, past, older, g)


@kernel
def _arrive(base):
    base_arrived(base)


@kernel
def _go_on_to(bases, position, orientation, duration, s, past, older, g):
    """Whether the bases are at rest in a frame to a pose, at a share of which they are put."""
    path_to(base_of(bases, 0), position, orientation, duration)
    rest = are_at_rest(bases)
    bases_at(bases, s, duration, past, older, g)
    return rest


BDF2 = 1 / 3, 0.0


def matrix(q):
    return Rotation.from_quat(q[[1, 2, 3, 0]]).as_matrix()


@pytest.mark.parametrize("turn", [1e-3, 0.3, 2.0])
def test_velocities_and_accelerations_are_the_derivatives_of_the_path(turn):
    rng = np.random.default_rng(1)
    base, duration, eps = base_at_rest(np.zeros(3), random_quaternions(rng, 1)[0]), 0.04, 1e-3
    orientation = base.now[1].copy()
    for _ in range(4):
        axis = rng.normal(size=3)
        step = Rotation.from_rotvec(turn * axis / np.linalg.norm(axis))
        orientation = (Rotation.from_quat(orientation[[1, 2, 3, 0]]) * step).as_quat()[[3, 0, 1, 2]]
        _set_out(base, rng.normal(size=3) * 0.1, orientation, duration)
        for s in (0.1, 0.5, 0.9):
            poses = []
            past, older, g, _ = weights_of(np.array([eps, eps]), eps)
            for offset in (-3 * eps, -2 * eps, -eps, 0.0, eps):
                _stand_at(base, s + offset, duration, past, older, g * duration)
                poses.append(base.now.copy())
                if offset < 0.0:
                    _arrive(base)
            earliest, earlier, before, now, after = poses
            slope = (after - before) / (2 * eps * duration)
            spin = (matrix(after[1]) - matrix(before[1])) / (2 * eps * duration) @ matrix(now[1]).T
            assert close(slope[0], now[2], before[2], after[2])
            assert close([spin[2, 1], spin[0, 2], spin[1, 0]], now[3, :3], before[3, :3], after[3, :3])
            # The accelerations are those of the plant's formula: backward differences of order two and three, mixed.
            for rate in (2, 3):
                two = 1.5 * now[rate] - 2.0 * before[rate] + 0.5 * earlier[rate]
                three = 11 / 6 * now[rate] - 3.0 * before[rate] + 1.5 * earlier[rate] - earliest[rate] / 3
                mixed = ((1.0 - BLEND) * two + BLEND * three) / (eps * duration)
                size = np.abs([now[rate], before[rate], earlier[rate], earliest[rate]]).max() / (eps * duration)
                assert mixed == pytest.approx(now[rate + 2], rel=1e-12, abs=1e-12 * size)
        _stand_at(base, 1.0, duration, *BDF2, 1.0)
        assert abs(base.now[1] @ orientation) == pytest.approx(1.0, abs=1e-14)


def close(difference, value, *around):
    """The central difference agrees to a part of the size of its neighbourhood."""
    size = max(np.abs(v).max() for v in (value, *around))
    return np.abs(np.asarray(difference) - value).max() < 2e-5 * max(size, 1.0)


def test_path_is_smooth_across_frames_and_meets_the_poses():
    base, ends = base_at_rest(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])), []
    for k in range(1, 6):
        goal = np.array([np.sin(k), k**2, 0.0]) * 0.01
        _set_out(base, goal, exponential(np.array([0.1 * k, 0.05 * k**2, 0.0])), 1 / 24)
        _stand_at(base, 0.0, 1 / 24, *BDF2, 1.0)
        if ends:
            assert base.now[:4] == pytest.approx(ends[-1], abs=1e-12)
        _stand_at(base, 1.0, 1 / 24, *BDF2, 1.0)
        assert base.now[0, :3] == pytest.approx(goal, abs=1e-15)
        ends.append(base.now[:4].copy())


def order(shake):
    """Observed order of convergence of a tree whose base moves, over two seconds and a factor of four in the step."""
    paths = []
    for h in (1 / 240, 1 / 480, 1 / 960, 1 / 7680):
        plant = Simulation(
            discretize(binary_tree(3, 4, radius=0.008, damping_time=0.01)),
            Settings(max_step=h, tolerance=np.inf, newton_tolerance=1e-10),
        )
        plant.start(Sample(), "settled")
        tip = []
        for k in range(1, 49):
            plant.advance(shake(k / 24), 1 / 24)
            tip.append(plant.rod_tails()[-1])
        paths.append(tip)
    errors = [np.sqrt((np.subtract(path, paths[-1]) ** 2).sum(axis=1).mean()) for path in paths[:-1]]
    print("root mean square error (m):", errors)
    return 0.5 * np.log2(errors[0] / errors[2])


def test_second_order_with_a_shifted_base():
    """Though the base's acceleration jumps at every frame."""
    found = order(lambda t: Sample(base_position=(0.1 * (1 - np.cos(6 * t)), 0.05 * np.sin(4 * t) ** 2, 0.0)))
    assert found == pytest.approx(2.0, abs=0.1)


def test_second_order_with_a_turned_base():
    found = order(lambda t: Sample(base_orientation=exponential(np.array([0.3 * np.sin(4 * t) ** 2, 0.0, t**2]))))
    assert found == pytest.approx(2.0, abs=0.1)


def relative_tails(plant):
    base = plant.snapshot().bases.now[0]
    return unrotate(base[1], plant.rod_tails() - base[0, :3])


def test_constant_velocity_is_rest():
    plant = Simulation(discretize(binary_tree(3, 3, damping_time=0.01)))
    plant.start(Sample(), "settled")
    still = relative_tails(plant)
    for k in range(1, 49):
        plant.advance(Sample(base_position=np.array([3.0, -1.0, 0.5]) * k / 24), 1 / 24)
        assert np.abs(relative_tails(plant) - still).max() < 1e-8


def test_constant_acceleration_is_tilted_gravity():
    rods = binary_tree(3, 3, radius=0.008, damping_time=0.05)
    acceleration = np.array([3.0, 1.0, 0.5])
    plant = Simulation(discretize(rods))
    plant.start(Sample(), "settled")
    for k in range(1, 24 * 6):
        plant.advance(Sample(base_position=0.5 * acceleration * (k / 24) ** 2), 1 / 24)
    tilted = Simulation(discretize(rods))
    tilted.start(Sample(gravity=np.array([0.0, 0.0, -9.81]) - acceleration), "settled")
    assert np.abs(relative_tails(plant) - tilted.rod_tails()).max() < 1e-7


def test_spinning_base_throws_outwards():
    """A rod on a free hinge turns with its base at the angle of the conical pendulum, m g l/2 = w^2 (I_t - I_a) cos."""
    length, rate = 0.5, 6.0
    down = np.array([0.5**0.5, -(0.5**0.5), 0.0, 0.0])
    model = discretize(beam(1, length=length, radius=0.004, frame=down, stiffness=np.zeros(3)), "double_root")
    transverse, axial = model.bodies.inertia[0, 0], model.bodies.inertia[0, 3]
    cosine = model.bodies.mass[0] * 9.81 * 0.5 * length / (rate**2 * (transverse - axial))
    plant = Simulation(model, Settings(max_step=1 / 960))
    plant.start(Sample(), initial=[[np.arccos(cosine), 0.0, 0.0]])
    for k in range(1, 96):
        plant.advance(Sample(base_orientation=exponential(np.array([0.0, 0.0, rate * k / 24]))), 1 / 24)
        assert -plant.rod_tails()[0, 2] / length == pytest.approx(cosine, abs=1e-6)
        assert relative_tails(plant)[0] == pytest.approx(relative_tails(plant)[0] * [0, 1, 1], abs=1e-5)


def test_orientations_are_relative_to_the_base():
    rods = binary_tree(3, 3, radius=0.01)
    turned = exponential(np.array([0.3, -0.5, 0.8]))
    plant = Simulation(discretize(rods))
    plant.start(Sample(base_position=(1.0, 2.0, 3.0), base_orientation=2.0 * turned))  # normalised on the way in
    assert np.abs(np.abs((plant.rod_orientations() * rods.array("frame")).sum(axis=1)) - 1.0).max() < 1e-14
    assert plant.rod_heads() == pytest.approx(np.array([1.0, 2.0, 3.0]) + rotate(turned, rods.array("head")), abs=1e-14)


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.3, -0.5, 0.8)])
def test_bases_at_rest_stay_to_the_bit(turn):
    position, orientation = np.array([1.0, 2.0, 3.0]), exponential(np.array(turn))
    bases = bases_at_rest(position[None], orientation[None])
    before = bases.now.copy()
    rest = _go_on_to(bases, position, orientation, 1 / 24, 0.3, *BDF2, 0.01)
    assert rest or np.any(turn)  # which may be off by its rounding
    assert not rest or np.array_equal(bases.now, before)


@pytest.mark.parametrize(("shift", "turn"), [(1e-9, 0.0), (0.0, 1e-9)])
def test_bases_that_move_or_have_just_stopped_are_not_at_rest(shift, turn):
    position, orientation = np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 0.0, 0.0])
    bases = bases_at_rest(position[None], orientation[None])
    moved = position + shift, exponential(np.array([0.0, turn, 0.0]))
    assert not _go_on_to(bases, *moved, 1 / 24, 1.0, *BDF2, 0.01)
    base_arrived(base_of(bases, 0))
    assert not _go_on_to(bases, *moved, 1 / 24, 1.0, *BDF2, 0.01)


def test_frames_of_changing_length():
    """The same motion cut into frames of other lengths stays close: the base's path only uses poses at frames."""
    ends = []
    for pattern in ([1 / 24] * 4, [1 / 48] * 8):
        plant, t = Simulation(discretize(binary_tree(3, 3, radius=0.006, damping_time=0.02))), 0.0
        plant.start(Sample(), "settled")
        for _ in range(6):
            for duration in pattern:
                t += duration
                plant.advance(Sample(base_position=(0.1 * np.sin(4.0 * t) ** 2, 0.0, 0.0)), duration)
        ends.append(plant.rod_tails())
    assert np.abs(ends[0] - ends[1]).max() < 2e-3
