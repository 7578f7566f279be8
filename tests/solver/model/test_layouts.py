# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the joints of every layout are and how stiff: known constants, tapered rods, series of joints."""

import numpy as np
import pytest
from scipy.integrate import quad

from solver import LAYOUTS, Rods, discretize
from solver.cross_sections.tapered import pair_for_compliance, pair_for_width
from solver.model.layouts import DEFAULT_LAYOUT
from tests.oracles.models import ALONG_Z, beam

R0, R1, LENGTH, YOUNG = 0.01, 0.004, 0.2, 2e9


def two_tapered_rods(**columns):
    return Rods(
        [-1, 0], [[0, 0, 0], [0, 0, LENGTH]], ALONG_Z, LENGTH, [R0, R1], [R1, 0.5 * R1], YOUNG, 900.0, **columns
    )


def compliance(base, tip, start, end):
    return quad(lambda y: 4 / (np.pi * YOUNG * (base + (tip - base) * y / LENGTH) ** 4), start, end)[0]


def test_stiffness_of_garcias_layout():
    """His eq. 6.6 and 6.16 with averages over both neighbours."""
    rods = beam(3, length=0.3, radius=np.array([0.01, 0.008, 0.005]), young=1e9, poisson=0.25)
    stiffness = discretize(rods, "base").bodies.stiffness
    bend = 1e9 * np.pi / 8 * (0.01**4 + 0.008**4) / 0.1
    twist = 1e9 / 2.5 * np.pi / 4 * (0.01**4 + 0.008**4) / 0.1
    assert stiffness[1] == pytest.approx([bend, twist, bend], rel=1e-12)
    assert stiffness[0, 0] == pytest.approx(1e9 * np.pi / 4 * 0.01**4 / 0.1, rel=1e-12)


def test_compliance_of_tapered_rods():
    """double_root: half of each neighbour; mid: the whole rod. Against quadrature of dy / EI."""
    rods = two_tapered_rods()
    double, mid = discretize(rods, "double_root").bodies.stiffness, discretize(rods, "mid").bodies.stiffness
    assert 1 / double[0, 0] == pytest.approx(compliance(R0, R1, 0, LENGTH / 2), rel=1e-9)
    joined = compliance(R0, R1, LENGTH / 2, LENGTH) + compliance(R1, 0.5 * R1, 0, LENGTH / 2)
    assert 1 / double[1, 0] == pytest.approx(joined, rel=1e-9)
    assert 1 / mid[1, 0] == pytest.approx(compliance(R1, 0.5 * R1, 0, LENGTH), rel=1e-9)
    assert double[:, 1] * 1.3 == pytest.approx(double[:, 0], rel=1e-12)


UNIFORM = {
    "mid": ([0.5], [1.0], [1.0]),
    "gauss2": ([0.5 - 12**-0.5, 0.5 + 12**-0.5], [2.0, 2.0], [2.0, 2.0]),
    "prbm3r": ([0.12525, 0.4755, 0.86375], [3.2461, 2.8366, 2.9464], [3.2461, 2.8366, 2.9464]),
    "prbm3r_hall": ([0.12525, 0.4755, 0.86375], [3.25, 2.84, 2.95], [1 / 0.4004, 1 / 0.44384, 1 / 0.15576]),
}


@pytest.mark.parametrize("layout", UNIFORM)
def test_joints_of_uniform_rods(layout):
    """Places as shares of the length; stiffness over EI/l for bending, over GJ/l for torsion."""
    at, kappa, torsion = UNIFORM[layout]
    k = len(at)
    model = discretize(beam(4, length=1.0, radius=0.01, young=1e9, poisson=0.25), layout)
    unit = 1e9 * np.pi / 4 * 0.01**4 / 0.25
    assert model.body_at == pytest.approx(np.tile(at, 4), rel=1e-8)
    bend, twist, other = (model.bodies.stiffness[:, i].reshape(4, k) for i in range(3))
    assert bend == pytest.approx(np.tile(kappa, (4, 1)) * unit, rel=2e-5)
    assert np.array_equal(bend, other)
    assert twist == pytest.approx(np.tile(torsion, (4, 1)) * unit / 1.25, rel=2e-5)
    assert np.array_equal(model.body_rod, np.repeat(np.arange(4), k))
    assert np.array_equal(model.bodies.parent, np.arange(4 * k) - 1)
    assert np.array_equal(model.first_joint, k * np.arange(4))
    assert (model.joint_count == k).all()
    assert model.stub == pytest.approx(at[0], rel=1e-8)
    assert model.length_share.reshape(4, k).sum(axis=1) == pytest.approx(1 - at[0], rel=1e-8)


