# SPDX-License-Identifier: GPL-3.0-or-later
"""The first shots at thin stems; CONTRIBUTING has the command for more."""

import pytest

from tests.surveys.shots import depths_of


@pytest.mark.parametrize("case", range(0, 40, 2))
def test_no_shot_goes_through_a_thin_stem(case):
    depth, pushed = depths_of(case)
    assert depth < 0.1
    assert pushed
