# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes far from colliders, pairs too far apart, what lies, and points that surely go on are not looked at; what is
found is the same."""

from itertools import combinations

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Simulation, discretize
from solver.contact.law import Law, force_at, missed_at, surely_goes_on
from solver.contact.pair_points import find_pair_points
from solver.contact.pairs import (
    NEAR,
    PAIR_SLOTS,
    Pairs,
    has_left_its_room,
    is_beyond_reach,
    look_for_pairs,
    pairs_of,
    room_for,
)
from solver.contact.touch import (
    APART,
    BORE,
    DRAWN,
    LOAD,
    MARKS,
    NUMBERS,
    OBSTACLE,
    REMEMBERED,
    SLIDES,
    STATUS,
    STICKS,
    WAS,
    new_touch,
)
from solver.data import columns as col
from solver.data.rows import Rows, put_bodies, rows_of
from solver.math.rotations import exponential, matrices, multiply
from solver.model.rods import LANDING_TIME
from solver.model.shapes import Shapes
from tests.forms import IS_FULL
from tests.oracles.models import ALONG_X, beam, random_quaternions

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


def a_point(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, Law]:
    """Marks and numbers of a point after force_at, its normal, and its law."""
    marks, numbers = np.zeros((1, MARKS), dtype=np.int64), np.zeros((1, NUMBERS))
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    stiffness, radius = 10.0 ** rng.uniform(1.0, 4.0), 10.0 ** rng.uniform(-6.0, -1.0)
    law = Law(stiffness, rng.uniform(0.0, 1.0), 0.0, 0.0, LANDING_TIME, radius, 400.0 * stiffness)
    marks[0, WAS] = marks[0, STATUS] = rng.integers(APART, SLIDES + 1)
    push = 10.0 ** rng.uniform(-4.0, 0.0)
    if marks[0, WAS] != APART:
        numbers[0, [BORE, REMEMBERED, LOAD]] = push
        numbers[0, DRAWN : DRAWN + 3] = rng.normal(size=3) * law.friction * push / law.stiffness
    gap, speed = rng.normal() * push / law.stiffness, rng.normal(size=3) * 10.0 ** rng.uniform(-6.0, -2.0)
    force_at(marks, numbers, 0, gap, tuple(normal), tuple(speed), law, False, False, H, C1, C2, True, False, False)
    return marks, numbers, normal, law


@pytest.mark.parametrize("seed", range(3 if IS_FULL else 1))
def test_nothing_is_missed_below_what_a_point_surely_goes_on_with(seed):
    rng, sure_of = np.random.default_rng(seed), {APART: 0, STICKS: 0}
    for _ in range(2000):
        marks, numbers, normal, law = a_point(rng)
        sure, status = surely_goes_on(marks, numbers, 0, law, False, C1, C2), int(marks[0, STATUS])
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
        sure = surely_goes_on(marks, numbers, 0, law, False, C1, C2)
        if sure > 0.0 and marks[0, STATUS] == APART:
            _, unknown, *_ = missed_at(marks, numbers, 0, tuple(-1.001 * sure * normal), law, H, C1, C2)
            assert unknown == 1
            found += 1
    assert found > 50


#: So many sticks are in a heap.
HEAPED = 8


class Heap:
    """Sticks, tapered ones and points among them, anywhere near each other, that move as they like."""

    def __init__(self, rng: np.random.Generator, speed: float):
        n = HEAPED
        length = np.where(rng.random(n) < 0.2, 1e-6, rng.uniform(0.02, 0.3, n))
        rods = Rods(
            parent=np.full(n, -1), head=np.zeros((n, 3)), frame=np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)), length=length,
            radius_base=rng.uniform(0.002, 0.02, n), radius_tip=rng.uniform(0.002, 0.02, n), young=1e9, density=500.0,
        )  # fmt: skip
        model = discretize(rods, "base", segments=1)
        self.rng, self.rows = rng, rows_of([(model.bodies, model.panels)])
        self.shapes: Shapes = new_touch(model, np.array([0, n])).shapes
        pairs = room_for(np.array([n * n]), np.array([0, n]), np.full(n, -1), np.zeros(n, dtype=np.int64))
        self.pairs: Pairs = pairs_of(pairs, 0)
        self.pairs.itself[:] = True
        self.place, self.turn = rng.uniform(-0.08, 0.08, (n, 3)), random_quaternions(rng, n)
        self.velocity, self.omega = (speed * rng.normal(size=(n, 3)) for _ in range(2))
        self.put()

    @property
    def data(self) -> np.ndarray:
        rows: Rows = self.rows
        return rows.data

    def put(self) -> None:
        fields = ((col.POSITION, self.place), (col.ROTATION, matrices(self.turn).reshape(-1, 9)),
                  (col.VELOCITY, self.velocity), (col.OMEGA, self.omega))  # fmt: skip
        for field, values in fields:
            put_bodies(self.rows, field, values)

    def go_on(self) -> None:
        """A little way, not that of the speeds."""
        n = HEAPED
        self.place = self.place + 1e-3 * self.rng.normal(size=(n, 3))
        self.turn = multiply(self.turn, exponential(5e-3 * self.rng.normal(size=(n, 3))))
        self.put()

    def found(self) -> np.ndarray:
        """Which points there are."""
        find_pair_points(self.data, self.shapes, self.pairs, H)
        there: np.ndarray = self.pairs.marks[:, OBSTACLE] >= 0
        return there


def those_with_points(heap: Heap, pairs: np.ndarray, apart: np.ndarray | float) -> set[tuple[int, int]]:
    """Which of these (p, 2), which were so far apart (m), have points."""
    count = len(pairs)
    heap.pairs.ends[:count], heap.pairs.counts[0, NEAR], heap.pairs.apart[:] = pairs, count, apart
    there = np.flatnonzero(heap.found()[: PAIR_SLOTS * count])
    return set(map(tuple, pairs[np.unique(there // PAIR_SLOTS)].tolist()))


@pytest.mark.parametrize("speed", [0.0, 0.1, 2.0])
def test_pairs_that_are_left_out_have_no_points(speed):
    """Neither those that are not near nor, of these, those that are passed over in a step."""
    rng, left_out, passed_over, points = np.random.default_rng(int(10 * speed)), 0, 0, 0
    heaps = 120 if IS_FULL else 40
    every = np.array(list(combinations(range(HEAPED), 2)))
    for _ in range(heaps):
        heap = Heap(rng, speed)
        look_for_pairs(heap.data, heap.shapes, heap.pairs, H)
        near = int(heap.pairs.counts[0, NEAR])
        ends, apart = heap.pairs.ends[:near].copy(), heap.pairs.apart.copy()
        left_out += len(every) - near
        for _ in range(3):
            if has_left_its_room(heap.data, heap.shapes, heap.pairs, H):
                break
            found = those_with_points(heap, ends, apart)
            passed_over += sum(is_beyond_reach(heap.pairs, row) for row in range(near))
            assert found == those_with_points(heap, every, 0.0)
            points += len(found)
            heap.go_on()
    assert left_out > 2.5 * heaps
    assert passed_over > 2.5 * heaps
    assert points > 1.6 * heaps
