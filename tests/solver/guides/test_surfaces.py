# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces on which points are held, against closed forms, Bernstein's polynomials and a search over all points."""

from math import factorial

import numpy as np
import pytest

from solver import SolverError, Surface
from solver.guides.on_surface import AT_CORNER, INSIDE, MOVES, ON_SIDE, nearest_on_surface
from solver.guides.surfaces import Surfaces, match_surfaces, surfaces_of
from tests.oracles.guided.meshes import ball, grid

FLAT = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]), np.array([[0, 1, 2], [0, 2, 3]])


def _of(surface: Surface) -> Surfaces:
    return surfaces_of([surface.checked()])


def _nearest(surfaces: Surfaces, x: np.ndarray, before: Surfaces | None = None, s: float = 0.0):
    return nearest_on_surface(before or surfaces, surfaces, s, 0, tuple(np.asarray(x, dtype=float).tolist()), MOVES)


def _wavy(count: int = 12) -> Surface:
    """A hilly sheet of 1 m, off its regular places."""
    vertices, triangles = grid(count)
    rng = np.random.default_rng(3)
    vertices[:, :2] += 0.2 / count * rng.uniform(-1.0, 1.0, (len(vertices), 2))
    vertices[:, 2] = 0.1 * np.sin(5.0 * vertices[:, 0]) * np.cos(4.0 * vertices[:, 1])
    return Surface(vertices, triangles)


def _points(surface: Surface, count: int) -> np.ndarray:
    """(t, k, 3) points of the curved triangles, each a sum of Bernstein's polynomials of its control points."""
    one = surface.checked()
    P, N = np.asarray(one.vertices)[one.triangles], np.asarray(one.normals)
    net = {(3, 0, 0): P[:, 0], (0, 3, 0): P[:, 1], (0, 0, 3): P[:, 2]}
    for i in range(3):
        for j in set(range(3)) - {i}:
            w = ((P[:, j] - P[:, i]) * N[:, i]).sum(axis=1, keepdims=True)
            at = [0, 0, 0]
            at[i], at[j] = 2, 1
            net[tuple(at)] = (2.0 * P[:, i] + P[:, j] - w * N[:, i]) / 3.0
    rims = sum(point for at, point in net.items() if max(at) == 2) / 6.0
    net[1, 1, 1] = rims + (rims - P.mean(axis=1)) / 2.0
    shares = np.array([(i, j, count - i - j) for i in range(count + 1) for j in range(count + 1 - i)]) / count
    return sum(
        6.0 / np.prod([factorial(k) for k in at]) * np.prod(shares**at, axis=1)[:, None] * point[:, None]
        for at, point in net.items()
    )  # fmt: skip


def test_the_nearest_point_is_the_nearest_of_all() -> None:
    surface, rng = _wavy(), np.random.default_rng(5)
    surfaces, many = _of(surface), _points(surface, 24).reshape(-1, 3)
    inside = 0
    for x in rng.uniform((0.05, 0.05, -0.15), (0.95, 0.95, 0.15), (200, 3)):
        place, what, n, _, _, _, _ = _nearest(surfaces, x)
        away, least = np.linalg.norm(np.array(place) - x), np.linalg.norm(many - x, axis=1).min()
        assert least - 2e-3 <= away <= least + 1e-12
        if what == INSIDE:
            inside += 1
            assert np.linalg.norm(np.cross(np.array(place) - x, n)) < 1e-12
    assert inside > 195


def test_a_ball_of_triangles_is_round() -> None:
    errors = []
    for count in (8, 16, 32):
        vertices, triangles = ball(0.5, count)
        surfaces = _of(Surface(vertices, triangles))
        off, bends = [], []
        for x in np.random.default_rng(1).normal(size=(100, 3)):
            place, what, n, bend, _, _, _ = _nearest(surfaces, 0.5 / np.linalg.norm(x) * x)
            assert what == INSIDE
            off.append(abs(np.linalg.norm(place) - 0.5))
            assert np.dot(n, place) > 0.499
            bends.append((bend[0] + bend[3] + bend[5]) / 2.0)
        assert np.mean(bends) == pytest.approx(-2.0, rel=0.5 / count)
        errors.append(max(off))
    assert errors[2] < 2e-4
    assert errors[1] / errors[2] > 3.0


