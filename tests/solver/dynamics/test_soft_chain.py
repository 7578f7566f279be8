# SPDX-License-Identifier: GPL-3.0-or-later
"""A soft cantilever let go from the horizontal whips like a rope, on which explicit velocity products fail."""

import numpy as np
import pytest

from solver import OK, Sample, Settings, Simulation, discretize
from tests.oracles.models import beam

#: Pa; 1 m long, 1 cm in radius, 923 kg/m3. The softest falls into a hanging rope.
YOUNGS = (1e5, 3e5, 1e6)
#: Of the length.
CLOSE = 0.01
REFERENCE = Settings(max_step=1 / 4800)


def swing(internodes: int, young: float, settings: Settings | None = None, fps=24, seconds=1.0):
    """(frames, rods, 3) the rods' tips, and the worst status."""
    plant = Simulation(discretize(beam(internodes, young=young)), settings)
    plant.start(Sample())
    tips, worst = [], OK
    for _ in range(round(seconds * fps)):
        worst = max(worst, plant.advance(Sample(), 1 / fps).status)
        tips.append(plant.rod_tails())
    return np.array(tips), worst


def farthest_off(internodes: int, young: float, fps=24, step: float | None = None) -> float:
    """Largest distance (m, shares of the length) of any rod's tip from the reference in the first second."""
    exact, _ = swing(internodes, young, REFERENCE if step is None else Settings(max_step=step), fps)
    found, worst = swing(internodes, young, None, fps)
    assert worst == OK
    return float(np.linalg.norm(found - exact, axis=2).max())


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
