# SPDX-License-Identifier: GPL-3.0-or-later
"""Gusts pass through a bed of reeds as waves, and reeds shelter each other."""

import numpy as np
import pytest

from tests.oracles.runs.in_air import reed_bed


@pytest.fixture(scope="module")
def leaning():
    return reed_bed.leaning()


@pytest.mark.parametrize("apart", [6, 12])
def test_waves_go_as_fast_as_the_wind(leaning, apart):
    speed, alike = reed_bed.wave_speed(leaning, apart)
    assert alike > 0.8
    assert speed == pytest.approx(reed_bed.SPEED, rel=0.1)
    assert (leaning - leaning.mean(axis=0)).std() > 0.05


def test_reeds_behind_others_bend_less():
    leans, left = reed_bed.in_rows()
    assert leans == pytest.approx(left, rel=0.03)
    assert leans[0] == pytest.approx(1.0, abs=0.01)
    assert (np.diff(leans) < 0.0).all()
    assert leans[-1] < 0.75 * leans[0]
