# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations that go on together move to the last bit as each alone."""

from dataclasses import replace

import numpy as np
import pytest

from solver import GustyWind, Sample, Settings, SideBySide, Simulation, SolverError, can_go_together, discretize
from tests.oracles.models import beam, binary_tree, random_rods

GUSTS = GustyWind((4.0, 1.0, 0.0), seed=2)


def world(k: int, frame: int, wind=GUSTS) -> Sample:
    """What stands about plant k: each has its own base, weight, stiffness and loads, but the air is the same."""
    given = {
        "base_position": (k, 0.02 * np.sin(frame + k), 0.0), "gravity": (0.0, 0.0, -9.81 * (1.0 + 0.1 * k)),
        "stiffness_scale": 1.0 + 0.05 * k * frame, "wind": wind, "time": frame / 24,
    }  # fmt: skip
    if k == 1:
        given |= {"force": np.full((9, 3), 0.01 * frame), "twist": np.full(9, 0.001), "lift": np.linspace(0.0, 1.0, 9)}
    if k == 2:
        given |= {
            "pull_rod": [8, 3], "pull_along": [1.0, 0.5], "pull_target": [(2.1, 0.01 * frame, 0.2), (2.0, 0.0, 0.1)],
            "pull_stiffness": [50.0, 10.0], "pull_damping": [0.1, 0.0],
        }  # fmt: skip
    if k == 3:
        pose = np.tile([1.0, 0.0, 0.0, 0.0], (9, 1))
        pose[2] = np.array([1.0, 0.05 * frame, 0.0, 0.0]) / np.hypot(1.0, 0.05 * frame)
        given |= {"pose": pose}
    return Sample(**given)


def plants() -> list[Simulation]:
    """Of many kinds, the last one of two plants with one base each."""
    settings = Settings(threads=2)
    tree = {"radius": 0.003, "young": 4e7, "damping_time": 0.005}
    found = [Simulation(discretize(binary_tree(3, 2, **tree)), settings) for _ in range(3)]
    found.append(Simulation(discretize(binary_tree(3, 2, **tree), "base"), settings))
    found.append(Simulation(discretize(binary_tree(3, 2, **tree, bend_limit=0.05)), settings))
    found.append(Simulation(discretize(random_rods(np.random.default_rng(1), 60)), settings))
    pair = [discretize(beam(4, length=0.5, radius=0.004, young=1e8)), discretize(binary_tree(2, 2))]
    return [*found, Simulation(pair, settings)]


def worlds(frame: int, wind=GUSTS) -> list[Sample]:
    found = [world(k, frame, wind) for k in range(7)]
    found[6] = replace(found[6], base_position=[(6.0, 0.0, 0.1 * frame), (7.0, 0.0, 0.0)],
                       base_orientation=[(1.0, 0.0, 0.0, 0.0)] * 2)  # fmt: skip
    return found


def started(wind=GUSTS) -> list[Simulation]:
    modes = ["settled", "drawn", "settled", "drawn", "keep_shape", "drawn", "settled"]
    found = plants()
    for plant, sample, mode in zip(found, worlds(0, wind), modes, strict=True):
        plant.start(sample, mode)
    return found


def bits(plant: Simulation) -> bytes:
    return plant.rod_tails().tobytes() + plant.state.u.tobytes() + plant.bending_moments().tobytes()


@pytest.mark.parametrize("wind", [GUSTS, (3.0, 0.0, 0.0), None])
def test_together_as_alone(wind):
    alone, others = started(wind), started(wind)
    for plant, sample in zip(others, worlds(1, wind), strict=True):
        plant.advance(sample, 1 / 24)
    for plant, sample in zip(alone, worlds(1, wind), strict=True):
        plant.advance(sample, 1 / 24)
    together = SideBySide(others)
    for frame in range(2, 8):
        reports = together.advance(worlds(frame, wind), 1 / 24)
        each = [plant.advance(sample, 1 / 24) for plant, sample in zip(alone, worlds(frame, wind), strict=True)]
        assert reports == each
        for rods, plant in zip(together.rod_orientations(), alone, strict=True):
            assert rods.tobytes() == plant.rod_orientations().tobytes()
    for plant, snapshot, one in zip(others, together.snapshots(), alone, strict=True):
        plant.restore(snapshot)
        assert bits(plant) == bits(one)
    for frame in (8, 9):  # and on from there, each alone
        for plant, one, sample in zip(others, alone, worlds(frame, wind), strict=True):
            assert plant.advance(sample, 1 / 24) == one.advance(sample, 1 / 24)
            assert bits(plant) == bits(one)


