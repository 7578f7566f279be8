# SPDX-License-Identifier: GPL-3.0-or-later
"""Gusts pass through a bed of reeds as waves, and reeds shelter each other."""

import numpy as np
import pytest

from solver import GustyWind, Sample, Shelter, ShelteredWind, Simulation, UniformWind, discretize
from tests.oracles.models import ALONG_Z, beam

SPEED, FRAME, FRAMES, SETTLING = 6.0, 1 / 24, 192, 24
COLUMNS, ROWS, HEIGHT, RADIUS = 40, 5, 2.0, 0.004


REED = discretize(beam(4, HEIGHT, RADIUS, young=8e9, density=400.0, frame=ALONG_Z, damping_time=0.03))


def bed(direction, width=2.0 * RADIUS):
    """Where reeds stand, 1 m apart, 40 along x and 5 along y: (200, 3) m; and their shelter of stems so wide (m)."""
    bases = np.array([(x, y, 0.0) for x in range(COLUMNS) for y in range(ROWS)], dtype=np.float64)
    up = np.array([(0.0, 0.0, (k + 0.5) * HEIGHT / 4) for k in range(4)])
    points = (bases[:, None] + up).reshape(-1, 3)
    return bases, Shelter(points, np.full(len(points), 1.2 * width * HEIGHT / 4), direction)


def standing(bases, wind):
    """The world of plants that stand there."""
    return Sample(bases, np.tile([1.0, 0.0, 0.0, 0.0], (len(bases), 1)), wind=wind)


@pytest.fixture(scope="module")
def leaning():
    """(frames, 40, 5) m: how far tips are blown by a wind along the bed."""
    bases, shelter = bed((1.0, 0.0, 0.0))
    world = standing(bases, ShelteredWind(GustyWind((SPEED, 0.0, 0.0), 0.3, 4.0, seed=1), shelter))
    plants = Simulation([REED] * len(bases))
    plants.start(world, "settled")
    tips = []
    for _ in range(FRAMES):
        plants.advance(world, FRAME)
        tips.append(plants.rod_tails()[3::4, 0] - bases[:, 0])
    return np.array(tips[SETTLING:]).reshape(-1, COLUMNS, ROWS)


@pytest.mark.parametrize("apart", [6, 12])
def test_waves_go_as_fast_as_the_wind(leaning, apart):
    """By the delay at which the tips so many metres downwind do best what those before did."""
    waves = leaning - leaning.mean(axis=0)
    alike = []
    for delay in range(round(2.0 * apart / SPEED / FRAME)):
        before, after = waves[: len(waves) - delay, :-apart], waves[delay:, apart:]
        alike.append((before * after).sum() / np.sqrt((before * before).sum() * (after * after).sum()))
    delay = int(np.argmax(alike))
    assert alike[delay] > 0.8
    assert apart / (delay * FRAME) == pytest.approx(SPEED, rel=0.1)
    assert waves.std() > 0.05


def test_reeds_behind_others_bend_less():
    """By the square of what is left of the wind, where a load bends a cantilever's tip most: z^2 (3 H - z)."""
    bases, shelter = bed((0.0, 1.0, 0.0), 0.1)
    plants = Simulation([REED] * len(bases))
    tips = []
    for wind in (UniformWind((0.0, 2.0, 0.0)), ShelteredWind(UniformWind((0.0, 2.0, 0.0)), shelter)):
        plants.start(standing(bases, wind), "settled")
        tips.append((plants.rod_tails()[3::4, 1] - bases[:, 1]).reshape(COLUMNS, ROWS)[20])
    z = np.linspace(0.0, HEIGHT, 101)
    weight = z**2 * (3.0 * HEIGHT - z)
    columns = np.array([[(20.0, y, up) for up in z] for y in range(ROWS)])
    left = shelter.factor(columns.reshape(-1, 3)).reshape(ROWS, -1) ** 2 @ weight / weight.sum()
    assert tips[1] / tips[0] == pytest.approx(left, rel=0.03)
    assert tips[1][0] / tips[0][0] == pytest.approx(1.0, abs=0.01)
    assert (np.diff(tips[1]) < 0.0).all()
    assert tips[1][-1] < 0.75 * tips[1][0]
