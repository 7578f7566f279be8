# SPDX-License-Identifier: GPL-3.0-or-later
"""Rods that rest on colliders, slide on them, are hit by them and go on from snapshots."""

import numpy as np
import pytest

from solver import (
    Collider,
    Rods,
    Sample,
    Settings,
    Simulation,
    SolverError,
    discretize,
    left_alone,
    snapshot_arrays,
    snapshot_from_arrays,
    solid,
)
from tests.oracles.models import binary_tree

G, ALONG_X = 9.81, (0.5**0.5, 0.0, 0.0, -(0.5**0.5))


def hinged(length=1.0, radius=0.02, frame=ALONG_X, height=0.0, friction=1.0, **given):
    """One rod on a loose hinge, as drawn along x."""
    return discretize(
        Rods(
            parent=[-1], head=[(0.0, 0.0, height)], frame=[frame], length=length, radius_base=radius, radius_tip=radius,
            young=1e9, density=500.0, stiffness=np.zeros((1, 3)), friction=friction, **given,
        ),
        "base",
    )  # fmt: skip


def touched(plant: Simulation) -> np.ndarray:
    """(k, 3) N: what colliders push the plant with, at each point."""
    return plant.contacts().force


def run(model, colliders, seconds, settings=None, fps=24, gravity=(0.0, 0.0, -G)):
    plant = Simulation(model, settings)
    plant.start(Sample(colliders=colliders, gravity=gravity))
    for _ in range(round(seconds * fps)):
        plant.advance(Sample(colliders=colliders, gravity=gravity), 1 / fps)
    return plant


def mass(model) -> float:
    return float(model.bodies.mass.sum())


def test_the_ground_carries_half_of_a_hinged_rod():
    model = hinged(height=0.3, joint_damping=0.5)
    ground = Collider("plane", friction=0.0)
    plant = run(model, [ground], 6.0)
    force = touched(plant).sum(axis=0)
    assert force[2] == pytest.approx(0.5 * mass(model) * G, rel=1e-6)
    assert np.abs(force[:2]).max() < 1e-9
    sunk = 0.02 - plant.rod_tails()[0, 2]
    assert 0.0 < sunk < 0.01 * 0.02


@pytest.mark.parametrize("off", [0.0, 1e-15, -1e-15])
@pytest.mark.parametrize("degrees", [-0.5, 0.5])
def test_a_rod_on_a_slope_slips_at_coulombs_angle(degrees, off):
    """A narrow blade, which cannot roll, lies level on a slope, loosely hinged at one end: its weight turns it down the
    slope with m g sin(a) l / 2, and friction at its other end, on which half of its weight rests, holds it with up to
    mu m g cos(a) l / 2; whether rounding has it begin a little above or below."""
    friction = 0.6
    angle = np.arctan(friction) + np.radians(degrees)
    gravity = (0.0, -G * np.sin(angle), -G * np.cos(angle))
    model = hinged(height=0.02, blade_area=2.0 * 0.1)
    slope = [Collider("plane", position=(0.0, 0.0, off), friction=friction**2)]
    plant = run(model, slope, 4.0, gravity=gravity)
    before = plant.rod_tails()[0]
    if degrees > 0.0:
        assert before[1] < -0.1
        return
    assert abs(before[1]) < 1e-5
    for _ in range(240):
        plant.advance(Sample(colliders=slope, gravity=gravity), 1 / 24)
    assert np.abs(plant.rod_tails()[0] - before).max() < 1e-9


@pytest.mark.parametrize("kind", ["plane", "ball", "capsule", "box", "mesh"])
def test_a_rod_comes_to_rest_on_every_kind_of_collider(kind):
    """Its end lies where that of a straight rod on such a thing lies, 0.2 m below the hinge."""
    top = 0.1
    given = {
        "plane": {"position": (0.0, 0.0, top)},
        "ball": {"size": [0.5], "position": (0.8, 0.0, top - 0.5)},
        "capsule": {"size": [0.05, 0.4], "position": (0.8, 0.0, top - 0.05)},
        "box": {"size": [0.3, 0.4, 0.1], "position": (0.9, 0.0, top - 0.1)},
        "mesh": {
            "vertices": [(-2, -2, top), (2, -2, top), (2, 2, top), (-2, 2, top)], "triangles": [(0, 1, 2), (0, 2, 3)],
        },
    }[kind]  # fmt: skip
    plant = run(hinged(height=0.4, joint_damping=0.3), [Collider(kind, **given)], 6.0)
    tail, head = plant.rod_tails()[0], plant.rod_heads()[0]
    t = np.linspace(0.0, 1.0, 2001)[:, None]
    axis = head + t * (tail - head)
    if kind in ("plane", "mesh"):
        away = axis[:, 2] - top
    elif kind == "ball":
        away = np.linalg.norm(axis - given["position"], axis=1) - 0.5
    elif kind == "capsule":
        away = np.linalg.norm((axis - given["position"])[:, [0, 2]], axis=1) - 0.05
    else:
        out = np.maximum(np.abs(axis - given["position"]) - given["size"], 0.0)
        away = np.linalg.norm(out, axis=1)
    assert away.min() == pytest.approx(0.02, abs=2e-4)
    assert np.abs(touched(plant).sum(axis=0)[1]) < 1e-6


