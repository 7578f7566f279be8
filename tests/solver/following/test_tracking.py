# SPDX-License-Identifier: GPL-3.0-or-later
"""What follows a keyed pose wholly moves as keyed: no lag, whatever its mass, size and springs."""

import numpy as np
import pytest

from solver import Sample, Simulation, discretize
from solver.math.rotations import conjugate, exponential, logarithm, multiply
from tests.oracles.models import beam, binary_tree, random_rods
from tests.oracles.runs.humanoid import Swinging, humanoid

FPS = 24.0
TREES = {
    "100 bones": lambda: random_rods(np.random.default_rng(4), 100),
    "a chain of 100": lambda: beam(100, length=2.0, radius=0.02, young=1e6),
    "a tree": lambda: binary_tree(3, 5),
    "51 degrees of freedom": humanoid,
}


def whole(rods: int, **columns) -> dict:
    """Columns of a Sample with which all rods follow wholly."""
    return {"follow": np.ones(rods)} | columns


def missing(plant: Simulation, pose: np.ndarray) -> np.ndarray:
    """(n, 3) rad: rotation vectors from where joints are to the pose, in bodies' axes."""
    return logarithm(multiply(conjugate(plant.state.q), pose))


def tracked(rods, motion: Swinging, seconds=3.0, fps=FPS, **columns) -> tuple[np.ndarray, np.ndarray]:
    """Errors (frames, n, 3) rad of a motion that is followed, and the wanted rates (frames, n, 3) rad/s."""
    model = discretize(rods, "base", segments=1)
    plant, m = Simulation(model), model.rod_count
    plant.start(Sample(pose=motion.pose(0.0), **whole(m, **columns)))
    errors, rates = [], []
    for frame in range(1, round(seconds * fps) + 1):
        now = frame / fps
        pose = motion.pose(now)
        plant.advance(Sample(pose=pose, **whole(m, **columns)), 1.0 / fps)
        errors.append(missing(plant, pose))
        near = multiply(conjugate(motion.pose(now - 1e-5)), motion.pose(now + 1e-5))
        rates.append(logarithm(near) / 2e-5)
    return np.array(errors), np.array(rates)


@pytest.mark.parametrize("name", TREES)
def test_it_moves_as_keyed_without_lag(name):
    rods = TREES[name]()
    errors, rates = tracked(rods, Swinging(len(rods), 0.35, 1.0))
    off = np.degrees(np.linalg.norm(errors, axis=2))
    assert off.mean() < 0.1
    lag = (errors * rates).sum() / (rates**2).sum()
    assert abs(lag) < 1e-4  # s: a 400th of a frame


def test_springs_and_weights_do_not_matter():
    """The same motion with springs that would hang or stand, of light and heavy bodies."""
    motion = Swinging(20, 0.5, 1.0)
    for young, density in ((1e4, 1000.0), (1e10, 1.0), (1e7, 20000.0)):
        errors, _ = tracked(beam(20, young=young, density=density), motion)
        assert np.degrees(np.abs(errors)).mean() < 0.1


def test_wide_and_quick_turns_are_followed():
    errors, _ = tracked(humanoid(), Swinging(16, 2.0, 0.5), recovery=np.full(16, 5.0))
    assert np.degrees(np.abs(errors)).mean() < 0.1


def test_the_base_may_move():
    rods = beam(8)
    model = discretize(rods, "base", segments=1)
    plant, motion = Simulation(model), Swinging(8, 0.3, 1.0)
    for frame in range(60):
        t = frame / FPS
        world = Sample(
            base_position=(0.3 * t**2, 0.0, 0.0), base_orientation=exponential(np.array([0.0, 0.3 * t**2, 0.0])),
            pose=motion.pose(t), **whole(8),
        )  # fmt: skip
        if frame == 0:
            plant.start(world)
        else:
            plant.advance(world, 1.0 / FPS)
            assert np.degrees(np.abs(missing(plant, motion.pose(t)))).max() < 0.5


def test_without_following_nothing_changes():
    """Shares of 0 are the springs alone, to the bit."""
    rods, motion = beam(6, young=1e8), Swinging(6, 0.3, 1.0)
    plants = [Simulation(discretize(rods, "base", segments=1)) for _ in range(2)]
    for frame in range(20):
        pose = motion.pose(frame / FPS)
        for plant, columns in zip(plants, ({}, {"follow": np.zeros(6), "recovery": np.full(6, 9.0)}), strict=True):
            world = Sample(pose=pose, **columns)
            plant.start(world) if frame == 0 else plant.advance(world, 1.0 / FPS)
    assert np.array_equal(plants[0].state.q, plants[1].state.q)


def test_half_following_is_between_springs_and_the_pose():
    """A level rod that hangs on its spring by 0.2 rad hangs by less the more it follows."""
    sag = []
    for share in (0.0, 0.5, 0.9, 1.0):
        plant = Simulation(discretize(beam(1, young=4e6, radius=0.02, damping_time=0.1), "base", segments=1))
        world = Sample(follow=[share], recovery=[1.0])
        plant.start(world)
        for _ in range(200):
            plant.advance(world, 1.0 / FPS)
        sag.append(float(np.linalg.norm(missing(plant, np.array([[1.0, 0.0, 0.0, 0.0]])))))
    assert sag[0] > 0.05
    assert sag[0] > sag[1] > sag[2] > sag[3]
    assert sag[3] < 1e-9


def test_what_does_not_follow_hangs_on_what_does():
    """Limp rods on a stiff figure: it holds their weight, and stays where it is keyed."""
    parent = np.array([-1, 0, 1, 2, 3])
    rods = beam(5, young=1e3, radius=0.01, damping_time=1.0)
    follow = np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    assert (rods.parent == parent).all()
    plant = Simulation(discretize(rods, "base", segments=1))
    world = Sample(follow=follow)
    plant.start(world, "settled")
    for _ in range(48):
        plant.advance(world, 1.0 / FPS)
    off = np.linalg.norm(missing(plant, np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))), axis=1)
    assert np.degrees(off[:2]).max() < 0.01
    assert off[2:].max() > 0.3
