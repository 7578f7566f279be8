# SPDX-License-Identifier: GPL-3.0-or-later
"""Undamped plants that whip gain no energy, whatever their base does afterwards.

The full form of 1000 plants: python -m tests.surveys.whipping.whipping_plants 1000, and the same with --sections any
"""

import pytest

from tests.surveys.whipping.whipping_plants import HOW, run

CASES = 1


@pytest.mark.slow
@pytest.mark.parametrize(("how", "shapes"), [*((how, "round") for how in HOW), ("still", "any"), ("turning", "any")])
def test_random_plants_gain_no_energy(how, shapes):
    gains = {case: run(case, how, shapes=shapes).gain for case in range(CASES)}
    assert not {case: gain for case, gain in gains.items() if not gain < 0.01}
