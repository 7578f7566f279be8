# SPDX-License-Identifier: GPL-3.0-or-later
"""What nothing holds, on slopes and on legs, against closed forms."""

import numpy as np
import pytest

from solver import Collider, Rods, Sample, Simulation, discretize
from solver.math.rotations import from_matrices

G, FRAME = 9.81, 1.0 / 24.0


def ball(radius=0.05, mass=0.4, friction=0.9) -> Rods:
    """One that rests on the origin, as a rod without length and with a ball's inertia."""
    inertia = 0.4 * mass * radius**2
    return Rods(
        parent=[-1], head=[(0.0, 0.0, radius)], frame=[(1.0, 0.0, 0.0, 0.0)], length=1e-6, radius_base=radius,
        radius_tip=radius, young=1e9, density=500.0, mass=mass, com=[(0.0, 0.0, 0.0)], inertia=[(inertia,) * 3],
        friction=friction,
    )  # fmt: skip


@pytest.mark.parametrize("degrees", [5.0, 15.0, 25.0])
def test_a_ball_rolls_down_with_five_sevenths(degrees):
    angle = np.radians(degrees)
    gravity = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    sample = Sample(gravity=gravity, colliders=[Collider("plane", friction=0.9)], cut=[1.0])
    plant = Simulation(discretize(ball(), "base", segments=1))
    plant.start(sample)
    speeds = []
    for _ in range(24):
        plant.advance(sample, FRAME)
        speeds.append(plant.placed().velocity[0, 0])
    gained = (speeds[-1] - speeds[5]) / (18 * FRAME)
    assert gained == pytest.approx(5 / 7 * G * np.sin(angle), rel=0.005)
    turning = plant.placed().omega[0, 1] * 0.05
    assert turning == pytest.approx(speeds[-1], rel=0.005)


def tilts(kind: str, size: float, length: float, tilt: float, seconds: float) -> np.ndarray:
    """How a loose twig that lies across the top of something round tilts (rad), frame by frame, from so much."""
    radius = 0.002
    up, along = np.array((np.sin(tilt), 0.0, np.cos(tilt))), np.array((np.cos(tilt), 0.0, -np.sin(tilt)))
    frame = from_matrices(np.column_stack([np.cross(along, up), along, up])[None])
    twig = Rods(
        parent=[-1], head=[(size + radius) * up - (size * tilt + 0.5 * length) * along], frame=frame, length=length,
        radius_base=radius, radius_tip=radius, young=1e9, density=500.0, friction=4.0,
    )  # fmt: skip
    thing = Collider(kind, size=size if kind == "ball" else (size, 1.0), friction=4.0)
    sample = Sample(gravity=(0.0, 0.0, -G), colliders=[thing], cut=[1.0])
    plant = Simulation(discretize(twig, "base", segments=1))
    plant.start(sample)
    found = []
    for _ in range(round(seconds / FRAME)):
        plant.advance(sample, FRAME)
        found.append((plant.rod_heads()[0] - plant.rod_tails()[0])[2] / length)
    return np.arcsin(found)


def test_a_twig_rocks_on_something_round_in_its_time():
    """Rolling without slip: (I + m a^2) tilt'' = -m g (R - a) tilt, of a twig of radius a on one of radius R."""
    size, length, radius = 0.05, 0.4, 0.002
    inertia = (length**2 + 3.0 * radius**2) / 12.0 + radius**2
    period = 2.0 * np.pi * np.sqrt(inertia / (G * (size - radius)))
    found = tilts("capsule", size, length, 0.02, 4.0 * period)
    crossed = np.flatnonzero(found[1:] * found[:-1] < 0.0)
    times = crossed + 1.0 + found[crossed] / (found[crossed] - found[crossed + 1])
    assert len(times) >= 7
    assert 2.0 * FRAME * np.diff(times).mean() == pytest.approx(period, rel=0.01)
    assert np.abs(found).max() < 0.0205


@pytest.mark.parametrize("kind", ["ball", "capsule"])
def test_a_twig_on_something_large_comes_to_rest(kind):
    """Where it touches slides by 3 mm for each mrad that it tilts, which a solve must know or it rocks for good."""
    assert np.abs(tilts(kind, 3.0, 0.03, 0.001, 2.0)[-12:]).max() < 1e-5


@pytest.mark.parametrize("legs", [4, 6])
def test_what_stands_on_its_legs_is_carried_by_them(legs):
    """A trunk on stiff legs, dropped by a hair: their normal forces add up to its weight, and friction is within its
    cones."""
    angles = 2.0 * np.pi * np.arange(legs) / legs
    down = (np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0)
    feet = 0.15 * np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    heads = [(0.0, 0.0, 0.3105), *np.add(feet, (0.0, 0.0, 0.3105))]
    rods = Rods(
        parent=[-1, *[0] * legs], head=heads, frame=[(np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0), *[down] * legs],
        length=[0.2, *[0.3] * legs], radius_base=0.01, radius_tip=0.01, young=1e8, density=700.0, damping_time=0.02,
        friction=0.6,
    )  # fmt: skip
    plant = Simulation(discretize(rods, "base", segments=1))
    sample = Sample(colliders=[Collider("plane", friction=0.6)], cut=[1.0, *[0.0] * legs])
    plant.start(sample)
    for _ in range(24 * 8):
        plant.advance(sample, FRAME)
    touched, weight = plant.contacts(), plant.model.bodies.mass.sum() * G
    assert set(touched.rod.tolist()) == set(range(1, legs + 1))
    normal = (touched.force * touched.normal).sum(axis=1)
    across = np.linalg.norm(touched.force - normal[:, None] * touched.normal, axis=1)
    assert normal.sum() == pytest.approx(weight, rel=1e-6)
    assert (across <= 0.6 * normal * (1.0 + 1e-9)).all()
    sunk = 0.01 - plant.rod_tails()[1:, 2]
    assert (sunk > 0.0).all()
    assert sunk.max() < 0.01 * 0.01
    assert plant.energy().kinetic < 1e-12


def test_what_has_a_margin_stays_so_far_away():
    rods = ball()
    rods.margin[:] = 0.02
    plant = Simulation(discretize(rods, "base", segments=1))
    sample = Sample(colliders=[Collider("plane")], cut=[1.0], base_position=(0.0, 0.0, 0.03))
    plant.start(sample)
    for _ in range(48):
        plant.advance(sample, FRAME)
    assert plant.rod_heads()[0, 2] == pytest.approx(0.07, abs=0.01 * 0.07)