def test_what_overlaps_as_drawn_is_left_alone_until_it_parts():
    ground = Collider("plane", position=(0.0, 0.0, 0.05), friction=0.0)
    plant = run(hinged(), [ground], 1.0)
    free = run(hinged(), [], 1.0)
    assert np.abs(plant.rod_tails() - free.rod_tails()).max() < 1e-4
    lifted = run(hinged(), [ground], 0.5, gravity=(0.0, 0.0, G))
    assert lifted.rod_tails()[0, 2] > 0.5
    for _ in range(96):
        lifted.advance(Sample(colliders=[ground]), 1 / 24)
    assert lifted.rod_tails()[0, 2] > 0.05 + 0.98 * 0.02


def test_colliders_come_go_and_are_known_by_name():
    model, ground = hinged(height=0.3), Collider("plane", name="ground")
    ball = Collider("ball", size=[0.05], name="ball", position=(0.5, 0.0, -1.0))
    one, other = Simulation(model), Simulation(model)
    one.start(Sample(colliders=[ground]))
    other.start(Sample(colliders=[ground]))
    for frame in range(72):
        with_ball = [ball, ground] if 20 < frame < 40 else [ground]
        one.advance(Sample(colliders=with_ball), 1 / 24)
        other.advance(Sample(colliders=[ground]), 1 / 24)
    assert np.abs(one.rod_tails() - other.rod_tails()).max() < 1e-9
    for _ in range(12):
        one.advance(Sample(), 1 / 24)
    assert one.rod_tails()[0, 2] < -0.1


def falling():
    model = discretize(binary_tree(5, 4, radius=0.01, young=3e6, damping_time=0.02), "double_root")
    return Simulation(model), [Collider("plane", position=(0.0, 0.0, -0.2), name="ground")]


def test_snapshots_go_on_as_if_nothing_had_been():
    plant, colliders = falling()
    plant.start(Sample(colliders=colliders))
    for _ in range(20):
        plant.advance(Sample(colliders=colliders), 1 / 24)
    assert len(touched(plant)) > 3
    kept = plant.snapshot()
    stored = snapshot_arrays(kept)
    ends = []
    for snapshot in (None, kept, snapshot_from_arrays(plant, stored)):
        if snapshot is not None:
            plant.restore(snapshot)
        for _ in range(6):
            plant.advance(Sample(colliders=colliders), 1 / 24)
        ends.append(plant.rod_orientations().tobytes())
    assert len(set(ends)) == 1
    other, _ = falling()
    other.start(Sample())
    other.restore(kept)
    for _ in range(6):
        other.advance(Sample(colliders=colliders), 1 / 24)
    assert other.rod_orientations().tobytes() == ends[0]


