# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that whole simulations are compared on, and our side of them."""

from dataclasses import replace

import numpy as np

from solver import Model, Report, Rods, Sample, Settings, Simulation, discretize
from solver.math.rotations import rotate
from tests.oracles.models import beam, binary_tree


def equally_stiff(rods: Rods) -> Model:
    """One body per rod, its joint as stiff in twist as in bending: all that MuJoCo's ball joints can be."""
    model = discretize(rods, "double_root")
    stiffness = np.repeat(model.bodies.stiffness[:, :1], 3, axis=1).copy()
    return replace(model, bodies=model.bodies._replace(stiffness=stiffness))


def standing_radius(internodes: int, orders: int, young: float) -> float:
    """Base radius (m) at which a binary tree has E I / (W H^2) = 1/4, W its weight and H its height."""
    rods = binary_tree(internodes, orders, radius=1.0, young=young)
    length, radius = rods.array("length"), rods.array("radius_base")
    weight = 9.81 * (rods.array("density") * np.pi * radius**2 * length).sum()
    ends = rods.array("head") + rotate(rods.array("frame"), length[:, None] * np.array([0.0, 1.0, 0.0]))
    # E I grows with the fourth power of the radius and W with the second.
    return float(np.sqrt(0.25 * weight * ends[:, 2].max() ** 2 / (0.25 * np.pi * young)))


def standing_tree(internodes: int, orders: int, young: float, damping_time: float) -> Model:
    radius = standing_radius(internodes, orders, young)
    return equally_stiff(binary_tree(internodes, orders, radius=radius, young=young, damping_time=damping_time))


def kick(model: Model, speed: float) -> np.ndarray:
    """(n, 3) rad/s joint rates: a blow that sets the stem and every branch turning, each somewhat differently."""
    k = np.arange(model.body_count)
    return speed * np.stack([np.cos(0.7 * k), 0.3 * np.sin(1.3 * k), np.sin(0.4 * k + 1.0)], axis=1)


def soft_cantilever(damping_time: float) -> Model:
    return equally_stiff(beam(10, young=1e6, damping_time=damping_time))


class OurPlant:
    """A Simulation with the methods that our MuJoCo and DART plants have; its steps are not halved unless asked for."""

    def __init__(self, model: Model, step: float, sample: Sample | None = None, halvings=0, **settings):
        self.step = step
        self.report: Report | None = None
        self._sample = sample or Sample()
        self._plant = Simulation(model, Settings(max_step=step, halvings=halvings, **settings))

    def put(self, q: np.ndarray, u: np.ndarray) -> None:
        """Joint rotations (n, 4) w x y z and rates (n, 3) rad/s."""
        self._plant.start(self._sample)
        beginning = self._plant.snapshot()
        beginning.state.q[:] = q
        beginning.state.u[:] = u
        beginning.state.energy_bound[:] = np.inf  # it was for the plant at rest
        self._plant.restore(beginning)

    def run(self, steps: int) -> None:
        self.report = self._plant.advance(self._sample, steps * self.step)

    def tip(self) -> np.ndarray:
        """World position (3,) of the last rod's tip."""
        return self._plant.rod_tails()[-1]


def straight(model: Model) -> np.ndarray:
    """(n, 4): all joints as drawn."""
    return np.tile([1.0, 0.0, 0.0, 0.0], (model.body_count, 1))


def tip_path(model: Model, rates: np.ndarray, step: float, times: int, interval: float, **settings) -> np.ndarray:
    """(times, 3) of the last rod's tip after each interval, from the drawn pose with the given joint rates."""
    plant = OurPlant(model, step, **settings)
    plant.put(straight(model), rates)
    path = []
    for _ in range(times):
        plant.run(round(interval / step))
        path.append(plant.tip())
    return np.array(path)


def root_mean_square(difference: np.ndarray) -> float:
    return float(np.sqrt((difference**2).sum(axis=-1).mean()))
