# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves on which points are held, against SciPy's splines and a search over all points."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from solver import Curve, SolverError
from solver.guides.curves import Curves, curves_through, match_curves, nearest_on_curve


def _through(points: np.ndarray, **options: bool) -> Curves:
    return curves_through([Curve(points, **options).checked()])


def _at(curves: Curves, t: np.ndarray) -> np.ndarray:
    """(k, p, 3) points of the pieces at t (k,), by Hermite's polynomials."""
    t = t[:, None, None]
    return (
        (2 * t**3 - 3 * t**2 + 1) * curves.start + (t**3 - 2 * t**2 + t) * curves.slope
        + (-2 * t**3 + 3 * t**2) * curves.end + (t**3 - t**2) * curves.end_slope
    )  # fmt: skip


def _nearest(curves: Curves, x: np.ndarray):
    return nearest_on_curve(curves, curves, 0.0, 0, tuple(x.tolist()))


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("count", [3, 4, 9, 40])
def test_a_smooth_curve_is_the_spline_by_chords(closed: bool, count: int) -> None:
    points = np.random.default_rng(count).normal(size=(count, 3))
    ring = np.concatenate([points, points[:1]]) if closed else points
    u = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(ring, axis=0), axis=1))])
    spline = CubicSpline(u, ring, bc_type="periodic" if closed else "natural")
    curves, t = _through(points, closed=closed), np.linspace(0.0, 1.0, 7)
    wanted = spline(u[:-1] + t[:, None] * np.diff(u))
    assert np.abs(_at(curves, t) - wanted).max() < 1e-12 * np.abs(points).max()


def test_straight_lines_stay_straight() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 2, 0], [1, 2, 0], [0, 2, 3]])
    curves, t = _through(points, smooth=False), np.linspace(0.0, 1.0, 5)
    different = points[[0, 1, 2, 4]]
    wanted = different[:-1] + t[:, None, None] * np.diff(different, axis=0)
    assert np.abs(_at(curves, t) - wanted).max() < 1e-14


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("smooth", [False, True])
def test_the_nearest_point_is_the_nearest_of_all(closed: bool, smooth: bool) -> None:
    rng = np.random.default_rng(5)
    way = np.linspace(0.0, 5.0, 30)
    coil = np.stack([np.cos(way), np.sin(way), 0.3 * way], axis=1) + 0.02 * rng.normal(size=(30, 3))
    curves = _through(coil, closed=closed, smooth=smooth)
    many = _at(curves, np.linspace(0.0, 1.0, 400)).reshape(-1, 3)
    for x in coil[rng.integers(0, 30, 60)] + 0.1 * rng.normal(size=(60, 3)):
        place, tangent, _, beyond, _, _ = _nearest(curves, x)
        away, least = np.linalg.norm(np.array(place) - x), np.linalg.norm(many - x, axis=1).min()
        assert away <= least + 1e-12
        assert away >= least - 1e-3
        if smooth and not beyond:
            assert abs(np.dot(np.array(place) - x, tangent)) < 1e-12


def test_a_free_end_is_told_of_and_a_ring_has_none() -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0.5, 0]])
    assert _nearest(_through(points), np.array([-1.0, 0.1, 0.0]))[3]
    assert not _nearest(_through(points), np.array([1.0, 0.1, 0.0]))[3]
    assert not _nearest(_through(points, closed=True), np.array([-1.0, 0.1, 0.0]))[3]


def test_the_curvature_of_a_ring_is_one_over_its_radius() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 200, endpoint=False)
    curves = _through(0.5 * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1), closed=True)
    _, _, curvature, _, _, _ = _nearest(curves, np.array([0.35, 0.36, 0.0]))
    assert np.linalg.norm(curvature) == pytest.approx(2.0, rel=1e-3)
    assert np.dot(curvature, [0.35, 0.36, 0.0]) < 0.0


def test_curves_are_matched_by_name_and_number_of_points() -> None:
    one, other = Curve(np.eye(3), name="one").checked(), Curve(2.0 * np.eye(3), name="other").checked()
    before, after = curves_through([one, other]), curves_through([Curve(3.0 * np.eye(3), name="other").checked()])
    assert np.array_equal(match_curves(before, after).start, before.start[2:])
    longer = curves_through([Curve(np.arange(12.0).reshape(4, 3) ** 2, name="other").checked()])
    assert np.array_equal(match_curves(before, longer).start, longer.start)


def test_curves_of_one_name_are_matched_in_their_order() -> None:
    one, other = Curve(np.eye(3)).checked(), Curve(2.0 * np.eye(3)).checked()
    both = curves_through([one, other])
    assert np.array_equal(match_curves(both, both).start, both.start)


@pytest.mark.parametrize(
    ("points", "closed"), [([], False), ([[0, 0, 0]], False), ([[1, 1, 1]] * 5, False), ([[0, 0, 0], [1, 0, 0]], True)]
)
def test_a_curve_without_length_is_refused(points: list, closed: bool) -> None:
    with pytest.raises(SolverError, match="curve 'wire' has no length: it needs at least"):
        Curve(np.array(points, dtype=float).reshape(-1, 3), closed, name="wire").checked()