def test_rods_that_are_left_alone_are_those_drawn_through_a_collider():
    """Found here from where the rods' axes are drawn, among two balls, of which one moves out of the way."""
    rods = binary_tree(4, 3, radius=0.01, young=3e9)
    model = discretize(rods, "double_root")
    plant = Simulation(model)
    plant.start(Sample(), mode="drawn")
    heads, tails = plant.rod_heads(), plant.rod_tails()
    radius = 0.3 * np.linalg.norm(tails[-1] - heads[-1])
    aside = 0.005 * np.ones(3)
    places = [heads[k] + 0.3 * (tails[k] - heads[k]) + aside for k in (len(heads) // 2, len(heads) - 1)]
    balls = [Collider("ball", size=[radius], position=place, name=f"{i}") for i, place in enumerate(places)]
    axes = heads[:, None] + np.linspace(0.0, 1.0, 4001)[:, None] * (tails - heads)[:, None]
    away = [np.linalg.norm(axes - place, axis=2).min(axis=1) - rods.radius_base - radius for place in places]
    drawn = {(rod, i) for rod in range(len(heads)) for i in range(len(places)) if away[i][rod] < 0.0}
    plant.start(Sample(colliders=balls), mode="drawn")
    plant.advance(Sample(colliders=balls), 1e-3)
    assert {tuple(pair) for pair in left_alone(model, plant.snapshot()).tolist()} == drawn
    assert {collider for _, collider in drawn} == {0, 1}
    for k in range(1, 5):
        aside = Collider("ball", size=[radius], position=places[1] + 0.5 * k * radius, name="1")
        plant.advance(Sample(colliders=[balls[0], aside]), 1e-2)
    of_first = {one for one in drawn if one[1] == 0}
    assert {tuple(pair) for pair in left_alone(model, plant.snapshot()).tolist()} == of_first
    plant.start(Sample(), mode="drawn")
    assert left_alone(model, plant.snapshot()).shape == (0, 2)


def test_contacts_after_going_back_are_none_of_another_frame():
    """A snapshot does not hold forces: nothing is told until the plant goes on, and then what was told before."""
    plant, colliders = falling()
    plant.start(Sample(colliders=colliders))
    in_air = plant.snapshot()
    for _ in range(20):
        plant.advance(Sample(colliders=colliders), 1 / 24)
    lying = plant.snapshot()
    plant.advance(Sample(colliders=colliders), 1 / 24)
    told = plant.contacts()
    assert len(told.rod) > 3
    for snapshot in (in_air, lying):
        plant.restore(snapshot)
        assert all(len(column) == 0 for column in plant.contacts())
    plant.advance(Sample(colliders=colliders), 1 / 24)
    assert all(np.array_equal(one, other) for one, other in zip(plant.contacts(), told, strict=True))
    plant.advance(Sample(), 1 / 24)
    assert len(plant.contacts().rod) == 0
    plant.restore(lying)
    plant.start(Sample(colliders=colliders))
    assert len(plant.contacts().rod) == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kind": "cone"}, "unknown collider 'cone'"),
        ({"kind": "ball", "size": [-1.0]}, "expected a number from 0"),
        ({"kind": "ball", "size": [1.0, 2.0]}, "collider's size has shape"),
        ({"kind": "plane", "orientation": (2.0, 0.0, 0.0, 0.0)}, "not a unit quaternion"),
        ({"kind": "plane", "position": (np.nan, 0.0, 0.0)}, "collider's position"),
        ({"kind": "plane", "friction": -1.0}, "friction"),
        ({"kind": "plane", "bounce": 2.0}, "bounce"),
        ({"kind": "plane", "one_sided": "no"}, "one_sided is 'no', expected True or False"),
        ({"kind": "plane", "one_sided": 1}, "one_sided is 1, expected True or False"),
        ({"kind": "plane", "one_sided": None}, "one_sided is None, expected True or False"),
        ({"kind": "mesh", "vertices": np.zeros((3, 3))}, "has no triangles"),
        ({"kind": "mesh", "vertices": np.zeros((3, 3)), "triangles": [(0, 1, 3)]}, "collider's triangles"),
        ({"kind": "mesh", "vertices": [(0, 0, np.inf)] * 3, "triangles": [(0, 1, 2)]}, "collider's vertices"),
    ],
)
def test_colliders_that_are_none_are_refused(given, said):
    plant = Simulation(hinged())
    plant.start(Sample())
    with pytest.raises(SolverError, match=said):
        plant.advance(Sample(colliders=[Collider(**given)]), 1 / 24)
    assert plant.advance(Sample(), 1 / 24).status == 0


