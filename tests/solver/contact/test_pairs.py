# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods of one plant that touch each other."""

from dataclasses import replace

import numpy as np
import pytest

from solver import (
    COARSE,
    Rods,
    Sample,
    Settings,
    Simulation,
    SolverError,
    can_go_together,
    discretize,
    pairs_left_alone,
)
from solver.dynamics.touching import near_pairs
from solver.math.rotations import from_matrices, rotate
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import beam, random_rods
from tests.oracles.touching.momenta import momenta

G, RADIUS, FRAME = 9.81, 0.01, 1.0 / 24.0
ITSELF = Sample(touches_itself=True)


def along(way) -> np.ndarray:
    """(4,) quaternion of a rod along a way that is level."""
    y = np.asarray(way) / np.linalg.norm(way)
    return from_matrices(np.column_stack([np.cross(y, (0.0, 0.0, 1.0)), y, (0.0, 0.0, 1.0)])[None])[0]


def sticks(heads, ways, **given):
    """Straight stiff rods, each on a hinge of its own."""
    values = {
        "parent": [-1] * len(heads), "head": heads, "frame": [along(way) for way in ways],
        "length": np.linalg.norm(ways, axis=1), "radius_base": RADIUS, "radius_tip": RADIUS, "young": 1e9,
        "density": 600.0, "stiffness": np.zeros((len(heads), 3)), "friction": 0.4,
    }  # fmt: skip
    return discretize(Rods(**values | given), "base", segments=1)


def run(plant: Simulation, sample: Sample, seconds: float) -> None:
    for _ in range(round(24 * seconds)):
        plant.advance(sample, FRAME)


def distance(plant: Simulation, one: int, other: int) -> float:
    """Least distance (m) of the axes of two rods, by trying points of both, ever finer."""
    heads, tails, middle, wide = plant.rod_heads(), plant.rod_tails(), (0.5, 0.5), 0.5
    for _ in range(6):
        shares = [np.clip(m + wide * np.linspace(-1.0, 1.0, 101), 0.0, 1.0) for m in middle]
        a, b = (heads[k] + t[:, None] * (tails[k] - heads[k]) for k, t in zip((one, other), shares, strict=True))
        apart = np.linalg.norm(a[:, None] - b[None], axis=2)
        i, j = np.unravel_index(apart.argmin(), apart.shape)
        middle, wide = (shares[0][i], shares[1][j]), 0.05 * wide
    return float(apart.min())


