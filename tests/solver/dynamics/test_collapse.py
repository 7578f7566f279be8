# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees too weak to stand, let go as drawn: velocity products decide whether they fall or explode."""


import numpy as np
import pytest

from solver import OK
from tests.forms import IS_FULL
from tests.oracles.runs.collapsing_tree import (
    DAMPING_TIMES,
    LARGE,
    SMALL,
    STILL_AIR,
    disturbed_fall,
    fall,
    off_reference,
    reference_energies,
    rest_time,
    weak_tree,
)


@pytest.mark.parametrize("layout", ["double_root", "gauss2"])
@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
def test_energy_is_never_above_its_start(damping_time, layout):
    found = fall(weak_tree(SMALL, damping_time, layout), 3.0)
    assert found.energies[0].total == pytest.approx(0.280, abs=5e-4)
    assert np.isfinite(found.tips).all()
    assert found.gained < 0.01
    assert found.status == OK


@pytest.mark.slow
@pytest.mark.parametrize("damping_time", [pytest.param(0.0, marks=pytest.mark.full), *DAMPING_TIMES[1:]])
def test_the_large_sisters_energy_is_never_above_its_start(damping_time):
    """Undamped, its thin twigs whip faster than the shortest steps follow, which the status says."""
    found = fall(weak_tree(LARGE, damping_time), 1.125)
    assert np.isfinite(found.tips).all()
    assert found.gained < 0.01
    assert found.status == OK or damping_time == 0.0


@pytest.mark.parametrize("seed", range(3 if IS_FULL else 1))
def test_energy_of_disturbed_starts(seed):
    """Undamped the fall is chaotic, so one run proves little."""
    assert disturbed_fall(seed) < 0.01


@pytest.mark.parametrize("fps", [25, 30, 60])
def test_other_frame_rates(fps):
    found = fall(weak_tree(SMALL, 0.0), 1.5, fps=fps)
    assert found.gained < 0.01
    assert found.status == OK


@pytest.mark.parametrize("damping_time", DAMPING_TIMES)
def test_it_falls_as_with_very_short_steps(damping_time):
    tip, farthest = off_reference(weak_tree(SMALL, damping_time))
    print(f"beta {damping_time}: tip {100 * tip:.3f} %, farthest {100 * farthest:.3f} % of the height off")
    assert farthest < 0.01


def test_energies_of_the_backward_euler_reference():
    """0.20 to 0.21 J after 1.25 s, from another implementation, which has 0.10 J after 3 s.

    Ours comes to 0.115 J then, with steps from 1/1200 to 1/19200 s, by backward Euler and by default, in all layouts.
    """
    early, late = reference_energies()
    assert 0.20 < early < 0.21
    found = fall(weak_tree(SMALL, 0.02), 3.0)
    assert found.energies[30].total == pytest.approx(early, rel=0.01)
    assert found.energies[72].total == pytest.approx(late, rel=0.01)


def test_it_comes_to_rest_in_still_air():
    found = fall(weak_tree(SMALL, 0.02), 30.0, sample=STILL_AIR)
    seconds = rest_time(found)
    print(f"at rest after {seconds:.1f} s")
    assert seconds < 25.0
    assert found.gained < 0.01
