# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of whole rods as limits of their joints, and how hard these are."""

import numpy as np
import pytest

from solver import LAYOUTS, discretize
from tests.oracles.models import beam, binary_tree, random_rods

GRAVITY = 9.81


@pytest.mark.parametrize("layout", LAYOUTS)
def test_limits_are_shared_out_over_a_rods_joints(layout):
    rods = random_rods(np.random.default_rng(1), 6, bend_limit=0.5, twist_limit=[0.1, 0.2, 0.3, np.inf, 0.5, 0.0])
    model = discretize(rods, layout, segments=2)
    for rod in range(6):
        own = model.body_rod == rod
        bodies = model.bodies
        assert bodies.bend_limit[own].sum() == pytest.approx(0.5, rel=1e-12)
        assert bodies.twist_limit[own].sum() == pytest.approx(rods.array("twist_limit")[rod], rel=1e-12)
        softness = 1.0 / bodies.stiffness[own, 0]
        assert bodies.bend_limit[own] == pytest.approx(0.5 * softness / softness.sum(), rel=1e-12)


def test_without_limits_they_are_infinite():
    bodies = discretize(beam(3)).bodies
    assert np.isinf(bodies.bend_limit).all()
    assert np.isinf(bodies.twist_limit).all()
    assert np.isfinite(bodies.limit_stiffness).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("young", [1e3, 1e9])
def test_the_weight_above_pushes_a_joint_at_most_two_degrees_beyond_its_limit(layout, young):
    model = discretize(binary_tree(3, 3, young=young), layout)
    bodies = model.bodies
    n = model.body_count
    for i in range(n):
        moment = 0.0
        for k in range(i, n):  # every body above, in a straight line with what lies between
            lever, j = np.linalg.norm(bodies.com[k]), k
            while j > i:
                lever, j = lever + np.linalg.norm(bodies.offset[j]), bodies.parent[j]
            if j == i:
                moment += GRAVITY * bodies.mass[k] * lever
        assert moment / bodies.limit_stiffness[i] < np.radians(0.6)
        assert bodies.limit_stiffness[i] == pytest.approx(100 * max(moment, bodies.stiffness[i, 0]), rel=1e-12)
