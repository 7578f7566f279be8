# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plants among random colliders that appear, move fast, squeeze and vanish.

    python -m tests.surveys.touching_plants 10000        this many, from the first
    python -m tests.surveys.touching_plants --only 1234  one again

Every case is made from its number alone. In the end nothing is inside a collider by more than half a radius, as long as
the base is outside; where all stood still all the time, the energy has not grown.
"""

import argparse
import time
from dataclasses import replace

import numpy as np

from solver import STOPPED, Collider, Rods, Sample, Settings, Simulation, discretize
from tests.oracles.models import ALONG_X, beam, binary_tree, random_quaternions, random_rods

SEED, FRAME = 20260811, 1.0 / 24.0
MOVING, CALM = 10, 24

#: Share of what the plant could fall through by which its energy may seem to grow.
ROUNDING = 1e-3


def plant_of(rng: np.random.Generator) -> Rods:
    friction, bounce = rng.uniform(0.0, 1.0), rng.choice([0.0, 0.0, rng.uniform(0.0, 1.0)])
    given = {"damping_time": 10.0 ** rng.uniform(-3.5, -1.5), "young": 10.0 ** rng.uniform(6.0, 9.0)}
    kind = int(rng.integers(3))
    if kind == 0:
        rods = beam(int(rng.integers(1, 12)), 0.6, 10.0 ** rng.uniform(-3.0, -1.7), frame=ALONG_X, **given)
    elif kind == 1:
        rods = binary_tree(2, int(rng.integers(1, 4)), 10.0 ** rng.uniform(-3.0, -2.0), **given)
    else:
        rods = random_rods(rng, int(rng.integers(2, 20)), **given)
    return replace(rods, friction=friction, bounce=bounce)


def thing(rng: np.random.Generator, name: str, far: float) -> Collider:
    """One whose surface is so far (m) from the base at least."""
    kind = str(rng.choice(["ball", "box", "capsule", "plane"]))
    size = {"ball": rng.uniform(0.02, 0.3, 1), "box": rng.uniform(0.02, 0.3, 3), "capsule": rng.uniform(0.02, 0.2, 2),
            "plane": ()}[kind]  # fmt: skip
    way = rng.normal(size=3)
    way /= np.linalg.norm(way)
    if kind == "plane":
        return Collider("plane", name=name, position=(0.0, 0.0, -far), friction=rng.uniform(0.0, 1.0))
    reach = float(np.sum(size)) + far
    return Collider(
        kind, size, name, way * rng.uniform(reach, reach + 0.5), random_quaternions(rng, 1)[0],
        friction=rng.uniform(0.0, 1.0), bounce=rng.choice([0.0, 0.5]),
    )  # fmt: skip


def depth(points: np.ndarray, radii: np.ndarray, one: Collider) -> np.ndarray:
    """(k,) m by which balls about points are inside a collider."""
    w, x, y, z = one.orientation
    turn = np.array(
        [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    )  # fmt: skip
    own, size = (points - np.asarray(one.position)) @ turn, np.asarray(one.size)
    if one.kind == "plane":
        away = own[:, 2]
    elif one.kind == "ball":
        away = np.linalg.norm(own, axis=1) - size[0]
    elif one.kind == "capsule":
        along = np.clip(own[:, 1], -size[1], size[1])
        away = np.linalg.norm(own - along[:, None] * (0.0, 1.0, 0.0), axis=1) - size[0]
    else:
        out = np.abs(own) - size
        away = np.linalg.norm(np.maximum(out, 0.0), axis=1) + np.minimum(out.max(axis=1), 0.0)
    return radii - away


def run_case(case: int) -> str:
    """What is wrong with it, or an empty string."""
    rng = np.random.default_rng([SEED, case])
    rods = plant_of(rng)
    model = discretize(rods)
    still = bool(rng.random() < 0.3)
    things = [thing(rng, str(k), 0.05) for k in range(int(rng.integers(1, 4)))]
    ends = things if still else [thing(rng, one.name, 0.05) for one in things]
    ends = [
        replace(one, position=after.position, orientation=after.orientation) if one.kind == after.kind else one
        for one, after in zip(things, ends, strict=True)
    ]
    appears, vanishes = int(rng.integers(0, 4)) if not still else 0, int(rng.integers(3, 40))
    itself = bool(rng.random() < 0.3)

    def world(frame: int) -> Sample:
        s = min(1.0, frame / MOVING)
        now = [
            replace(b, position=(1.0 - s) * np.asarray(a.position) + s * np.asarray(b.position))
            for a, b in zip(things, ends, strict=True)
        ]
        if not still and (frame < appears or frame > vanishes):
            now = now[1:]
        return Sample(colliders=now, touches_itself=itself)

    plant = Simulation(model, Settings(max_step=1 / 120, threads=1))
    plant.start(world(0))
    free = _inside(plant, rods, world(0).colliders) <= 0.0
    before, scale = sum(plant.energy()), float(model.bodies.mass.sum()) * 9.81 * 0.3
    for frame in range(1, MOVING + CALM):
        report = plant.advance(world(frame), FRAME)
        if not np.isfinite(plant.rod_tails()).all():
            return f"frame {frame}: not finite"
        if report.status == STOPPED:
            return f"frame {frame}: stopped"
        if still and sum(plant.energy()) > before + ROUNDING * scale:
            return f"frame {frame}: energy has grown by {(sum(plant.energy()) - before) / scale:.2g} of its scale"
    inside = _inside(plant, rods, world(MOVING + CALM).colliders)
    worst = int(np.argmax(np.where(free, inside, -1.0)))
    return f"rod {worst} is inside by {inside[worst]:.2g} radii" if free[worst] and inside[worst] > 0.5 else ""


def _inside(plant: Simulation, rods: Rods, colliders) -> np.ndarray:
    """(m,) by how many of their radii rods are inside colliders, at any of their points."""
    heads, tails = plant.rod_heads(), plant.rod_tails()
    r0, r1 = rods.array("radius_base"), rods.array("radius_tip")
    deepest = np.full(len(heads), -np.inf)
    for t in np.linspace(0.0, 1.0, 21):
        radii = (1.0 - t) * r0 + t * r1
        for one in colliders:
            deepest = np.maximum(deepest, depth((1.0 - t) * heads + t * tails, radii, one) / radii)
    return deepest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=int, nargs="?", default=1000)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    cases = range(arguments.cases) if arguments.only is None else [arguments.only]
    begin, wrong = time.perf_counter(), 0
    for case in cases:
        problem = run_case(case)
        if problem:
            wrong += 1
            print(f"case {case}: {problem}", flush=True)
    print(f"{len(cases)} cases, {wrong} wrong, {time.perf_counter() - begin:.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
