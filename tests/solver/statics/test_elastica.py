# SPDX-License-Identifier: GPL-3.0-or-later
"""Settled cantilevers against the exact elastica, and small vibrations against beam theory, in every layout."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.linalg import eigh

from solver import LAYOUTS, discretize
from solver.model.layouts import DEFAULT_LAYOUT
from tests.oracles import elastica
from tests.oracles.models import ALONG_X, beam
from tests.oracles.runs.settled_beam import settled_tip, tip_error


def test_the_oracle_gives_the_known_values():
    known = {
        (1, 0): (0.94357, 0.30172, 26.434), (2, 0): (0.83936, 0.49346, 44.791), (5, 0): (0.61237, 0.71379, 69.635),
        (10, 0): (0.44500, 0.81061, 81.949), (0, 1): (0.99125, 0.12347, 9.46), (0, 5): (0.84666, 0.49591, 39.94),
        (0, 10): (0.65635, 0.70020, 60.31), (0, 20): (0.44523, 0.82988, 76.75),
    }  # fmt: skip
    for case, (along, down, degrees) in known.items():
        found = elastica.tip(*map(float, case))
        assert found[:2] == pytest.approx((along, down), abs=6e-6)
        assert np.degrees(found[2]) == pytest.approx(degrees, abs=6e-3)


@pytest.mark.parametrize("case", elastica.CASES)
@pytest.mark.parametrize(("internodes", "most"), [(8, 1e-3), (32, 1e-4)])
def test_default_layout(case, internodes, most):
    error = tip_error(case, internodes, DEFAULT_LAYOUT)
    print(f"alpha, beta = {case}, {internodes} internodes: tip off by {100 * error:.4f} % of the length")
    assert error < most


#: Per cent of the length at 1, 4 and 8 internodes.
KNOWN = {
    ("base", (1.0, 0.0)): (42, 10.8, 5.3), ("base", (10.0, 0.0)): (35, 15.5, 8.3), ("base", (0.0, 5.0)): (57, 20, 10.3),
    ("double_root", (1.0, 0.0)): (14, 0.91, 0.23), ("double_root", (10.0, 0.0)): (24, 3.1, 0.77),
    ("double_root", (0.0, 5.0)): (30, 2.8, 0.69), ("mid", (1.0, 0.0)): (8.4, 0.52, 0.13),
    ("mid", (10.0, 0.0)): (37.7, 2.7, 0.64), ("mid", (0.0, 5.0)): (25, 1.8, 0.45),
    ("prbm3r_hall", (1.0, 0.0)): (0.44, 0.006, 0.02), ("prbm3r_hall", (10.0, 0.0)): (1.45, 0.05, 0.008),
    ("prbm3r_hall", (0.0, 5.0)): (0.82, 0.04, 0.02),
}  # fmt: skip


@pytest.mark.parametrize(("layout", "case"), KNOWN)
def test_other_layouts_are_as_far_off_as_derived(layout, case):
    for internodes, percent in zip((1, 4, 8), KNOWN[layout, case], strict=True):
        digit = 10.0 ** -len(str(percent).partition(".")[2])
        assert 100 * tip_error(case, internodes, layout) == pytest.approx(percent, abs=0.75 * digit)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_order_of_convergence(layout):
    """Under large bending the gap between chain and curve leaves second order; Garcia's stiffness is of first."""
    coarse, fine = (tip_error((10.0, 0.0), n, layout) for n in (16, 32))
    order = np.log2(coarse / fine)
    if layout == "prbm3r_hall":  # his compliances do not quite add up to the beam's, which stays
        assert fine < 4e-4
    elif layout == "prbm3r":  # his positions do not quite bend about the middle, so it ends at first order
        assert 1.0 < order < 2.0
    else:
        assert order == pytest.approx(1.0 if layout == "base" else 2.0, abs=0.15)


