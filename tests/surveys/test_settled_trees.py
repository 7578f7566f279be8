# SPDX-License-Identifier: GPL-3.0-or-later
"""Random small trees settle on planes, boxes, balls and meshes, and stay there.

Any number of them: python -m tests.surveys.settled_trees 1000
"""

import pytest

from tests.surveys.settled_trees import run_case

CASES = 100

#: What does not yet: on meshes four searches go round among triangles and say that they have not settled. Each fails
#: the suite as soon as it does settle, so that it is taken off this list.
SHORT = {11, 35, 87, 99}


@pytest.mark.parametrize(
    "case", [pytest.param(k, marks=pytest.mark.xfail(strict=True)) if k in SHORT else k for k in range(CASES)]
)
def test_a_random_tree_settles_and_stays(case):
    assert run_case(case) == ""
