# SPDX-License-Identifier: GPL-3.0-or-later
"""Random trees without any damping, in a vacuum, whose base is shaken until they whip: what the steps add to their
energy afterwards.

    python -m tests.surveys.whipping.whipping_plants 1000        this many, from the first, in all of these ways
    python -m tests.surveys.whipping.whipping_plants 1000 --how mixed  every plant in one of them, the ways by turns
    python -m tests.surveys.whipping.whipping_plants --only 12   one again, frame by frame
    python -m tests.surveys.whipping.whipping_plants 1000 --sections any  of elliptic, flat and grooved rods as well

After the shaking the base stands still, or goes on evenly, or with an even acceleration, or turns evenly. In all of
these something is conserved, which takes no knowledge of what the base does to the plant: its energy as it is seen from
the base (Galilei), the same with the acceleration taken for weight (d'Alembert), and that less half of the moment of
inertia times the square of the angular velocity (Jacobi). Every case is made from its number alone.
"""

import argparse
import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from solver import EARTH_GRAVITY, Rods, Sample, Simulation, discretize, sections
from solver.math.rotations import exponential
from tests.oracles.energies import energy_of
from tests.oracles.models import binary_tree, random_rods

SEED = 20261126
FPS, SHAKEN, LEFT_ALONE = 24, 24, 120
#: Frames after which the base's path inside of frames is that at their ends.
SETTLING = 3
HOW = ("still", "evenly", "faster", "turning")
#: Every plant in one of these ways, one plant after the other in the next.
MIXED = "mixed"
#: Air (kg/m3) and damping (s) of which next to nothing comes: what is conserved in a vacuum is so there.
NEXT_TO_NOTHING = {"in a vacuum": (0.0, 0.0), "in thin air": (1e-9, 0.0), "hardly damped": (0.0, 1e-9)}
SECTIONS = ("round", "any")
#: Share of the plant's size a second; of it a second squared; rad/s.
SPEED, ACCELERATION, SPIN = 1.0, 3.0, 2.0


@dataclass
class Outcome:
    """Over the largest energy in motion or springs since the shaking: gain: by how much what is conserved rose at most;
    loss: by how much it was less at the end. worst: the largest status; steps: a frame, on average."""

    gain: float
    loss: float
    worst: int
    steps: float
    conserved: np.ndarray
    statuses: np.ndarray


def whipping_rods(case: int) -> Rods:
    """A tree of 6 to 60 rods, bushy, or a chain, or one that forks in two; stout or slender, stiff or limp."""
    rng = np.random.default_rng([SEED, case])
    young = 10.0 ** rng.uniform(5.5, 9.0)
    if rng.random() < 0.4:
        return binary_tree(
            int(rng.integers(1, 5)), int(rng.integers(2, 5)), radius=10.0 ** rng.uniform(-3.0, -2.0), young=young,
            taper=rng.uniform(0.4, 0.9),
        )  # fmt: skip
    rods = random_rods(rng, int(rng.integers(6, 41)), young=young)
    thinner = rng.uniform(0.7, 1.0) ** _depths(rods)
    return Rods(
        parent=rods.parent_index, head=rods.head, frame=rods.frame, length=rods.length, young=young,
        density=rods.density, radius_base=rods.array("radius_base") * thinner,
        radius_tip=rods.array("radius_tip") * thinner,
    )  # fmt: skip


def of_any_section(rods: Rods, case: int) -> Rods:
    """The rods, round, elliptic, flat and grooved, up to eight times as wide as thick, half of them easy to twist."""
    rng, n = np.random.default_rng([SEED, case, 2]), len(rods)
    kinds, aspect = rng.integers(0, len(sections.KINDS), n), 2.0 ** rng.uniform(-1.0, 3.0, n)
    twist_to_bend = np.where(rng.random(n) < 0.5, 10.0 ** rng.uniform(0.0, 1.6, n), 0.0)
    return dataclasses.replace(rods, section=sections.of_kinds(kinds, aspect, twist_to_bend, rods.array("poisson")))


def _depths(rods: Rods) -> np.ndarray:
    depth = np.zeros(len(rods))
    for i, k in enumerate(rods.parent_index.tolist()):
        depth[i] = depth[k] + 1.0 if k >= 0 else 0.0
    return depth


def path(case: int, size: float, how: str) -> Callable[[int], Sample]:
    """The base at each frame: about, by up to the plant's size (m), and then on as told."""
    rng = np.random.default_rng([SEED, case, 1])
    travel, swings = size * 10.0 ** rng.uniform(-1.5, 0.0), rng.uniform(1.0, 6.0, 3)
    along, phase = rng.normal(size=3), rng.uniform(0.0, 2.0 * np.pi, 3)
    on = np.array([0.6, 0.0, 0.8]) * size

    def at(frame: int) -> Sample:
        wave = np.sin(swings * 2.0 * np.pi * min(frame, SHAKEN) / FPS + phase) - np.sin(phase)
        seconds = max(frame - SHAKEN, 0) / FPS
        way = {"evenly": SPEED * seconds, "faster": 0.5 * ACCELERATION * seconds**2}.get(how, 0.0)
        turn = SPIN * seconds if how == "turning" else 0.0
        return Sample(
            base_position=travel * along * wave + way * on, base_orientation=exponential(np.array([0.0, 0.0, turn]))
        )

    return at


