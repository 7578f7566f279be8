# SPDX-License-Identifier: GPL-3.0-or-later
"""Random stones that fall onto each other and the ground.

    python -m tests.surveys.falling.stones 1000        so many heaps, from the first
    python -m tests.surveys.falling.stones --only 123  one again

Every heap is made from its number alone: two to five stones of 5 to 24 corners, some flat and sharp. Nothing gains
energy, is stopped, or is inside another stone or the ground by more than a tenth of the radius of its edges.
"""

import argparse
import time

import numpy as np
from scipy.spatial import ConvexHull

from solver import STOPPED, Collider, Sample, Simulation, solid

SEED, FRAME, FRAMES = 20261130, 1.0 / 24.0, 24

#: Energy may grow by this share of what there is to fall; and shapes may be so many radii inside each other.
GAIN, INSIDE = 1e-3, 0.1


def stone(rng: np.random.Generator):
    """Corners (n, 3) m and triangles, which look out, of one that is a few centimetres wide."""
    points = rng.normal(size=(int(rng.integers(5, 25)), 3))
    points *= 0.05 / np.linalg.norm(points, axis=1)[:, None]
    points *= rng.uniform(0.25, 1.2, 3) if rng.random() < 0.5 else rng.uniform(0.6, 1.2)
    found = ConvexHull(points)
    points = points[found.vertices]
    found = ConvexHull(points)
    a = points[found.simplices]
    looks_in = np.einsum("ij,ij->i", np.cross(a[:, 1] - a[:, 0], a[:, 2] - a[:, 0]), found.equations[:, :3]) < 0.0
    return points, np.where(looks_in[:, None], found.simplices[:, ::-1], found.simplices)


def heap(number: int, noise: float = 0.0) -> tuple[Simulation, Sample]:
    """One over the other, above the ground."""
    rng = np.random.default_rng([SEED, number])
    n = int(rng.integers(2, 6))
    friction = rng.uniform(0.0, 1.0)
    stones, places, turns = [], [], []
    for k in range(n):
        vertices, triangles = stone(rng)
        density = 10.0 ** rng.uniform(2.5, 3.7)
        stones.append(solid("hull", vertices=vertices, triangles=triangles, density=density, friction=friction))
        places.append((rng.uniform(-0.01, 0.01) + noise, rng.uniform(-0.01, 0.01), 0.065 + 0.125 * k))
        turns.append(rng.normal(size=4))
    plants = Simulation(stones, together=True)
    turned = np.array(turns) / np.linalg.norm(turns, axis=1)[:, None]
    ground = Collider("plane", friction=friction)
    sample = Sample(places, base_orientation=turned, cut=[1.0] * n, touches_others=True, colliders=[ground])
    plants.start(sample)
    return plants, sample


def wrongs(number: int, noise: float = 0.0) -> list[str]:
    """What is wrong with one."""
    plants, sample = heap(number, noise)
    energy = most = sum(plants.energy())
    thin = float(np.concatenate([model.shapes.radius for model in plants.systems]).min())
    found = []
    for frame in range(FRAMES):
        status = plants.advance(sample, FRAME).status
        before, energy = energy, sum(plants.energy())
        deep = -float(plants.contacts().gap.min(initial=0.0))
        if status == STOPPED:
            found.append(f"frame {frame}: stopped")
        if energy > before + GAIN * abs(most):
            found.append(f"frame {frame}: energy from {before:.4g} to {energy:.4g} J")
        if deep > INSIDE * thin:
            found.append(f"frame {frame}: {deep / thin:.3g} radii inside")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count) if options.only is None else [options.only]
    wrong, longest = 0, 0.0
    for number in numbers:
        begin = time.perf_counter()
        found = wrongs(number)
        longest = max(longest, time.perf_counter() - begin)
        wrong += 1 if found else 0
        if found:
            print(number, "; ".join(found[:3]), flush=True)
    print(f"{len(numbers)} heaps, {wrong} wrong, {longest:.1f} s the longest")


if __name__ == "__main__":
    main()
