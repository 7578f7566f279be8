# SPDX-License-Identifier: GPL-3.0-or-later
"""Splines, and frames that are carried along curves without turning about them."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from solver import SolverError
from solver import mechanisms as m
from tests.oracles.jointed.figures import roller_coaster

POINTS = np.array([(0, 0, 0), (1, 0.3, 0.1), (2, -0.2, 0.5), (3, 0.4, 0.2), (4.5, 0.1, -0.2)])


@pytest.mark.parametrize("closed", [False, True])
def test_splines_are_scipys(closed):
    points = np.vstack([POINTS, POINTS[:1]]) if closed else POINTS
    s = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    theirs = CubicSpline(s, points, bc_type="periodic" if closed else "natural")
    ours = m.Spline(POINTS, closed)
    for at in np.linspace(0.01, s[-1] - 0.01, 37):
        for k in range(4):
            assert ours.derivatives(at)[k] == pytest.approx(theirs(at, k), abs=1e-12)


def test_open_splines_go_on_straight():
    ours = m.Spline(POINTS)
    end = ours.knots[-1]
    f, slope, bend, _ = ours.derivatives(end)
    assert np.abs(bend).max() < 1e-14
    beyond = ours.derivatives(end + 0.7)
    assert beyond[0] == pytest.approx(f + 0.7 * slope, abs=1e-14)
    assert not beyond[2:].any()


def frame(joint, s):
    return joint.at(np.array([s]), np.ones(1)).R


def test_frames_do_not_turn_about_the_tangent():
    """Against the frame's own equation, y' = -(y . b') b, integrated over a lap and a half by small steps, none of them
    over a knot, where the third derivative jumps."""
    curve = roller_coaster()
    joint = m.point_on_curve(curve, "none")
    knots = np.concatenate([curve.knots, curve.knots[1 : len(curve.knots) // 2] + curve.knots[-1]])
    ends = np.concatenate([np.linspace(a, b, 48, endpoint=False) for a, b in pairwise(knots)] + [knots[-1:]])
    lap, y = curve.knots[-1], frame(joint, 0.0)[:, 1]

    def slope(s, y):
        f = curve.derivatives(s % lap)
        rate = np.linalg.norm(f[1])
        b = f[1] / rate
        return -(y @ (f[2] - b * (b @ f[2])) / rate) * b

    for s, e in pairwise(ends):
        h, half = e - s, 0.5 * (s + e)
        a = slope(s, y)
        b = slope(half, y + 0.5 * h * a)
        c = slope(half, y + 0.5 * h * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + slope(e, y + h * c))
    assert frame(joint, ends[-1])[:, 1] == pytest.approx(y, abs=1e-9)


def test_a_helix_turns_back_by_its_torsion():
    """Against the frame of Frenet: angle = torsion times length."""
    r, rise = 0.7, 0.4
    joint = m.point_on_curve(m.Path(lambda s: (r * np.cos(s), r * np.sin(s), rise * s), 0.0, 30.0), "none")

    def against_frenet(s):
        normal = np.array([-np.cos(s), -np.sin(s), 0])
        R = frame(joint, s)
        return np.arctan2(R[:, 2] @ normal, R[:, 1] @ normal)

    torsion = rise / np.hypot(r, rise)  # times the rate of length
    for s in (0.1, 3.0, 12.0, 30.0):
        turned = against_frenet(s) - against_frenet(0.0) - torsion * s
        assert np.abs(np.angle(np.exp(1j * turned))) < 1e-12


def test_frames_go_on_where_curves_are_straight_and_where_they_turn_over():
    """Where the curvature is nothing there is no frame of Frenet, and beyond it would be turned around."""
    bend = m.point_on_curve(m.Path(lambda s: (s, s**3, 0.0 * s), -1.0, 1.0), "none")
    line = m.point_on_curve(m.Spline([(0, 0, 0), (1, 2, 2)]), "none")
    assert frame(bend, -0.5)[:, 1] @ frame(bend, 0.5)[:, 1] == pytest.approx(1.0, abs=1e-12)
    assert np.abs(frame(bend, 0.0)[:, 0] - [1, 0, 0]).max() < 1e-14
    assert np.abs(frame(line, 5.0) - frame(line, 0.0)).max() < 1e-14


def test_laps_add_up():
    """A closed curve that leaves its plane brings the frame back turned, by the same angle every lap."""
    curve = roller_coaster()
    joint, lap = m.point_on_curve(curve, "none"), curve.knots[-1]
    once = frame(joint, 0.3).T @ frame(joint, 0.3 + lap)
    assert abs(np.arctan2(once[2, 1], once[1, 1])) > 0.1
    assert np.abs(frame(joint, 0.3) @ once @ once @ once - frame(joint, 0.3 + 3 * lap)).max() < 1e-12
    assert np.abs(frame(joint, 0.3) @ once.T - frame(joint, 0.3 - lap)).max() < 1e-12
    assert joint.at(np.array([0.3 - 4 * lap]), np.ones(1)).t == pytest.approx(curve.derivatives(0.3)[0], abs=1e-13)


def test_curves_end_where_they_end():
    with pytest.raises(SolverError, match="has left its curve, from -1 to 1"):
        m.point_on_curve(m.Path(lambda s: (s, s * s, 0.0 * s), -1.0, 1.0)).at(np.array([1.01, 0.0]), np.zeros(2))
