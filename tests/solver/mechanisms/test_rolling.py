# SPDX-License-Identifier: GPL-3.0-or-later
"""Rolling and other constraints on rates: closed forms, and the full kinematics and dynamics of a contact."""

import numpy as np
import pytest

from solver import mechanisms as m
from tests.oracles.jointed.figures import BOWL, bowl_and_ball, rolling_ellipsoid

FRAME, G = 1 / 30, 9.81


def test_a_skate_on_a_slope_goes_along_a_cycloid():
    """P u = 0 across the blade; turning evenly at w: x = g' / (2 w^2) sin^2(w t), down the slope."""
    slope, w = 0.3, 1.7
    skate = m.Mechanism([m.Body(m.planar(), 2.0, inertia=(0, 0, 0.3))])
    blade = m.Nonholonomic(lambda q: [[-np.sin(q[2]), np.cos(q[2]), 0.0]])
    pull = G * np.sin(slope)
    system = m.Constrained(skate, [blade])
    run = m.Run(system, u=[0, 0, w], loads=m.Loads((pull, 0, -G * np.cos(slope))))
    for _ in range(60):
        run.advance(FRAME)
        t = run.time
        x = pull / (2 * w * w) * np.sin(w * t) ** 2
        y = pull / (2 * w * w) * (w * t - 0.5 * np.sin(2 * w * t))
        assert run.q == pytest.approx([x, y, w * t], abs=1e-7)
        assert np.abs(system.violation(run.q, run.u)).max() < 1e-14


def test_a_ball_rolls_down_a_plane_with_five_sevenths():
    radius, mass, pull = 0.2, 0.7, 1.5
    ball, floor = m.Ellipsoid(radius, radius, radius), m.Plane()
    inertia = 0.4 * mass * radius**2 * np.ones(3)
    joint = m.surface_on_surface(floor, m.Flipped(ball), spin=True)
    mechanism = m.Mechanism([m.Body(joint, mass, inertia=inertia)])
    system = m.Constrained(mechanism, [m.RollingSurfaces(mechanism, 0, floor, m.Flipped(ball))])
    # the ball's coordinates are its latitude, then its longitude: on its equator they are far from the poles
    run = m.Run(system, [0, 0, 0, 0, 0], loads=m.Loads((0.0, pull, -G)))
    for _ in range(15):
        run.advance(FRAME)
    x, y, z = mechanism.placed(run.q)[0, :3, 3]
    assert z == pytest.approx(radius, abs=1e-14)
    assert y == pytest.approx(0.5 * 5 / 7 * pull * run.time**2, abs=1e-9)
    assert x == pytest.approx(0.0, abs=1e-9)
    assert run.q[1] == pytest.approx(y, abs=1e-9)  # it touches below its centre


def surface_points(q):
    """Touching points in the bowl's axes and in the ball's."""
    bowl, ball = bowl_and_ball()
    return bowl.partials(q[0], q[1])[0, 0], ball.partials(q[3], q[4])[0, 0]


