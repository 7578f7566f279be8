# SPDX-License-Identifier: GPL-3.0-or-later
"""The first heaps of stones; CONTRIBUTING has the command for more."""

import pytest

from tests.surveys.falling.stones import wrongs


@pytest.mark.parametrize("noise", [0.0, 1e-15])
@pytest.mark.parametrize("number", [0, 3, 5, 8])
def test_a_heap_of_stones_gains_nothing_and_keeps_out_of_itself(number, noise):
    assert not wrongs(number, noise)
