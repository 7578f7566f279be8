# SPDX-License-Identifier: GPL-3.0-or-later
"""From triangle to triangle over a mesh to the one that a point is nearest to."""

import numpy as np
import pytest

from solver import Collider
from solver.contact.nearest import weighted, weights_on_triangle
from solver.contact.obstacles import NO_COLLIDERS, colliders_of, obstacles_at, obstacles_between, where
from solver.forces.over_surface import CORNER, EDGE, FACE, over_surface
from tests.surveys.random_things import turned
from tests.surveys.settled_trees import sheet

CUBE = turned([(0.0, -1.0), (2.0**0.5, -1.0), (2.0**0.5, 1.0), (0.0, 1.0)], 4)
ROUND = turned([(0.0, -1.0), (0.7, -0.7), (1.0, 0.0), (0.7, 0.7), (0.0, 1.0)], 16)


def of(vertices, triangles, one_sided=True):
    one = Collider("mesh", vertices=vertices, triangles=triangles, one_sided=one_sided)
    obstacles = obstacles_between(NO_COLLIDERS, colliders_of([one]), 1.0, 1)
    obstacles_at(obstacles, obstacles.now[0], 0.0)
    return obstacles


def distance_to_all(vertices, triangles, x):
    """To the nearest of all triangles."""
    return min(
        float(np.linalg.norm(x - weighted(weights_on_triangle(tuple(x), *three)[0], *three)))
        for three in (tuple(map(tuple, vertices[corners])) for corners in triangles)
    )


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("mesh", [CUBE, ROUND])
def test_a_point_outside_a_convex_mesh_comes_to_the_nearest_triangle_from_any_that_is_near(mesh, one_sided):
    obstacles, rng = of(*mesh, one_sided), np.random.default_rng(2)
    for _ in range(100):
        x = rng.normal(size=3)
        x *= rng.uniform(1.8, 2.0) / np.linalg.norm(x)
        wanted = distance_to_all(*mesh, x)
        for feature in range(len(mesh[1])):
            distance, _, _ = where(obstacles, obstacles.now[0], feature, 1, 0, tuple(x))
            if 0.0 < distance < 1.2 * wanted:
                feature, side, _, _ = over_surface(obstacles, obstacles.now[0], feature, 1, 0, tuple(x), 9.0, 1e-6)
                distance, _, _ = where(obstacles, obstacles.now[0], feature, side, 0, tuple(x))
                assert distance == pytest.approx(wanted, rel=1e-12)


def test_the_edges_of_a_level_mesh_are_flat():
    flat = sheet(0.0, 4)
    obstacles, rng = of(flat.vertices, flat.triangles), np.random.default_rng(1)
    for _ in range(100):
        f = int(rng.integers(len(flat.triangles)))
        corners = np.asarray(flat.vertices)[np.asarray(flat.triangles)[f]]
        share = rng.choice([0.0, 0.3, 1.0])
        foot = corners[0] + share * (corners[1] - corners[0])
        if max(abs(foot[:2])) < 2.4:
            *_, kind, _ = over_surface(obstacles, obstacles.now[0], f, 1, 0, (foot[0], foot[1], 0.01), 1.0, 1e-6)
            assert kind == FACE


def test_what_is_nearest_is_told():
    obstacles = of(*CUBE)
    lower, upper = CUBE[0].min(axis=0), CUBE[0].max(axis=0)
    assert np.allclose(CUBE[0][1:5, 2], -1.0)
    edge = CUBE[0][5]  # a corner above, (sqrt 2, 0, 1)
    top = next(f for f, three in enumerate(CUBE[1]) if (CUBE[0][three][:, 2] == upper[2]).all() and 5 in three)
    found = over_surface(obstacles, obstacles.now[0], top, 1, 0, tuple(edge * 1.1), 9.0, 1e-6)
    assert found[2] == CORNER
    other = CUBE[0][6]
    middle = 0.5 * (edge + other) + 0.1 * (edge + other) / np.linalg.norm(edge + other)
    found = over_surface(obstacles, obstacles.now[0], top, 1, 0, tuple(middle), 9.0, 1e-6)
    assert found[2] == EDGE
    assert abs(np.dot(found[3], (other - edge) / np.linalg.norm(other - edge))) == pytest.approx(1.0)
    found = over_surface(obstacles, obstacles.now[0], top, 1, 0, (0.1, 0.05, upper[2] + 0.1), 9.0, 1e-6)
    assert found[2] == FACE
    assert lower[2] == -1.0


def test_what_is_far_stays_where_it_is():
    obstacles = of(*CUBE)
    for feature in range(len(CUBE[1])):
        found = over_surface(obstacles, obstacles.now[0], feature, 1, 0, (0.0, 0.0, 5.0), 0.1, 1e-6)
        assert found[:2] == (feature, 1)
