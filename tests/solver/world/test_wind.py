# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind against the closed forms of von Karman, Kaimal and IEC 61400-1, and the promises a field makes.

The closed forms are written here as ESDU and IEC print them, over the reduced frequency n = f L / U. Most tests use
U = L = sigma = 1, for which time, distance along the wind and 1 / n have one unit.
"""

import dataclasses
import functools
import itertools
import json
import math
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import signal, special

from solver.base.errors import SolverError
from solver.world.turbulence import boxes
from solver.world.wind import DEFAULT_LOOP, GustyWind, UniformWind

SPECTRA = ("von_karman", "kaimal")
#: Lines of a loop, and how many winds and places are averaged.
LINES, WINDS, PLACES = 2**16, 4, 8


@functools.cache
def unit_wind(spectrum, seed):
    return GustyWind((1.0, 0.0, 0.0), 1.0, 1.0, spectrum, seed)


def gusts(wind, points, time=0.0):
    return wind(points, time) - np.asarray(wind.velocity)


def target(spectrum, n):
    """One-sided spectra of u, v, w over n for sigma_u = 1."""
    if spectrum == "von_karman":  # ESDU 85020 for isotropic turbulence, L_v = L_w = L / 2
        across = 2.0 * (1.0 + 188.4 * n**2) / (1.0 + 70.8 * n**2) ** (11 / 6)
        return np.stack([4.0 / (1.0 + 70.8 * n**2) ** (5 / 6), across, across], axis=1)
    kaimal = [s**2 * 4.0 * a / (1.0 + 6.0 * n * a) ** (5 / 3) for s, a in ((1, 1), (0.8, 2.7 / 8.1), (0.5, 0.66 / 8.1))]
    return np.stack(kaimal, axis=1)


@pytest.fixture(scope="module", params=SPECTRA)
def spectra(request):
    """Name; n; measured spectra (lines, 3); mean and variance (winds, 3) of the gusts over a loop."""
    density, means, variances = 0.0, [], []
    for seed in range(WINDS):
        wind = unit_wind(request.param, seed)
        for place in np.random.default_rng(seed).uniform(0.0, 500.0, (PLACES, 3)):
            path = np.tile(place, (LINES, 1))
            path[:, 0] -= np.arange(LINES) * (DEFAULT_LOOP / LINES)  # what comes by, see the test of travelling
            u = gusts(wind, path)
            density = density + np.abs(np.fft.rfft(u, axis=0) / LINES) ** 2
            means.append(u.mean(axis=0))
            variances.append(u.var(axis=0))
    density *= 2.0 * DEFAULT_LOOP / (WINDS * PLACES)
    return request.param, np.arange(len(density)) / DEFAULT_LOOP, density, np.array(means), np.array(variances)


@pytest.mark.parametrize(("first", "last", "bands", "tolerance"), [(0.04, 0.1, 2, 0.25), (0.1, 14.0, 12, 0.12)])
def test_one_point_spectra(spectra, first, last, bands, tolerance):
    name, n, density, _, _ = spectra
    edges = np.geomspace(first, last, bands + 1)
    for low, high in itertools.pairwise(edges):
        band = (n >= low) & (n < high)
        ratio = density[band].mean(axis=0) / target(name, n[band]).mean(axis=0)
        assert np.abs(ratio - 1.0).max() < tolerance, (low, high, ratio)


def test_shorter_waves_than_the_cutoff_fade(spectra):
    name, n, density, _, _ = spectra
    above = n > 32.0
    assert (density[above].sum(axis=0) < 0.25 * target(name, n[above]).sum(axis=0)).all()


def test_variance_is_that_of_the_waves_below_the_cutoff(spectra):
    name, _, _, _, variances = spectra
    beyond = (1.0 + 6.0 * 32.0 * np.array([1.0, 2.7 / 8.1, 0.66 / 8.1])) ** (-2 / 3)
    expected = {"von_karman": np.full(3, 0.977), "kaimal": np.array([1.0, 0.64, 0.25]) * (1.0 - beyond)}[name]
    assert variances.mean(axis=0) == pytest.approx(expected, rel=0.03)


def test_mean_over_a_loop_is_the_mean_wind(spectra):
    _, _, _, means, _ = spectra
    assert np.abs(means).max() < 1e-3  # the splines' aliases of long waves


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_short_loop_keeps_the_intensity(spectrum):
    lines = np.zeros((2**11, 3))
    lines[:, 0] = np.arange(len(lines)) * (20.0 / len(lines))
    places = np.random.default_rng(0).uniform(0.0, 50.0, (16, 1, 3))
    winds = [dataclasses.replace(unit_wind(spectrum, seed), loop=20.0) for seed in range(WINDS)]
    variance = [gusts(wind, lines + p).var(axis=0) for wind in winds for p in places]
    expected = {"von_karman": (0.977, 0.977, 0.977), "kaimal": (0.97, 0.6, 0.212)}[spectrum]
    assert np.mean(variance, axis=0) == pytest.approx(expected, rel=0.15)  # a single wind scatters by 12 %


def test_correlation_along_and_across_is_von_karmans():
    def theory(r):  # f and g of isotropic turbulence (Batchelor 1953), von Karman's spectrum, integral scale 1
        z = r * math.sqrt(math.pi) * math.gamma(5 / 6) / math.gamma(1 / 3)
        c = 2.0 ** (2 / 3) / math.gamma(1 / 3) * z ** (1 / 3)
        return c * special.kv(1 / 3, z), c * (special.kv(1 / 3, z) - 0.5 * z * special.kv(2 / 3, z))

    winds = [unit_wind("von_karman", seed) for seed in range(WINDS)]
    points = np.random.default_rng(1).uniform(0.0, 1000.0, (20000, 3))
    here = [gusts(wind, points) for wind in winds]
    for r in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0):
        f, g = theory(r)
        for axis in range(3):
            there = [gusts(wind, points + r * np.eye(3)[axis]) for wind in winds]
            measured = np.mean([(a * b).mean(axis=0) for a, b in zip(here, there, strict=True)], axis=0)
            expected = np.where(np.arange(3) == axis, f, g)
            assert np.abs(measured - expected).max() < 0.04, (r, axis)  # the mean of four winds scatters by 0.01


def test_coherence_across_is_iecs():
    separations, step = (0.1, 0.3), 1.0 / 64.0
    power, cross = 0.0, np.zeros((2, 513))
    for seed in range(WINDS):
        wind = unit_wind("kaimal", seed)
        for place in np.random.default_rng(seed).uniform(0.0, 500.0, (5, 3)):
            path = np.tile(place, (2**13, 1))
            path[:, 0] += np.arange(len(path)) * step
            here = gusts(wind, path)[:, 0]
            power = power + 2.0 * signal.welch(here, 1.0 / step, nperseg=1024)[1]
            for s, separation in enumerate(separations):
                for side in ((0.0, separation, 0.0), (0.0, 0.0, separation)):
                    n, both = signal.csd(here, gusts(wind, path + side)[:, 0], 1.0 / step, nperseg=1024)
                    cross[s] += both.real
    for s, separation in enumerate(separations):
        expected = np.exp(-12.0 * np.sqrt((n * separation) ** 2 + (0.12 * separation) ** 2))
        for low, high in ((0.2, 0.5), (0.5, 1.0), (1.0, 2.0), (2.0, 4.0)):
            band = (n >= low) & (n < high)
            measured, weighted = cross[s, band].sum(), (expected * power)[band].sum()
            assert measured / power[band].sum() == pytest.approx(weighted / power[band].sum(), abs=0.05), (
                separation,
                low,
            )


def test_isotropic_gusts_are_nearly_incompressible():
    wind, h = unit_wind("von_karman", 2), 1e-4
    points = np.random.default_rng(0).uniform(0.0, 1000.0, (20000, 3))
    gradient = np.array([(wind(points + h * e, 0.0) - wind(points - h * e, 0.0)) / (2.0 * h) for e in np.eye(3)])
    divergence = gradient.trace(axis1=0, axis2=2)
    # For independent components it is 0.58; what is left is aliases of the shortest waves.
    assert math.sqrt((divergence**2).mean() / (gradient**2).sum(axis=(0, 2)).mean()) < 0.15


def test_plants_of_all_sizes_feel_gusts_of_their_size():
    wind = GustyWind((8.0, 0.0, 0.0), 0.2, 30.0)
    times = np.arange(0.0, 200.0, 0.5)
    ends = np.array([(0.0, 0.0, 1.0), (0.0, 0.01, 1.0), (0.0, 10.0, 1.0)])
    base, close, far = np.array([wind(ends, t)[:, 0] for t in times]).T
    assert np.corrcoef(base, close)[0, 1] > 0.995
    assert 0.2 < np.corrcoef(base, far)[0, 1] < 0.9


WINDS_TO_TRY = [
    GustyWind((8.0, 0.0, 0.0), 0.2, 30.0, seed=3, loop=10.0),
    GustyWind((2.0, -1.0, 0.5), 0.5, 3.0, "kaimal", seed=4),
    GustyWind((0.0, 0.0, -20.0), 0.15, 60.0, seed=5, loop=1.0),
]
POINTS = np.random.default_rng(9).uniform(-5.0, 5.0, (200, 3))


@pytest.mark.parametrize("wind", WINDS_TO_TRY)
def test_loop_is_exact(wind):
    for time in (0.0, 0.125, 7.3, -2.0):
        for loops in (1, -3):
            later = wind(POINTS, time + loops * wind.period)
            assert np.abs(later - wind(POINTS, time)).max() < 1e-10  # the rounding of the time, times the acceleration
    assert np.array_equal(WINDS_TO_TRY[0](POINTS, 1.5), WINDS_TO_TRY[0](POINTS, 11.5))
    half = wind(POINTS, 0.5 * wind.period)
    assert np.abs(half - wind(POINTS, 0.0)).max() > 0.1


def test_default_period_is_long():
    assert WINDS_TO_TRY[1].period == pytest.approx(1000.0 * 3.0 / math.sqrt(5.25))


@pytest.mark.parametrize("wind", WINDS_TO_TRY)
def test_gusts_travel_with_the_mean_wind(wind):
    for time in (0.125, 3.0):
        carried = wind(POINTS + time * np.asarray(wind.velocity), time)
        assert np.abs(carried - wind(POINTS, 0.0)).max() < 1e-11


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_acceleration_has_no_jumps(spectrum):
    """Second differences over h^2 stay bounded; at a kink they would double whenever h is halved."""
    wind = GustyWind((8.0, 1.0, 0.0), 0.2, 10.0, spectrum)
    worst = []
    for h in (1e-4, 1e-5):
        times = 2.0 + np.arange(3000) * 1e-3
        rate = [(wind(POINTS[:3], t + h) - 2.0 * wind(POINTS[:3], t) + wind(POINTS[:3], t - h)) / h**2 for t in times]
        worst.append(np.abs(rate).max())
    assert worst[1] < 1.2 * worst[0]


def test_difference_quotients_converge():
    wind, time = WINDS_TO_TRY[0], 1.0

    def rate(h):
        return (wind(POINTS, time + h) - wind(POINTS, time - h)) / (2.0 * h)

    errors = [np.abs(rate(h) - rate(1e-6)).max() for h in (1e-2, 1e-3, 1e-4)]
    assert errors[1] < errors[0] / 8.0
    assert errors[2] < errors[1] / 8.0


@pytest.mark.parametrize("spectrum", SPECTRA)
def test_turning_the_wind_turns_the_field(spectrum):
    angle = 0.7
    turn = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
    wind = GustyWind((8.0, 1.0, 0.5), 0.3, 5.0, spectrum, 1)
    turned = GustyWind(turn @ wind.velocity, 0.3, 5.0, spectrum, 1)
    assert np.abs(turned(POINTS @ turn.T, 0.4) - wind(POINTS, 0.4) @ turn.T).max() < 1e-11


@pytest.mark.parametrize("velocity", [(3.0, 0.0, 0.0), (0.0, -1.8, 2.4), (0.0, 0.0, 3.0)])
def test_deviations_follow_the_winds_direction(velocity):
    wind = GustyWind(velocity, 0.4, 2.0, "kaimal", 2)
    u = gusts(wind, np.random.default_rng(4).uniform(0.0, 2000.0, (20000, 3)))
    along = np.asarray(velocity) / 3.0
    variance = u.var(axis=0)
    assert (u @ along).var() == pytest.approx(1.44 * 0.97, rel=0.06)
    assert variance.sum() == pytest.approx(1.44 * (0.97 + 0.60 + 0.212), rel=0.06)


def test_order_of_points_and_calls_changes_no_bit():
    wind = WINDS_TO_TRY[1]
    together = wind(POINTS, 5.0)
    wind(POINTS, 2.0)
    order = np.random.default_rng(0).permutation(len(POINTS))
    assert np.array_equal(wind(POINTS[order], 5.0), together[order])
    assert np.array_equal(np.vstack([wind(p[None], 5.0) for p in POINTS]), together)
    assert np.array_equal(wind(np.asfortranarray(POINTS), 5.0), together)


def test_equal_winds_give_equal_bits_and_another_seed_another_wind():
    wind = WINDS_TO_TRY[1]
    expected = wind(POINTS, 5.0)
    assert len(pickle.dumps(wind)) < 1000
    copies = [pickle.loads(pickle.dumps(wind)), dataclasses.replace(wind, velocity=np.array([2, -1, 0.5]))]
    boxes.cache_clear()
    for copy in copies:
        assert copy == wind
        assert hash(copy) == hash(wind)
        assert np.array_equal(copy(POINTS, 5.0), expected)
    other = dataclasses.replace(wind, seed=5)(POINTS, 5.0)
    assert abs(np.corrcoef(other[:, 0], expected[:, 0])[0, 1]) < 0.5
    with pytest.raises(dataclasses.FrozenInstanceError):
        wind.seed = 7


def test_wind_grows_with_height():
    level = GustyWind((8.0, 0.0, 0.0))
    sheared = dataclasses.replace(level, height_exponent=0.25)
    points = np.array([(1.0, 2.0, z) for z in (-1.0, 0.0, 0.625, 10.0, 160.0)])
    share = np.array([0.0, 0.0, 0.5, 1.0, 2.0])
    assert sheared(points, 3.0) == pytest.approx(level(points, 3.0) * share[:, None], rel=1e-12)


def test_uniform_and_still_air():
    assert np.array_equal(UniformWind((1, 2, 3))(POINTS, 4.0), np.tile([1.0, 2.0, 3.0], (200, 1)))
    assert pickle.loads(pickle.dumps(UniformWind((1, 2, 3)))) == UniformWind(np.array([1.0, 2.0, 3.0]))
    assert not GustyWind((0, 0, 0))(POINTS, 4.0).any()
    assert GustyWind((0, 0, 0)).period == math.inf
    steady = GustyWind((8, 0, 0), turbulence_intensity=0.0)
    assert np.array_equal(steady(POINTS, 4.0), UniformWind((8, 0, 0))(POINTS, 4.0))
    assert GustyWind((8, 0, 0))(np.empty((0, 3)), 1.0).shape == (0, 3)


@pytest.mark.parametrize(
    "wind",
    [
        GustyWind((1e-7, 0, 0), loop=5.0),
        GustyWind((0.01, 0, 0), 0.3, 30.0, "kaimal", loop=0.5),
        GustyWind((1e49, 1.0, 0), 10.0, 1e-3, loop=1e6),
        GustyWind((1, 1e-300, 0), 1.0, 1e6),
    ],
)
def test_extreme_numbers_stay_finite_and_within_bounds(wind):
    for time in (0.0, 0.3, -1e300):
        values = np.vstack([wind(POINTS, time), wind(POINTS * 1e150, time)])
        assert np.abs(values).max() < wind.speed * (1.0 + 12.0 * wind.turbulence_intensity)


def test_a_point_that_is_not_finite_harms_no_other():
    points = POINTS.copy()
    points[10] = (math.nan, 0.0, 0.0)
    points[20] = (0.0, math.inf, 0.0)
    points[30] = 1e308
    others = np.delete(np.arange(len(points)), (10, 20, 30))
    assert np.array_equal(WINDS_TO_TRY[1](points, 1.0)[others], WINDS_TO_TRY[1](POINTS, 1.0)[others])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"velocity": (1.0, 2.0)}, "velocity"),
        ({"velocity": (math.nan, 0.0, 0.0)}, "velocity"),
        ({"velocity": (1e60, 0.0, 0.0)}, "velocity"),
        ({"turbulence_intensity": -0.1}, "turbulence_intensity"),
        ({"turbulence_intensity": math.nan}, "turbulence_intensity"),
        ({"length_scale": 0.0}, "length_scale"),
        ({"length_scale": math.inf}, "length_scale"),
        ({"spectrum": "kolmogorov"}, "von_karman, kaimal"),
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"loop": 0.0}, "loop"),
        ({"loop": math.nan}, "loop"),
        ({"height_exponent": -0.2}, "height_exponent"),
        ({"reference_height": 0.0}, "reference_height"),
    ],
)
def test_senseless_numbers_are_refused(options, words):
    with pytest.raises(SolverError, match=words):
        GustyWind(**{"velocity": (8.0, 0.0, 0.0), **options})


def test_senseless_questions_are_refused():
    for wind in (UniformWind((1, 0, 0)), WINDS_TO_TRY[0]):
        with pytest.raises(SolverError, match="shape"):
            wind(np.zeros(3), 0.0)
        with pytest.raises(SolverError, match="time"):
            wind(POINTS, math.nan)
    with pytest.raises(SolverError, match="velocity"):
        UniformWind((math.inf, 0.0, 0.0))


def test_memory_of_a_wind():
    assert sum(box.coefficients.nbytes for box in boxes("von_karman", 0, DEFAULT_LOOP)) < 20e6


def test_same_wind_in_plain_python():
    script = """
import json, os, sys
os.environ["PLANT_DYNAMICS_KERNELS"] = "python"
from solver.world.wind import GustyWind
points, velocity = json.load(sys.stdin)
json.dump(GustyWind(velocity, 0.5, 3.0, "kaimal", 4)(points, 1.7).tolist(), sys.stdout)
"""
    root, wind = Path(__file__).resolve().parents[3], WINDS_TO_TRY[1]
    question = json.dumps([POINTS[:20].tolist(), wind.velocity])
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=root, input=question, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert np.abs(np.array(json.loads(done.stdout)) - wind(POINTS[:20], 1.7)).max() < 1e-11
