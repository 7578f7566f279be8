# SPDX-License-Identifier: GPL-3.0-or-later
"""Following keyed motion: tracking, impacts, and what it costs, beside the usual controllers.

    python benchmarks/following.py

Kavafoglu's (2018) scenes: two cylinders hit by a ball, and a figure of 16 bodies that moves and is hit. Beside what the
solver has: PD, explicit torques as computed at a frame's beginning; stable PD (Tan, Liu, Turk 2011), which are springs
about the moving pose; and stable PD with the moments of the weight added, as found in the pose at the frame's
beginning. All have the stiffness k times the inertia that the joint carries.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import markdown
from solver import Model, Rods, Sample, Settings, Simulation, discretize, inverse_dynamics, warm_up
from solver.math.rotations import conjugate, logarithm, multiply, rotate
from solver.model.model import Bodies
from tests.oracles.models import ALONG_Z, beam
from tests.oracles.runs.humanoid import Swinging, humanoid

#: Impulse (N s) of a ball of 1 kg that falls from 1 m and stays: its weight in motion.
BALL = 1.0 * np.sqrt(2.0 * 9.81 * 1.0)
ONE_THREAD = Settings(threads=1)

Poses = Callable[[float], np.ndarray]


def two_cylinders() -> Rods:
    """Of 30 cm, 7 cm wide and 1.54 kg, one on the other."""
    radius, length = 0.035, 0.3
    return beam(
        2, 2.0 * length, radius, 1e6, 1.54 / (np.pi * radius**2 * length), frame=ALONG_Z
    )  # fmt: skip


def carried_inertia(bodies: Bodies) -> np.ndarray:
    """(n,) kg m2 about each joint of all that it carries, stretched out across."""
    mass, first = bodies.mass.copy(), bodies.mass * np.linalg.norm(bodies.com, axis=1)
    carried, arm = 0.5 * bodies.inertia[:, (0, 3, 5)].sum(axis=1), np.linalg.norm(bodies.offset, axis=1)
    for i in range(len(mass) - 1, 0, -1):
        k, r = bodies.parent[i], arm[i]
        if k >= 0:
            mass[k] += mass[i]
            first[k] += first[i] + r * mass[i]
            carried[k] += carried[i] + r * (2.0 * first[i] + r * mass[i])
    return carried


class Controlled:
    """A figure that one of the controllers moves, with k (1/s2) and critical damping."""

    def __init__(self, rods: Rods, controller: str, stiffness: float):
        model = discretize(rods, "base", segments=1)
        self.controller, self._k = controller, stiffness
        self._d = 2.0 * np.sqrt(stiffness)
        self._inertia = carried_inertia(model.bodies)
        springs = controller in ("SPD", "SPD and weight")
        bodies = model.bodies._replace(
            stiffness=np.tile(springs * stiffness * self._inertia[:, None], (1, 3)),
            damping=springs * self._d * self._inertia, damping_time=np.zeros(model.body_count),
        )  # fmt: skip
        self.model: Model = replace(model, bodies=bodies)
        self.plant, self.wanted = Simulation(self.model, ONE_THREAD), Simulation(self.model, ONE_THREAD)

    def _sample(self, pose: np.ndarray, force: np.ndarray | None) -> Sample:
        n = self.model.rod_count
        if self.controller == "follow":
            hertz = np.sqrt(self._k) / (2.0 * np.pi)
            return Sample(pose=pose, follow=np.ones(n), recovery=np.full(n, hertz), force=force)
        moment = np.zeros((n, 3))
        state, bodies = self.plant.state, self.model.bodies
        if self.controller == "SPD and weight":
            moment = inverse_dynamics(bodies, state.q, np.zeros((n, 3)), np.zeros((n, 3))).moment
        if self.controller == "PD":
            error = logarithm(multiply(conjugate(state.q), pose))
            moment = self._inertia[:, None] * (self._k * error - self._d * state.u)
        torque = rotate(self.plant.placed().orientation, moment)
        for i in range(n - 1, 0, -1):
            if bodies.parent[i] >= 0:
                torque[bodies.parent[i]] -= torque[i]
        return Sample(pose=pose, torque=torque, force=force)

    def run(self, poses: Poses, forces: Callable[[float], np.ndarray], seconds: float, h: float) -> Iterator:
        """Errors of joints (n,) rad and of tips (n,) m, frame by frame of h (s)."""
        self.plant.start(self._sample(poses(0.0), None))
        for frame in range(1, round(seconds / h) + 1):
            pose = poses(frame * h)
            self.plant.advance(self._sample(pose, forces(frame * h)), h)
            self.wanted.start(Sample(pose=pose))
            orientation = multiply(conjugate(self.plant.placed().orientation), self.wanted.placed().orientation)
            yield (
                np.linalg.norm(logarithm(orientation), axis=1),
                np.linalg.norm(self.plant.rod_tails() - self.wanted.rod_tails(), axis=1),
            )


def errors(rods: Rods, controller: str, k: float, poses: Poses, hits: list, seconds: float, h: float) -> tuple:
    """Mean error of bodies' orientations (degrees) and of their ends (m); hits: times (s) and rods hit sideways."""
    n = len(rods)
    last = 1.0 / 24.0  # s: an impulse is spread over so much

    def forces(now: float) -> np.ndarray | None:
        force = np.zeros((n, 3))
        for at, rod in hits:
            if at < now <= at + last + 1e-9:
                force[rod, 1] += BALL / last
        return force if force.any() else None

    figure = Controlled(rods, controller, k)
    turned, away = (np.array(one) for one in zip(*figure.run(poses, forces, seconds, h), strict=True))
    return float(np.degrees(turned.mean())), float(away.mean())


