# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees that the usual controllers move, beside what follows: PD; PD+, that with torques bubbled up and gravity
compensated; stable PD, alone and with the moments of the weight."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solver import Model, Rods, Sample, Settings, Simulation, discretize, inverse_dynamics, solid
from solver.joints.reference import weighed_inertia
from solver.math.rotations import conjugate, logarithm, multiply, rotate

ONE_THREAD = Settings(threads=1)

BALL_RADIUS = 0.05

Poses = Callable[[float], np.ndarray]


class Ball(NamedTuple):
    """One of 1 kg and 5 cm, let go at a place (3,) m at a time (s): it hits what is in its way."""

    place: tuple[float, float, float]
    time: float = 0.0

    @property
    def model(self) -> Model:
        return solid("ball", [BALL_RADIUS], centre=self.place, density=1.0 / (4.0 / 3.0 * np.pi * BALL_RADIUS**3))


#: One that falls from 1 m on two cylinders, and five, one after the other, on a figure's head, shoulders and forearms.
ONE_BALL = (Ball((0.02, 0.0, 1.6 + BALL_RADIUS)),)
BALLS_ABOVE = tuple(
    Ball(place, 0.5 + 0.6 * i)
    for i, place in enumerate(
        [(0.02, 0.01, 1.9), (0.3, 0.0, 1.7), (-0.12, 0.0, 1.7), (0.5, 0.1, 1.6), (-0.2, 0.0, 1.6)]
    )
)


class Controlled:
    """A tree that "follow", "PD", "PD+", "SPD" or "SPD and weight" moves, with k (1/s2) and critical damping; all of
    them hold a joint by k times the same inertia (kg m2) about its axes, that of what follows in the drawn pose. Balls
    fall on it."""

    def __init__(self, rods: Rods, controller: str, stiffness: float, balls: Sequence[Ball] = ()):
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
        self.balls, self.n = balls, n
        models = [self.model, *(ball.model for ball in balls)]
        self.plant = Simulation(models if balls else self.model, ONE_THREAD, together=bool(balls))
        self.wanted = Simulation(self.model, ONE_THREAD)

    def _sample(self, pose: np.ndarray, rate: np.ndarray, force: np.ndarray | None, now: float) -> Sample:
        hertz = np.sqrt(self._k) / (2.0 * np.pi)
        own: dict[str, np.ndarray | None] = {"pose": pose, "force": force}
        if self.controller == "follow":
            own |= {"follow": np.ones(self.n), "recovery": np.full(self.n, hertz)}
        else:
            own["torque"] = self._torques(pose, rate)
        return self._beside_balls(own, now) if self.balls else Sample(**own)

    def _beside_balls(self, own: dict[str, np.ndarray | None], now: float) -> Sample:
        """The tree's columns and those of balls, which nothing moves once they are let go."""
        count, gone = len(self.balls), [float(now >= ball.time) for ball in self.balls]
        unmoved = {"pose": np.tile((1.0, 0.0, 0.0, 0.0), (count, 1))}
        whole = {
            name: np.concatenate([rows, unmoved.get(name, np.zeros((count, *rows.shape[1:])))])
            for name, rows in own.items() if rows is not None
        }  # fmt: skip
        return Sample(**whole, cut=np.append(np.zeros(self.n), gone), touches_itself=True, touches_others=True)

    def _torques(self, pose: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """(n, 3) N m in world axes on bodies, beside springs, for a pose that turns at a rate (n, 3) rad/s."""
        q, u, still = self.plant.state.q[: self.n], self.plant.state.u[: self.n], np.zeros((self.n, 3))
        torques = still.copy()
        if self.controller in ("PD", "PD+"):
            error = logarithm(multiply(conjugate(q), pose))
            moments = self._inertia * (self._k * error + self._d * (rate - u))
            # Bubbled up to the base, what a joint takes from its parent is given to that by the joints before
            # (Kavafoglu 2018, 2.2.3).
            torques += self._in_world(moments) if self.controller == "PD+" else self._of_joints(moments)
        if self.controller in ("PD+", "SPD and weight"):
            torques += self._of_joints(inverse_dynamics(self.model.bodies, q, still, still).moment)
        return torques

    def _in_world(self, moments: np.ndarray) -> np.ndarray:
        return rotate(self.plant.placed().orientation[: self.n], moments)

    def _of_joints(self, moments: np.ndarray) -> np.ndarray:
        """Each joint turns its body one way and its parent the other."""
        given = self._in_world(moments)
        torques, parent = given.copy(), self.model.bodies.parent
        for i in np.flatnonzero(parent >= 0):
            torques[parent[i]] -= given[i]
        return torques

    def run(self, poses: Poses, forces: Callable[[float], np.ndarray | None], seconds: float, h: float) -> Iterator:
        """Errors of bodies (n,) rad and of tips (n, 3) m, frame by frame of h (s)."""
        pose = poses(0.0)
        self.plant.start(self._sample(pose, np.zeros((len(pose), 3)), None, 0.0))
        for frame in range(1, round(seconds / h) + 1):
            before, pose = pose, poses(frame * h)
            rate = logarithm(multiply(conjugate(before), pose)) / h
            self.plant.advance(self._sample(pose, rate, forces(frame * h), frame * h), h)
            self.wanted.start(Sample(pose=pose))
            turned = multiply(conjugate(self.plant.placed().orientation[: self.n]), self.wanted.placed().orientation)
            away = self.plant.rod_tails()[: self.n] - self.wanted.rod_tails()
            yield np.linalg.norm(logarithm(turned), axis=1), away
