# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees too weak to stand, let go as drawn."""

from typing import NamedTuple

import numpy as np

from solver import OK, Model, Sample, Settings, Simulation, discretize
from tests.oracles.energies import Energy, energy_of
from tests.oracles.models import binary_tree

#: Internodes per branch and orders: base radius 4 mm, 100 MPa, 900 kg/m3.
SMALL, LARGE = (5, 5), (12, 7)
DAMPING_TIMES = (0.0, 0.002, 0.02)
REFERENCE = Settings(max_step=1 / 4800)
STILL_AIR = Sample(wind=(0.0, 0.0, 0.0))
#: At rest: less than this share of the energy at the start is in motion, from then on.
REST = 1e-3


def weak_tree(size: tuple[int, int], damping_time: float, layout="double_root") -> Model:
    """double_root has as many bodies as rods, 155 and 1524; the default layout twice as many."""
    return discretize(binary_tree(*size, damping_time=damping_time), layout)


class Fall(NamedTuple):
    """From the start on, frame by frame: energies, the rods' tips (frames, m, 3); the worst status."""

    energies: list[Energy]
    tips: np.ndarray
    status: int

    @property
    def gained(self) -> float:
        """Largest energy over that at the start, minus one."""
        return max(energy.total for energy in self.energies) / self.energies[0].total - 1.0

    @property
    def height(self) -> float:
        return float(self.tips[0, :, 2].max())


def fall(model: Model, seconds: float, settings: Settings | None = None, sample=None, fps=24) -> Fall:
    sample = sample or Sample()
    plant = Simulation(model, settings)
    plant.start(sample)
    energies, tips, worst = [energy_of(plant)], [plant.rod_tails()], OK
    for _ in range(round(seconds * fps)):
        worst = max(worst, plant.advance(sample, 1 / fps).status)
        energies.append(energy_of(plant))
        tips.append(plant.rod_tails())
    return Fall(energies, np.array(tips), worst)


def disturbed_fall(seed: int, seconds=3.0) -> float:
    """Energy gained by the undamped small tree when every joint starts off by about 1e-9 rad."""
    model = weak_tree(SMALL, 0.0)
    plant = Simulation(model)
    plant.start(Sample(), initial=np.random.default_rng(seed).normal(size=(model.body_count, 3)) * 1e-9)
    start, most = energy_of(plant).total, 0.0
    for _ in range(round(seconds * 24)):
        plant.advance(Sample(), 1 / 24)
        most = max(most, energy_of(plant).total)
    return most / start - 1.0


def off_reference(model: Model, fps=24) -> tuple[float, float]:
    """Distance of the last tip, and of the farthest of all, from the reference in the first half second, over H."""
    found, exact = fall(model, 0.5, fps=fps), fall(model, 0.5, REFERENCE, fps=fps)
    apart = np.linalg.norm(found.tips - exact.tips, axis=2) / exact.height
    return float(apart[:, -1].max()), float(apart.max())


def rest_time(found: Fall, fps=24) -> float:
    """s, infinite if it has not come to rest."""
    moving = np.array([energy.motion for energy in found.energies]) >= REST * found.energies[0].total
    last = np.flatnonzero(moving)[-1]
    return (last + 1) / fps if last + 1 < len(moving) else np.inf


def reference_energies(damping_time=0.02) -> tuple[float, float]:
    """J after 1.25 and 3 s by backward Euler with fixed steps of 1/4800 s."""
    settings = Settings(max_step=1 / 4800, scheme="backward_euler", tolerance=np.inf, halvings=0)
    energies = fall(weak_tree(SMALL, damping_time), 3.0, settings).energies
    return energies[30].total, energies[72].total
