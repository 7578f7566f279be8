# SPDX-License-Identifier: GPL-3.0-or-later
"""What is held by guides and touches as well, in one solve."""

import numpy as np
import pytest

from solver import Collider, Guide, Rods, Sample, Simulation, discretize
from solver.math.rotations import from_matrices

G, FRAME, UP = 9.81, 1.0 / 24.0, np.array((0.0, 0.0, 1.0))
GROUND = Collider("plane", position=(0.0, 0.0, -0.3), friction=0.5)
THINGS = {
    "ground": [GROUND],
    "ball": [GROUND, Collider("ball", (0.1,), position=(0.03, 0.0, -0.15), friction=0.5)],
    "box": [GROUND, Collider("box", (0.1, 0.02, 0.02), position=(0.16, 0.0, -0.15), friction=0.5)],
}


def chain(heads: np.ndarray, ways: np.ndarray, radius: float):
    """Of rods along these ways (n, 3) m."""
    length = np.linalg.norm(ways, axis=1)
    y = ways / length[:, None]
    frame = from_matrices(np.stack([np.cross(y, UP), y, np.broadcast_to(UP, y.shape)], axis=2))
    return discretize(
        Rods(
            parent=np.arange(len(heads)) - 1, head=heads, frame=frame, length=length, radius_base=radius,
            radius_tip=radius, young=1e6, density=900.0, friction=0.5, damping_time=0.05,
        ), "base", segments=1,
    )  # fmt: skip


def loop(n: int, radius: float):
    """A polygon whose last rod ends where the first one begins."""
    angles = 2.0 * np.pi * np.arange(n + 1) / n
    corners = 0.16 * np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    return chain(corners[:-1], np.diff(corners, axis=0), radius)


@pytest.mark.parametrize("name", THINGS)
def test_a_loop_that_falls_stays_closed_and_lies_with_its_weight(name):
    plant = Simulation(loop(20, 0.006))
    tied = Guide(19, by="rod", other_rod=0, other_along=0.0)
    sample = Sample(colliders=THINGS[name], guides=[tied], cut=[1.0] + [0.0] * 19, touches_itself=True)
    plant.start(sample)
    energies = [sum(plant.energy())]
    for _ in range(144):
        assert plant.advance(sample, FRAME).status < 2
        energies.append(sum(plant.energy()))
    touched = plant.contacts()
    borne = touched.force[touched.collider >= 0, 2].sum()
    assert np.abs(plant.rod_tails()[-1] - plant.rod_heads()[0]).max() < 1e-7
    assert borne == pytest.approx(G * plant.model.bodies.mass.sum(), rel=1e-5)
    assert np.diff(energies).max() < 1e-3 * (energies[0] - energies[-1])


def test_a_rope_hangs_from_a_nail_and_lies_on_the_ground():
    """The nail bears what of it is off the ground, but for what the slope at its foot hands on."""
    n = 20
    along_x = np.array((0.05, 0.0, 0.0))
    plant = Simulation(chain(np.arange(n)[:, None] * along_x, np.tile(along_x, (n, 1)), 0.003))
    nail = (0.8, 0.0, 0.3)
    sample = Sample(
        (0.0, 0.0, 0.02), colliders=[Collider("plane", friction=0.5)], guides=[Guide(n - 1, position=nail)],
        cut=[1.0] + [0.0] * (n - 1),
    )  # fmt: skip
    plant.start(sample)
    for _ in range(240):
        plant.advance(sample, FRAME)
    touched, weights = plant.contacts(), G * plant.model.bodies.mass
    lowest = np.minimum(plant.rod_heads()[:, 2], plant.rod_tails()[:, 2])
    off_ground = weights[lowest > 0.003 * 1.01].sum()
    assert np.abs(plant.rod_tails()[-1] - nail).max() < 1e-6
    assert weights.sum() - touched.force[:, 2].sum() == pytest.approx(off_ground, abs=1.5 * weights[0])
    assert plant.energy().kinetic < 1e-9
