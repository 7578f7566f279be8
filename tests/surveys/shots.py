# SPDX-License-Identifier: GPL-3.0-or-later
"""Balls of 1 kg that are thrown at 10 m/s at stems of 2 mm, seen at 24 frames a second: none goes through.

    python -m tests.surveys.shots 1000         this many, from the first
    python -m tests.surveys.shots --only 123   one again

Every shot is made from its number alone. A ball is carried for two frames, then let go on a line that meets the stem
where it stands at rest. At no frame are the two inside each other by more than a tenth of the stem's radius; and the
stem has been pushed aside when the ball has come as far as where it stood.
"""

import argparse

import numpy as np

from solver import Rods, Sample, Simulation, discretize, rotations, solid
from tests.oracles.models import beam

SEED, FRAME, SPEED, MASS, STEM = 20261123, 1.0 / 24.0, 10.0, 1.0, 0.001
CARRIED, FRAMES = 2, 12

#: Frames on the way before the ball meets the stem, which it does anywhere between two of them.
FIRST = 2

UP = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])


def stem_of(rng: np.random.Generator, friction: float | None) -> Rods:
    return beam(
        int(rng.integers(4, 16)), rng.uniform(0.3, 0.8), STEM, frame=UP, young=10.0 ** rng.uniform(8.5, 10.0),
        damping_time=10.0 ** rng.uniform(-3.0, -1.5),
        friction=rng.uniform(0.0, 1.0) if friction is None else friction,
    )  # fmt: skip


def depths_of(case: int, friction: float | None = None, bounce: float = 0.0) -> tuple[float, bool]:
    """By how many of the stem's radii it is inside the ball, at frames, at most; and whether it was pushed aside.
    friction: the stem's, where it is not any."""
    rng = np.random.default_rng([SEED, case])
    rods, radius = stem_of(rng, friction), rng.uniform(0.02, 0.08)
    density = MASS / (4.0 / 3.0 * np.pi * radius**3)
    height = float(rods.array("length").sum())
    aim = np.array([0.0, 0.0, rng.uniform(0.3, 0.95) * height])
    turn = rng.uniform(0.0, 2.0 * np.pi)
    way = np.array([np.cos(turn), np.sin(turn), 0.0])
    aside = rng.uniform(-0.9, 0.9) * radius * np.array([-way[1], way[0], 0.0])
    begin = aim + aside - way * SPEED * FRAME * (CARRIED + FIRST + rng.uniform(0.0, 1.0))
    world = [np.zeros(3), begin]
    thrown = solid("ball", [radius], density=density, bounce=bounce)
    plants = Simulation([discretize(rods), thrown], together=[0, 1])

    def sample(frame: int) -> Sample:
        carried = min(frame, CARRIED)
        return Sample(
            [world[0], begin + way * SPEED * FRAME * carried], gravity=(0.0, 0.0, 0.0), touches_others=True,
            cut=[*[0.0] * len(rods), float(frame >= CARRIED)],
        )  # fmt: skip

    plants.start(sample(0))
    deepest, pushed = -np.inf, False
    for frame in range(1, FRAMES):
        plants.advance(sample(frame), FRAME)
        shapes, placed = plants.model.shapes, plants.placed()
        ball = placed.position[-1]
        own = shapes.body < len(placed.position) - 1
        start, end = _ends(shapes.start[own], shapes.end[own], placed, shapes.body[own])
        out = end - start
        along = np.clip(((ball - start) * out).sum(axis=1) / (out * out).sum(axis=1), 0.0, 1.0)
        apart = np.linalg.norm(start + along[:, None] * out - ball, axis=1) - radius - STEM
        deepest = max(deepest, float(-apart.min()) / STEM)
        if (ball - aim) @ way > 0.0:
            pushed = pushed or float(np.abs(start @ way).max()) > STEM
    return deepest, pushed


def _ends(start, end, placed, body):
    orientation, position = placed.orientation[body], placed.position[body]
    return position + rotations.rotate(orientation, start), position + rotations.rotate(orientation, end)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shots", type=int, nargs="?", default=1000)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    cases = range(arguments.shots) if arguments.only is None else [arguments.only]
    deepest, wrong = 0.0, 0
    for case in cases:
        depth, pushed = depths_of(case)
        deepest = max(deepest, depth)
        if depth > 0.1 or not pushed:
            wrong += 1
            print(f"shot {case}: inside by {depth:.3g} radii{'' if pushed else ', went through'}", flush=True)
    print(f"{len(cases)} shots, {wrong} wrong, at most {deepest:.3g} radii inside")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
