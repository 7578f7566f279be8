# SPDX-License-Identifier: GPL-3.0-or-later
"""What the recursions cost, by numbers that count as they run (Guenter & Lee, section 6, figs. 6 and 7, table 1)."""

import numpy as np
import pytest

from tests.oracles.jointed.costs import FORWARD, INVERSE, MASS_AND_BIAS, MATRIX, operations, revolute_arm, ring_chain

KINDS = {"revolute chain": revolute_arm, "torus chain": ring_chain}


def differences(kind, what, order):
    """Of the counts of 4, 5, 6 ... bodies: zero where they are a polynomial of less than this order in the number. The
    first bodies cost less, for the ground does not turn."""
    counts = [operations(KINDS[kind](n), what).arithmetic for n in range(4, 7 + order)]
    assert min(np.diff(counts)) > 0
    return np.diff(counts, order)


@pytest.mark.parametrize("kind", KINDS)
def test_inverse_dynamics_is_linear(kind):
    assert not differences(kind, INVERSE, 2).any()


@pytest.mark.parametrize("kind", KINDS)
def test_articulated_bodies_are_linear(kind):
    assert not differences(kind, FORWARD, 2).any()


@pytest.mark.parametrize("kind", KINDS)
def test_their_equations_of_motion_are_quadratic_and_their_solution_cubic(kind):
    assert not differences(kind, MASS_AND_BIAS, 3).any()
    assert differences(kind, MASS_AND_BIAS, 2).all()
    assert not differences(kind, MATRIX, 4).any()
    assert differences(kind, MATRIX, 3).all()
