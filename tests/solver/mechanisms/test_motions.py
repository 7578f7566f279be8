# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions with a closed form, and what must not change in others."""

import numpy as np
import pytest
from scipy.special import ellipk

from solver import mechanisms as m
from tests.forms import IS_FULL
from tests.oracles.jointed.figures import UPRIGHT, at

FRAME, G = 1 / 30, 9.81


def bead(curve, mass=0.1, turns="still", **more):
    return m.Mechanism([m.Body(m.point_on_curve(curve, turns), mass, **more)])


class Ellipse(m.Curve):
    """Of half axes a along x and c along z; a curve of one's own with derivatives by hand."""

    closed, knots = True, np.linspace(-np.pi, np.pi, 41)

    def __init__(self, a, c):
        self.a, self.c = a, c

    def derivatives(self, s):
        c, n = np.cos(s), np.sin(s)
        return np.array([[x * self.a, 0.0, z * self.c] for x, z in ((c, n), (-n, c), (-c, -n), (n, -c))])


def pendulum_period(amplitude, length):
    """Of a mathematical pendulum, s."""
    return 4.0 * np.sqrt(length / G) * ellipk(np.sin(amplitude / 2.0) ** 2)


def test_a_bead_on_a_ring_is_a_pendulum():
    ring, amplitude = bead(m.circle(0.6), placement=UPRIGHT), 2.0
    period = pendulum_period(amplitude, 0.6)
    run = m.Run(ring, [amplitude - np.pi / 2])
    for _ in range(40):
        run.advance(period / 40)
    assert run.q[0] == pytest.approx(amplitude - np.pi / 2, abs=1e-7)  # sixth order at h = 1/20 s
    assert run.u[0] == pytest.approx(0.0, abs=1e-5)


def test_a_bead_stays_on_an_ellipse_for_half_a_minute_at_the_frame_rate():
    """It swings up to its height again and again: energy is what closes the form of its speed. A third of the time in
    the short form."""
    a, c, begin = 1.0, 0.4, 0.6
    system = bead(Ellipse(a, c), mass=0.3)
    run = m.Run(system, [begin])
    top = c * np.sin(begin)
    fastest = 0.0
    for _ in range(900 if IS_FULL else 300):
        run.advance(FRAME)
        x, y, z = system.placed(run.q)[0, :3, 3]
        assert abs((x / a) ** 2 + (z / c) ** 2 - 1.0) < 1e-14
        assert y == 0.0
        speed = run.u[0] * np.hypot(a * np.sin(run.q[0]), c * np.cos(run.q[0]))
        assert abs(0.5 * speed**2 - G * (top - z)) < 1e-4 * G * 2 * c  # a hundredth of what is asked for
        fastest = max(fastest, abs(speed))
    assert fastest > 0.95 * np.sqrt(2 * G * (top + c))  # it does go through the lowest point


def test_a_bead_on_a_helix_falls_evenly():
    """q'' = -g rise / (radius^2 + rise^2) also with a body that turns with the frame, by its inertia across it."""
    r, rise = 0.5, 0.2
    helix = m.Path(lambda s: (r * np.cos(s), r * np.sin(s), rise * s), -20.0, 4.0)
    system = bead(helix, 0.1, "none", inertia=(0.7, 0.02, 0.02))
    square = r * r + rise * rise
    bend = r / square  # 1/m, and along the helix the frame turns by that times its length
    pull = 0.1 * G * rise / (0.1 * square + 0.02 * bend**2 * square)
    run = m.Run(system, [1.0])
    for _ in range(15):
        run.advance(FRAME)
    assert run.q[0] == pytest.approx(1.0 - 0.5 * pull * run.time**2, abs=1e-12)  # exact but for rounding
    assert run.steps == 15