@pytest.mark.parametrize("pivoting", [True, False])
def test_an_ellipsoid_rolls_on_an_ellipsoid(pivoting):
    """At every frame: the surfaces touch with one tangent plane; the ball's point there is at rest; what the contact
    gives is one force at that point, and where the ball may not pivot a moment about the normal. No work is done."""
    system, q, u = rolling_ellipsoid(pivoting)
    mechanism, body = system.system, system.system.bodies[0]
    run = m.Run(system, q, u)
    energy = system.energy(run.q, run.u).total
    inertia, h = np.diag(body.inertia), 3e-5
    for _ in range(20):
        run.advance(FRAME)
        q, u = run.q, run.u
        A = mechanism.placed(q)[0]
        bowl_point, ball_point = surface_points(q)
        in_world = BOWL @ [*bowl_point, 1.0]
        assert np.abs(A @ [*ball_point, 1.0] - in_world).max() < 1e-14
        normals = [
            R @ (2 * p / np.array(axes) ** 2)
            for R, p, axes in ((BOWL[:3, :3], bowl_point, (1.0, 0.8, 1.2)), (A[:3, :3], ball_point, (0.25, 0.2, 0.3)))
        ]
        normals = [n / np.linalg.norm(n) for n in normals]
        assert np.abs(normals[0] - normals[1]).max() < 1e-13

        ahead, behind = (mechanism.placed(q + side * h * u)[0] for side in (1, -1))
        speed = (ahead - behind) @ [*ball_point, 1.0] / (2 * h)
        assert np.abs(speed).max() < 1e-6  # the differences' error
        assert np.abs(system.violation(q, u)).max() < 1e-13

        a = system.forward_dynamics(q, u)
        at = body.joint.at(q, u)
        omega, v = np.split(at.S @ u, 2)
        alpha, rest = np.split(at.S @ a + at.c, 2)
        force = body.mass * (rest + np.cross(omega, v) - A[:3, :3].T @ [0, 0, -G])
        moment = inertia @ alpha + np.cross(omega, inertia @ omega) - np.cross(ball_point, force)
        along = A[:3, :3].T @ normals[1]
        if not pivoting:
            assert abs((A[:3, :3] @ omega) @ normals[1]) < 1e-13
            moment = moment - along * (along @ moment)
        assert np.abs(moment).max() < 1e-11
    assert system.energy(run.q, run.u).total == pytest.approx(energy, abs=1e-5 * system.energy(run.q, run.u).kinetic)


def test_both_surfaces_are_rolled_over_by_the_same_length():
    system, q, u = rolling_ellipsoid()
    run = m.Run(system, q, u)
    points = [surface_points(run.q)]
    for _ in range(60):
        run.advance(0.005)
        points.append(surface_points(run.q))
    bowl, ball = (np.linalg.norm(np.diff(np.array(one), axis=0), axis=1).sum() for one in zip(*points, strict=True))
    assert bowl > 0.1
    assert ball == pytest.approx(bowl, rel=1e-3)  # chords are shorter than arcs by the square of their angle


def test_rolling_rows_are_those_of_any_formula():
    """Eq. 16 for a joint of four coordinates, where the frames stay in line, against its Taylor series."""
    torus, ring = m.Torus(1.0, 0.3), m.Flipped(m.Torus(0.6, 0.2))
    mechanism = m.Mechanism([m.Body(m.surface_on_surface(torus, ring), 1.0, inertia=(1, 1, 1))])
    rolls = m.RollingSurfaces(mechanism, 0, torus, ring)

    def eq16(q):
        # rates of a torus' point along its two tangents; in the flipped frame they are the other way round
        return [[1.0 + 0.3 * np.cos(q[1]), 0, -0.2, 0], [0, 0.3, 0, -(0.6 + 0.2 * np.cos(q[2]))]]

    q, u = np.array([0.3, 2.5, 2.9, 1.0]), np.array([0.5, -0.4, 1.0, 0.2])
    for ours, theirs in zip(rolls.rows(mechanism, q, u), m.Nonholonomic(eq16).rows(mechanism, q, u), strict=True):
        assert np.abs(ours - theirs).max() < 1e-15


def test_constraints_hold_from_the_start_and_take_the_least_energy_to():
    """Rates that would slide are changed as little as kinetic energy measures it."""
    system, q, _ = rolling_ellipsoid()
    u = np.array([0.4, -0.5, 0.3, 1.0, -2.0])
    run = m.Run(system, q, u)
    assert np.abs(system.violation(q, u)).max() > 0.03
    assert np.abs(system.violation(run.q, run.u)).max() < 1e-14
    M = system.system.mass_matrix(q)
    free = np.linalg.svd(system.constraints[0].rows(system.system, q, u).P)[2][2:]
    assert np.abs(free @ M @ (u - run.u)).max() < 1e-14