@pytest.mark.parametrize("layout", ["mid", "gauss2", "prbm3r"])
@pytest.mark.parametrize("segments", [1, 3])
def test_joints_of_a_tapered_rod_have_all_its_compliance(layout, segments):
    model = discretize(two_tapered_rods(poisson=0.2), layout, segments)
    for rod, (base, tip) in enumerate([(R0, R1), (R1, 0.5 * R1)]):
        own = model.bodies.stiffness[model.body_rod == rod]
        total = compliance(base, tip, 0, LENGTH)
        assert (1 / own[:, 0]).sum() == pytest.approx(total, rel=1e-9)
        assert (1 / own[:, 1]).sum() == pytest.approx(1.2 * total, rel=1e-9)


@pytest.mark.parametrize("base_over_tip", [1.0, 1.0 + 1e-9, 1.3, 2.0, 2.1, 50.0, 1e4, 0.4, 1e-3])
def test_gauss_rules_of_tapered_rods(base_over_tip):
    """Two points with positive weights inside the rod; exact for cubics with 1/r^4 and with r as the weight."""

    def radius(s):
        return base_over_tip + (1.0 - base_over_tip) * s

    for rule, weigh in ((pair_for_compliance, lambda s: radius(s) ** -4), (pair_for_width, radius)):
        at, weight = (column[0] for column in rule(np.array([base_over_tip]), np.array([1.0])))
        assert (weight > 0.0).all()
        assert 0.0 < at[0] < at[1] < 1.0
        moments = []
        for power in range(4):  # about the tip

            def integrand(t, power=power, weigh=weigh):
                return t**power * weigh(1.0 - t)

            steep = [1e-4, 1e-2, 0.99]
            moments.append(quad(integrand, 0.0, 1.0, epsabs=0.0, epsrel=1e-12, limit=2000, points=steep)[0])
        found = [(weight * (1.0 - at) ** power).sum() for power in range(4)]
        assert found == pytest.approx(np.array(moments) / moments[0], rel=1e-8)


def test_uniform_rule_is_gauss_legendre():
    at, weight = pair_for_compliance(np.ones(1), np.ones(1))
    assert at[0] == pytest.approx(0.5 + np.polynomial.legendre.leggauss(2)[0] / 2, rel=1e-14)
    assert weight[0] == pytest.approx([0.5, 0.5], rel=1e-14)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("segments", [1, 2])
def test_a_given_stiffness_is_the_whole_rods(layout, segments):
    """Joints in series: their compliances add up; so do those of Garcia's dampers."""
    given = [3.0, 4.0, 5.0]
    model = discretize(beam(3, stiffness=given, stiffness_factor=2.0, joint_damping=0.1), layout, segments)
    for rod in range(3):
        own = model.body_rod == rod
        assert 1 / (1 / model.bodies.stiffness[own]).sum(axis=0) == pytest.approx(2.0 * np.array(given), rel=1e-12)
        assert 1 / (1 / model.bodies.damping[own]).sum() == pytest.approx(0.1, rel=1e-12)
        assert model.bend_share[own].sum() == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_hollow_rods(layout):
    """A tube has 1 - h^2 of the mass and 1 - h^4 of the stiffness, tapered or not."""
    solid, tube = (discretize(two_tapered_rods(hollow=h), layout) for h in (0.0, 0.8))
    assert tube.bodies.mass == pytest.approx(solid.bodies.mass * (1 - 0.8**2), rel=1e-12)
    assert tube.bodies.stiffness == pytest.approx(solid.bodies.stiffness * (1 - 0.8**4), rel=1e-12)
    assert tube.bodies.com == pytest.approx(solid.bodies.com, rel=1e-12)
    # About its axis a ring has m (outer^2 + inner^2) / 2.
    assert tube.bodies.inertia[:, 3] == pytest.approx(solid.bodies.inertia[:, 3] * (1 - 0.8**4), rel=1e-12)
    assert tube.body_volume == pytest.approx(solid.body_volume, rel=1e-14)
    density = solid.bodies.mass / solid.body_volume
    assert density == pytest.approx(two_tapered_rods().array("density")[0], rel=1e-12)


def test_the_default_layout_has_the_fewest_joints_of_the_accurate_ones():
    assert DEFAULT_LAYOUT == "gauss2"
    assert discretize(beam(2)).body_count == 4