def conserved_of(plant: Simulation, size: float, how: str, base: np.ndarray) -> tuple[float, float]:
    """What is conserved (J), and the larger of the energies of motion and in springs. base (3,) m."""
    push = ACCELERATION * size * np.array([0.6, 0.0, 0.8]) if how == "faster" else np.zeros(3)
    energy = energy_of(plant, np.array(EARTH_GRAVITY) - push)
    total = energy.total - (0.5 * SPIN**2 * _about_z(plant, base) if how == "turning" else 0.0)
    return total, max(energy.motion, energy.springs)


def _about_z(plant: Simulation, base: np.ndarray) -> float:
    """kg m2: moment of inertia about the vertical through the base."""
    bodies, placed = plant.model.bodies, plant.placed()
    R = Rotation.from_quat(placed.orientation[:, (1, 2, 3, 0)]).as_matrix()
    about_joint = bodies.inertia[:, (0, 1, 2, 1, 3, 4, 2, 4, 5)].reshape(-1, 3, 3)
    arm, joint = np.einsum("nij,nj->ni", R, bodies.com)[:, :2], (placed.position - base)[:, :2]
    shifted = (joint**2).sum(axis=1) + 2.0 * (joint * arm).sum(axis=1)
    return float(np.einsum("ni,nij,nj->", R[:, 2], about_joint, R[:, 2]) + bodies.mass @ shifted)


def run(
    case: int, how: str = "still", frames: int = LEFT_ALONE, where: str = "in a vacuum", shapes: str = "round"
) -> Outcome:
    """Shake a plant of rods of these SECTIONS, and watch it for so many frames afterwards."""
    density, damping_time = NEXT_TO_NOTHING[where]
    rods = of_any_section(whipping_rods(case), case) if shapes == "any" else whipping_rods(case)
    plant = Simulation(discretize(dataclasses.replace(rods, damping_time=damping_time)))
    size = float(np.ptp(np.vstack([plant.rod_heads(), plant.rod_tails()]), axis=0).max())
    moves = path(case, size, how)

    def at(frame: int) -> Sample:
        return dataclasses.replace(moves(frame), wind=np.zeros(3) if density else None, air_density=density)

    plant.start(at(0), "settled")
    found, statuses, steps = [], [], 0
    for frame in range(1, SHAKEN + SETTLING + frames + 1):
        sample = at(frame)
        report = plant.advance(sample, 1.0 / FPS)
        if frame >= SHAKEN + SETTLING:
            found.append(conserved_of(plant, size, how, np.asarray(sample.base_position)))
            statuses.append(report.status)
            steps += report.steps
    conserved, exchanged = np.array(found).T
    conserved = (conserved - conserved[0]) / exchanged.max()
    return Outcome(
        conserved.max(), -conserved[-1], max(statuses), steps / len(statuses), conserved, np.array(statuses)
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many plants")
    parser.add_argument("--first", type=int, default=0, help="number of the first")
    parser.add_argument("--only", type=int, help="number of the only one")
    parser.add_argument("--how", choices=(*HOW, MIXED), help="how the base goes on; all if not told")
    parser.add_argument("--where", choices=NEXT_TO_NOTHING, default="in a vacuum", help="what acts besides")
    parser.add_argument("--sections", choices=SECTIONS, default="round", help="of rods")
    arguments = parser.parse_args()
    first, count = (arguments.first, arguments.count) if arguments.only is None else (arguments.only, 1)
    worst = 0.0
    for how in [arguments.how] if arguments.how else HOW:
        begin, gains, losses = time.perf_counter(), [], []
        for case in range(first, first + count):
            way = HOW[case % len(HOW)] if how == MIXED else how
            found = run(case, way, where=arguments.where, shapes=arguments.sections)
            gains.append(found.gain)
            losses.append(found.loss)
            if arguments.only is not None:
                print(found)
            if found.gain > 0.01:
                told = f"gained {found.gain:.1%}, status {found.worst}, {found.steps:.0f} steps a frame"
                print(f"{how}, case {case}: {told}", flush=True)
        seconds, above = time.perf_counter() - begin, int(np.sum(np.array(gains) > 0.01))
        worst = max(worst, *gains)
        told = f"{above} gained more than 1 %, the most {max(gains):.2%} (case {first + int(np.argmax(gains))})"
        print(f"{how}: {count} plants in {seconds:.0f} s; {told}; median loss {np.median(losses):.1%}", flush=True)
    raise SystemExit(1 if worst > 0.01 else 0)


if __name__ == "__main__":
    main()
