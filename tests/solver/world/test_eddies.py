# SPDX-License-Identifier: GPL-3.0-or-later
"""Eddies that gusts do not hold: as strong, as large and as quick as they say, and none where they are not asked for.

Their closed form is von Karman's one-point spectrum, over the reduced frequency n = f L / U.
"""

import dataclasses

import numpy as np
import pytest
from scipy import signal

from solver.base.errors import SolverError
from solver.world.wind import GustyWind

SPEED, SHARE, SIZE = 5.0, 0.25, 0.3
ONLY_EDDIES = GustyWind((SPEED, 0.0, 0.0), turbulence_intensity=0.0, eddies=SHARE, eddy_size=SIZE)


def eddies_at(places, rate, count, wind=ONLY_EDDIES):
    """(count, places, 3) m/s at a rate of so many times a second."""
    times = np.arange(count) / rate
    return np.array([wind(places, time) for time in times]) - np.asarray(wind.velocity)


@pytest.fixture(scope="module")
def passing():
    """25 s at sixty places far from one another."""
    return eddies_at(np.random.default_rng(1).uniform(-20.0, 20.0, (60, 3)), 200.0, 5000)


def test_they_are_as_strong_in_all_directions(passing):
    deviation = passing.reshape(-1, 3).std(axis=0)
    assert deviation == pytest.approx(SHARE * SPEED * np.ones(3), rel=0.05)
    assert np.abs(passing.reshape(-1, 3).mean(axis=0)).max() < 0.05 * SHARE * SPEED


def test_they_have_von_karmans_spectrum(passing):
    frequency, density = signal.welch(passing[:, :, 0], 200.0, nperseg=1500, axis=0)
    density = density.mean(axis=1)
    band = (frequency > 0.3 * SPEED / SIZE / 10.0) & (frequency < 16.0)  # beyond, shorter ones look like these
    n = frequency[band] * SIZE / SPEED
    expected = (SHARE * SPEED) ** 2 * 4.0 / (1.0 + 70.8 * n * n) ** (5.0 / 6.0) * SIZE / SPEED
    octaves = np.array_split(np.arange(band.sum()), 4)
    ratio = np.array([density[band][some].sum() / expected[some].sum() for some in octaves])
    assert ratio == pytest.approx(np.ones(4), abs=0.15)


def test_most_of_them_pass_a_leaf_in_a_fraction_of_a_second(passing):
    """Gusts of 30 m have two thirds of their variance below a tenth of a hertz; eddies above one."""
    frequency, density = signal.welch(passing[:, :, 2], 200.0, nperseg=3000, axis=0)
    density = density.mean(axis=1)
    assert density[frequency > 1.0].sum() > 0.8 * density.sum()


def test_they_are_added_to_the_gusts_which_stay_to_the_bit():
    points = np.random.default_rng(2).uniform(-3.0, 3.0, (50, 3))
    gusts = GustyWind((SPEED, 1.0, 0.0), seed=4)
    both = dataclasses.replace(gusts, eddies=SHARE)
    alone = dataclasses.replace(both, turbulence_intensity=0.0)
    for time in (0.0, 1.3, 77.0):
        np.testing.assert_array_equal(dataclasses.replace(both, eddies=0.0)(points, time), gusts(points, time))
        added = both(points, time) - gusts(points, time)
        np.testing.assert_allclose(added, alone(points, time) - np.asarray(gusts.velocity), atol=1e-12)


def test_they_are_no_gusts_made_smaller():
    """Else each eddy would stand in the gust of its own shape."""
    points = np.random.default_rng(3).uniform(-1.0, 1.0, (4000, 3))
    gusts = GustyWind((1.0, 0.0, 0.0), 1.0, 1.0, seed=6)(points, 0.0)
    eddies = GustyWind((1.0, 0.0, 0.0), 0.0, 1.0, seed=6, eddies=1.0, eddy_size=1.0)(points, 0.0)
    assert abs(np.corrcoef(gusts[:, 0], eddies[:, 0])[0, 1]) < 0.2


def test_what_is_larger_than_they_are_is_not_pushed_as_a_whole():
    """Of the mean over a line across the wind a share L / D of their variance is left: twice the lateral integral
    length, which is L / 2, over the line's. Where nothing else is said they are as wide as a broad leaf."""
    long, lines, points = 2.0, 3000, 80
    begins = np.random.default_rng(7).uniform(-20.0, 20.0, (lines, 1, 3))
    places = begins + np.linspace(0.0, long, points)[:, None] * [0.0, 1.0, 0.0]
    wind = GustyWind((SPEED, 0.0, 0.0), turbulence_intensity=0.0, eddies=SHARE)
    along = wind(places.reshape(-1, 3), 0.0)[:, 0].reshape(lines, points) - SPEED
    assert along.mean(axis=1).var() / (SHARE * SPEED) ** 2 == pytest.approx(0.1 / long, rel=0.15)


@pytest.mark.parametrize("loop", [2.0, 0.015625])
def test_they_come_back_in_a_loop(loop):
    wind = dataclasses.replace(ONLY_EDDIES, loop=loop)
    points = np.random.default_rng(5).uniform(-2.0, 2.0, (20, 3))
    np.testing.assert_array_equal(wind(points, 0.25 * loop), wind(points, 1.25 * loop))
    assert np.abs(wind(points, 0.3 * loop) - wind(points, 0.0)).max() > 1e-3


def test_they_grow_with_the_mean_and_with_height():
    points = np.random.default_rng(6).uniform(0.5, 2.0, (20, 3))
    fast = GustyWind((8.0, 0.0, 0.0), 0.0, eddies=SHARE)(points, 1.0)
    slow = GustyWind((4.0, 0.0, 0.0), 0.0, eddies=SHARE)(points, 2.0)
    np.testing.assert_allclose(fast, 2.0 * slow, atol=1e-9)
    near_ground = GustyWind((8.0, 0.0, 0.0), 0.0, eddies=SHARE, height_exponent=0.2, reference_height=2.0)(points, 1.0)
    np.testing.assert_allclose(near_ground, fast * (points[:, 2:] / 2.0) ** 0.2, atol=1e-9)
    assert not GustyWind((0.0, 0.0, 0.0), eddies=SHARE)(points, 1.0).any()


@pytest.mark.parametrize("options", [{"eddies": -0.1}, {"eddies": np.nan}, {"eddy_size": 0.0}])
def test_senseless_ones_are_refused(options):
    with pytest.raises(SolverError, match=f"{next(iter(options))} of the wind"):
        GustyWind((1.0, 0.0, 0.0), **options)
