# SPDX-License-Identifier: GPL-3.0-or-later
"""Following keyed motion: tracking, impacts, and what it costs, beside the usual controllers.

    python benchmarks/following.py

Kavafoglu's (2018) scenes: two cylinders hit by a ball, and a figure of 16 bodies that moves and is hit, by a ball's
impulse or by the ball itself. Beside what the solver has: PD, explicit torques as computed at a frame's beginning; PD+,
the same bubbled up and with gravity compensated; stable PD (Tan, Liu, Turk 2011), which are springs about the moving
pose; and stable PD with the moments of the weight added, as found in the pose at the frame's beginning
(tests/oracles/runs/controlled.py). All are held as stiffly as what follows is.
"""

import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import markdown
from solver import Rods, Sample, Simulation, discretize, warm_up
from tests.oracles.models import beam
from tests.oracles.runs.controlled import ONE_BALL, ONE_THREAD, Ball, Controlled, Poses
from tests.oracles.runs.humanoid import Swinging, humanoid, two_cylinders

#: Impulse (N s) of a ball of 1 kg that falls from 1 m and stays: its weight in motion.
BALL = 1.0 * np.sqrt(2.0 * 9.81 * 1.0)

#: 1/s2, of all controllers.
STIFFNESS = 300.0


def errors(
    rods: Rods, controller: str, poses: Poses, hits: list, balls: tuple[Ball, ...], seconds: float, h: float
) -> tuple:  # fmt: skip
    """Mean error of bodies' orientations (degrees) and of their ends (m); hits: times (s) and rods hit sideways; balls
    that fall on it."""
    n = len(rods)
    last = 1.0 / 24.0  # s: an impulse is spread over so much

    def forces(now: float) -> np.ndarray | None:
        force = np.zeros((n, 3))
        for at, rod in hits:
            if at < now <= at + last + 1e-9:
                force[rod, 1] += BALL / last
        return force if force.any() else None

    figure = Controlled(rods, controller, STIFFNESS, balls)
    turned, way = (np.array(one) for one in zip(*figure.run(poses, forces, seconds, h), strict=True))
    return float(np.degrees(turned.mean())), float(np.linalg.norm(way, axis=2).mean())


def scenes_table(quick: bool) -> str:
    """Mean errors of all controllers in both scenes."""
    still = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    nod, dance = Swinging(2, 0.5, 1.0), Swinging(16, 0.6, 1.5)
    hits = [(1.0, 10), (2.0, 2), (3.0, 3), (4.0, 6)]
    scenes = (
        ("two cylinders, still, a ball falls on them", two_cylinders(), lambda _: still, [], ONE_BALL, 3.0),
        ("two cylinders, still, hit", two_cylinders(), lambda _: still, [(1.0, 1)], (), 3.0),
        ("two cylinders, moving, hit", two_cylinders(), nod.pose, [(1.5, 1)], (), 3.0),
        ("figure, moving", humanoid(), dance.pose, [], (), 5.0),
        ("figure, moving, hit four times", humanoid(), dance.pose, hits, (), 5.0),
    )  # fmt: skip
    rows = []
    for name, rods, poses, hit, balls, seconds in scenes[:3] if quick else scenes:
        row = [name]
        for controller, h in (
            ("follow", 1.0 / 24.0), ("follow", 1.0 / 100.0), ("PD", 1.0 / 2000.0), ("PD+", 1.0 / 2000.0),
            ("SPD", 1.0 / 100.0), ("SPD and weight", 1.0 / 100.0),
        ):  # fmt: skip
            try:
                off, away = errors(rods, controller, poses, hit, balls, seconds, h)
                row.append(f"{off:.3g} deg, {away:.2g} m")
            except (ValueError, FloatingPointError):
                row.append("not finite")
        rows.append(row)
    head = ["scene (k = 300)", "follow, 1/24 s", "follow, 1/100 s", "PD, 1/2000 s", "PD+, 1/2000 s",
            "SPD, 1/100 s", "SPD and weight, 1/100 s"]  # fmt: skip
    return markdown(
        "Following a keyed motion", head, rows,
        "Mean error of the bodies' orientations, and of their ends, over the whole motion. A ball of 1 kg,"
        " by contact where it falls on them, else its impulse."
        " PD+: with torques bubbled up and gravity compensated, as Kavafoglu's."
        " For the figure PD with these gains would need steps of 1/70 000 s, and shakes itself apart; Kavafoglu's own"
        " is off by 9.81 deg and 0.093 m.",
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