def test_a_stick_is_carried_by_another_one():
    """Its middle lies on one that a spring holds, which so bears all of its weight, and friction keeps it there."""
    heads, ways = [(0.0, 0.0, 0.0), (0.3, -0.4, 0.025)], [(0.5, 0.0, 0.0), (0.0, 0.8, 0.0)]
    model = sticks(heads, ways, stiffness=[[50.0] * 3, [0.0, 10.0, 0.0]], joint_damping=0.3)  # it does not roll
    plant = Simulation(model)
    plant.start(ITSELF)
    run(plant, ITSELF, 4.0)
    weight = model.bodies.mass * G
    assert -0.01 * RADIUS < distance(plant, 0, 1) - 2 * RADIUS < 0.0
    assert plant.bending_moments()[0] == pytest.approx(0.25 * weight[0] + 0.3 * weight[1], rel=2e-3)
    touched = plant.contacts()
    assert (touched.collider == -1).all()
    assert touched.rod.tolist() == [0] * (len(touched.rod) // 2) + [1] * (len(touched.rod) // 2)
    assert touched.force[touched.rod == 1].sum(axis=0)[2] == pytest.approx(weight[1], rel=5e-3)
    assert touched.force.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    half = len(touched.rod) // 2
    assert touched.point[:half] == pytest.approx(touched.point[half:], abs=1e-9)
    before = plant.rod_tails()
    run(plant, ITSELF, 10.0)
    assert np.abs(plant.rod_tails() - before).max() < 1e-5


FLOATING = Sample(gravity=(0.0, 0.0, 0.0), cut=(1.0, 1.0), touches_itself=True)


def collided(friction: float, seed: int, max_step: float) -> tuple[float, float, float]:
    """Two sticks float, and one flies at the other. Shares of linear and angular momentum that are lost in half a
    second, and by how much (rad/s) the one is turned."""
    rng = np.random.default_rng(seed)
    heads = [(0.0, 0.0, 0.0), (0.1, -0.2, 0.15)]
    model = sticks(heads, [(0.4, 0.0, 0.0), (0.05, 0.5, 0.0)], friction=friction)
    plant = Simulation(model, Settings(max_step=max_step))
    plant.start(FLOATING)
    push = np.zeros((2, 3))
    push[1] = np.array([0.2, 0.4, -2.0]) * rng.uniform(0.5, 1.5, 3)
    for force in (push, push, None, None):
        plant.advance(replace(FLOATING, force=force), FRAME)
    linear, angular, _ = momenta(plant)
    run(plant, FLOATING, 0.5)
    after, turned, _ = momenta(plant)
    lost = np.abs(after - linear).max() / np.abs(linear).max(), np.abs(turned - angular).max() / np.abs(angular).max()
    return *lost, float(np.abs(plant.placed().omega[0]).max())


@pytest.mark.parametrize("friction", [0.0, 0.6])
@pytest.mark.parametrize("seed", range(3))
def test_what_collides_in_the_air_keeps_its_momentum(friction, seed):
    linear, angular, turned = collided(friction, seed, 1 / 480)
    assert turned > 0.1
    assert max(linear, angular) < 3e-3  # of sticks that spin with up to 25 rad/s
    assert max(collided(friction, seed, 1 / 960)[:2]) < 1e-3


def test_thin_sticks_do_not_go_through_each_other():
    """One of 2 mm falls 2 m onto another, in steps of which each takes it through by far."""
    for turn in np.linspace(-0.5, 0.5, 7):
        way = np.array([np.sin(turn), np.cos(turn), 0.0])
        heads = [(0.0, 0.0, 0.0), (0.25 - 0.3 * way[0], -0.3 * way[1], 2.0)]
        model = sticks(heads, [(0.5, 0.0, 0.0), 0.6 * way], radius_base=0.001, radius_tip=0.001,
                       stiffness=[[100.0] * 3, [0.0] * 3])  # fmt: skip
        plant, sample = Simulation(model), Sample(touches_itself=True, cut=(0.0, 1.0))
        plant.start(sample)
        least = np.inf
        for _ in range(20):
            plant.advance(sample, FRAME)
            least = min(least, distance(plant, 0, 1))
            above = plant.rod_heads()[1, 2] + plant.rod_tails()[1, 2] - plant.rod_tails()[0, 2]
            assert above > 0.003
        assert 0.0018 < least < 0.1


def crossed() -> Simulation:
    """A dense bush whose twigs overlap as drawn."""
    rods = random_rods(np.random.default_rng(3), 60)
    return Simulation(discretize(replace(rods, radius_base=0.02, radius_tip=0.02)))


def test_what_overlaps_as_drawn_stands_still():
    plant = crossed()
    sample = Sample(gravity=(0.0, 0.0, 0.0), touches_itself=True)
    plant.start(sample)
    before = plant.rod_tails()
    run(plant, sample, 1.0)
    assert plant.snapshot().paired.alone.sum() > 20
    assert np.abs(plant.rod_tails() - before).max() < 1e-12


def overlapping() -> Simulation:
    """Two loose sticks, one across the other, 8 mm in each other."""
    return Simulation(sticks([(0.0, 0.0, 0.0), (0.2, -0.2, 0.012)], [(0.4, 0.0, 0.0), (0.0, 0.4, 0.0)], friction=0.0))


@pytest.mark.parametrize("speed", [0.01, 0.1])
def test_what_overlaps_is_pushed_apart_not_faster_than_asked(speed):
    plant = overlapping()
    sample = Sample(gravity=(0.0, 0.0, 0.0), touches_itself=True, cut=(1.0, 1.0), parting_speed=speed)
    plant.start(sample)
    frames, apart = round(2.0 * 24 * 0.008 / speed), [distance(plant, 0, 1)]
    for _ in range(frames):
        plant.advance(sample, FRAME)
        apart.append(distance(plant, 0, 1))
    assert np.diff(apart).max() < 1.1 * speed * FRAME
    assert apart[-1] > 2.0 * RADIUS * 0.99
    assert plant.snapshot().paired.allowed.max(initial=0.0) == 0.0
    with pytest.raises(SolverError, match="parting_speed is -1, expected a number of at least 0"):
        plant.advance(replace(sample, parting_speed=-1.0), FRAME)


def test_pushing_apart_goes_on_from_a_snapshot_to_the_bit():
    plant = overlapping()
    sample = Sample(gravity=(0.0, 0.0, 0.0), touches_itself=True, cut=(1.0, 1.0), parting_speed=0.02)
    plant.start(sample)
    run(plant, sample, 0.2)
    half = snapshot_arrays(plant.snapshot())
    run(plant, sample, 0.4)
    end, other = plant.rod_tails(), overlapping()
    other.start(sample)
    other.restore(snapshot_from_arrays(other, half))
    run(other, sample, 0.4)
    assert (other.rod_tails() == end).all()


def tangled() -> Simulation:
    """Two soft stems side by side."""
    up = (0.5**0.5, 0.5**0.5, 0.0, 0.0)
    one, heads = np.arange(6), 0.1 * np.arange(6)[:, None] * (0.0, 0.0, 1.0)
    rods = Rods(
        parent=[*(one - 1), -1, *(one[:-1] + 6)], head=[*heads, *np.add(heads, (0.06, 0.0, 0.0))],
        frame=[up] * 12,
        length=0.1, radius_base=0.008, radius_tip=0.008, young=2e7, density=700.0,
        damping_time=0.02, friction=0.3,
    )  # fmt: skip
    return Simulation(discretize(rods, "base"))


def blown(frame: int) -> Sample:
    """Wind on the first that presses it on the other one and rubs."""
    wind = np.zeros((12, 3))
    wind[:6] = np.array([9.0, 3.0 * np.sin(0.4 * frame), 0.0])
    return Sample(wind=wind, touches_itself=True)


def test_motions_from_snapshots_repeat_to_the_bit(tmp_path):
    plant = tangled()
    plant.start(blown(0), "settled")
    tails, taken = [], []
    for frame in range(1, 25):
        plant.advance(blown(frame), FRAME)
        tails.append(plant.rod_tails())
        np.savez(tmp_path / f"{frame}.npz", **snapshot_arrays(plant.snapshot()))
        taken.append(plant.snapshot())
    assert any(one.paired is not None and len(one.paired.ends) for one in taken)
    for frame in (6, 12, 18):
        plant.restore(taken[frame - 1])
        plant.advance(blown(frame + 1), FRAME)
        assert (plant.rod_tails() == tails[frame]).all()
        other = tangled()
        other.start(blown(0), "settled")
        with np.load(tmp_path / f"{frame}.npz", allow_pickle=False) as archive:
            other.restore(snapshot_from_arrays(other, archive))
        other.advance(blown(frame + 1), FRAME)
        assert (other.rod_tails() == tails[frame]).all()


def test_the_last_digit_of_what_is_given_changes_little():
    """Until what touches differs, a motion with contacts goes on alike when all is off by rounding."""
    ends = []
    for off in (0.0, 1e-15):
        plant = Simulation(discretize(beam(8, young=3e6, radius=0.01 * (1.0 + off), damping_time=0.05)))
        sample = Sample(touches_itself=True, pull_rod=[7], pull_along=[1.0], pull_target=[(0.2, 0.0, 0.0)],
                        pull_stiffness=[5.0], pull_damping=[0.1])  # fmt: skip
        plant.start(sample)
        run(plant, sample, 2.0)
        ends.append(plant.rod_tails())
    assert np.abs(ends[1] - ends[0]).max() < 1e-9


def test_plants_that_touch_themselves_go_alone():
    assert can_go_together(Sample(), Sample())
    assert not can_go_together(Sample(), ITSELF)


@pytest.mark.parametrize("friction", [0.0, 0.1])
def test_steps_are_of_second_order_while_two_sticks_slide(friction):
    heads, ways = [(0.0, 0.0, 0.0), (0.3, -0.4, 0.021)], [(0.5, 0.0, 0.0), (0.0, 0.8, 0.0)]
    sample = Sample(touches_itself=True, gravity=(1.5, 0.0, -9.0))
    model = sticks(heads, ways, stiffness=[[20.0] * 3, [0.0] * 3], friction=friction, joint_damping=0.02)
    first = Simulation(model, Settings(max_step=1 / 30720))
    first.start(sample)
    run(first, sample, 5 / 24)
    ends = []
    for step in (1 / 960, 1 / 1920, 1 / 3840, 1 / 7680):
        plant = Simulation(model, Settings(max_step=step, tolerance=1.0, newton_tolerance=1e-9))
        plant.restore(first.snapshot())
        run(plant, sample, 4 / 24)
        ends.append(plant.rod_tails())
    away = np.abs(np.diff(ends, axis=0)).max(axis=(1, 2))
    assert distance(plant, 0, 1) < 2 * RADIUS
    assert (np.log2(away[:-1] / away[1:]) > 1.9).all()


def test_room_for_what_comes_near_in_a_frame_is_made(monkeypatch):
    """Many sticks fall on one, all in the same frame; what has more room from the beginning moves to the same bits."""
    x = np.linspace(0.1, 1.9, 90)
    heads = [(0.0, 0.0, 0.0), *((a, -0.3, 0.3) for a in x)]
    ways = [(2.0, 0.0, 0.0), *((0.0, 0.6, 0.0) for _ in x)]
    model = sticks(heads, ways, radius_base=0.005, radius_tip=0.005, stiffness=[[100.0] * 3, *[[0.0] * 3] * 90])
    sample, ends = Sample(touches_itself=True, cut=[0.0, *[1.0] * 90]), []
    for room in (near_pairs.FEW, 5000):
        monkeypatch.setattr(near_pairs, "FEW", room)
        plant = Simulation(model)
        plant.start(sample)
        run(plant, sample, 7 / 24)
        assert len(plant.contacts().rod) > 64
        ends.append(plant.rod_tails())
    assert (ends[0] == ends[1]).all()


def test_more_pairs_than_a_frame_may_have_are_told(monkeypatch):
    """Sticks in a heap. Those beyond are let through; it is told as long as there are any."""
    angles = 0.3 * np.arange(20)
    heads, ways = [(0.0, 0.0, 0.01 * k) for k in range(20)], [(np.cos(a), np.sin(a), 0.0) for a in angles]
    model, sample = sticks(heads, ways, stiffness=[[1.0] * 3] * 20), Sample(touches_itself=True)
    free = Simulation(model)
    free.start(sample)
    assert not free.advance(sample, 1 / 24).crowded
    monkeypatch.setattr(near_pairs, "FEW", 8)
    monkeypatch.setattr(near_pairs, "PER_SHAPE", 1)
    plant = Simulation(model)
    plant.start(sample)
    report = plant.advance(sample, 1 / 24)
    assert report.crowded is True
    assert report.status >= COARSE
    assert plant.report_of(0, 1).crowded
    assert not plant.advance(Sample(), 1 / 24).crowded, "nothing is wanted to touch"


def lying_across(seed: int):
    """Eight sticks on hinges that lie across each other, some of them so near that they overlap, one moved far off."""
    rng = np.random.default_rng(seed)
    heads, ways = rng.uniform(-0.2, 0.2, (8, 3)) * (1.0, 1.0, 0.06), np.zeros((8, 3))
    heads[4, 2] = 5.0
    angle = rng.uniform(0.0, np.pi, 8)
    ways[:, :2] = 0.3 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return sticks(heads, ways, stiffness=[[50.0] * 3] * 8)


def drawn_within(plant: Simulation) -> set[tuple[int, int]]:
    """The sticks that overlap, by their axes."""
    every = ((i, j) for j in range(plant.model.rod_count) for i in range(j))
    return {(i, j) for i, j in every if distance(plant, i, j) < 2 * RADIUS}


@pytest.mark.parametrize("together", [False, True, [0, 1]])
def test_rods_that_are_left_alone_are_those_drawn_through_each_other(together):
    """Of two plants, that go apart, as one or with each other, and until they part."""
    plant = Simulation([lying_across(1), lying_across(2)], together=together)
    sample = Sample(touches_itself=True, touches_others=together is not False)
    plant.start(sample)
    drawn = drawn_within(plant)
    within = {one for one in drawn if one[0] // 8 == one[1] // 8}
    assert {one[0] // 8 for one in within} == {0, 1}
    assert len(drawn - within) > 2
    told = pairs_left_alone(plant.systems, plant.snapshot()).tolist()
    assert told == sorted(map(list, drawn if together is not False else within))
    plant.start(Sample())
    assert pairs_left_alone(plant.systems, plant.snapshot()).shape == (0, 2)


def test_what_was_drawn_through_is_told_until_it_parts():
    heads, ways = [(0.0, 0.0, 0.0), (0.3, -0.4, 0.01)], [(0.5, 0.0, 0.0), (0.0, 0.8, 0.0)]
    plant = Simulation(sticks(heads, ways, stiffness=[[50.0] * 3, [0.0] * 3]))
    lifted = replace(ITSELF, force=[(0.0, 0.0, 0.0), (0.0, 0.0, 20.0)])
    plant.start(lifted)
    assert pairs_left_alone(plant.systems, plant.snapshot()).tolist() == [[0, 1]]
    run(plant, lifted, 0.25)
    assert distance(plant, 0, 1) > 2 * RADIUS
    assert pairs_left_alone(plant.systems, plant.snapshot()).shape == (0, 2)


def test_what_meets_later_is_not_left_alone():
    """Though the pair is kept in the snapshot, for it touches."""
    heads, ways = [(0.0, 0.0, 0.0), (0.3, -0.4, 0.03)], [(0.5, 0.0, 0.0), (0.0, 0.8, 0.0)]
    plant = Simulation(sticks(heads, ways, stiffness=[[50.0] * 3, [0.0] * 3]))
    lowered = replace(ITSELF, force=[(0.0, 0.0, 0.0), (0.0, 0.0, -20.0)])
    plant.start(lowered)
    run(plant, lowered, 2 * FRAME)
    assert len(plant.snapshot().paired.ends) == 1
    assert len(plant.contacts().rod) > 0
    assert pairs_left_alone(plant.systems, plant.snapshot()).shape == (0, 2)


@pytest.mark.parametrize("torque", [1e-5, 1e-4, 1e-3])
def test_a_blade_that_turns_about_its_middle_does_not_go_through_a_stick(torque):
    """Within one frame, in which the ends of its middle line stay where they are."""
    radius, height = np.array([0.002, 0.005]), 0.04
    model = sticks(
        [(-0.2, 0.0, 0.0), (-0.3, 0.0, height)], [(0.4, 0.0, 0.0), (0.6, 0.0, 0.0)], radius_base=radius,
        radius_tip=radius, blade_area=[0.04, 0.0], stiffness=[[0.0] * 3, [1e3] * 3],
    )  # fmt: skip
    sample = Sample(gravity=(0.0, 0.0, 0.0), touches_itself=True, torque=[(torque, 0.0, 0.0), (0.0, 0.0, 0.0)])
    plant = Simulation(model)
    plant.start(sample)
    for _ in range(3):
        plant.advance(sample, 0.125)
        side = rotate(plant.rod_orientations()[0], np.array([1.0, 0.0, 0.0]))
        assert height * abs(side[1]) == pytest.approx(radius.sum(), rel=0.01)
