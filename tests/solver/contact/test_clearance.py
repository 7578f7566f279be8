# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes far from colliders, what lies, and points that surely go on are not looked at; what is found is the same."""

import numpy as np
import pytest

from solver import Collider, Sample, Simulation, discretize
from solver.contact.law import force_at, missed_at, surely_goes_on
from solver.contact.touch import APART, BORE, DRAWN, LOAD, MARKS, NUMBERS, REMEMBERED, SLIDES, STATUS, STICKS, WAS
from tests.oracles.models import ALONG_X, beam

FRAME = 1.0 / 24.0

#: A step (s) and its weights.
H, C1 = 1.0 / 240.0, 1.0 / 400.0
C2 = C1 * C1

CUBE = np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6),
                  (0, 6, 4), (1, 5, 7), (1, 7, 3)])  # fmt: skip


def below(kind: str, frame: int) -> Collider:
    at = (0.25, 0.0, -0.8 + 0.01 * frame)  # which comes up
    if kind == "mesh":
        return Collider("mesh", vertices=CUBE, triangles=FACES, position=at)
    return Collider(kind, {"ball": (0.1,), "box": (0.1, 0.1, 0.1), "capsule": (0.1, 0.1), "plane": ()}[kind],
                    position=at)  # fmt: skip


def turning(frame: int) -> Collider:
    """What is far and turns, beside which no distance is relied on."""
    half = 0.05 * frame
    return Collider("ball", (0.1,), "turns", (0.0, 100.0, 0.0), (np.cos(half), 0.0, 0.0, np.sin(half)))


def fallen(kind: str, *, is_always_looked_at: bool) -> np.ndarray:
    """Where the ends of a chain's rods are at frames in which it falls onto something that comes up."""
    plant = Simulation(discretize(beam(12, 0.5, 0.004, frame=ALONG_X, young=1e6, damping_time=0.01)))
    cut, found = np.eye(12)[0], []
    for frame in range(24):
        colliders = [below(kind, frame), *([turning(frame)] if is_always_looked_at else [])]
        sample = Sample(colliders=colliders, cut=cut)
        if frame == 0:
            plant.start(sample)
        else:
            plant.advance(sample, FRAME)
        found.append(plant.rod_tails())
    assert len(plant.contacts().rod) > 0
    return np.array(found)


def lying(*, is_always_looked_at: bool) -> np.ndarray:
    """Where the ends of a chain's rods are while it comes to rest on a still plane, and slides away when that tilts."""
    plant = Simulation(discretize(beam(6, 0.3, 0.004, frame=ALONG_X, young=1e6, damping_time=0.01)))
    cut, found, touching = np.eye(6)[0], [], []
    for frame in range(30):
        half = 0.0 if frame < 24 else 0.02 * (frame - 23)
        ground = Collider("plane", position=(0.0, 0.0, -0.006), orientation=(np.cos(half), 0.0, np.sin(half), 0.0))
        force = np.full((6, 3), 1e-12 * frame)  # by which energy may be added, as by what turns
        colliders = [ground, *([turning(frame)] if is_always_looked_at else [])]
        sample = Sample(colliders=colliders, cut=cut, force=force)
        if frame == 0:
            plant.start(sample)
        else:
            plant.advance(sample, FRAME)
        found.append(plant.rod_tails())
        touching.append(len(plant.contacts().rod))
    assert min(touching[12:24]) > 3
    return np.array(found)


def test_what_lies_is_pushed_at_the_points_that_it_would_be_found_to_have():
    assert np.array_equal(lying(is_always_looked_at=False), lying(is_always_looked_at=True))


@pytest.mark.parametrize("kind", ["plane", "ball", "box", "capsule", "mesh"])
def test_what_is_not_looked_at_could_not_touch(kind):
    assert np.array_equal(fallen(kind, is_always_looked_at=False), fallen(kind, is_always_looked_at=True))


def a_point(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[float, ...]]:
    """Marks and numbers of a point after force_at, its normal, and its law."""
    marks, numbers = np.zeros((1, MARKS), dtype=np.int64), np.zeros((1, NUMBERS))
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    law = 10.0 ** rng.uniform(1.0, 4.0), rng.uniform(0.0, 1.0), 0.0, 0.0
    marks[0, WAS] = marks[0, STATUS] = rng.integers(APART, SLIDES + 1)
    push = 10.0 ** rng.uniform(-4.0, 0.0)
    if marks[0, WAS] != APART:
        numbers[0, [BORE, REMEMBERED, LOAD]] = push
        numbers[0, DRAWN : DRAWN + 3] = rng.normal(size=3) * law[1] * push / law[0]
    gap, speed = rng.normal() * push / law[0], rng.normal(size=3) * 10.0 ** rng.uniform(-6.0, -2.0)
    force_at(marks, numbers, 0, gap, tuple(normal), tuple(speed), law, False, False, H, C1, C2, True, False, False)
    return marks, numbers, normal, law


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_missed_below_what_a_point_surely_goes_on_with(seed):
    rng, sure_of = np.random.default_rng(seed), {APART: 0, STICKS: 0}
    for _ in range(2000):
        marks, numbers, normal, law = a_point(rng)
        sure, status = surely_goes_on(marks, numbers, 0, law[1], False, C1, C2), int(marks[0, STATUS])
        if status == SLIDES:
            assert sure == 0.0
        if sure <= 0.0:
            continue
        ways = [normal, -normal, *rng.normal(size=(6, 3))]
        for way in ways:
            gained = tuple(0.999 * sure * way / np.linalg.norm(way))
            assert missed_at(marks, numbers, 0, gained, law, H, C1, C2)[:4] == (0.0, 0, 0, 0.0)
        sure_of[status] += 1
    assert min(sure_of.values()) > 100


def test_a_point_that_lifts_off_is_missed_just_above_it():
    rng, found = np.random.default_rng(7), 0
    for _ in range(500):
        marks, numbers, normal, law = a_point(rng)
        sure = surely_goes_on(marks, numbers, 0, law[1], False, C1, C2)
        if sure > 0.0 and marks[0, STATUS] == APART:
            _, unknown, *_ = missed_at(marks, numbers, 0, tuple(-1.001 * sure * normal), law, H, C1, C2)
            assert unknown == 1
            found += 1
    assert found > 50
