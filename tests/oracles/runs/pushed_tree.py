# SPDX-License-Identifier: GPL-3.0-or-later
"""A tree whose base is pushed and tilted in wind, by steps of any length."""

import numpy as np

from solver import Sample, Settings, Simulation, discretize
from tests.oracles.models import binary_tree
from tests.oracles.motions import root_mean_square

STEPS = (1 / 240, 1 / 480, 1 / 960, 1 / 1920)
FINEST = 1 / 15360
WIND = (2.0, 1.0, 0.0)


def pushed_path(step: float, scheme="bdf2", layout="gauss2", seconds=2.0) -> np.ndarray:
    """(t, 3) of the tip of a 45-rod tree whose base is pushed by 20 cm and tilted by 0.3 rad within half a second."""
    model = discretize(binary_tree(3, 4, radius=0.008, damping_time=0.01), layout)
    plant = Simulation(
        model, Settings(max_step=step, scheme=scheme, tolerance=np.inf, newton_tolerance=1e-10, halvings=0)
    )
    plant.start(Sample(wind=WIND), "settled")
    path = []
    for frame in range(1, round(60 * seconds) + 1):
        share = np.sin(0.5 * np.pi * min(frame / 30, 1.0)) ** 2
        orientation = (np.cos(0.15 * share), 0.0, np.sin(0.15 * share), 0.0)
        plant.advance(Sample((0.2 * share, 0.0, 0.0), orientation, wind=WIND), 1 / 60)
        path.append(plant.rod_tails()[-1])
    return np.array(path)


def errors(steps=STEPS, scheme="bdf2", finest=FINEST, layout="gauss2") -> np.ndarray:
    """(steps,) m: root mean square distance of the tip from where it is with the finest steps."""
    exact = pushed_path(finest, "bdf2", layout)
    return np.array([root_mean_square(pushed_path(step, scheme, layout) - exact) for step in steps])
