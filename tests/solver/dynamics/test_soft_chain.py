# SPDX-License-Identifier: GPL-3.0-or-later
"""A soft cantilever let go from the horizontal whips like a rope, on which explicit velocity products fail."""

import numpy as np
import pytest

from solver import Settings
from tests.oracles.runs.soft_chain import REFERENCE, YOUNGS, farthest_off, swing

#: Of the length.
CLOSE = 0.01


@pytest.mark.parametrize("young", YOUNGS)
@pytest.mark.parametrize("internodes", [10, 25, 200])
def test_at_24_frames_a_second_it_follows_the_reference(internodes, young):
    error = farthest_off(internodes, young)
    print(f"{internodes} internodes, {young:.0e} Pa: at most {100 * error:.2f} % of the length off")
    assert error < CLOSE


def test_the_reference_is_one():
    """Eight times shorter steps move it by less than a tenth of what is asked for."""
    for young in YOUNGS:
        exact, _ = swing(10, young, REFERENCE)
        finer, _ = swing(10, young, Settings(max_step=1 / 38400))
        assert np.linalg.norm(finer - exact, axis=2).max() < 0.1 * CLOSE


@pytest.mark.parametrize("young", [1e5, 1e6])
@pytest.mark.parametrize("fps", [25, 30, 60])
def test_at_other_frame_rates(fps, young):
    assert farthest_off(10, young, fps) < CLOSE


@pytest.mark.parametrize("young", [3e-5, 1.0, 1e3])
def test_next_to_no_stiffness_stays_finite(young):
    tips, _ = swing(10, young)
    assert np.isfinite(tips).all()
    assert np.linalg.norm(tips, axis=2).max() < 1.0 + 1e-9
