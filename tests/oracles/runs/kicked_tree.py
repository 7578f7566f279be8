# SPDX-License-Identifier: GPL-3.0-or-later
"""A standing tree after a violent kick, by both schemes."""

import numpy as np

from solver import Model, Sample, Settings, Simulation, discretize
from tests.oracles.models import binary_tree
from tests.oracles.motions import kick, root_mean_square, standing_radius, straight

#: rad/s in every rod's joint, each about another axis: branches turn with up to 20 rad/s, and backward Euler's error
#: at 1/240 s is the 10 % of the tip's travel that the kick was chosen for.
SPEED = 1.0
SCHEMES = ("bdf2", "backward_euler")


def kicked_tree(layout: str) -> Model:
    """45 rods, E I / (W H^2) = 1/4, stiffness-proportional damping of 0.002 s."""
    rods = binary_tree(3, 4, radius=standing_radius(3, 4, 1e8), young=1e8, damping_time=0.002)
    return discretize(rods, layout)


def put(plant: Simulation, sample, rates: np.ndarray) -> None:
    """Start as drawn with these joint rates (n, 3) rad/s."""
    plant.start(sample)
    beginning = plant.snapshot()
    beginning.state.q[:] = straight(plant.model)
    beginning.state.u[:] = rates
    plant.restore(beginning)


def path_after_kick(model: Model, step: float, scheme: str, seconds=2.0) -> np.ndarray:
    """(times, 3) of the last tip, twelve times a second, with steps of exactly this length."""
    plant = Simulation(model, Settings(max_step=step, scheme=scheme, tolerance=np.inf, halvings=0))
    # A rod's rate is shared out over its joints.
    per_rod = np.bincount(model.body_rod)
    put(plant, Sample(), kick(model, SPEED) / per_rod[model.body_rod][:, None])
    path = []
    for _ in range(round(12 * seconds)):
        plant.advance(Sample(), 1 / 12)
        path.append(plant.rod_tails()[-1])
    return np.array(path)


def tip_errors(step: float, layout: str, schemes: tuple[str, ...] = SCHEMES) -> dict[str, float]:
    """Root mean square error of the tip over 2 s, over that of its travel about its mean place, for every scheme."""
    model = kicked_tree(layout)
    exact = path_after_kick(model, 1 / 15360, "bdf2")
    travel = root_mean_square(exact - exact.mean(axis=0))
    return {scheme: root_mean_square(path_after_kick(model, step, scheme) - exact) / travel for scheme in schemes}
