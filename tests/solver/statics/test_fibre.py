# SPDX-License-Identifier: GPL-3.0-or-later
"""Drag of a flexible fibre in steady wind: where it bends it grows as U^(4/3) (Alben, Shelley and Zhang 2002)."""

import numpy as np
import pytest

from tests.oracles.runs.in_air.fibre_in_wind import drags, exact_drag, exact_drags

#: Drag over k^(2/3) (E I)^(1/3) of a half that is long.
LONG = 0.8906273


def test_the_exact_fibre():
    """A short one has the drag of a straight one, a long one that of no length, which goes with U^(4/3)."""
    assert exact_drag(0.1) == pytest.approx(0.1, rel=1e-5)
    assert exact_drag(100.0) == pytest.approx(LONG, rel=1e-6)
    ends = np.log(exact_drag(8.0) / exact_drag(200.0)) / np.log(8.0 / 200.0)
    assert 4.0 / 3.0 + 2.0 / 3.0 * ends == pytest.approx(4.0 / 3.0, abs=1e-3)


@pytest.mark.parametrize("disturbance", [0.0, 1e-15])
def test_drag_goes_with_the_power_four_thirds_of_the_speed(disturbance):
    speed, drag = drags(20, 1e-3, "prbm3r", disturbance)
    assert speed[-1] / speed[0] == pytest.approx(100.0)
    local = np.diff(np.log(drag)) / np.diff(np.log(speed))
    whole = np.polyfit(np.log(speed), np.log(drag), 1)[0]
    print(f"exponent {whole:.4f}, between neighbours {local.min():.4f} to {local.max():.4f}")
    assert whole == pytest.approx(4.0 / 3.0, abs=0.05)
    assert local == pytest.approx(4.0 / 3.0, abs=0.05)


@pytest.mark.parametrize(("rods", "first", "layout", "within"), [
    (20, 1e-3, "gauss2", 0.06), (40, 5e-4, "gauss2", 0.03), (20, 1e-3, "prbm3r", 0.001),
])  # fmt: skip
def test_drag_beside_the_exact_fibre(rods, first, layout, within):
    _, drag = drags(rods, first, layout)
    off = drag / exact_drags() - 1.0
    print(f"{layout}, {rods} rods a half: off by", np.round(100.0 * off, 3), "%")
    assert np.abs(off).max() < within
