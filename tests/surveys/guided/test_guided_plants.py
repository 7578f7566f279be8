# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever holds: no pose that is not finite, and no energy out of nothing where all stands still.

The full form of 10 000 plants: python -m tests.surveys.guided.guided_plants 10000
"""

import pytest

from tests.forms import IS_FULL
from tests.surveys.guided.guided_plants import run_case

CASES, CHUNK = 20 if IS_FULL else 10, 10


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_plants_in_random_guides(first):
    outcomes = {case: run_case(case) for case in range(first, first + CHUNK)}
    assert not {case: outcome.problem for case, outcome in outcomes.items() if outcome.problem}
    assert any("ok" in outcome.notes for outcome in outcomes.values())


@pytest.mark.parametrize("case", [15078, 15387, 20034])
def test_errors_of_the_first_steps_of_what_is_held_add_no_energy(case):
    """Which they did in these: to four times what there was."""
    outcome = run_case(case)
    assert not outcome.problem
    assert "ok" in outcome.notes
