# SPDX-License-Identifier: GPL-3.0-or-later
"""No guided plant hangs on the last digit of what it is given: not at rest, and not on its way, but for what whips
about, where small differences grow in nature too."""

import numpy as np
import pytest

from solver import Curve, Guide, Rods, Sample, Simulation, Surface, discretize
from tests.oracles.guided.meshes import ball
from tests.oracles.guided.ropes import arch, two_beams
from tests.oracles.models import beam

#: m: other digits that are given, and what may come of them in lengths of about a metre.
SHARE, ALIKE = 1e-15, 1e-7


def _off(given: np.ndarray, seed: int) -> np.ndarray:
    """Other last digits, of lengths of about a metre; the same of seed 0."""
    return given + (SHARE * np.random.default_rng(seed).uniform(-1.0, 1.0, np.shape(given)) if seed else 0.0)


def _garland(seed: int) -> tuple[Rods, list[Guide]]:
    rods, ends = arch(20, 1.0, 0.7, young=1e4)
    return rods, [Guide(19, position=_off(ends[-1], seed)), Guide(9, position=_off(np.array([0.35, 0.0, -0.1]), seed))]


def _on_a_ball(seed: int) -> tuple[Rods, list[Guide]]:
    vertices, triangles = ball(0.25, 10)
    surface = Surface(_off(vertices + np.array([0.3, 0.1, -0.3]), seed), triangles)
    rods = beam(12, 0.6, young=1e6, density=900.0, radius=0.004, damping_time=0.1)
    return rods, [Guide(11, by="surface", surface=surface), Guide(5, by="surface", surface=surface, friction=0.3)]


def _on_a_wire(seed: int) -> tuple[Rods, list[Guide]]:
    x = np.linspace(-0.1, 0.9, 12)
    points = np.stack([x, 0.04 * np.sin(9.0 * x), 0.02 * np.cos(5.0 * x)], axis=1)
    rods = beam(16, 0.7, young=1e6, density=900.0, radius=0.004)
    wire = Curve(_off(points, seed))
    return rods, [Guide(k, by="curve", curve=wire) for k in (3, 7, 11, 15)]


def _tied(seed: int) -> tuple[Rods, list[Guide]]:
    n, apart = 12, _off(np.array([0.0, 0.05, 0.02]), seed)
    rods = two_beams(n, 0.4, (0.003, 0.003), apart, young=np.repeat([1e7, 1e6], n), density=800.0)
    return rods, [Guide(n - 1, by="rod", other_rod=2 * n - 1), Guide(n // 2, by="rod", other_rod=n + n // 2)]


@pytest.mark.parametrize("mode", ["settled", "drawn"])
@pytest.mark.parametrize("scene", [_garland, _on_a_ball, _on_a_wire, _tied])
def test_the_last_digit_of_what_is_given_moves_nothing(scene, mode) -> None:
    found = []
    for seed in range(3):
        rods, guides = scene(seed)
        plant = Simulation(discretize(rods, "base"))
        world = Sample(gravity=(0.5, 0.2, -9.81), guides=guides)
        plant.start(world, mode)
        places = [plant.rod_tails()]
        for _ in range(24):
            plant.advance(world, 1 / 24)
            places.append(plant.rod_tails())
        found.append(np.array(places))
    assert max(np.abs(one - found[0]).max() for one in found[1:]) < ALIKE