def scenes_table(quick: bool) -> str:
    """Mean errors of all controllers in both scenes."""
    still = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    nod, dance = Swinging(2, 0.5, 1.0), Swinging(16, 0.6, 1.5)
    hits = [(1.0, 10), (2.0, 2), (3.0, 3), (4.0, 6)]
    scenes = (
        ("two cylinders, still, hit", two_cylinders(), lambda _: still, [(1.0, 1)], 3.0),
        ("two cylinders, moving, hit", two_cylinders(), nod.pose, [(1.5, 1)], 3.0),
        ("figure, moving", humanoid(), dance.pose, [], 5.0),
        ("figure, moving, hit four times", humanoid(), dance.pose, hits, 5.0),
    )  # fmt: skip
    rows = []
    for name, rods, poses, hit, seconds in scenes[:2] if quick else scenes:
        row = [name]
        for controller, h in (
            ("follow", 1.0 / 24.0), ("follow", 1.0 / 100.0), ("PD", 1.0 / 2000.0), ("SPD", 1.0 / 100.0),
            ("SPD and weight", 1.0 / 100.0),
        ):  # fmt: skip
            try:
                off, away = errors(rods, controller, 300.0, poses, hit, seconds, h)
                row.append(f"{off:.3g} deg, {away:.2g} m")
            except (ValueError, FloatingPointError):
                row.append("not finite")
        rows.append(row)
    head = ["scene (k = 300)", "follow, 1/24 s", "follow, 1/100 s", "PD, 1/2000 s", "SPD, 1/100 s",
            "SPD and weight, 1/100 s"]  # fmt: skip
    return markdown(
        "Following a keyed motion", head, rows,
        "Mean error of the bodies' orientations, and of their ends, over the whole motion. Forces of a ball of 1 kg.",
    )  # fmt: skip


def cost_table(quick: bool) -> str:
    """Milliseconds a frame of a plant of 100 bones, passive and following, one after the other in turn."""
    rows = []
    for name, moving in (("still pose", False), ("moving pose", True)):
        best = {False: np.inf, True: np.inf}
        for _ in range(2 if quick else 5):
            for follows in best:
                best[follows] = min(best[follows], _frame_time(follows, moving))
        rows.append([name, f"{1e3 * best[False]:.3f}", f"{1e3 * best[True]:.3f}", f"{best[True] / best[False]:.2f}"])
    return markdown("Cost of following", ["100 bones", "passive (ms)", "following (ms)", "times"], rows)


def _frame_time(follows: bool, moving: bool, frames=96) -> float:
    model, motion = discretize(beam(100, 2.0, 0.02), "base", segments=1), Swinging(100, 0.05, 0.5)
    plant = Simulation(model, ONE_THREAD)
    columns = {"follow": np.ones(100)} if follows else {}
    samples = [Sample(pose=motion.pose(moving * frame / 24.0), **columns) for frame in range(frames + 1)]
    plant.start(samples[0])
    begin = time.perf_counter()
    for sample in samples[1:]:
        plant.advance(sample, 1.0 / 24.0)
    return (time.perf_counter() - begin) / frames


def main() -> None:
    """Print both tables."""
    warm_up()
    print(scenes_table(False), cost_table(False), sep="\n\n")


if __name__ == "__main__":
    main()
