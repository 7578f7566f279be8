# SPDX-License-Identifier: GPL-3.0-or-later
"""The formula of a step on its own: order, stability, and what the correction says about the error."""

import numpy as np
import pytest

from tests.oracles.models import weights_of

H = 1.0


def polynomial(last_steps) -> np.ndarray:
    """Factors of y_new, y, y_before and y_before_that whose sum is g times the derivative at the new point."""
    past, older, _, _ = weights_of(last_steps, H)
    return np.array([1.0, -1.0 - past, past + older, -older])


@pytest.mark.parametrize("last_steps", [(H, H), (H, 0.5 * H), (0.5 * H, H), (2.0 * H, 2.0 * H), (1e-3 * H, H)])
def test_second_order_after_steps_of_any_length(last_steps):
    """The derivative of a parabola is exact."""
    _, _, g, _ = weights_of(last_steps, H)
    at = np.array([H, 0.0, -last_steps[0], -last_steps[0] - last_steps[1]])
    assert polynomial(last_steps) @ at**2 / g == pytest.approx(2.0 * H, rel=1e-12)
    assert polynomial(last_steps) @ at / g == pytest.approx(1.0, rel=1e-12)


def test_without_a_past_it_is_backward_euler():
    assert weights_of((0.0, 0.0), H) == (0.0, 0.0, H, 0.5)
    assert weights_of((H, H), H, multistep=False) == (0.0, 0.0, H, 0.5)


def largest_root(z: complex) -> float:
    """Growth per step of y' = z y / h with equal steps."""
    _, _, g, _ = weights_of((H, H), H)
    factors = polynomial((H, H)).astype(complex)
    factors[0] -= g * z
    return float(np.abs(np.roots(factors)).max())


def test_nothing_grows_that_does_not_in_truth():
    """A-stability: on the imaginary axis, hence in the whole left half plane."""
    assert max(largest_root(1j * y) for y in np.logspace(-3, 4, 3000)) <= 1.0 + 1e-12


def test_stiff_modes_go_and_slow_ones_stay():
    """Beside BDF2, whose roots follow from its own polynomial."""
    assert largest_root(-1e8) < 1e-2
    assert largest_root(1e8j) < 1e-2
    for y, less in ((0.1, 20.0), (0.2, 15.0), (0.5, 6.0)):
        bdf2 = np.abs(np.roots([1.5 - 1j * y, -2.0, 0.5])).max()
        lost, lost_by_bdf2 = 1.0 - largest_root(1j * y), 1.0 - bdf2
        print(f"omega h = {y}: {lost:.1e} of the amplitude lost in a step, BDF2 {lost_by_bdf2:.1e}")
        assert 0.0 < less * lost < lost_by_bdf2


@pytest.mark.parametrize("last_steps", [(H, H), (H, 0.5 * H)])
def test_the_correction_tells_the_error(last_steps):
    """Of y = t^3: a step from exact values errs by that share of g^2 times the change of the acceleration.

    The correction is to the acceleration, so y is that of u' = a, q' = u: here u = 3 t^2, a = 6 t.
    """
    past, older, g, share = weights_of(last_steps, H)
    t = np.array([0.0, -last_steps[0], -last_steps[0] - last_steps[1]])
    u, q = 3.0 * t**2, t**3
    exact = H**3
    # One step of q' = u with the exact u at its end: the formula's local error, of which u's own is of higher order.
    found = q[0] + past * (q[0] - q[1]) - older * (q[1] - q[2]) + g * 3.0 * H**2
    correction = g**2 * 6.0 * H
    assert found - exact == pytest.approx(share * correction, rel=1e-9 if last_steps[0] == last_steps[1] else 0.2)
    assert u[0] == 0.0