def test_how_a_surface_bends_is_its_second_derivative() -> None:
    """By differences of the nearest point's distance."""
    surfaces, h = _of(_wavy()), 1e-4
    for x in np.random.default_rng(7).uniform((0.2, 0.2, -0.02), (0.8, 0.8, 0.02), (40, 3)):
        place, what, n, bend, f, _, _ = _nearest(surfaces, x)
        t = np.cross(n, (1.0, 0.0, 0.0))
        t /= np.linalg.norm(t)
        ends = [_nearest(surfaces, np.array(place) + sign * h * t) for sign in (-1.0, 1.0)]
        if what != INSIDE or any(one[4] != f or one[1] != INSIDE for one in ends):
            continue
        xx, xy, xz, yy, yz, zz = bend
        wanted = t @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ t
        found = np.dot(np.array(ends[0][0]) + ends[1][0] - 2.0 * np.array(place), n) / h**2
        assert found == pytest.approx(wanted, abs=2e-2 * (abs(wanted) + 1.0))


def test_flat_triangles_stay_flat() -> None:
    vertices, triangles = ball(0.5, 8)
    surfaces = _of(Surface(vertices, triangles, smooth=False))
    for x in np.random.default_rng(2).normal(size=(60, 3)):
        place, what, n, bend, f, u, v = _nearest(surfaces, x)
        a, b, c = vertices[triangles[f]]
        assert np.allclose(u * a + v * b + (1.0 - u - v) * c, place, atol=1e-15)
        if what == INSIDE:
            assert np.abs(np.dot(triangles_normal(a, b, c), n)) == pytest.approx(1.0, abs=1e-12)
            assert np.abs(bend).max() < 1e-9


def triangles_normal(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    n = np.cross(b - a, c - a)
    return n / np.linalg.norm(n)


def test_beyond_a_rim_the_rim_is_nearest() -> None:
    surfaces = _of(Surface(*FLAT))
    place, what, tangent, bend, _, _, _ = _nearest(surfaces, (0.3, -0.2, 0.1))
    assert what == ON_SIDE
    assert np.allclose(place, (0.3, 0.0, 0.0), atol=1e-15)
    assert abs(tangent[0]) == pytest.approx(1.0)
    assert np.abs(bend).max() < 1e-12
    assert _nearest(surfaces, (1.2, 1.3, 0.1))[1] == AT_CORNER
    assert _nearest(surfaces, (0.5, 0.5, 0.1))[1] == INSIDE  # on the side between both


def test_a_curved_rim_has_no_corners_where_its_triangles_meet() -> None:
    vertices, triangles = grid(8)
    around = 1.5 * vertices[:, 0]
    bent = np.stack([np.sin(around), vertices[:, 1], np.cos(around)], axis=1)
    surfaces = _of(Surface(bent, triangles))
    for angle in np.linspace(0.05, 1.45, 400):
        x = np.array([1.01 * np.sin(angle), -0.01, 1.01 * np.cos(angle)])
        place, what, tangent, _, _, _, _ = _nearest(surfaces, x)
        assert what == ON_SIDE
        assert abs(np.dot(np.array(place) - x, tangent)) < 1e-12
        assert place[1] == pytest.approx(0.0, abs=1e-12)


def test_triangles_may_run_either_way_round() -> None:
    vertices, triangles = FLAT
    turned = np.array([triangles[0], triangles[1][::-1]])
    normals = np.tile([0.0, 0.0, 1.0], (2, 3, 1))
    surfaces = _of(Surface(vertices, turned, normals))
    place, what, _, _, _, _, _ = _nearest(surfaces, (0.2, 0.7, 0.3))
    assert what == INSIDE
    assert np.allclose(place, (0.2, 0.7, 0.0), atol=1e-15)


def test_a_surface_is_in_between_while_it_moves() -> None:
    one = Surface(*FLAT, name="sheet")
    other = Surface(FLAT[0] + (0.0, 0.0, 2.0), FLAT[1], name="sheet")
    before, after = match_surfaces(_of(one), _of(other))
    place = _nearest(after, (0.3, 0.3, 0.9), before, 0.25)[0]
    assert np.allclose(place, (0.3, 0.3, 0.5), atol=1e-15)
    stood, _ = match_surfaces(_of(Surface(*FLAT, name="another")), _of(other))
    assert np.array_equal(stood.vertices, _of(other).vertices)


@pytest.mark.parametrize(
    ("vertices", "triangles", "told"),
    [
        (FLAT[0], [], "surface 'wall' has no triangles"),
        (FLAT[0], [[0, 1]], "expected \\(t, 3\\)"),
        (FLAT[0], [[0, 1, 4]], "from 0 to 3"),
        (0.0 * FLAT[0], FLAT[1], "surface 'wall' has no area"),
        (np.full((4, 3), np.nan), FLAT[1], "surface 'wall''s vertices"),
    ],
)
def test_what_is_no_surface_is_refused(vertices: np.ndarray, triangles: list, told: str) -> None:
    with pytest.raises(SolverError, match=told):
        Surface(vertices, triangles, name="wall").checked()