@pytest.mark.parametrize("layout", ["mid", "gauss2", "prbm3r"])
def test_tapered_cantilever(layout):
    """Radius at the tip a quarter of that at the base, so E I falls to 1/256."""
    errors = [tip_error((0.0, 2.0), n, layout, thin=0.25) for n in (4, 8, 16)]
    print(layout, "tapered, tip off by (%):", 100 * np.array(errors))
    assert np.log2(errors[-2] / errors[-1]) > (1.8 if layout != "prbm3r" else 0.9)
    if layout == DEFAULT_LAYOUT:
        assert errors[0] < 1e-3


@pytest.mark.parametrize("thin", [1.0, 0.5, 0.05, 1e-3])
def test_one_tapered_internode_bends_as_it_should_under_a_small_force(thin):
    """The tip's deflection is the integral of s^2 / EI from the tip, to which gauss2 is exact whatever the taper."""
    exact = quad(lambda s: s**2 / (thin + (1.0 - thin) * s) ** 4, 0.0, 1.0, epsabs=0.0, epsrel=1e-12, limit=500)[0]
    model = discretize(tapered_rod(thin), "gauss2")
    lever = 1.0 - model.body_at
    assert (lever**2 / model.bodies.stiffness[:, 0]).sum() == pytest.approx(exact, rel=1e-9)


def tapered_rod(thin):
    rods = beam(1, radius=0.001, young=4.0 / (np.pi * 0.001**4))
    rods.radius_tip = np.array([0.001 * thin])
    return rods


def frequencies(internodes, layout):
    """omega sqrt(rho A L^4 / E I) of the first modes of bending, from the model's masses and springs."""
    radius = 1e-4
    rods = beam(
        internodes, radius=radius, young=4 / (np.pi * radius**4), density=1 / (np.pi * radius**2), frame=ALONG_X
    )
    bodies = discretize(rods, layout).bodies
    joint = np.cumsum(np.where(bodies.parent < 0, bodies.offset[:, 0], bodies.offset[:, 1]))
    com = joint + bodies.com[:, 1]
    about_com = bodies.inertia[:, 0] - bodies.mass * bodies.com[:, 1] ** 2
    # Body b moves with every joint up to its own.
    lever = np.where(joint[None] <= joint[:, None], com[:, None] - joint[None], 0.0)
    turns = np.tril(np.ones_like(lever))
    mass = lever.T @ (bodies.mass[:, None] * lever) + turns.T @ (about_com[:, None] * turns)
    return np.sqrt(eigh(np.diag(bodies.stiffness[:, 0]), mass, eigvals_only=True))


def test_first_three_frequencies_of_the_default_layout():
    error = frequencies(8, DEFAULT_LAYOUT)[:3] / elastica.FREQUENCIES - 1.0
    print("first three frequencies off by (%):", 100 * error)
    assert (np.abs(error) < [5e-5, 1e-4, 3e-4]).all()


@pytest.mark.parametrize(
    ("layout", "percent"),
    [
        ("base", (-51, -34, -20, -11)), ("double_root", (-30, -10, -2.8, -0.7)), ("mid", (39, 6.1, 1.45, 0.36)),
        ("prbm3r_hall", (-1.75, -0.35, -0.06, 0.02)),
    ],
)  # fmt: skip
def test_first_frequency_of_other_layouts(layout, percent):
    for internodes, known in zip((1, 2, 4, 8), percent, strict=True):
        digit = 10.0 ** -len(str(known).partition(".")[2])
        found = 100 * (frequencies(internodes, layout)[0] / elastica.FREQUENCIES[0] - 1.0)
        assert found == pytest.approx(known, abs=0.75 * digit)


@pytest.mark.parametrize("internodes", [1, 2])
@pytest.mark.parametrize("layout", ["double_root", "mid", "gauss2", "prbm3r"])
@pytest.mark.parametrize("target", [1e-2, 1e-3])
def test_segments_chosen_for_a_tip_error_meet_it(target, layout, internodes):
    for case in elastica.CASES:
        assert tip_error(case, internodes, layout, tip_error=target) < target


def test_segments_are_as_good_as_internodes():
    for layout in LAYOUTS:
        cut = settled_tip(0.0, 5.0, 2, layout, segments=[3, 3])
        assert cut == pytest.approx(settled_tip(0.0, 5.0, 6, layout), abs=1e-7)
