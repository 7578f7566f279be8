# SPDX-License-Identifier: GPL-3.0-or-later
"""What hits bounces: energy, heights and momenta by closed forms."""

from dataclasses import replace

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Settings, Simulation, discretize, solid
from tests.oracles.models import beam
from tests.oracles.touching.depth import inside
from tests.oracles.touching.momenta import momenta

G, FRAME, ALONG_X = 9.81, 1.0 / 24.0, (0.5**0.5, 0.0, 0.0, -(0.5**0.5))


def stick(bounce, height=0.3, friction=0.0, **given):
    """One rigid rod on a loose hinge, as drawn level along x."""
    values = {
        "parent": [-1], "head": [(0.0, 0.0, height)], "frame": [ALONG_X], "length": 0.5, "radius_base": 0.02,
        "radius_tip": 0.02, "young": 1e9, "density": 500.0, "stiffness": np.zeros((1, 3)), "friction": friction,
        "bounce": bounce,
    }  # fmt: skip
    return discretize(Rods(**values | given), "base", segments=1)


def energies(plant: Simulation, sample: Sample, seconds: float) -> np.ndarray:
    """Mechanical energy (J) at frames."""
    found = []
    for _ in range(round(24 * seconds)):
        plant.advance(sample, FRAME)
        found.append(sum(plant.energy()))
    return np.array(found)


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_a_hinged_rod_that_gives_back_all_keeps_its_energy(friction):
    sample = Sample(colliders=[Collider("plane", friction=friction)])
    model = stick(1.0, friction=friction)
    plant = Simulation(model)
    plant.start(sample)
    before = sum(plant.energy())
    fallen = model.bodies.mass.sum() * G * 0.15
    found = energies(plant, sample, 10.0)
    if friction == 0.0:
        assert np.abs(found - before).max() < 0.02 * fallen
    assert (found - before).max() < 1e-3 * fallen


@pytest.mark.parametrize("bounce", [0.3, 0.6, 0.9])
def test_a_hinged_rod_comes_back_with_its_restitution(bounce):
    """Its tip falls from the hinge's height to the ground; after the hit it has e^2 of the energy."""
    sample = Sample(colliders=[Collider("plane")])
    plant = Simulation(stick(bounce))
    plant.start(sample)
    heights, speeds = [], []
    for _ in range(240):
        plant.advance(sample, 1 / 240)
        heights.append(plant.rod_tails()[0, 2])
        speeds.append(plant.placed().omega[0, 1])
    lowest = int(np.argmin(heights[:80]))
    reached = max(heights[lowest:])
    assert (reached - 0.02) / (0.3 - 0.02) == pytest.approx(bounce**2, abs=0.01)
    assert min(heights) > 0.02 - 0.1 * 0.02


def test_two_sticks_exchange_their_speeds():
    """One that floats is hit in its middle by an equal one, square on, and takes over its speed."""
    rods = Rods(
        parent=[-1, -1], head=[(-0.25, 0.0, 0.0), (0.0, -0.25, 0.4)], frame=[ALONG_X, (1.0, 0.0, 0.0, 0.0)],
        length=0.5, radius_base=0.02, radius_tip=0.02, young=1e9, density=500.0, stiffness=np.zeros((2, 3)),
        bounce=1.0, friction=0.0,
    )  # fmt: skip
    plant = Simulation(discretize(rods, "base", segments=1))
    floating = Sample(gravity=(0.0, 0.0, 0.0), touches_itself=True, cut=(1.0, 1.0))
    plant.start(floating)
    push = np.array([(0.0, 0.0, 0.0), (0.0, 0.0, -3.0)])
    for force in (push, push, None, None, None):
        plant.advance(replace(floating, force=force), FRAME)
    linear, _, _ = momenta(plant)
    flying = plant.placed().velocity[1, 2]
    energy = plant.energy().kinetic
    for _ in range(24):
        plant.advance(floating, FRAME)
    placed = plant.placed()
    assert placed.velocity[0, 2] == pytest.approx(flying, rel=1e-6)
    assert placed.velocity[1, 2] == pytest.approx(0.0, abs=1e-6 * abs(flying))
    assert momenta(plant)[0] == pytest.approx(linear, abs=1e-9 * np.abs(linear).max())
    assert plant.energy().kinetic == pytest.approx(energy, rel=1e-9)


def test_chains_that_bounce_gain_nothing():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        rods = beam(6, length=0.6, radius=0.01, young=10.0 ** rng.uniform(6.0, 8.0), damping_time=0.0)
        rods = replace(rods, bounce=1.0, friction=0.0)
        sample = Sample(colliders=[Collider("plane", position=(0.0, 0.0, -0.15))], gravity=(0.0, 0.0, -G))
        plant = Simulation(discretize(rods))
        plant.start(sample)
        before, weight = sum(plant.energy()), plant.model.bodies.mass.sum() * G
        found = energies(plant, sample, 3.0)
        assert (found - before).max() < 1e-3 * weight * 0.15
        assert plant.rod_tails()[:, 2].min() > -0.15