def test_a_wind_of_every_rod_s_own():
    """Plants of as many rods go together in the same one, to the same bits."""
    wind = np.linspace(0.0, 3.0, 3 * len(plants()[0].model.length)).reshape(-1, 3)
    alone, others = ([plants()[0], plants()[0]] for _ in range(2))
    for plant in (*alone, *others):
        plant.start(replace(world(0, 0), wind=wind))
    together = SideBySide(others)
    for frame in (1, 2):
        samples = [replace(world(0, frame), wind=wind.copy()) for _ in alone]
        reports = together.advance(samples, 1 / 24)
        assert reports == [plant.advance(sample, 1 / 24) for plant, sample in zip(alone, samples, strict=True)]
        for rods, plant in zip(together.rod_orientations(), alone, strict=True):
            assert rods.tobytes() == plant.rod_orientations().tobytes()


@pytest.mark.parametrize("wind", [np.ones((4, 3)), np.ones(3), np.zeros((3, 3)), None, lambda points, time: points])
def test_winds_that_are_not_the_same(wind):
    one, other = replace(world(0, 1), wind=np.ones((3, 3))), replace(world(0, 1), wind=wind)
    assert not can_go_together(one, other)
    assert not can_go_together(other, one)
    assert can_go_together(one, replace(world(0, 1), wind=np.ones((3, 3))))


def in_field(k: int, frame: int) -> Sample:
    """A world with a force field of its own: every plant is asked for its own points only."""

    def whirl(points: np.ndarray, velocities: np.ndarray, time: float) -> np.ndarray:
        away = points - (k, 0.0, 0.3)
        return (2.0 + k) * np.exp(-np.abs(away)) * np.sin(3.0 * time + k) - 0.2 * k * velocities

    return replace(worlds(frame, None)[k], force_field=whirl)


def test_each_in_its_own_force_field():
    alone, others = started(None), started(None)
    together = SideBySide(others)
    for frame in range(1, 5):
        samples = [in_field(k, frame) for k in range(7)]
        each = [plant.advance(sample, 1 / 24) for plant, sample in zip(alone, samples, strict=True)]
        assert together.advance(samples, 1 / 24) == each
    for plant, snapshot in zip(others, together.snapshots(), strict=True):
        plant.restore(snapshot)
    assert list(map(bits, others)) == list(map(bits, alone))


def test_a_field_that_is_no_field_is_refused():
    together = SideBySide(started(None)[:2])
    bad = replace(in_field(1, 1), force_field=lambda points, velocities, time: points[:1])
    with pytest.raises(SolverError, match="shape"):
        together.advance([in_field(0, 1), bad], 1 / 24)


def test_who_cannot_go_together_is_refused():
    first, second = started()[:2]
    together = SideBySide([first, second])
    with pytest.raises(SolverError, match="the same air"):
        together.advance([world(0, 1), replace(world(1, 1), wind=None)], 1 / 24)
    with pytest.raises(SolverError, match="the same air"):
        together.advance([world(0, 1), replace(world(1, 1), force_field=lambda points, speeds, time: points)], 1 / 24)
    second.advance(world(1, 1), 1 / 24)
    with pytest.raises(SolverError, match="the same time"):
        SideBySide([first, second])
    with pytest.raises(SolverError, match="start the simulation"):
        SideBySide([plants()[0]])


def test_bad_input_changes_nothing():
    together = SideBySide(started())
    before = [rods.tobytes() for rods in together.rod_orientations()]
    bad = worlds(1)
    bad[3] = replace(bad[3], gravity=(0.0, 0.0, np.nan))
    with pytest.raises(SolverError, match="gravity"):
        together.advance(bad, 1 / 24)
    assert [rods.tobytes() for rods in together.rod_orientations()] == before
