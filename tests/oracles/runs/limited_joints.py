# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints that are pushed into their limits and bounce in them."""

import numpy as np

from solver import OK, Rods, Sample, Simulation, discretize
from solver.math.rotations import logarithm
from tests.oracles.energies import energy_of
from tests.oracles.models import ALONG_X, beam

#: Three times the weight, and how far beyond a limit that may push a joint.
HEAVY = Sample(gravity=(0.0, 0.0, -3.0 * 9.81))
MOST_BEYOND = np.radians(2.0)
LIMIT = 0.3


def bends_and_twists(plant: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Of every joint (n,) rad."""
    phi = logarithm(plant.state.q)
    return np.hypot(phi[:, 0], phi[:, 2]), np.abs(phi[:, 1])


def bending_rod(damping=0.0, limit=LIMIT) -> Simulation:
    """A horizontal rod on a hinge with hardly a spring that turns freely by `limit`."""
    return Simulation(discretize(
        beam(1, length=0.3, radius=0.005, stiffness=[[1e-4] * 3], joint_damping=damping, bend_limit=limit), "base"
    ))  # fmt: skip


def twisting_stem(damping=0.0) -> Simulation:
    """A level stem, stiff in bending, with hardly a spring in twist, and welded to it a level arm to the side."""
    return Simulation(discretize(
        Rods(
            parent=[-1, 0], head=[(0.0, 0.0, 0.0), (0.1, 0.0, 0.0)], frame=[ALONG_X, (1.0, 0.0, 0.0, 0.0)],
            length=[0.1, 0.3], radius_base=0.005, radius_tip=0.005, young=1e9, density=900.0, pinned=[0, 1],
            stiffness=[[2.0, 1e-4, 2.0], [np.nan] * 3], joint_damping=damping, twist_limit=LIMIT,
        ), "base",
    ))  # fmt: skip


def beyond_under_three_weights(kind: str) -> float:
    """rad beyond the limit, settled and after falling onto it, the larger."""
    plant = (bending_rod if kind == "bend" else twisting_stem)(damping=2e-3)
    most = 0.0
    for mode in ("settled", "drawn"):
        plant.start(HEAVY, mode)
        for _ in range(240):
            plant.advance(HEAVY, 1 / 24)
        bend, twist = bends_and_twists(plant)
        most = max(most, float((bend if kind == "bend" else twist)[0]) - LIMIT)
    return most


def energy_while_bouncing(plant: Simulation, seconds=10.0) -> np.ndarray:
    """Energies over what the fall sets free, from the start on; the plant is let go as drawn, undamped."""
    plant.start(Sample())
    energies = [energy_of(plant)]
    for _ in range(round(seconds * 24)):
        assert plant.advance(Sample(), 1 / 24).status == OK
        energies.append(energy_of(plant))
    fall = energies[0].weight - min(energy.weight for energy in energies)
    return (np.array([energy.total for energy in energies]) - energies[0].total) / fall
