# SPDX-License-Identifier: GPL-3.0-or-later
"""Thin sticks and plates that fly at each other: what crosses on the way, and has left it by a step's end, meets."""

import numpy as np
import pytest

from solver import Sample, Simulation, solid
from solver.contact.nearest import crossing
from solver.math.rotations import exponential, multiply

FRAME = 1.0 / 24.0
LONG = 0.08  # m, half the length of a stick

#: Axes of the sticks: along y as they are made, turned about z.
TURNED = np.pi / 3.0


def test_where_segments_cross_on_their_way_is_found():
    """Against looking at very many moments; of several crossings any would do, and of an even number none is told."""
    rng, crossed = np.random.default_rng(0), 0
    back = np.linspace(0.0, 1.0, 4001)[:, None]
    for _ in range(300):
        ends, gone = rng.normal(size=(4, 3)) * 0.5, rng.normal(size=(4, 3)) * [[1.0], [0.2], [1.0], [0.2]]
        ends[[0, 2]] -= 0.5 * (ends[[1, 3]] - gone[[0, 2]])
        a, d, b, e = (x - back * way for x, way in zip(ends, gone, strict=True))
        across = np.cross(d, e)
        side = (across * (b - a)).sum(axis=1)
        moments = np.flatnonzero(side[1:] * side[:-1] < 0.0)
        has, t, u = crossing(*map(tuple, ends), *(tuple(gone[k]) for k in (0, 1, 2, 3)))
        if len(moments) == 1:
            k = moments[0]
            size = across[k] @ across[k]
            expected = [np.cross(b[k] - a[k], one) @ across[k] / size for one in (e[k], d[k])]
            np.testing.assert_allclose((t, u), expected, rtol=0.02, atol=0.02)
            assert has == (0.0 <= t <= 1.0 and 0.0 <= u <= 1.0)
            crossed += has
        elif len(moments) == 0:
            assert not has
    assert crossed > 10


def flies(shapes, speed, slides, phase, spin, noise, off=0.0):
    """(2, 3) m/s by which two solids are turned aside that meet at this share of a frame, the first one's middle on the
    second one so far (m) off its middle along x, where the first one comes along z with a speed (m/s), and slides along
    y by so many times that."""
    way = np.array([(0.0, -slides * speed, -speed), (0.0, 0.0, 0.0)])
    q = np.array([exponential(np.array((0.0, 0.0, TURNED))), (1.0, 0.0, 0.0, 0.0)])
    spins = np.array([(0.0, 0.0, spin), (0.0, 0.0, 0.0)])
    held = 2  # frames in which they are led, to have their speed

    def sample(k: int) -> Sample:
        t = (min(k, held) - held - 1.0 - phase) * FRAME
        return Sample(
            way * t + noise + [(0.0, 0.0, 0.0), (off, 0.0, 0.0)], gravity=(0.0, 0.0, 0.0),
            base_orientation=multiply(q, exponential(spins * t)),
            touches_others=k >= held, cut=[float(k >= held)] * 2,
        )  # fmt: skip

    plants = Simulation(shapes, together=True)
    plants.start(sample(0))
    for k in range(1, held + 1):
        plants.advance(sample(k), FRAME)
    before = plants.placed().velocity.copy()
    np.testing.assert_allclose(before, way, atol=1e-6 * speed)
    for k in range(held + 1, held + 4):
        plants.advance(sample(k), FRAME)
    return plants.placed().velocity - before


#: Speed (m/s), slide, share of a frame, spin (rad/s) and how far off (m): in steps of 1/240 s these went through.
WENT_THROUGH = [
    (20.0, 1.9, 0.156, 0.0, 0.027), (20.0, 0.0, 0.053, 0.0, -0.029), (31.0, 0.6, 0.162, 0.0, 0.044),
    (14.0, 2.0, 0.1, 12.0, 0.0),
]  # fmt: skip


@pytest.mark.parametrize("noise", [0.0, 1e-15])
@pytest.mark.parametrize("case", WENT_THROUGH)
def test_sticks_do_not_go_through_each_other(case, noise):
    stick = solid("capsule", [0.001, LONG], density=500.0, friction=0.0)
    speed, slides, phase, spin, off = case
    aside = flies([stick, stick], speed, slides, phase, spin, noise, off)
    assert aside[0, 2] > 0.1 * speed
    assert aside[1, 2] < -0.1 * speed


@pytest.mark.parametrize("off", [0.0, 0.055])
@pytest.mark.parametrize("slides", [0.0, 1.0])
@pytest.mark.parametrize("speed", [14.0, 31.0])
def test_sticks_do_not_go_through_thin_plates(speed, slides, off):
    """Also near their rims, 5 mm off."""
    stick = solid("capsule", [0.001, LONG], density=500.0, friction=0.0)
    plate = solid("box", (0.06, 0.06, 0.001), density=500.0, friction=0.0)
    for phase in np.linspace(0.0, 0.2, 7):
        aside = flies([stick, plate], speed, slides, phase, 0.0, 0.0, off)
        assert aside[0, 2] > 0.05 * speed, phase
