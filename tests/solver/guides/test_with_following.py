# SPDX-License-Identifier: GPL-3.0-or-later
"""What is held hard stays held, however fast the rest comes back to the pose that it follows."""

import numpy as np
import pytest

from solver import Guide, Sample, Simulation, discretize
from solver.math.rotations import exponential
from tests.oracles.models import ALONG_Z, beam

RODS, LENGTH, H = 6, 0.6, 1.0 / 24.0
NAIL = (0.1, 0.15, 0.35)


def pose(time: float) -> np.ndarray:
    turn = np.zeros((RODS, 3))
    turn[1:, 0], turn[1:, 2] = 0.3 * np.sin(6.0 * time), 0.2 * np.sin(4.0 * time)
    return exponential(turn)


@pytest.mark.parametrize("by", ["place", "rod"])
@pytest.mark.parametrize("recovery", [2.0, 10.0, 50.0, 1e3])
def test_the_guide_holds(by, recovery):
    """To 1e-5 of its length, once it is drawn in."""
    rods = beam(RODS, LENGTH, 0.004, 3e8, 700.0, frame=ALONG_Z)
    plant = Simulation(discretize(rods, "base", segments=1))
    guides = [Guide(5, position=NAIL)] if by == "place" else [Guide(5, by="rod", other_rod=1)]

    def world(time: float) -> Sample:
        return Sample(pose=pose(time), follow=np.ones(RODS), recovery=np.full(RODS, recovery), guides=guides)

    plant.start(world(0.0))
    off = []
    for frame in range(1, 97):
        plant.advance(world(frame * H), H)
        tails = plant.rod_tails()
        there = np.array(NAIL) if by == "place" else tails[1]
        off.append(np.linalg.norm(tails[5] - there))
    print(f"{by}, {recovery:g} Hz: off by {max(off[48:]):.2g} m")
    assert np.isfinite(off).all()
    assert max(off[48:]) < 1e-5 * LENGTH
