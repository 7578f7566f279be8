# SPDX-License-Identifier: GPL-3.0-or-later
"""After warm_up nothing is left to compile, whatever the plant."""

import pytest

import solver
from solver import LAYOUTS, Sample, Simulation, discretize
from solver.integrate import advance_plants
from solver.kinematics import place
from solver.statics import hold, sink
from tests.solver.models import beam, binary_tree
from tests.solver.test_invariants import swing


@pytest.mark.skipif(not solver.NUMBA_AVAILABLE, reason="compiles nothing")
def test_one_compiled_version_serves_all_plants():
    shares = []
    solver.warm_up(shares.append)
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]
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
    for kernel in (place, advance_plants, sink, hold):
        assert len(kernel.signatures) == 1
