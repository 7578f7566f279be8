# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a user types: no pose that is not finite, no exception but SolverError.

The full form of 10 000 plants: python -m tests.surveys.random_plants 10000
"""

import pytest

from tests.forms import IS_FULL
from tests.surveys.random_plants import run_case

CASES, CHUNK = 30 if IS_FULL else 15, 15


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, CASES, CHUNK))
def test_random_plants_with_random_settings_in_random_worlds(first):
    outcomes = {case: run_case(case) for case in range(first, first + CHUNK)}
    problems = {case: outcome.problem for case, outcome in outcomes.items() if outcome.problem}
    assert not problems
    assert any("ok" in outcome.notes for outcome in outcomes.values())


def test_a_case_is_made_from_its_number_alone():
    outcomes = [run_case(case) for case in (3, 7, 3)]
    assert outcomes[0] == outcomes[2]
    assert outcomes[0] != outcomes[1]
