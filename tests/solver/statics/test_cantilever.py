# SPDX-License-Identifier: GPL-3.0-or-later
"""Garcia 8.3: the cantilever's deflection in every layout, settled and simulated to rest, and the largest step."""

import numpy as np
import pytest

from solver import OK, Sample, Settings, Simulation, discretize
from tests.oracles import analytic
from tests.oracles.models import beam, run

COUNTS = (10, 25, 100, 250, 500)
TOLERANCE = {"base": 1e-3, "double_root": 2e-4, "mid": 2e-4, "gauss2": 2e-4, "prbm3r": 2e-4}
GARCIA = {10: 0.0067664, 25: 0.0060488, 100: 0.0057051, 250: 0.0056376, 500: 0.0056155}
#: Where the joints of an internode are, as shares of its length, and their stiffness over E I / l.
JOINTS = {
    "gauss2": (np.array([0.5 - 12**-0.5, 0.5 + 12**-0.5]), np.array([2.0, 2.0])),
    "prbm3r": (np.array([0.12525, 0.4755, 0.86375]), np.array([3.2461, 2.8366, 2.9464])),
}


def sag(plant):
    return -plant.rod_tails()[-1, 2]


def expected(layout, n):
    if layout not in JOINTS:
        return analytic.SAG * analytic.sag_ratio(layout, n)
    at, kappa = JOINTS[layout]
    x = 1.0 - (np.arange(n)[:, None] + at) / n  # from the tip
    return analytic.SAG * (8.0 * x * x**2 / 2.0 / (n * kappa)).sum()  # lever times w x^2 / 2 over k = kappa E I / l


def test_closed_form():
    assert pytest.approx(0.0055893, abs=5e-8) == analytic.SAG
    for n in COUNTS:
        assert expected("gauss2", n) == pytest.approx(analytic.SAG, rel=1e-12)


@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("layout", TOLERANCE)
def test_settled(layout, n):
    plant = Simulation(discretize(beam(n), layout))
    found = plant.start(Sample(), "settled")
    assert found.residual < 1e-9
    assert sag(plant) == pytest.approx(expected(layout, n), rel=TOLERANCE[layout])
    if layout == "base":
        assert sag(plant) == pytest.approx(GARCIA[n], rel=1e-3)


@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("layout", TOLERANCE)
def test_simulated_until_it_rests(layout, n):
    plant = Simulation(discretize(beam(n, damping_time=0.02), layout))
    plant.start(Sample())
    tails = run(plant, 5.0)
    assert np.abs(tails[-1] - tails[-12]).max() < 1e-8
    assert sag(plant) == pytest.approx(expected(layout, n), rel=TOLERANCE[layout])


@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("damping_time", [0.0, 0.002, 0.02])
def test_largest_step(n, damping_time):
    """One step a frame, 1/24 s, never halved; Garcia's 500 bodies needed 7e-8 s."""
    plant = Simulation(
        discretize(beam(n, damping_time=damping_time), "base"), Settings(max_step=1 / 24, halvings=0, tolerance=np.inf)
    )
    plant.start(Sample())
    deepest = 0.0
    for _ in range(24 * 60):
        report = plant.advance(Sample(), 1 / 24)
        assert (report.status, report.steps, report.rejected) == (OK, 1, 0)
        deepest = max(deepest, sag(plant))
    assert deepest < 2.01 * expected("base", n)  # what an undamped beam reaches when it is let go
    assert sag(plant) == pytest.approx(expected("base", n), rel=1e-3)


@pytest.mark.parametrize("layout", TOLERANCE)
def test_first_frequency(layout):
    """The undamped beam swings at 3.51602 / 2 pi sqrt(EI / rho A) / l^2, found from its zero crossings."""
    plant = Simulation(discretize(beam(50), layout), Settings(max_step=1 / 4800))
    plant.start(Sample(), "settled")
    middle = sag(plant)
    depth = -run(plant, 1.0, fps=480, sample=Sample(gravity=(0.0, 0.0, -5.0)))[:, -1, 2] - middle * 5.0 / 9.81
    crossings = np.flatnonzero(np.diff(np.sign(depth)))
    exact = crossings + depth[crossings] / (depth[crossings] - depth[crossings + 1])
    frequency = 0.5 * (len(exact) - 1) * 480 / (exact[-1] - exact[0])
    area = np.pi * analytic.RADIUS**2
    stiffness = analytic.YOUNG * analytic.SECOND_MOMENT / (analytic.DENSITY * area)
    beam_theory = 3.51602 / (2 * np.pi) * np.sqrt(stiffness) / analytic.LENGTH**2
    print(layout, "first frequency over beam theory's:", frequency / beam_theory)
    assert frequency == pytest.approx(beam_theory, rel=0.03 if layout == "base" else 0.002)
