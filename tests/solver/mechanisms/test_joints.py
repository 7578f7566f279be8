# SPDX-License-Identifier: GPL-3.0-or-later
"""S and c = S' u of every joint against differences of its own A(q), and each formula against another way to it."""

import numpy as np
import pytest

from solver import mechanisms as m

#: Central differences of eighth order for slope and curvature.
SLOPE = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
CURVATURE = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
STEP = 0.02


def helix(x):
    return 0.8 * np.cos(x), 0.8 * np.sin(x), 0.3 * x


def saddle(u, v):
    return u, v + 0.2 * u, 0.4 * u * u - 0.3 * v * v + 0.1 * np.sin(u * v)


def screw(q):
    """A nut: turns about z as it goes along, and shifts along x by a formula."""
    c, s = np.cos(q[0]), np.sin(q[0])
    return [[c, -s, 0, np.exp(q[1])], [s, c, 0, 0], [0, 0, 1, 0.2 * q[0] + q[1] ** 3], [0, 0, 0, 1]]


def wavy():
    return m.Spline([(0, 0, 0), (1, 0.3, 0.1), (2, -0.2, 0.5), (3, 0.4, 0.2), (4.5, 0.1, -0.2)])


def flat():
    return m.Spline([(0, 0, 0), (1, 0.3, 0), (2, -0.2, 0), (3, 0.4, 0), (1, 2, 0)], closed=True)


HELIX, TORUS, EGG = m.Path(helix, -1.0, 7.0), m.Torus(1.0, 0.3), m.Ellipsoid(0.6, 0.5, 0.8)
UNIT = np.array([0.8, -0.4, 0.2, 0.4])
TURN = m.universal((1, 0, 1), (0, 2, 0))

JOINTS = {
    "revolute": (m.Revolute((1, 2, -1)), [0.7]),
    "prismatic": (m.Prismatic((1, 2, -1)), [0.7]),
    "three shifts": (m.Prismatic(np.eye(3)), [0.7, -0.2, 0.1]),
    "universal": (TURN, [0.7, -0.4]),
    "spherical": (m.Spherical(), UNIT),
    "planar": (m.planar(), [0.7, -0.4, 1.1]),
    "free": (m.free(), [0.7, -0.4, 1.1, *UNIT]),
    "inverted": (m.Inverted(m.Composed(TURN, m.Prismatic((0, 1, 2)))), [0.7, -0.4, 0.3]),
    "placed": (m.Placed(m.Revolute((0, 1, 3)).at(np.array([0.5]), np.zeros(1)).R, np.ones(3), TURN), [0.7, 0.2]),
    "any": (m.Given(screw, [0.0, 0.0]), [0.7, -0.3]),
    "circle": (m.point_on_curve(m.circle(0.7), "none"), [2.0]),
    "helix": (m.point_on_curve(HELIX, "none"), [2.0]),
    "helix, roll": (m.point_on_curve(HELIX), [2.0, 0.4]),
    "helix, free": (m.point_on_curve(HELIX, "free"), [2.0, *UNIT]),
    "spline": (m.point_on_curve(wavy(), "none"), [1.5]),
    "beyond a spline": (m.point_on_curve(wavy()), [-0.7, 0.2]),
    "ellipsoid": (m.point_on_surface(EGG, "none"), [0.4, 0.7]),
    "saddle, spin": (m.point_on_surface(m.Patch(saddle)), [0.4, -0.6, 0.2]),
    "torus, free": (m.point_on_surface(TORUS, "free"), [0.4, -0.6, *UNIT]),
    "cylinder": (m.point_on_surface(m.Cylinder(0.5), "none"), [0.4, -0.6]),
    "plane": (m.point_on_surface(m.Plane()), [0.4, -0.6, 0.3]),
    "tori": (m.surface_on_surface(TORUS, m.Flipped(TORUS)), [0.4, 3.0, 2.8, 1.2]),
    "ellipsoid on torus": (m.surface_on_surface(TORUS, m.Flipped(EGG), spin=True), [0.4, 0.2, 0.8, -0.3, 1.2]),
    "wheel in a cup": (m.RollingWheel(m.circle(1.0), 0.3), [2.0]),
    "wheel on a hill": (m.RollingWheel(flat(), -0.2), [1.6]),
}


def along(joint, q, u):
    """A(q) (9, 4, 4) at nine times about now of constant rates, q by Runge-Kutta."""
    made = []
    for k in range(-4, 5):
        now, h = np.array(q, dtype=float), k * STEP / 20
        for _ in range(20):
            a = joint.velocity(now, u)
            b = joint.velocity(now + h / 2 * a, u)
            c = joint.velocity(now + h / 2 * b, u)
            now = now + h / 6 * (a + 2 * b + 2 * c + joint.velocity(now + h * c, u))
        R, t, _, _ = joint.at(now, u)
        made.append(np.vstack([np.column_stack([R, t]), [0, 0, 0, 1]]))
    return np.array(made)


def twist(M):
    return np.array([M[2, 1] - M[1, 2], M[0, 2] - M[2, 0], M[1, 0] - M[0, 1], *(2 * M[:3, 3])]) / 2


