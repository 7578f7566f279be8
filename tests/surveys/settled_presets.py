# SPDX-License-Identifier: GPL-3.0-or-later
"""From a skeleton to the solver and down to rest, without Blender.

    python -m tests.surveys.settled_presets          all presets at all ends of all their sliders, seeds 0 to 9
    python -m tests.surveys.settled_presets 3        seeds 0 to 2 only

PLANT_DYNAMICS_KERNELS chooses what compiles; the hash at the end is of all poses, the same for all.
"""

import hashlib
import sys
from dataclasses import dataclass

import numpy as np

from lsystem import Skeleton, grow, presets
from solver import Equilibrium, Rods, Sample, Simulation, discretize, running
from tests.lsystem.slider_ends import at_slider_ends

#: What stems are made of where a text says nothing, as in the panel of a plant.
STEM = {"young": 1e9, "poisson": 0.3, "density": 900.0, "damping": 0.02}

#: What Blender's Grow refuses to exceed.
MOST_BONES = 3000


@dataclass(frozen=True)
class Settled:
    """Where a plant is under its own weight."""

    found: Equilibrium
    height: float
    """Of its highest tip above the ground, m."""
    lowest: float
    drawn_height: float
    pose: bytes
    """Of all tips, in bits."""


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


def is_whole(skeleton: Skeleton) -> bool:
    """Whether it is a plant, with no more bones than Blender's Grow takes, and above the ground."""
    is_plant = 2 < len(skeleton) < MOST_BONES and (skeleton.length >= 0.001).all()
    return bool(is_plant and skeleton.tail()[:, 2].min() > -0.05)


def settle(skeleton: Skeleton) -> Settled:
    """Let it sink to rest as Blender's plants do at their first frame."""
    simulation = Simulation(discretize(rods_of(skeleton)))
    found = simulation.start(Sample(), "settled")
    assert found is not None
    tails = simulation.rod_tails()
    height = tails[:, 2]
    drawn = float(skeleton.tail()[:, 2].max())
    return Settled(found, float(height.max()), float(height.min()), drawn, tails.tobytes())


def main() -> None:
    """Settle all, print those that do not."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    count, worst, poses, problems = 0, 0.0, hashlib.sha256(), 0
    for preset in presets():
        for constants in ({}, *at_slider_ends(preset)):
            for seed in range(seeds):
                skeleton = grow(preset.text, seed=seed, constants=constants)
                plant = settle(skeleton)
                count, worst = count + 1, max(worst, plant.found.residual)
                poses.update(plant.pose)
                stands = plant.found.balanced and plant.found.stable and not plant.found.fell
                if not (stands and is_whole(skeleton)):
                    problems += 1
                    print(f"{preset.name} {constants} seed {seed}: {plant.found}", flush=True)
    print(f"{count} plants by {running().how}, residual at most {worst:.1e}, {problems} problems")
    print(poses.hexdigest())
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
