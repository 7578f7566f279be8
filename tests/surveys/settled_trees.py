# SPDX-License-Identifier: GPL-3.0-or-later
"""Random small trees that settle on a collider of any kind.

    python -m tests.surveys.settled_trees 100        this many, from the first
    python -m tests.surveys.settled_trees --only 12  one again

Every case is made from its number alone, and is of one kind in turn: plane, box, ball, mesh. What has settled is in
balance, hardly inside, and stays where it is.
"""

import argparse
import time
from collections import Counter

import numpy as np

from solver import Collider, Model, Sample, Settings, Simulation, discretize
from tests.oracles.models import binary_tree

SEED, KINDS, FRAME = 20261124, ("plane", "box", "ball", "mesh"), 1.0 / 24.0

#: A tree that is drawn lying.
LYING = (0.5**0.5, 0.0, 0.5**0.5, 0.0)

#: What has settled is in balance to this, inside by so many radii at most, and moves so far in a second, in its size.
BALANCED, DEPTH, STAYS = 1e-8, 0.01, 1e-4


def sheet(high: float, cells: int = 8) -> Collider:
    """A level mesh of 5 m, so high (m)."""
    x = np.linspace(-2.5, 2.53, cells + 1)
    vertices = np.stack([*np.meshgrid(x, x, indexing="ij"), np.full((cells + 1, cells + 1), high)], axis=-1)
    i = np.arange((cells + 1) ** 2).reshape(cells + 1, cells + 1)
    corners = (i[:-1, :-1], i[1:, :-1], i[1:, 1:]), (i[:-1, :-1], i[1:, 1:], i[:-1, 1:])
    triangles = np.concatenate([np.stack(three, axis=-1).reshape(-1, 3) for three in corners])
    return Collider("mesh", vertices=vertices.reshape(-1, 3), triangles=triangles)


def ground(kind: str, high: float) -> Collider:
    """A collider whose surface below the origin is so high (m)."""
    if kind == "plane":
        return Collider("plane", position=(0.0, 0.0, high))
    if kind == "box":
        return Collider("box", size=(2.5, 2.5, 0.1), position=(0.0, 0.0, high - 0.1))
    if kind == "ball":
        return Collider("ball", size=1.5, position=(0.3, 0.1, high - 1.5))
    return sheet(high)


def scene(case: int) -> tuple[Model, Sample]:
    """A tree of 6 to 60 rods and what it stands in."""
    rng = np.random.default_rng([SEED, case])
    internodes, orders = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    rods = binary_tree(
        internodes, orders, 10.0 ** rng.uniform(-3.0, -2.3), 10.0 ** rng.uniform(6.0, 9.0), damping_time=0.02,
        friction=rng.choice([0.0, 0.5]),
    )  # fmt: skip
    one = ground(KINDS[case % 4], -float(rng.uniform(0.02, 0.1)))
    orientation = LYING if rng.random() < 0.5 else (1.0, 0.0, 0.0, 0.0)
    return discretize(rods, "double_root", segments=1), Sample(colliders=[one], base_orientation=orientation)


def run_case(case: int) -> str:
    """What is wrong with it, or an empty string."""
    model, sample = scene(case)
    plant = Simulation(model, Settings(threads=1))
    found = plant.start(sample, "settled")
    assert found is not None
    if not found.residual <= BALANCED:
        return f"not in balance: {found.residual:.1e}"
    if not np.isfinite(plant.rod_tails()).all():
        return "not finite"
    deep = -plant.contacts().gap / model.shapes.radius.min(axis=1)[plant.contacts().rod]
    if deep.max(initial=0.0) > DEPTH:
        return f"inside by {deep.max():.2g} radii"
    before, size = plant.rod_tails(), float(np.ptp(plant.rod_tails(), axis=0).max())
    for _ in range(24):
        plant.advance(sample, FRAME)
    away = float(np.abs(plant.rod_tails() - before).max()) / size
    return f"moves by {away:.1e}" if away > STAYS else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=int, nargs="?", default=100)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    cases = range(arguments.cases) if arguments.only is None else [arguments.only]
    begin, kinds = time.perf_counter(), Counter[str]()
    for case in cases:
        problem = run_case(case)
        if problem:
            kinds[KINDS[case % 4]] += 1
            print(f"{case} {KINDS[case % 4]}: {problem}", flush=True)
    print(f"{len(cases)} trees in {time.perf_counter() - begin:.0f} s, wrong: {sum(kinds.values())} {dict(kinds)}")


if __name__ == "__main__":
    main()
