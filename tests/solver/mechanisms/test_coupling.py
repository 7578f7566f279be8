# SPDX-License-Identifier: GPL-3.0-or-later
"""Coupled coordinates against Lagrange's equation of the one coordinate that is left, and closed loops."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
import sympy
from sympy import asin, cos, sin

from solver import mechanisms as m
from tests.oracles.jointed.figures import CROSSES, HALF, UPRIGHT, at, tong

G = 9.81
CRANK, ROD = 0.3, 0.8
MASSES, INERTIAS = (1.2, 0.7, 0.5), (0.02, 0.05)


def crank_and_slider():
    """A crank turns, a rod leads from it to a piston on the x axis; gravity along -y of the drawing."""
    bodies = [
        m.Body(m.Revolute(), MASSES[0], (CRANK / 2, 0, 0), (0, 0, INERTIAS[0]), placement=UPRIGHT),
        m.Body(m.Revolute(), MASSES[1], (ROD / 2, 0, 0), (0, 0, INERTIAS[1]), 0, at(CRANK)),
        m.Body(m.Revolute(), MASSES[2], parent=1, placement=at(ROD)),
    ]

    return m.Coupled(m.Mechanism(bodies), [0, 1, 2], crank_angles, [0.4])


def crank_angles(r):
    rod = -np.arcsin(CRANK / ROD * np.sin(r[0]))
    return [r[0], rod - r[0], -rod]


def test_a_floating_engine_keeps_its_momentum():
    """The same crank on a free body without weight: joints that follow beside one with a quaternion that does not."""
    inside = crank_and_slider().mechanism.bodies
    frame = m.Body(m.free(), 3.0, (0.2, 0.1, 0), (0.1, 0.2, 0.25))
    bodies = [frame, *(replace(body, parent=k) for k, body in enumerate(inside))]
    system = m.Coupled(m.Mechanism(bodies), [1, 2, 3], crank_angles, [0.4])
    q, u = system.start, np.array([8.0, 0.1, 0.2, -0.3, 0.5, -1.0, 0.7])
    run = m.Run(system, q, u, loads=m.Loads((0, 0, 0)))

    def momentum():
        return system.mechanism.momentum(system.whole(run.q), system.whole_rates(run.q, run.u))

    before, energy = momentum(), system.energy(q, u, (0, 0, 0)).total
    for _ in range(12):
        run.advance(1 / 30)
    assert momentum() == pytest.approx(before, abs=1e-6 * np.abs(before).max())
    assert system.energy(run.q, run.u, (0, 0, 0)).total == pytest.approx(energy, rel=1e-6)
    assert np.linalg.norm(run.q[4:]) == pytest.approx(1.0, abs=1e-15)


def lagrange(r, w):
    """r'' of the slider crank, from kinetic and potential energy as formulas of r alone."""
    q, rate = sympy.symbols("q rate")
    rod = -asin(CRANK / ROD * sin(q))
    joint = sympy.Matrix([CRANK * cos(q), CRANK * sin(q)])
    centres = (joint / 2, joint + ROD / 2 * sympy.Matrix([cos(rod), sin(rod)]),
               sympy.Matrix([CRANK * cos(q) + ROD * cos(rod), 0]))  # fmt: skip
    mass = INERTIAS[0] + INERTIAS[1] * rod.diff(q) ** 2
    V = 0
    for one, centre in zip(MASSES, centres, strict=True):
        mass += one * centre.diff(q).dot(centre.diff(q))
        V += one * G * centre[1]
    second = -(mass.diff(q) * rate**2 / 2 + V.diff(q)) / mass
    return float(second.subs({q: r, rate: w}))


def test_a_crank_and_a_slider_are_lagranges():
    system = crank_and_slider()
    for r, w in ((0.4, 0.0), (1.9, 3.0), (-2.5, -1.0)):
        found = system.forward_dynamics([r], [w])
        assert found[0] == pytest.approx(lagrange(r, w), rel=1e-12)
        assert system.inverse_dynamics([r], [w], found)[0] == pytest.approx(0.0, abs=1e-12)
        piston = CRANK * np.cos(r) + np.sqrt(ROD**2 - (CRANK * np.sin(r)) ** 2)
        assert system.placed([r])[2, :3, 3] == pytest.approx([piston, 0, 0], abs=1e-14)


def test_a_crank_and_a_slider_keep_their_energy():
    system = crank_and_slider()
    run = m.Run(system, [0.4], [4.0])
    energy = system.energy(run.q, run.u).total
    for _ in range(30):
        run.advance(1 / 30)
        assert system.energy(run.q, run.u).total == pytest.approx(energy, abs=1e-4)
    assert run.q[0] < -np.pi  # past both dead centres


def test_its_effort_is_virtual_work():
    """A moment on the crank alone, a force on the piston, and both as what the drive must give."""
    system = crank_and_slider()
    r, w = np.array([0.9]), np.array([0.0])
    push = np.zeros((3, 3))
    push[2, 0] = 5.0
    slope = -CRANK * np.sin(0.9) - CRANK**2 * np.sin(0.9) * np.cos(0.9) / np.sqrt(ROD**2 - (CRANK * np.sin(0.9)) ** 2)
    pushed = system.forward_dynamics(r, w, m.Loads((0, 0, 0), force=push))
    driven = system.forward_dynamics(r, w, m.Loads((0, 0, 0), effort=[5.0 * slope]))
    assert pushed == pytest.approx(driven, rel=1e-13)
    assert system.mass_solved(r, np.array([[5.0 * slope]]))[0] == pytest.approx(driven, rel=1e-13)


def test_a_four_bar_linkage_is_pinocchios_closed_loop():
    """Crank, coupler and rocker with their angles in closed form; there the loop is closed by multipliers."""
    a, b, c, d = 0.3, 0.9, 0.7, 0.8  # crank, coupler, rocker, ground
    inertia = (0.01, 0.03, 0.04)

    def angles(r):
        x, y = a * np.cos(r[0]) - d, a * np.sin(r[0])  # from the rocker's pivot to the crank's end
        long = np.sqrt(x * x + y * y)
        rocker = np.arctan2(y, x) - np.arccos((long * long + c * c - b * b) / (2.0 * c * long))
        coupler = np.arctan2(c * np.sin(rocker) - y, c * np.cos(rocker) - x)
        return [r[0], coupler - r[0], rocker]

    bars = [((0, 0), -1, a), ((a, 0), 0, b), ((d, 0), -1, c)]
    bodies, model = [], pin.Model()
    for k, ((x, _), parent, length) in enumerate(bars):
        placement = UPRIGHT @ at(x) if parent < 0 else at(x)
        com = (length / 2, 0, 0)
        bodies.append(m.Body(m.Revolute(), 1.0 + k, com, (0.1, 0.1, inertia[k]), parent, placement))
        one = model.addJoint(parent + 1, pin.JointModelRZ(), pin.SE3(placement[:3, :3], placement[:3, 3]), f"{k}")
        own = pin.Inertia(1.0 + k, np.array(com), np.diag([0.1, 0.1, inertia[k]]))
        model.appendBodyToJoint(one, own, pin.SE3.Identity())
    model.gravity.linear = np.array([0, 0, -G])
    system = m.Coupled(m.Mechanism(bodies), [0, 1, 2], angles, [1.0])
    ends = [pin.SE3(np.eye(3), np.array([length, 0, 0])) for length in (b, c)]
    loop = pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, 2, ends[0], 3, ends[1], pin.ReferenceFrame.LOCAL)
    data = model.createData()
    loops, found = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    loops.append(loop)
    found.append(loop.createData())
    pin.initConstraintDynamics(model, data, loops, found)
    for r, w in ((1.0, 0.0), (2.2, 3.0)):
        q, u = system.whole([r]), system.whole_rates([r], [w])
        W = system.placed([r])
        assert W[1] @ [b, 0, 0, 1] == pytest.approx(W[2] @ [c, 0, 0, 1], abs=1e-14)
        # two of three rows are enough for a plane loop: the third needs Pinocchio's proximal iterations
        settings = pin.ProximalSettings(1e-14, 1e-12, 100)
        expected = pin.constraintDynamics(model, data, q, u, np.zeros(3), loops, found, settings)
        assert system.forward_dynamics([r], [w])[0] == pytest.approx(expected[0], rel=1e-6)


def test_the_tongs_bars_cross_at_their_middles_while_it_moves():
    """A closed loop at every crossing and at every end, by coordinates alone; energy is kept."""
    system, q, u = tong()
    run = m.Run(system, q, u)
    energy, kinetic = system.energy(q, u).total, 0.0
    for _ in range(6):
        run.advance(1 / 30)
        W = system.placed(run.q)
        left, right = W[:CROSSES], W[CROSSES + 1 :]
        middle = np.array([0, 0, -HALF, 1.0])
        for k in range(1, CROSSES):
            assert left[k] @ middle == pytest.approx(right[k] @ middle, abs=1e-13)
            assert left[k][1, 3] == 0.0
        kinetic = max(kinetic, system.energy(run.q, run.u).kinetic)
    assert system.energy(run.q, run.u).total == pytest.approx(energy, abs=1e-4 * kinetic)
