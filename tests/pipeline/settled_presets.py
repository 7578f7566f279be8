# SPDX-License-Identifier: GPL-3.0-or-later
"""From a skeleton to the solver and down to rest, without Blender."""

from dataclasses import dataclass

import numpy as np

from lsystem import Skeleton
from solver import Equilibrium, Rods, Sample, Simulation, discretize

#: What stems are made of where a text says nothing, as in the panel of a plant.
STEM = {"young": 1e9, "poisson": 0.3, "density": 900.0, "damping": 0.02}


@dataclass(frozen=True)
class Settled:
    """Where a plant is under its own weight."""

    found: Equilibrium
    height: float
    """Of its highest tip above the ground, m."""
    lowest: float
    drawn_height: float


def rods_of(skeleton: Skeleton) -> Rods:
    """The skeleton as the solver takes it."""
    given = {
        name: np.where(np.isfinite(getattr(skeleton, name)), getattr(skeleton, name), value)
        for name, value in STEM.items()
    }
    return Rods(
        parent=skeleton.parent,
        head=skeleton.head,
        frame=skeleton.frame,
        length=skeleton.length,
        radius_base=skeleton.radius_base,
        radius_tip=skeleton.radius_tip,
        young=given["young"],
        poisson=given["poisson"],
        density=given["density"],
        damping_time=given["damping"],
        stiffness_factor=skeleton.joint,
        pinned=skeleton.pinned.astype(np.float64),
    )


def settle(skeleton: Skeleton) -> Settled:
    """Let it sink to rest as Blender's plants do at their first frame."""
    simulation = Simulation(discretize(rods_of(skeleton)))
    found = simulation.start(Sample(), "settled")
    assert found is not None
    height = simulation.rod_tails()[:, 2]
    return Settled(found, float(height.max()), float(height.min()), float(skeleton.tail()[:, 2].max()))
