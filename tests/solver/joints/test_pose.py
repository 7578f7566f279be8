# SPDX-License-Identifier: GPL-3.0-or-later
"""Springs whose relaxed pose is animated."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from solver import Rods, Sample, Settings, Simulation, SolverError, discretize, with_damping
from solver.math.rotations import exponential, multiply, rotate

from ...oracles.models import binary_tree

STILL = (0.0, 0.0, 0.0)


def some_pose(rods, size=0.4, seed=3):
    """(m, 4) quaternions that turn every rod by up to this angle (rad)."""
    return exponential(np.random.default_rng(seed).uniform(-size, size, (len(rods.parent), 3)) / np.sqrt(3.0))


def drawn_posed(rods, pose):
    """The rods as they would be drawn in this pose."""
    head, frame = np.array(rods.head, dtype=float), np.array(rods.frame, dtype=float)
    posed_head, posed = head.copy(), frame.copy()
    for i, parent in enumerate(np.array(rods.parent).tolist()):
        if parent < 0:
            posed[i] = multiply(frame[i], pose[i])
            continue
        turn = multiply(posed[parent], frame[parent] * (1, -1, -1, -1))
        posed_head[i] = posed_head[parent] + rotate(turn, head[i] - head[parent])
        posed[i] = multiply(multiply(turn, frame[i]), pose[i])
    return replace(rods, head=posed_head, frame=posed)


@pytest.mark.parametrize("layout", ["base", "double_root"])
@pytest.mark.parametrize("start", ["drawn", "settled", "keep_shape"])
@pytest.mark.parametrize("segments", [1, 3])
def test_a_posed_plant_moves_as_one_drawn_in_that_pose(layout, start, segments):
    rods = binary_tree(3, 3)
    pose = some_pose(rods)
    settings = Settings(max_step=1 / 960, newton_tolerance=1e-10)  # so short that rounding decides over no step
    posed = Simulation(discretize(rods, layout, segments), settings)
    drawn = Simulation(discretize(drawn_posed(rods, pose), layout, segments), settings)
    posed.start(Sample(pose=pose), start)
    drawn.start(Sample(), start)
    assert np.abs(posed.rod_tails() - drawn.rod_tails()).max() < 1e-8
    for frame in range(1, 13):
        base = (0.01 * frame, 0.0, 0.0)
        posed.advance(Sample(base_position=base, pose=pose), 1 / 24)
        drawn.advance(Sample(base_position=base), 1 / 24)
    height = np.abs(drawn.rod_tails()).max()
    assert np.abs(posed.rod_tails() - drawn.rod_tails()).max() < 1e-6 * height
    assert sum(posed.energy()) == pytest.approx(sum(drawn.energy()), rel=1e-6)


def test_without_loads_a_stiff_plant_is_where_it_is_posed():
    rods = binary_tree(3, 3)
    pose = some_pose(rods, 1.5)
    plant = Simulation(discretize(rods, "double_root"))
    plant.start(Sample(gravity=STILL, pose=pose))
    exact = drawn_posed(rods, pose)
    assert np.abs(plant.rod_heads() - exact.head).max() < 1e-12
    plant.advance(Sample(gravity=STILL, pose=pose), 1.0)
    assert np.abs(plant.rod_heads() - exact.head).max() < 1e-12


def one_rod(**columns):
    return Rods(
        parent=[-1], head=[(0.0, 0.0, 0.0)], frame=[(1.0, 0.0, 0.0, 0.0)], length=[0.5],
        radius_base=[0.004], radius_tip=[0.004], young=[2e8], density=[900.0], **columns,
    )  # fmt: skip


def follow(angle, end, frames, settings):
    """Turn (rad) of the rod about x at the end when its pose turns by angle(t)."""
    model = discretize(one_rod(damping_time=[0.02]), "double_root")
    plant = Simulation(model, settings)

    def at(t):
        return Sample(gravity=STILL, pose=exponential(np.array([[angle(t), 0.0, 0.0]])))

    plant.start(at(0.0))
    for frame in range(1, frames + 1):
        plant.advance(at(end * frame / frames), end / frames)
    return model, Rotation.from_quat(plant.rod_orientations()[0], scalar_first=True).as_rotvec()[0]


def test_an_animated_joint_is_followed_as_by_a_spring_and_damper():
    end, frames = 0.5, 60

    def angle(t):
        return 0.8 * np.sin(9.0 * t)

    model, found = follow(angle, end, frames, Settings(max_step=1 / 4800))
    inertia, k = model.bodies.inertia[0, 0], model.bodies.stiffness[0, 0]
    times = np.linspace(0.0, end, frames + 1)
    poses = angle(times)

    def rates(t, y):
        i = min(int(t / end * frames), frames - 1)
        slope = (poses[i + 1] - poses[i]) / (end / frames)
        pose = poses[i] + slope * (t - times[i])
        return y[1], -(k * (y[0] - pose) + 0.02 * k * (y[1] - slope)) / inertia

    y = np.zeros(2)
    for i in range(frames):
        y = solve_ivp(rates, (times[i], times[i + 1] - 1e-12), y, rtol=1e-10, atol=1e-12, method="Radau").y[:, -1]
    assert abs(y[0] - angle(end)) > 0.01  # physics adds something
    assert found == pytest.approx(y[0], abs=2e-4)


def test_a_very_stiff_joint_is_where_it_is_animated():
    _, found = follow(lambda t: 2.0 * t, 1.0, 24, Settings())
    soft = abs(found - 2.0)
    rods = one_rod(damping_time=[0.02], stiffness_factor=[1e4])
    plant = Simulation(discretize(rods, "double_root"))
    plant.start(Sample(gravity=STILL))
    for frame in range(1, 25):
        pose = exponential(np.array([[2.0 * frame / 24, 0.0, 0.0]]))
        plant.advance(Sample(gravity=STILL, pose=pose), 1 / 24)
    turn = Rotation.from_quat(plant.rod_orientations()[0], scalar_first=True).as_rotvec()
    assert np.abs(turn - (2.0, 0.0, 0.0)).max() < 1e-4
    assert soft > np.abs(turn - (2.0, 0.0, 0.0)).max()


def test_a_pose_that_comes_and_goes_and_snapshots_in_between():
    rods = binary_tree(3, 2)
    model = discretize(rods, "double_root")
    straight, again = Simulation(model), Simulation(model)
    samples = [Sample(pose=some_pose(rods, 0.1 * k) if 3 <= k < 7 else None) for k in range(12)]
    straight.start(samples[0], "settled")
    tails, snapshots = [], []
    for sample in samples[1:]:
        snapshots.append(straight.snapshot())
        straight.advance(sample, 1 / 24)
        tails.append(straight.rod_tails())
    again.start(samples[0], "settled")
    for k in (6, 2, 9, 3, 10, 0):
        again.restore(snapshots[k])
        again.advance(samples[k + 1], 1 / 24)
        assert (again.rod_tails() == tails[k]).all()


def test_plants_side_by_side_are_posed_each_on_its_own():
    models = [discretize(binary_tree(3, 2), "double_root"), discretize(binary_tree(2, 3), "base")]
    poses = [some_pose(binary_tree(3, 2)), some_pose(binary_tree(2, 3), seed=5)]
    together = Simulation(models)
    together.start(Sample(pose=np.concatenate(poses)), "settled")
    together.advance(Sample(pose=np.concatenate(poses)), 1 / 24)
    alone = []
    for model, pose in zip(models, poses, strict=True):
        one = Simulation(model)
        one.start(Sample(pose=pose), "settled")
        one.advance(Sample(pose=pose), 1 / 24)
        alone.append(one.rod_tails())
    assert (together.rod_tails() == np.concatenate(alone)).all()


def test_damping_by_ratio_is_that_of_the_posed_plant():
    rods = binary_tree(3, 2)
    pose = some_pose(rods)
    posed = with_damping(discretize(rods, "base"), ratio=0.05, sample=Sample(pose=pose))
    drawn = with_damping(discretize(drawn_posed(rods, pose), "base"), ratio=0.05)
    assert posed.frequency == pytest.approx(drawn.frequency, rel=1e-9)


@pytest.mark.parametrize(
    ("layout", "pose", "message"),
    [
        ("gauss2", [(0.8, 0.6, 0.0, 0.0)], "joint at its base"),
        ("base", [(0.9, 0.6, 0.0, 0.0)], "unit quaternion"),
        ("base", [(1.0, 0.0, 0.0)], "shape"),
        ("base", [(np.nan, 0.0, 0.0, 0.0)], "pose"),
    ],
)
def test_what_is_no_pose_is_refused(layout, pose, message):
    plant = Simulation(discretize(one_rod(), layout))
    with pytest.raises(SolverError, match=message):
        plant.start(Sample(pose=pose))
