# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants among meshes, things that turn, grow, deform and stick, other plants and free bodies; and what goes through.

The full form of 10 000 scenes: python -m tests.surveys.touching_things 10000
"""

import numpy as np
import pytest

from solver import Collider
from tests.forms import IS_FULL
from tests.oracles.touching.passing import Passing
from tests.surveys.random_things import PROFILES, turned
from tests.surveys.touching_things import run_case

CASES, CHUNK = range(10, 26 if IS_FULL else 18), 8


@pytest.mark.parametrize("first", CASES[::CHUNK])
def test_random_plants_among_random_things(first):
    problems = {case: problem for case in range(first, first + CHUNK) if (problem := run_case(case))}
    assert not problems


@pytest.mark.parametrize("case", [61018, 90013, 90280, 91560, 100777, 5195])
def test_what_once_went_wrong(case):
    """A trunk that breaks in a block, what is drawn out wholly, a rod across a ridge, a box drawn into a block;
    twigs that break above the ground; a tapered twig at rest along a capsule, over its end."""
    assert run_case(case) == ""


def mesh(name, one_sided=False):
    vertices, triangles = turned(*PROFILES[name])
    return Collider("mesh", vertices=vertices, triangles=triangles, one_sided=one_sided)


def went_through(one, *places, radius=0.01):
    return went_through_all([one] * len(places), *places, radius=radius)


def went_through_all(ones, *places, radius=0.01):
    points = np.array(places, dtype=float)
    passing = Passing(points[:1], np.full(1, radius), ones[0])
    for point, one in zip(points[1:], ones[1:], strict=True):
        passing.go_on(point[None], one)
    return bool(passing.worst()[0])


@pytest.mark.parametrize(
    ("one", "ways", "through"),
    [
        (mesh("sheet"), [(0.02, 0.1, 0.1), (0.02, 0.1, -0.1)], True),
        (mesh("sheet"), [(0.02, 0.1, 0.1), (0.02, 0.1, -0.1), (0.02, 0.1, 0.1)], False),  # and back
        (mesh("sheet"), [(0.02, 0.1, 0.1), (0, 2, 0.1), (0, 2, -0.1), (0.02, 0.1, -0.1)], False),  # around the rim
        (mesh("sheet"), [(0.02, 0.9, 1), (0.02, 0.9, -1)], False),  # may have gone around
        (mesh("sheet", one_sided=True), [(0.02, 0.1, -0.1), (0.02, 0.1, 0.1)], True),
        (mesh("sheet", one_sided=True), [(0.02, 0.1, 0.1), (0.02, 0.1, -0.1)], False),  # pushed out in front
        (mesh("tube"), [(0, 0.1, 0), (0, 0.8, 0), (0, 1.2, 0)], True),
        (mesh("tube"), [(0, 0.1, 0), (0, 0.1, 3), (0, 1.5, 3), (0, 1.5, 0)], False),
        (mesh("ring"), [(0, 0, 2), (0, 0, -2)], False),
        (mesh("ring"), [(0.75, 0, 0.6), (0.75, 0, 0.1), (0.75, 0, -0.6)], True),
        (Collider("ball", (0.1,)), [(0.2, 0, 0), (0.05, 0, 0), (-0.2, 0, 0)], True),
        (Collider("ball", (0.1,)), [(0.2, 0, 0), (0.05, 0, 0), (0.2, 0, 0)], False),
        (Collider("ball", (0.1,)), [(0.2, 0, 0), (-0.2, 0, 0)], False),  # may have gone around
        (Collider("box", (1, 1, 0.01)), [(0.1, 0, 0.2), (-0.1, 0, -0.2)], True),
        (Collider("box", (1, 1, 0.01)), [(0.95, 0, 0.2), (0.95, 0, -0.2)], False),
    ],
)
def test_what_has_gone_through_is_told_from_what_went_around(one, ways, through):
    assert went_through(one, *ways) == through


@pytest.mark.parametrize(("thick", "to", "through"), [((0.1, 0.12), 0.13, False), ((0.1, 0.15), -0.16, True)])
def test_what_grows_pushes_to_its_own_side_what_it_has_grown_over(thick, to, through):
    plates = [Collider("box", (2.0, 2.0, half)) for half in thick]
    assert went_through_all(plates, (0.0, 0.0, thick[0] + 0.005), (0.0, 0.0, to)) == through


def test_what_bends_takes_along_what_lies_on_it():
    """A ring whose side is bent up by its own thickness, and a stem on top of it all the way."""
    vertices, triangles = turned(*PROFILES["ring"])
    bent = vertices + 1.8 * vertices[:, :1] ** 2 * (0.0, 0.0, 1.0)
    rings = [Collider("mesh", vertices=one, triangles=triangles) for one in (vertices, bent)]
    assert not went_through_all(rings, (0.75, 0.0, 0.53), (0.75, 0.0, 0.53 + 1.8 * 0.75**2))