def test_a_wheel_that_rolls_in_a_cup_is_a_longer_pendulum():
    cup, radius, mass, inertia, amplitude = 1.0, 0.3, 2.0, 0.07, 1.2
    wheel = m.Mechanism(
        [m.Body(m.RollingWheel(m.circle(cup), radius), mass, inertia=(0, 0, inertia), placement=UPRIGHT)]
    )
    period = pendulum_period(amplitude, (cup - radius) * (1.0 + inertia / (mass * radius**2)))
    run = m.Run(wheel, [amplitude - np.pi / 2])
    for _ in range(60):
        run.advance(period / 60)
    assert run.q[0] == pytest.approx(amplitude - np.pi / 2, abs=1e-7)


def test_a_wheel_rolls_down_a_slope_and_turns_by_its_path():
    slope, radius, mass, inertia = 0.4, 0.2, 2.0, 0.05
    way = np.array([np.cos(slope), -np.sin(slope), 0])
    wheel = m.Mechanism(
        [m.Body(m.RollingWheel(m.Spline([-way, way]), radius), mass, inertia=(0, 0, inertia), placement=UPRIGHT)]
    )
    run = m.Run(wheel, [0.0])
    before = wheel.placed(run.q)[0]
    run.advance(1.0)
    gone = 0.5 * G * np.sin(slope) / (1 + inertia / (mass * radius**2))
    assert run.q[0] == pytest.approx(gone, abs=1e-12)
    after = wheel.placed(run.q)[0]
    assert after[:3, 3] - before[:3, 3] == pytest.approx(gone * way[[0, 2, 1]], abs=1e-12)
    turn = m.Revolute().at(np.array([-gone / radius]), np.zeros(1)).R
    assert np.abs(before[:3, :3] @ turn - after[:3, :3]).max() < 1e-12


def test_a_point_slides_around_a_cone_as_it_keeps_its_angular_momentum():
    cone = m.Patch(lambda a, r: (r * np.cos(a), r * np.sin(a), 2.0 * r))
    system = m.Mechanism([m.Body(m.point_on_surface(cone, "still"), 0.5)])
    run = m.Run(system, [0.0, 1.0], [3.0, 0.4])
    energy, momentum = system.energy(run.q, run.u).total, system.momentum(run.q, run.u)[2]
    for _ in range(60):
        run.advance(FRAME)
        x, y, z = system.placed(run.q)[0, :3, 3]
        assert z == pytest.approx(2.0 * np.hypot(x, y), abs=1e-14)
    assert system.momentum(run.q, run.u)[2] == pytest.approx(momentum, rel=1e-6)
    assert system.energy(run.q, run.u).total == pytest.approx(energy, rel=1e-6)


def test_a_damped_oscillator():
    mass, k, d, rest, begin = 0.5, 30.0, 0.8, 0.2, 1.0
    slider = m.Mechanism([m.Body(m.Prismatic((1, 0, 0)), mass, stiffness=k, damping=d, rest=rest)])
    run = m.Run(slider, [begin])
    for _ in range(60):
        run.advance(FRAME)
    decay, t = d / (2 * mass), run.time
    w = np.sqrt(k / mass - decay**2)
    shape = np.cos(w * t) + decay / w * np.sin(w * t)
    assert run.q[0] == pytest.approx(rest + (begin - rest) * np.exp(-decay * t) * shape, abs=1e-6)


