# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees that the usual controllers move, beside what follows: PD; PD+, that with torques bubbled up and gravity
compensated; stable PD, alone and with the moments of the weight."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from solver import Model, Rods, Sample, Settings, Simulation, discretize, inverse_dynamics
from solver.joints.reference import weighed_inertia
from solver.math.rotations import conjugate, logarithm, multiply, rotate

ONE_THREAD = Settings(threads=1)

Poses = Callable[[float], np.ndarray]


class Controlled:
    """A tree that "follow", "PD", "PD+", "SPD" or "SPD and weight" moves, with k (1/s2) and critical damping; all of
    them hold a joint by k times the same inertia (kg m2) about its axes, that of what follows in the drawn pose."""

    def __init__(self, rods: Rods, controller: str, stiffness: float):
        model = discretize(rods, "base", segments=1)
        n, springs = model.body_count, controller in ("SPD", "SPD and weight")
        self.controller, self._k = controller, stiffness
        self._d = 2.0 * np.sqrt(stiffness)
        drawn = np.tile((1.0, 0.0, 0.0, 0.0), (n, 1))
        self._inertia = np.ascontiguousarray(weighed_inertia(model.bodies, drawn, np.ones((n, 4)))[:, (0, 3, 5)])
        bodies = model.bodies._replace(
            stiffness=springs * stiffness * self._inertia, damping=np.zeros(n),
            damping_time=np.full(n, springs * self._d / stiffness if stiffness else 0.0),
        )  # fmt: skip
        self.model: Model = replace(model, bodies=bodies)
        self.plant, self.wanted = Simulation(self.model, ONE_THREAD), Simulation(self.model, ONE_THREAD)

    def _sample(self, pose: np.ndarray, rate: np.ndarray, force: np.ndarray | None) -> Sample:
        n = self.model.rod_count
        if self.controller == "follow":
            hertz = np.sqrt(self._k) / (2.0 * np.pi)
            return Sample(pose=pose, follow=np.ones(n), recovery=np.full(n, hertz), force=force)
        return Sample(pose=pose, torque=self._torques(pose, rate), force=force)

    def _torques(self, pose: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """(n, 3) N m in world axes on bodies, beside springs, for a pose that turns at a rate (n, 3) rad/s."""
        state, still = self.plant.state, np.zeros((self.model.rod_count, 3))
        torques = still.copy()
        if self.controller in ("PD", "PD+"):
            error = logarithm(multiply(conjugate(state.q), pose))
            moments = self._inertia * (self._k * error + self._d * (rate - state.u))
            # Bubbled up to the base, what a joint takes from its parent is given to that by the joints before
            # (Kavafoglu 2018, 2.2.3).
            torques += self._in_world(moments) if self.controller == "PD+" else self._of_joints(moments)
        if self.controller in ("PD+", "SPD and weight"):
            torques += self._of_joints(inverse_dynamics(self.model.bodies, state.q, still, still).moment)
        return torques

    def _in_world(self, moments: np.ndarray) -> np.ndarray:
        return rotate(self.plant.placed().orientation, moments)

    def _of_joints(self, moments: np.ndarray) -> np.ndarray:
        """Each joint turns its body one way and its parent the other."""
        given = self._in_world(moments)
        torques, parent = given.copy(), self.model.bodies.parent
        for i in np.flatnonzero(parent >= 0):
            torques[parent[i]] -= given[i]
        return torques

    def run(self, poses: Poses, forces: Callable[[float], np.ndarray | None], seconds: float, h: float) -> Iterator:
        """Errors of bodies (n,) rad and of tips (n,) m, frame by frame of h (s)."""
        pose = poses(0.0)
        self.plant.start(self._sample(pose, np.zeros((len(pose), 3)), None))
        for frame in range(1, round(seconds / h) + 1):
            before, pose = pose, poses(frame * h)
            rate = logarithm(multiply(conjugate(before), pose)) / h
            self.plant.advance(self._sample(pose, rate, forces(frame * h)), h)
            self.wanted.start(Sample(pose=pose))
            orientation = multiply(conjugate(self.plant.placed().orientation), self.wanted.placed().orientation)
            yield (
                np.linalg.norm(logarithm(orientation), axis=1),
                np.linalg.norm(self.plant.rod_tails() - self.wanted.rod_tails(), axis=1),
            )
