# SPDX-License-Identifier: GPL-3.0-or-later
"""The first shots at thin stems; CONTRIBUTING has the command for more."""

import pytest

from tests.surveys.shots import depths_of


@pytest.mark.parametrize("case", range(0, 40, 2))
def test_no_shot_goes_through_a_thin_stem(case):
    depth, pushed = depths_of(case)
    assert depth < 0.1
    assert pushed


@pytest.mark.parametrize("case", [14, 18, 22, 26])
@pytest.mark.parametrize(("friction", "bounce"), [(0.0, 1.0), (2.0, 0.5), (0.5, 0.5)])
def test_no_shot_that_bounces_goes_through_a_thin_stem(case, friction, bounce):
    depth, pushed = depths_of(case, friction, bounce)
    assert depth < 0.1
    assert pushed
