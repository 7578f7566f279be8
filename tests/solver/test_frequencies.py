# SPDX-License-Identifier: GPL-3.0-or-later
"""Natural frequencies of a beam, measured from its motion and not from the eigenproblem."""

import pytest

from tests.oracles.runs.swinging_beam import EXPECTED, MOST_OFF, beam_at_one_hertz, measured


@pytest.mark.parametrize(("mode", "step"), [(0, 1 / 240), (0, 1 / 4800), (1, 1 / 4800), (2, 1 / 4800)])
def test_frequency_of_the_motion(mode, step):
    off = measured(beam_at_one_hertz(), mode, step) / EXPECTED[mode] - 1.0
    print(f"mode {mode + 1} at 1/{round(1 / step)} s: {100 * off:+.4f} %")
    assert abs(off) < MOST_OFF[mode]
