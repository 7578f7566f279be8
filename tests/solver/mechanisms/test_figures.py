# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of Guenter & Lee in motion at the frame rate; benchmarks/run.py runs them for half a minute."""

from itertools import pairwise

import numpy as np
import pytest

from solver import mechanisms as m
from tests.oracles.jointed.figures import FIGURES, bead_on_wire, roller_coaster, torus_chain

#: Rates of each as the paper counts them.
RATES = {
    "bead on a wire": 2, "chain of 4 tori": 14, "tong of 32 bars and a fish": 3, "ellipsoid on ellipsoid": 5,
    "wheel in a wheel in a cup": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_energy_is_kept(name):
    system, q, u = FIGURES[name]()
    assert system.rates == RATES[name]
    run = m.Run(system, q, u)
    energy, kinetic = system.energy(run.q, run.u).total, []
    for _ in range(8):
        run.advance(1 / 30)
        kinetic.append(system.energy(run.q, run.u).kinetic)
        assert system.energy(run.q, run.u).total == pytest.approx(energy, abs=1e-3 * max(kinetic))
    assert max(kinetic) > 1.2 * min(kinetic)


def test_the_bead_is_on_its_wire():
    """Its place is the curve's at its coordinate, whatever was solved; the nearest of many points tells the same."""
    system, q, u = bead_on_wire("none")
    run, curve = m.Run(system, q, u), roller_coaster()
    for _ in range(5):
        run.advance(1 / 30)
        place = system.placed(run.q)[0, :3, 3]
        around = run.q[0] + np.linspace(-0.01, 0.01, 201)
        assert min(np.linalg.norm(curve.derivatives(curve.within(s)[0])[0] - place) for s in around) < 1e-12


def test_tori_touch_in_one_point_and_have_one_normal_there():
    """The nearest points of neighbours' centre circles are two tube radii apart, while they move."""
    system, q, u = torus_chain()
    run = m.Run(system, q, u)
    turn = np.linspace(0, 2 * np.pi, 721)
    ring = np.array([np.cos(turn), np.sin(turn), 0 * turn])
    for _ in range(4):
        run.advance(1 / 30)
        W = system.placed(run.q)
        circles = [A[:3, :3] @ ring + A[:3, 3:] for A in W]
        circles[0] += W[0, :3, :3] @ [[0], [-1.0], [0]]
        for one, two in pairwise(circles):
            nearest = np.linalg.norm(one[:, :, None] - two[:, None, :], axis=0).min()
            assert nearest == pytest.approx(0.4, abs=1e-4)  # circles are polygons of half a degree here
