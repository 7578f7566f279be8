# SPDX-License-Identifier: GPL-3.0-or-later
"""Guides and ties: how exactly they hold, and what they cost.

    python benchmarks/guides.py
"""

import math
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import markdown
from solver import Guide, Rods, Sample, Settings, Simulation, Surface, discretize, warm_up
from solver.guides.distances import DistanceFrom
from tests.oracles.guided.meshes import grid
from tests.oracles.models import beam, binary_tree

ONE_THREAD = Settings(threads=1)
WIND = np.array([1.5, 0.5, 0.0])


def _tips(rods: Rods) -> np.ndarray:
    """The rods that bear none."""
    parent = np.asarray(rods.parent)
    return np.setdiff1d(np.arange(len(parent)), parent)


def tied_tree(ties: int) -> tuple[Simulation, Sample, Sample]:
    """A tree of 508 bodies, tips of which are tied to their neighbours where they are drawn, so that each tie closes a
    loop; it, and its world without wind and in wind."""
    rods = binary_tree(4, 7, radius=0.01, young=2e9, density=800.0, damping_time=0.01)
    plant, tips = Simulation(discretize(rods, "base"), ONE_THREAD), _tips(rods)
    one, other = tips[0 : 2 * ties : 2], tips[1 : 2 * ties : 2]
    guides = [Guide(int(a), by="rod", other_rod=int(b)) for a, b in zip(one, other, strict=True)]
    return plant, Sample(guides=guides), Sample(guides=guides, wind=WIND)


def nailed_tree(nails: int) -> tuple[Simulation, Sample, Sample]:
    """The same tree with tips that are held where they are drawn."""
    rods = binary_tree(4, 7, radius=0.01, young=2e9, density=800.0, damping_time=0.01)
    plant = Simulation(discretize(rods, "base"), ONE_THREAD)
    plant.start(Sample())
    places, tips = plant.rod_tails(), _tips(rods)
    guides = [Guide(int(tip), position=places[tip]) for tip in tips[:nails]]
    return plant, Sample(guides=guides), Sample(guides=guides, wind=WIND)


def sliding_tree(count: int) -> tuple[Simulation, Sample, Sample]:
    """The same tree, tips of which slide on wavy sheets of together 20 000 triangles, through where they are drawn."""
    rods = binary_tree(4, 7, radius=0.01, young=2e9, density=800.0, damping_time=0.01)
    plant = Simulation(discretize(rods, "base"), ONE_THREAD)
    plant.start(Sample())
    places, tips = plant.rod_tails(), _tips(rods)
    vertices, triangles = grid(round(math.sqrt(10000 / count)))
    vertices[:, :2] -= vertices[len(vertices) // 2, :2]
    vertices[:, 2] = 0.05 * np.sin(8.0 * vertices[:, 0]) * np.cos(8.0 * vertices[:, 1])
    sheets = [Surface(vertices + places[tip], triangles, name=str(tip)) for tip in tips[:count]]
    guides = [Guide(int(tip), by="surface", surface=sheet) for tip, sheet in zip(tips, sheets, strict=False)]
    return plant, Sample(guides=guides), Sample(guides=guides, wind=WIND)


def _off(guide: Guide, places: np.ndarray) -> float:
    """How far (m) what is held is off."""
    if guide.by == "surface":
        return float(DistanceFrom(guide.surface)(places[guide.rod : guide.rod + 1])[0])
    there = places[guide.other_rod] if guide.by == "rod" else guide.position
    return float(np.linalg.norm(places[guide.rod] - there))


def _blown(plant: Simulation, still: Sample, windy: Sample, frames: int) -> tuple[float, int, float]:
    """Seconds and solves of so many frames in wind, and how far (m) what is held is off at their end."""
    plant.start(still, "settled")
    plant.advance(windy, 1.0 / 24.0)
    solves, begin = 0, time.perf_counter()
    for _ in range(frames):
        solves += plant.advance(windy, 1.0 / 24.0).solves
    spent, places = time.perf_counter() - begin, plant.rod_tails()
    return spent, solves, max((_off(guide, places) for guide in windy.guides), default=0.0)


def cost_table(quick: bool) -> str:
    """Milliseconds a solve of a tree in wind with and without what holds it, in turn."""
    cases = {
        "open": lambda: tied_tree(0), "20 ties": lambda: tied_tree(20), "20 nails": lambda: nailed_tree(20),
        "64 nails": lambda: nailed_tree(64), "20 on sheets": lambda: sliding_tree(20),
    }  # fmt: skip
    best, off = dict.fromkeys(cases, np.inf), dict.fromkeys(cases, 0.0)
    frames, work = 12 if quick else 48, dict.fromkeys(cases, 0)
    for _ in range(2 if quick else 5):
        for name, make in cases.items():
            spent, solves, off[name] = _blown(*make(), frames)
            best[name], work[name] = min(best[name], spent), solves
    rows = [
        [
            name, f"{1e3 * best[name] / frames:.2f}", str(work[name]), f"{1e6 * best[name] / work[name]:.0f}",
            f"{best[name] / work[name] / (best['open'] / work['open']):.2f}", f"{best[name] / best['open']:.2f}",
            f"{off[name]:.1e}",
        ]
        for name in cases
    ]  # fmt: skip
    head = [
        "508 bodies in wind", "ms a frame", "solves", "us a solve", "times, a solve", "times, a frame", "off by (m)",
    ]  # fmt: skip
    return markdown("Cost of guides", head, rows)


def rope_table(quick: bool) -> str:
    """Ropes between two nails, from a settled start and after two seconds of wind."""
    rows = []
    for n in (20, 100) if quick else (20, 100, 500):
        rods = beam(n, 1.0, 0.003, 1e6, 900.0, damping_time=0.01)
        plant = Simulation(discretize(rods, "base"), ONE_THREAD)
        world = Sample(guides=[Guide(n - 1, position=(0.7, 0, 0))])
        begin = time.perf_counter()
        found = plant.start(world, "settled")
        spent, steps, off = time.perf_counter() - begin, 0, 0.0
        for _ in range(48):
            steps += plant.advance(Sample(guides=world.guides, wind=WIND), 1.0 / 24.0).steps
            off = max(off, float(np.linalg.norm(plant.rod_tails()[-1] - (0.7, 0, 0))))
        rows.append([str(n), f"{1e3 * spent:.1f}", f"{found.residual:.0e}", f"{steps / 48:.1f}", f"{off:.1e}"])
    head = ["bones", "settled in (ms)", "residual", "steps a frame in wind", "off by at most (m)"]
    return markdown("Ropes of 1 m between two nails", head, rows)


def main() -> None:
    """Print both tables."""
    warm_up()
    print(cost_table(False), rope_table(False), sep="\n\n")


if __name__ == "__main__":
    main()
