# SPDX-License-Identifier: GPL-3.0-or-later
"""Searches for equilibrium for which nobody waits any more."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from solver import Interrupted, Sample, Simulation, discretize, may_be_interrupted
from solver.statics import equilibrium
from tests.oracles.models import beam


def settled() -> int:
    """How many iterations a beam takes to settle."""
    return Simulation(discretize(beam(5))).start(Sample(), "settled").iterations


def test_a_search_ends_where_nobody_waits(monkeypatch):
    """On the thread that is told so alone; the kernel itself looks at it in each iteration."""
    is_set = np.ones(1, dtype=np.int64)

    def alone():
        may_be_interrupted(is_set)
        with pytest.raises(Interrupted):
            settled()
        with monkeypatch.context() as patch:
            patch.setattr(equilibrium, "unless_interrupted", lambda: None)
            none = settled()
        is_set[0] = 0
        return none, settled()

    with ThreadPoolExecutor(1) as pool:
        none, some = pool.submit(alone).result(60.0)
    assert (none, some) == (0, settled())
    assert some > 0
