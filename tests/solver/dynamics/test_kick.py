# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree after a violent kick: the default scheme beside backward Euler with the same steps."""

import pytest

from tests.oracles.runs.kicked_tree import tip_errors


@pytest.mark.parametrize("layout", ["double_root", "gauss2"])
def test_the_default_scheme_is_at_most_a_quarter_as_far_off_as_backward_euler(layout):
    errors = tip_errors(1 / 240, layout)
    print(f"{layout}: tip off by", {scheme: f"{100 * error:.2f} %" for scheme, error in errors.items()})
    assert errors["backward_euler"] > 0.05  # violent enough to tell them apart
    assert errors["bdf2"] < 0.25 * errors["backward_euler"]


def test_reference_of_the_other_scheme():
    """Backward Euler comes to the same path as its steps shrink, at first order."""
    scheme = "backward_euler"
    coarse, fine = (tip_errors(step, "double_root", (scheme,))[scheme] for step in (1 / 960, 1 / 3840))
    assert 3.0 < coarse / fine < 5.0
