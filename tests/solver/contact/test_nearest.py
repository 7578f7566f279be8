# SPDX-License-Identifier: GPL-3.0-or-later
"""Distances from solids, triangles and segments against plain search."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from solver.contact.nearest import (
    BALL,
    BOX,
    CAPSULE,
    PLANE,
    along_segment,
    flats_apart,
    from_edge,
    from_solid,
    from_triangle,
    segments_apart,
    weighted,
    weights_on_triangle,
)  # fmt: skip
from solver.contact.points import projected, segment_apart

SOLIDS = {"plane": (PLANE, (0.0, 0.0, 0.0)), "ball": (BALL, (0.7, 0.0, 0.0)), "capsule": (CAPSULE, (0.3, 0.8, 0.0)),
          "box": (BOX, (0.5, 0.9, 0.2))}  # fmt: skip


def places(count, seed=0):
    return [tuple(x) for x in np.random.default_rng(seed).normal(size=(count, 3)).tolist()]


@pytest.mark.parametrize("solid", SOLIDS)
def test_the_nearest_point_of_a_solid_is_on_it(solid):
    """Going back by the distance along the normal ends on the surface, and the normal is the distance's slope."""
    kind, size = SOLIDS[solid]
    for x in places(300):
        distance, n = from_solid(kind, size, x)
        there = tuple(np.subtract(x, np.multiply(distance, n)).tolist())
        assert abs(from_solid(kind, size, there)[0]) < 1e-14
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-15)
        slope = [(from_solid(kind, size, tuple(np.add(x, d)))[0] - distance) / 1e-6 for d in 1e-6 * np.eye(3)]
        assert np.allclose(slope, n, atol=1e-5)


def test_no_point_of_a_box_is_nearer():
    kind, size = SOLIDS["box"]
    grid = np.stack(np.meshgrid(*(np.linspace(-s, s, 41) for s in size)), axis=-1).reshape(-1, 3)
    for x in places(100, 1):
        distance, _ = from_solid(kind, size, x)
        nearest = np.linalg.norm(grid - x, axis=1).min()
        if distance > 0.0:
            assert nearest - 0.03 < distance <= nearest + 1e-12


def test_no_point_of_a_triangle_is_nearer():
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.ones(3), 4000)
    for x in places(200, 3):
        corners = [tuple(c) for c in rng.normal(size=(3, 3)).tolist()]
        weights, inside = weights_on_triangle(x, *corners)
        assert min(weights) >= 0.0
        assert sum(weights) == pytest.approx(1.0, abs=1e-14)
        assert inside == (min(weights) > 0.0)
        nearest = np.linalg.norm(np.subtract(x, weighted(weights, *corners)))
        assert nearest <= np.linalg.norm(shares @ np.array(corners) - x, axis=1).min() + 1e-12
        towards = np.subtract(x, weighted(weights, *corners))
        assert max(np.dot(np.subtract(c, weighted(weights, *corners)), towards) for c in corners) < 1e-12


def test_a_triangle_has_two_sides():
    triangle = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    for side in (1.0, -1.0):
        distance, n, _ = from_triangle((0.2, 0.2, 0.3), *triangle, side)
        assert (distance, n) == (side * 0.3, (0.0, 0.0, side))
    distance, n, _ = from_triangle((-3.0, 0.2, 4.0), *triangle, 1.0)
    assert distance == 5.0
    assert np.allclose(n, (-0.6, 0.0, 0.8))


def test_no_pair_of_points_of_two_segments_is_nearer():
    rng = np.random.default_rng(4)
    t = np.linspace(0.0, 1.0, 201)
    for _ in range(200):
        p, d, a, e = rng.normal(size=(4, 3))
        s = along_segment(*(tuple(v.tolist()) for v in (p, d, a, e)))
        off = np.linalg.norm((p + s * d)[None] - (a + t[:, None] * e), axis=1).min()
        all_pairs = np.linalg.norm((p + t[:, None, None] * d) - (a + t[None, :, None] * e), axis=2).min()
        assert off <= all_pairs + 1e-4


def test_parallel_segments_meet_in_the_middle_of_where_they_run_together():
    assert along_segment((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (1.0, 1.0, 0.0), (4.0, 0.0, 0.0)) == 0.75


def test_what_has_come_in_over_an_edge_is_led_out_over_it():
    p, q, out = (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 2.0)
    for x, distance, n, share in (
        ((0.5, 0.0, 0.3), 0.3, (0.0, 0.0, 1.0), 0.75), ((0.5, 0.0, -0.3), -0.3, (0.0, 0.0, 1.0), 0.75),
        ((0.0, 0.3, -0.4), -0.5, (0.0, -0.6, 0.8), 0.5), ((2.0, 0.0, 1.0), 2.0**0.5, (0.5**0.5, 0.0, 0.5**0.5), 1.0),
        ((0.0, 0.0, 0.0), 0.0, (0.0, 0.0, 1.0), 0.5),
    ):  # fmt: skip
        found = from_edge(x, p, q, out)
        assert found[0] == pytest.approx(distance)
        assert found[1] == pytest.approx(n)
        assert found[2] == pytest.approx(share)


@pytest.mark.parametrize("aslant", [0.0, 0.3, 0.99])
def test_the_nearest_point_of_a_strip_is_that_of_least_squares_within_bounds(aslant):
    """Also of one that is no rectangle."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        d, side, out = rng.normal(size=(3, 3))
        side -= (1.0 - aslant) * (side @ d) / (d @ d) * d
        found = projected(tuple(out), (0.0, 0.0, 0.0), tuple(d), tuple(side))
        best = lsq_linear(np.column_stack([d, side]), out, ([0.0, -1.0], [1.0, 1.0]), method="bvls").x
        assert np.allclose(found, best, atol=1e-9)


def least_apart(p, ways, low) -> float:
    """How far (m) p is from where shares of the ways lead, from the lowest ones to 1."""
    return np.sqrt(2.0 * lsq_linear(np.column_stack(ways), p, (low, [1.0] * len(low)), method="bvls").cost)


@pytest.mark.parametrize("aslant", [0.0, 0.3])
def test_flat_shapes_are_as_far_from_segments_and_each_other_as_least_squares_within_bounds(aslant):
    """And never nearer to each other than is told of at least."""
    rng, apart = np.random.default_rng(5), 0
    for _ in range(200):
        d, side, e, width, p = rng.normal(size=(5, 3))
        side -= (1.0 - aslant) * (side @ d) / (d @ d) * d
        p *= 3.0
        flat, line, start = (tuple(d), tuple(side)), (tuple(p), tuple(e)), (0.0, 0.0, 0.0)
        exact = least_apart(p, [d, side, -e], [0.0, -1.0, 0.0])
        assert segment_apart(start, *flat, *line) == pytest.approx(exact, abs=1e-7)
        exact = least_apart(p, [d, -e], [0.0, 0.0])
        assert segments_apart(start, tuple(d), *line) == pytest.approx(exact, abs=1e-7)
        exact = least_apart(p, [d, side, -e, -width], [0.0, -1.0, 0.0, -1.0])
        told = flats_apart(start, *flat, *line, tuple(width))
        assert told <= exact + 1e-7
        apart += told > 0.5 * exact > 0.0
    assert apart > 100, "most of those that are apart are told so"


def test_a_flat_shape_is_not_nearer_than_seen_along_its_normal():
    assert flats_apart((0, 0, 0), (4, 0, 0), (0, 2, 0), (-3, 0, 0.7), (9, 0, 0), (0, 3, 0)) == pytest.approx(0.7)
