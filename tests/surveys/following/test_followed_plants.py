# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever gains: no pose that is not finite, and no energy out of nothing at rest.

The full form of 10 000 plants: python -m tests.surveys.following.followed_plants 10000
"""

import pytest

from tests.forms import IS_FULL
from tests.surveys.following.followed_plants import run_case

CASES, CHUNK = 40 if IS_FULL else 20, 10


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_plants_that_follow_random_poses_with_random_gains(first):
    outcomes = {case: run_case(case) for case in range(first, first + CHUNK)}
    assert not {case: outcome.problem for case, outcome in outcomes.items() if outcome.problem}
    assert any("ok" in outcome.notes for outcome in outcomes.values())


@pytest.mark.parametrize("case", [177, 1446])
def test_a_first_frame_far_too_hard_gains_no_energy(case):
    """Its steps are thousands of times too long; it began at rest, far from the pose."""
    outcome = run_case(case)
    assert outcome.notes[0] == "limited"
    assert not outcome.problem
