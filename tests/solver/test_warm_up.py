# SPDX-License-Identifier: GPL-3.0-or-later
"""After warm_up nothing is left to compile, whatever the plant."""

import pytest

import solver
from solver import LAYOUTS, Sample, Simulation, discretize
from solver.forward_dynamics import place
from solver.integrate import advance_frame
from solver.statics import keep_shape, settle
from tests.solver.models import beam, binary_tree
from tests.solver.test_invariants import swing


@pytest.mark.skipif(not solver.NUMBA_AVAILABLE, reason="compiles nothing")
def test_one_compiled_version_serves_all_plants():
    shares = []
    solver.warm_up(shares.append)
    assert shares == [0.25, 0.5, 0.75, 1.0]
    assert solver.kernels_are_cached()
    for rods in (beam(1), beam(3, pinned=[0, 1, 0]), binary_tree(2, 3)):
        for layout in LAYOUTS:
            plant = Simulation(discretize(rods, layout))
            plant.start(Sample())
            swing(plant, 2)
            plant.restore(plant.snapshot())
            plant.start(Sample(), "settled")
            plant.start(Sample(), "keep_shape")
            swing(plant, 2)
    for kernel in (place, advance_frame, settle, keep_shape):
        assert len(kernel.signatures) == 1
