# SPDX-License-Identifier: GPL-3.0-or-later
"""A bed of 200 reeds in gusts that pass through it, and sheltering each other."""

import numpy as np

from solver import GustyWind, Sample, Shelter, ShelteredWind, Simulation, UniformWind, discretize
from tests.oracles.models import ALONG_Z, beam

SPEED, FRAME, FRAMES, SETTLING = 6.0, 1 / 24, 192, 24
COLUMNS, ROWS, HEIGHT, RADIUS = 40, 5, 2.0, 0.004


def reed_bed(direction: tuple[float, float, float], width: float) -> tuple[np.ndarray, Shelter]:
    """Where reeds stand, 1 m apart, 40 along x and 5 along y: (200, 3) m; and their shelter of stems so wide (m)."""
    bases = np.array([(x, y, 0.0) for x in range(COLUMNS) for y in range(ROWS)], dtype=np.float64)
    up = np.array([(0.0, 0.0, (k + 0.5) * HEIGHT / 4) for k in range(4)])
    points = (bases[:, None] + up).reshape(-1, 3)
    return bases, Shelter(points, np.full(len(points), 1.2 * width * HEIGHT / 4), direction)


def reeds(count: int) -> Simulation:
    reed = discretize(beam(4, HEIGHT, RADIUS, young=8e9, density=400.0, frame=ALONG_Z, damping_time=0.03))
    return Simulation([reed] * count)


def standing(bases: np.ndarray, wind) -> Sample:
    """The world of plants that stand there."""
    return Sample(bases, np.tile([1.0, 0.0, 0.0, 0.0], (len(bases), 1)), wind=wind)


def leaning() -> np.ndarray:
    """(frames, 40, 5) m: how far tips are blown by gusts along the bed."""
    bases, shelter = reed_bed((1.0, 0.0, 0.0), 2.0 * RADIUS)
    world = standing(bases, ShelteredWind(GustyWind((SPEED, 0.0, 0.0), 0.3, 4.0, seed=1), shelter))
    plants, tips = reeds(len(bases)), []
    plants.start(world, "settled")
    for _ in range(FRAMES):
        plants.advance(world, FRAME)
        tips.append(plants.rod_tails()[3::4, 0] - bases[:, 0])
    return np.array(tips[SETTLING:]).reshape(-1, COLUMNS, ROWS)


def wave_speed(tips: np.ndarray, apart: int) -> tuple[float, float]:
    """m/s, by the delay at which tips so many metres downwind do best what those before did, and how alike that is."""
    waves = tips - tips.mean(axis=0)
    alike = []
    for delay in range(round(2.0 * apart / SPEED / FRAME)):
        before, after = waves[: len(waves) - delay, :-apart], waves[delay:, apart:]
        alike.append((before * after).sum() / np.sqrt((before * before).sum() * (after * after).sum()))
    delay = int(np.argmax(alike))
    return apart / (delay * FRAME), float(alike[delay])


def in_rows() -> tuple[np.ndarray, np.ndarray]:
    """How far tips of five rows lean (5,) over what they do without the rows before, and what is left of the wind's
    square there, where a load bends a cantilever's tip most: z^2 (3 H - z)."""
    bases, shelter = reed_bed((0.0, 1.0, 0.0), 0.1)
    plants, tips = reeds(len(bases)), []
    for wind in (UniformWind((0.0, 2.0, 0.0)), ShelteredWind(UniformWind((0.0, 2.0, 0.0)), shelter)):
        plants.start(standing(bases, wind), "settled")
        tips.append((plants.rod_tails()[3::4, 1] - bases[:, 1]).reshape(COLUMNS, ROWS)[20])
    z = np.linspace(0.0, HEIGHT, 101)
    weight = z**2 * (3.0 * HEIGHT - z)
    columns = np.array([[(20.0, y, up) for up in z] for y in range(ROWS)])
    left = shelter.factor(columns.reshape(-1, 3)).reshape(ROWS, -1) ** 2 @ weight / weight.sum()
    return tips[1] / tips[0], left