def test_a_sphere_on_a_spring_turns_back_and_forth():
    ball = m.Mechanism([m.Body(m.Spherical(), 1.0, inertia=(0.2, 0.2, 0.2), stiffness=5.0)])
    axis, angle = np.array([1.0, 2.0, -2.0]) / 3, 1.5
    run = m.Run(ball, [np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
    for _ in range(30):
        run.advance(FRAME)
    expected = angle * np.cos(5.0 * run.time)
    assert m.Spherical().displacement(run.q) == pytest.approx(expected * axis, abs=1e-6)


def test_loads_may_change_in_time():
    """A mass of 2 kg under a force that grows as t^2, off its centre, and a moment that grows as t."""
    body = m.Mechanism([m.Body(m.planar(), 2.0, (0.3, 0, 0), (1, 1, 0.5))])

    def loads(t: float) -> m.Loads:
        return m.Loads((0, 0, 0), [(6.0 * t * t, 0, 0)], [(0, 0, 3.0 * t)])

    run = m.Run(body, loads=loads)
    for _ in range(30):
        run.advance(FRAME)
    com = body.placed(run.q)[0] @ [0.3, 0, 0, 1]
    assert com[:2] == pytest.approx([0.3 + 6.0 / 2.0 / 12.0, 0.0], abs=1e-9)
    assert run.q[2] == pytest.approx(3.0 / 0.5 / 6.0, abs=1e-9)


def swinging_tree():
    bodies = [
        m.Body(m.free(), 1.0, (0.1, 0, 0.05), (0.02, 0.03, 0.04)),
        m.Body(m.Spherical(), 0.5, (0, 0.2, 0), (0.01, 0.02, 0.015), 0, at(0.2, 0.1, 0)),
        m.Body(m.universal(), 0.4, (0, 0, 0.2), (0.01, 0.01, 0.015), 0, at(-0.2, 0, 0.1)),
        m.Body(m.point_on_curve(m.Path(lambda s: (s, s * s, 0.1 * s), -5.0, 5.0)), 0.3, (0, 0.1, 0), (0.01,) * 3, 1),
    ]
    system = m.Mechanism(bodies)
    u = np.random.default_rng(4).normal(size=system.rates)
    q = system.start.copy()
    q[system.coordinates_of[3]] = 0.3, 0.1
    return system, q, u


def test_a_floating_tree_keeps_energy_and_momentum():
    system, q, u = swinging_tree()
    run = m.Run(system, q, u, loads=m.Loads((0, 0, 0)))
    energy, momentum = system.energy(q, u, (0, 0, 0)).total, system.momentum(q, u)
    for _ in range(10):
        run.advance(FRAME)
    assert system.energy(run.q, run.u, (0, 0, 0)).total == pytest.approx(energy, rel=1e-6)
    assert system.momentum(run.q, run.u) == pytest.approx(momentum, abs=1e-6 * np.abs(momentum).max())


def test_motion_goes_back_the_way_it_came():
    """The formula is symmetric: equal steps with the rates reversed end where they began, whatever their error."""
    system, q, u = swinging_tree()
    there = m.Run(system, q, u, tolerance=1.0, max_step=0.0201)
    there.advance(0.2)
    back = m.Run(system, there.q, -there.u, tolerance=1.0, max_step=0.0201)
    back.advance(0.2)
    assert there.steps == back.steps == 10
    assert back.q == pytest.approx(q, abs=1e-10)
    assert back.u == pytest.approx(-u, abs=1e-9)


@pytest.mark.parametrize("stages", [1, 2, 3])
def test_order_is_twice_the_stages(stages):
    ring = bead(m.circle(1.0), placement=UPRIGHT)
    ends = []
    for count in (12, 24, 192):
        run = m.Run(ring, [0.5], stages=stages, tolerance=1.0, max_step=1.0 / count * (1 + 1e-12))
        run.advance(1.0)
        assert run.steps == count
        ends.append(run.q[0])
    order = np.log2(abs(ends[0] - ends[2]) / abs(ends[1] - ends[2]))
    assert order == pytest.approx(2 * stages, abs=0.15)


def test_steps_get_shorter_where_the_motion_is_fast_and_longer_again():
    """A bead falls into a narrow bend."""
    bend = bead(m.Path(lambda x: (x, 0.0 * x, np.sqrt(x * x + 0.02**2)), -3.0, 3.0))
    run = m.Run(bend, [1.0])
    steps = [run.advance(FRAME) for _ in range(40)]
    assert min(steps) == 1
    assert max(steps) > 2
    assert bend.energy(run.q, run.u).total == pytest.approx(bend.energy([1.0], [0.0]).total, rel=1e-4)
