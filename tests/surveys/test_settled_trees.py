# SPDX-License-Identifier: GPL-3.0-or-later
"""Random small trees settle on planes, boxes, balls and meshes, and stay there.

Any number of them: python -m tests.surveys.settled_trees 1000
"""

import pytest

from tests.surveys.settled_trees import run_case

CASES = 100


@pytest.mark.parametrize("case", range(CASES))
def test_a_random_tree_settles_and_stays(case):
    assert run_case(case) == ""
