# SPDX-License-Identifier: GPL-3.0-or-later
"""Undamped motion, and how much energy the scheme takes from it or gives it."""

from collections.abc import Callable

import numpy as np

from solver import Model, Sample, Settings, Simulation, discretize, natural_modes
from tests.oracles.energies import energy_of
from tests.oracles.models import binary_tree
from tests.oracles.motions import kick, standing_radius
from tests.oracles.runs.kicked_tree import put

WEIGHTLESS = Sample(gravity=(0.0, 0.0, 0.0))
STEP = 1 / 960


def standing_tree(layout="gauss2") -> Model:
    """45 rods, half a metre high, E I / (W H^2) = 1/4, without damping; its first mode is at 0.9 Hz without weight."""
    return discretize(binary_tree(3, 4, radius=standing_radius(3, 4, 1e8), young=1e8), layout)


def bent(share: float) -> Callable[[Simulation], None]:
    """Bent in its first mode, the joint that bends most by this angle in rad."""

    def release(plant: Simulation) -> None:
        shape = natural_modes(plant.model, WEIGHTLESS).shape[0]
        plant.start(WEIGHTLESS, "drawn", initial=share * shape / np.abs(shape).max())

    return release


def evenly_bent(angle: float) -> Callable[[Simulation], None]:
    """Every rod bent by the same angle (rad), as no slow mode is."""

    def release(plant: Simulation) -> None:
        turns = np.zeros((plant.model.rod_count, 3))
        turns[:, 0] = angle
        plant.start(WEIGHTLESS, "drawn", initial=plant.model.share_out(turns))

    return release


def kicked(speed: float) -> Callable[[Simulation], None]:
    """Every rod's joint given about this rate (rad/s), each about another axis."""

    def release(plant: Simulation) -> None:
        per_rod = np.bincount(plant.model.body_rod)[plant.model.body_rod]
        put(plant, WEIGHTLESS, kick(plant.model, speed) / per_rod[:, None])

    return release


def dropped(plant: Simulation) -> None:
    plant.start(Sample(), "drawn")


#: What is released of the standing tree: with its own weight or without.
RELEASES = {
    "bent in its first mode by at most 0.02 rad a joint": (bent(0.02), WEIGHTLESS),
    "bent in its first mode by at most 0.1 rad a joint": (bent(0.1), WEIGHTLESS),
    "let go as drawn under its weight": (dropped, Sample()),
    "kicked with 0.1 rad/s in every joint": (kicked(0.1), WEIGHTLESS),
    "kicked with 1 rad/s in every joint": (kicked(1.0), WEIGHTLESS),
}


def drift(release: Callable[[Simulation], None], sample: Sample, model: Model | None = None, seconds=10.0):
    """(loss, gain) over the largest energy in motion or in springs, in the whole time, and the tip's swing (m)."""
    plant = Simulation(model or standing_tree(), Settings(max_step=STEP))
    release(plant)
    energies, tips = [energy_of(plant, sample.gravity)], [plant.rod_tails()[-1]]
    for _ in range(round(seconds * 24)):
        plant.advance(sample, 1 / 24)
        energies.append(energy_of(plant, sample.gravity))
        tips.append(plant.rod_tails()[-1])
    total = np.array([energy.total for energy in energies])
    exchanged = max(max(energy.motion, energy.springs) for energy in energies)
    return (total[0] - total.min()) / exchanged, (total.max() - total[0]) / exchanged, np.ptp(tips, axis=0).max()