def test_a_ball_that_throws_thin_stems_goes_through_none():
    up = (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0)
    for offset in (-0.02, 0.0, 0.015):
        rods = Rods(
            parent=[-1, 0, 1], head=[(0.0, 0.0, 0.2 * k) for k in range(3)], frame=[up] * 3, length=0.2,
            radius_base=1e-3, radius_tip=1e-3, young=1e9, density=600.0, damping_time=0.005, bounce=0.8,
        )  # fmt: skip
        plant, deepest = Simulation(discretize(rods, "base")), 0.0
        for frame in range(6):
            at = np.array([-1.0 + 10.0 * frame / 24, offset, 0.45])
            sample = Sample(colliders=[Collider("ball", size=[0.05], position=at, name="ball")])
            if frame == 0:
                plant.start(sample)
            else:
                plant.advance(sample, FRAME)
            heads, tails = plant.rod_heads(), plant.rod_tails()
            t = np.linspace(0.0, 1.0, 101)[:, None, None]
            away = np.linalg.norm((heads + t * (tails - heads)).reshape(-1, 3) - at, axis=1).min()
            deepest = max(deepest, 0.051 - away)
        assert deepest < 2e-4


def test_what_bounces_ever_less_comes_to_rest():
    sample = Sample(colliders=[Collider("plane", friction=0.0)])
    plant = Simulation(stick(0.7, joint_damping=0.002), Settings())
    plant.start(sample)
    energies(plant, sample, 8.0)
    assert plant.energy().kinetic < 1e-9
    assert 0.0 < 0.02 - plant.rod_tails()[0, 2] < 0.02 * 0.02
    assert plant.contacts().force[:, 2].sum() == pytest.approx(0.5 * plant.model.bodies.mass.sum() * G, rel=1e-5)


@pytest.mark.parametrize("bounce", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("step", [1.0 / 120.0, 1.0 / 240.0])
def test_what_goes_on_into_a_stem_is_pushed_also_where_it_bounces(bounce, step):
    """It is pressed in again after each bounce, a little deeper, until it is pushed as what does not bounce is."""
    stem = discretize(beam(6, 0.5, 0.005, young=1e10, damping_time=0.01))
    plant = Simulation(stem, Settings(max_step=step))

    def sample(frame: int) -> Sample:
        ball = Collider("ball", (0.05,), position=(0.35, -0.08 + 2.0 * frame * FRAME, 0.0), bounce=bounce)
        return Sample(colliders=[ball], gravity=(0.0, 0.0, 0.0))

    plant.start(sample(0))
    for frame in range(1, 13):
        plant.advance(sample(frame), FRAME)
        assert inside(plant, sample(frame).colliders).max() < 0.7


@pytest.mark.parametrize("bounce", [0.0, 0.8])
def test_pushes_of_frames_are_all_that_stops_a_fall(bounce):
    """A stick that falls level and bounces: all that it was pushed with is its change of momentum and its weight, of
    each frame as far as steps tell when in it something begins to touch."""
    model = stick(bounce)
    mass, sample = model.bodies.mass.sum(), Sample(colliders=[Collider("plane")], cut=[1.0])
    plant = Simulation(model)
    plant.start(sample)
    pushed, gained = [], []
    for _ in range(48):
        before = momenta(plant)[0][2]
        plant.advance(sample, FRAME)
        pushed.append(plant.pushes()[0] * FRAME)
        gained.append(momenta(plant)[0][2] - before + mass * G * FRAME)
    assert pushed == pytest.approx(gained, abs=0.15 * max(gained))
    assert sum(pushed) == pytest.approx(sum(gained), rel=0.02)
    assert sum(push > 2.0 * mass * G * FRAME for push in pushed) >= (3 if bounce else 1)
    if bounce == 0.0:
        assert pushed[-1] == pytest.approx(mass * G * FRAME, rel=1e-6)
        assert plant.contacts().force[:, 2].sum() == pytest.approx(mass * G, rel=1e-6)


def test_pushes_at_the_start_are_what_holds_a_settled_plant():
    model = stick(0.0, height=0.1, stiffness=np.full((1, 3), 0.1))
    sample = Sample(colliders=[Collider("plane")])
    plant = Simulation(model)
    plant.start(sample, "settled")
    touched = np.linalg.norm(plant.contacts().force, axis=1).sum()
    assert plant.pushes() == pytest.approx([touched], rel=1e-12)
    assert touched > 0.0


@pytest.mark.parametrize("seed", range(24))
def test_what_bounces_on_each_other_goes_on_alike_from_snapshots(seed):
    """Also where pairs are inside and on their way out, and where some have come near that were not in the frame
    before."""
    rng = np.random.default_rng([seed, 21])
    bounce, count = float(rng.uniform(0.3, 1.0)), int(rng.integers(2, 5))
    models = []
    for kind in rng.integers(3, size=count).tolist():
        size = 10.0 ** rng.uniform(-1.7, -1.0)
        sizes = [size], [0.4 * size, size], size * rng.uniform(0.3, 1.0, 3)
        density = 10.0 ** rng.uniform(2.0, 4.0)
        models.append(solid(("ball", "capsule", "box")[kind], sizes[kind], density=density, bounce=bounce))
    turns = rng.normal(size=(count, 4))
    floor = Collider("box", (0.5, 0.5, 0.1), position=(0.0, 0.0, -0.1), bounce=bounce)
    sample = Sample(
        [(0.02 * i, 0.01 * i, 0.25 + 0.25 * i) for i in range(count)], colliders=[floor], touches_others=True,
        base_orientation=turns / np.linalg.norm(turns, axis=1)[:, None], cut=np.ones(count),
    )  # fmt: skip
    plant, other = Simulation(models, together=True), Simulation(models, together=True)
    plant.start(sample)
    other.start(sample)
    for _ in range(30):
        other.restore(plant.snapshot())
        plant.advance(sample, FRAME)
        other.advance(sample, FRAME)
        assert np.array_equal(plant.placed().position, other.placed().position)