def shots(count: int, seed: int) -> list[float]:
    """How deep (m) stems of 2 mm were at most, at frames, in a ball of 5 cm that passed at 10 m/s."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        n = int(rng.integers(3, 8))
        length, young = rng.uniform(0.4, 1.2), 10.0 ** rng.uniform(8.5, 10.0)
        up = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)
        model = discretize(
            Rods(
                parent=np.arange(n) - 1, head=np.arange(n)[:, None] * (0.0, 0.0, length / n), frame=[up] * n,
                length=length / n, radius_base=1e-3, radius_tip=1e-3, young=young, density=600.0, damping_time=0.005,
            ),
            "base",  # so that rods are straight
        )  # fmt: skip
        plant, radius = Simulation(model), 0.05
        start = np.array([-1.0, rng.uniform(-0.02, 0.02), rng.uniform(0.5, 0.9) * length])
        way = np.array([10.0, rng.uniform(-0.5, 0.5), 0.0])
        deepest = 0.0
        for frame in range(6):
            at = start + way * frame / 24
            ball = Collider("ball", size=[radius], position=at, name="ball")
            if frame == 0:
                plant.start(Sample(colliders=[ball]))
            else:
                plant.advance(Sample(colliders=[ball]), 1 / 24)
            heads, tails = plant.rod_heads(), plant.rod_tails()
            t = np.linspace(0.0, 1.0, 101)[:, None, None]
            points = (heads + t * (tails - heads)).reshape(-1, 3)
            deepest = max(deepest, radius + 1e-3 - np.linalg.norm(points - at, axis=1).min())
        found.append(deepest)
    return found


def test_a_fast_ball_goes_through_no_stem():
    assert max(shots(30, 0)) < 1e-4


def moving(kind: str):
    """A hinged rod falls to the ground, a limp tree too, a stone slides down a slope."""
    if kind == "rod":
        return hinged(height=0.3, joint_damping=0.05), Sample(colliders=[Collider("plane", friction=0.09)])
    if kind == "stone":
        below = {"colliders": [Collider("plane", friction=0.2)], "gravity": (0.3 * G, 0.1 * G, -0.9 * G)}
        return solid("box", (0.05, 0.04, 0.03), friction=0.2), Sample((0.0, 0.0, 0.04), cut=[1.0], **below)
    model = discretize(binary_tree(4, 4, radius=0.01, young=3e6, damping_time=0.02, friction=0.3), "double_root")
    return model, Sample(colliders=[Collider("plane", position=(0.0, 0.0, -0.2), friction=0.3)])


@pytest.mark.parametrize("kind", ["rod", "stone", "tree"])
def test_frame_rates_end_alike(kind):
    """Within a fiftieth of the way that a rod's end goes."""
    (model, sample), ends, way = moving(kind), [], 0.0
    for fps in (24, 25, 30, 60):
        plant, path = Simulation(model), []
        plant.start(sample)
        for _ in range(2 * fps):
            plant.advance(sample, 1 / fps)
            path.append(plant.rod_tails())
        assert len(plant.contacts().rod) > 0
        ends.append(path[-1])
        way = np.linalg.norm(np.diff(path, axis=0), axis=2).sum(axis=0).max()
    assert way > 0.2
    assert np.abs(np.diff(ends, axis=0)).max() < 0.02 * way


def test_sliding_smoothly_is_of_second_order():
    """A rod on a slope that swings down, rolls, and is braked by friction at its end, once it slides."""
    sample = Sample(colliders=[Collider("plane", friction=0.04)], gravity=(0.0, -G * 0.6, -G * 0.8))
    first = Simulation(hinged(height=0.02), Settings(max_step=1 / 7680))
    first.start(sample)
    for _ in range(3):
        first.advance(sample, 1 / 24)
    ends = []
    for step in (1 / 480, 1 / 960, 1 / 1920, 1 / 3840):
        plant = Simulation(hinged(height=0.02), Settings(max_step=step, tolerance=1.0, newton_tolerance=1e-9))
        plant.restore(first.snapshot())
        for _ in range(8):
            plant.advance(sample, 1 / 24)
        assert len(touched(plant)) > 0
        ends.append(plant.rod_tails()[0])
    away = np.linalg.norm(np.diff(ends, axis=0), axis=1)
    assert (np.log2(away[:-1] / away[1:]) > 1.9).all()


def test_what_a_ball_overlaps_as_drawn_is_left_alone_at_a_rods_middle_too():
    """As long as it does, where the point that touches is now of the rod's one half and now of the other."""
    model = hinged(length=0.4, radius=0.01)
    plant, still = Simulation(model), (0.0, 0.0, 0.0)
    for frame in range(49):
        at = (0.2 + 0.03 * np.sin(0.7 * frame), 0.004 * np.cos(0.5 * frame), 0.0)
        sample = Sample(colliders=[Collider("ball", size=[0.015], position=at, name="ball")], gravity=still)
        if frame == 0:
            plant.start(sample)
            before = plant.rod_tails()
        else:
            plant.advance(sample, 1 / 24)
    assert (plant.rod_tails() == before).all()
    for frame in range(24):
        gone = Collider("ball", size=[0.015], position=(0.2, 0.04 * min(frame, 1.0), 0.0), name="ball")
        plant.advance(Sample(colliders=[gone], gravity=still), 1 / 24)
    back = Collider("ball", size=[0.015], position=(0.2, 0.01, 0.0), name="ball")
    plant.advance(Sample(colliders=[back], gravity=still), 1 / 24)
    assert np.abs(plant.rod_tails() - before).max() > 1e-4