@pytest.mark.parametrize("name", JOINTS)
def test_velocity_and_bias_are_derivatives(name):
    joint, q = JOINTS[name]
    u = np.random.default_rng(5).uniform(0.3, 1.0, joint.rates)
    A = along(joint, q, u)
    back = np.linalg.inv(A[4])
    first = np.tensordot(SLOPE, A, 1) / STEP
    second = np.tensordot(CURVATURE, A, 1) / STEP**2
    at = joint.at(np.array(q, dtype=float), u)
    assert at.S.shape == (6, joint.rates)
    assert len(joint.start) == len(q)
    # the differences' own error, and rounding over the step's square
    assert np.abs(twist(back @ first) - at.S @ u).max() < 1e-9
    assert np.abs(twist(back @ second - back @ first @ back @ first) - at.c).max() < 1e-8
    assert np.abs(at.R.T @ at.R - np.eye(3)).max() < 1e-13


def test_each_column_is_the_velocity_of_one_rate():
    """What the other rates are must not matter to S."""
    for name, (joint, q) in JOINTS.items():
        q = np.array(q, dtype=float)
        S = joint.at(q, np.ones(joint.rates)).S
        for k, one in enumerate(np.eye(joint.rates)):
            A = along(joint, q, one)
            column = twist(np.linalg.inv(A[4]) @ np.tensordot(SLOPE, A, 1) / STEP)
            assert np.abs(column - S[:, k]).max() < 1e-9, (name, k)


@pytest.mark.parametrize(("name", "curve"), [("wheel in a cup", m.circle(1.0)), ("wheel on a hill", flat())])
def test_wheels_do_not_slide(name, curve):
    """The wheel's point on the curve is at rest, and a radius from its centre."""
    joint, q = JOINTS[name]
    at, touched = joint.at(np.array(q), np.ones(1)), curve.derivatives(q[0])[0]
    arm = at.R.T @ (touched - at.t)
    assert np.linalg.norm(arm) == pytest.approx(0.3 if name == "wheel in a cup" else 0.2, abs=1e-14)
    assert np.abs(at.S[3:, 0] + np.cross(at.S[:3, 0], arm)).max() < 1e-14


def torus_point(u, v):
    return np.cos(u) * (1.0 + 0.3 * np.cos(v)), np.sin(u) * (1.0 + 0.3 * np.cos(v)), 0.3 * np.sin(v)


def egg_point(u, v):
    return 0.6 * np.cos(u) * np.cos(v), 0.5 * np.sin(u) * np.cos(v), 0.8 * np.sin(v)


@pytest.mark.parametrize(
    ("surface", "formula"),
    [(TORUS, torus_point), (EGG, egg_point), (m.Plane(), lambda u, v: (u, v, 0.0)),
     (m.Cylinder(0.5), lambda u, v: (0.5 * np.cos(u), 0.5 * np.sin(u), v))],
)  # fmt: skip
def test_surfaces_are_their_formulas_with_all_derivatives(surface, formula):
    known, expanded = surface.partials(0.4, 1.1), m.Patch(formula).partials(0.4, 1.1)
    for i in range(4):
        for j in range(4 - i):
            assert np.abs(known[i, j] - expanded[i, j]).max() < 1e-14, (i, j)


def test_a_given_matrix_is_the_joint_that_ships():
    """Universal joint and two tori, with nothing but the matrices written out."""

    def turns(q):
        (a, b), (c, d) = np.cos(q), np.sin(q)
        x = np.array([[1, 0, 0, 0], [0, a, -c, 0], [0, c, a, 0], [0, 0, 0, 1]])
        return x @ np.array([[b, 0, d, 0], [0, 1, 0, 0], [-d, 0, b, 0], [0, 0, 0, 1]])

    def frame(u, v):
        c, s, e, f = np.cos(u), np.sin(u), np.cos(v), np.sin(v)
        return np.array(
            [[-s, -f * c, e * c, (1 + 0.3 * e) * c], [c, -f * s, e * s, (1 + 0.3 * e) * s], [0, e, f, 0.3 * f],
             [0, 0, 0, 1]]
        )  # fmt: skip

    def touching(q):
        two = frame(q[2], q[3])
        back = np.array([[*two[:3, k], -(two[:3, k] @ two[:3, 3])] for k in range(3)] + [[0, 0, 0, 1]])
        return frame(q[0], q[1]) @ back

    rng = np.random.default_rng(2)
    for joint, given in ((m.universal(), m.Given(turns, [0, 0])), (
        m.surface_on_surface(TORUS, TORUS), m.Given(touching, [0, 0, 0, 0]),
    )):  # fmt: skip
        for _ in range(10):
            q, u = rng.uniform(-2, 2, (2, joint.rates))
            for ours, theirs in zip(joint.at(q, u), given.at(q, u), strict=True):
                assert np.abs(ours - theirs).max() < 1e-13 * (1 + np.abs(ours).max())  # a few roundings


def test_quaternions_may_have_any_length_within_a_step():
    joint = m.Spherical()
    assert np.abs(joint.at(3.0 * UNIT, np.ones(3)).R - joint.at(UNIT, np.ones(3)).R).max() < 1e-15


def test_springs_of_free_turns_pull_along_the_rotation_vector():
    joint = m.Spherical()
    axis, angle = np.array([2.0, -1.0, 2.0]) / 3.0, 2.5
    q = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])
    for same in (q, -q, 5.0 * q):
        assert np.abs(joint.displacement(same) - angle * axis).max() < 1e-14
    assert not joint.displacement(joint.start).any()
