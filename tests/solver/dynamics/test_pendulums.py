# SPDX-License-Identifier: GPL-3.0-or-later
"""Garcia 8.1 and 8.2: one and two rigid bodies on free hinges against equations derived by hand."""

import numpy as np
import pytest

from solver import Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import exponential
from tests.oracles import analytic
from tests.oracles.models import GivenLoads, Joints, accelerations, still_base

DOWN = np.array([0.5**0.5, -(0.5**0.5), 0.0, 0.0])
LENGTHS, RADII = np.array([0.5, 0.3]), np.array([0.01, 0.02])


def chain(count):
    """Rods hanging from the origin on joints without springs."""
    lengths = LENGTHS[:count]
    head = np.zeros((count, 3))
    head[1:, 2] = -np.cumsum(lengths)[:-1]
    return discretize(
        Rods(
            parent=np.arange(count) - 1,
            head=head,
            frame=DOWN,
            length=lengths,
            radius_base=RADII[:count],
            radius_tip=RADII[:count],
            young=1.0,
            density=900.0,
            stiffness=np.zeros(3),
        ),
        "double_root",
    )


def inertia_about_centers():
    mass = 900.0 * np.pi * RADII**2 * LENGTHS
    return mass, mass * (LENGTHS**2 / 12 + RADII**2 / 4)


def in_plane(theta, rate):
    """Joint coordinates for absolute angles from the vertical, all turning about x."""
    turns, rates = np.zeros((len(theta), 3)), np.zeros((len(theta), 3))
    turns[:, 0], rates[:, 0] = np.diff(theta, prepend=0.0), np.diff(rate, prepend=0.0)
    return Joints(exponential(turns), rates)


def gravity(n):
    loads = GivenLoads(n, 0)
    loads.gravity[:], loads.stiffness_scale[0] = (0.0, 0.0, -analytic.GRAVITY), 1.0
    return loads


def simulate(theta, seconds, h):
    """(frames, count) absolute angles at 24 fps."""
    model = chain(len(theta))
    plant = Simulation(model, Settings(max_step=h, tolerance=np.inf, newton_tolerance=1e-10))
    initial = np.zeros((len(theta), 3))
    initial[:, 0] = np.diff(theta, prepend=0.0)
    plant.start(Sample(gravity=(0.0, 0.0, -analytic.GRAVITY)), initial=initial)
    angles = []
    for _ in range(round(seconds * 24)):
        plant.advance(Sample(gravity=(0.0, 0.0, -analytic.GRAVITY)), 1 / 24)
        along = plant.rod_tails() - plant.rod_heads()
        assert np.abs(along[:, 0]).max() < 1e-12  # stays in its plane
        angles.append(np.arctan2(along[:, 1], -along[:, 2]))
    return np.unwrap(np.array(angles), axis=0)


def test_pendulum_acceleration():
    mass, inertia = inertia_about_centers()
    bodies = chain(1).bodies
    for theta in np.random.default_rng(1).uniform(-np.pi, np.pi, 200):
        found = accelerations(bodies, in_plane([theta], [4.0]), still_base(), gravity(1))
        hinge = inertia[0] + mass[0] * LENGTHS[0] ** 2 / 4
        expected = analytic.pendulum_acceleration(mass[0], LENGTHS[0] / 2, hinge, theta)
        assert found[0] == pytest.approx([expected, 0.0, 0.0], rel=1e-12, abs=1e-12)


def test_double_pendulum_accelerations():
    mass, inertia = inertia_about_centers()
    bodies = chain(2).bodies
    rng = np.random.default_rng(2)
    for _ in range(500):
        theta, rate = rng.uniform(-np.pi, np.pi, 2), rng.normal(size=2) * 10.0
        found = accelerations(bodies, in_plane(theta, rate), still_base(), gravity(2))
        expected = analytic.double_pendulum_accelerations(mass, LENGTHS, inertia, theta, rate)
        difference = np.cumsum(found[:, 0]) - expected
        assert np.abs(difference).max() <= 1e-12 * np.abs(expected).max()
        assert np.abs(found[:, 1:]).max() <= 1e-12 * np.abs(expected).max()


def orders(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


def test_pendulum_trajectory_and_order():
    mass, inertia = inertia_about_centers()
    factor = -analytic.pendulum_acceleration(
        mass[0], LENGTHS[0] / 2, inertia[0] + mass[0] * LENGTHS[0] ** 2 / 4, np.pi / 2
    )
    times = np.arange(1, 49) / 24
    exact = analytic.pendulum(factor, 2.0, times)
    steps = 1 / 480, 1 / 960, 1 / 1920, 1 / 3840
    errors = [np.abs(simulate([2.0], 2.0, h)[:, 0] - exact).max() for h in steps]
    print("pendulum, largest error (rad) in 2 s:", dict(zip(steps, errors, strict=True)), "order", orders(errors))
    assert orders(errors)[-1] == pytest.approx(2.0, abs=0.1)
    assert errors[-1] < 1e-4


def test_double_pendulum_trajectory_until_chaos():
    mass, inertia = inertia_about_centers()
    theta = np.array([2.0, 1.0])
    times = np.arange(1, 73) / 24
    exact = analytic.double_pendulum(mass, LENGTHS, inertia, theta, np.zeros(2), times)
    steps = 1 / 2400, 1 / 4800, 1 / 9600
    errors = [np.abs(simulate(theta, 3.0, h) - exact) for h in steps]
    first_second = [e[:24].max() for e in errors]
    print("double pendulum, error (rad) after 1 s:", first_second, "order", orders(first_second))
    print("after 3 s:", [e.max() for e in errors])
    assert orders(first_second)[-1] == pytest.approx(2.0, abs=0.1)
    assert errors[-1].max() < 0.02


def test_backward_euler_is_first_order():
    mass, inertia = inertia_about_centers()
    factor = -analytic.pendulum_acceleration(
        mass[0], LENGTHS[0] / 2, inertia[0] + mass[0] * LENGTHS[0] ** 2 / 4, np.pi / 2
    )
    exact = analytic.pendulum(factor, 1.0, np.array([0.5]))[0]
    errors = []
    for h in (1 / 960, 1 / 1920, 1 / 3840):
        plant = Simulation(chain(1), Settings(max_step=h, scheme="backward_euler"))
        plant.start(Sample(), initial=[[1.0, 0.0, 0.0]])
        for _ in range(12):
            plant.advance(Sample(), 1 / 24)
        along = plant.rod_tails()[0]
        errors.append(abs(np.arctan2(along[1], -along[2]) - exact))
    assert orders(errors)[-1] == pytest.approx(1.0, abs=0.1)
