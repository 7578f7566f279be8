# SPDX-License-Identifier: GPL-3.0-or-later
"""Order of convergence of a large motion with everything in it: moving and turning base, drag, weight, damping."""

import numpy as np
import pytest

from tests.oracles.runs.pushed_tree import errors


def test_order():
    off = errors()
    order = np.log2(off[:-1] / off[1:])
    print("errors (m):", off, "orders:", order)
    assert order == pytest.approx(2.0, abs=0.1)
