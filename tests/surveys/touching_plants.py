# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plants among random colliders that appear, move fast, squeeze and vanish.

    python -m tests.surveys.touching_plants 10000        this many, from the first
    python -m tests.surveys.touching_plants --only 1234  one again

Every case is made from its number alone. In the end nothing is inside a collider by more than half a radius; where all
stood still all the time, the energy has not grown; and no plant is stopped. Nothing is asked of a collider in which
something of the plant was when it came, which may draw the rest along, nor of one that goes over a base or a joint on
it, which cannot give way; nor of a rod that two colliders together leave less room than it is thick.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from solver import STOPPED, Collider, Rods, Sample, Settings, Simulation, discretize
from tests.oracles.models import ALONG_X, beam, binary_tree, random_quaternions, random_rods
from tests.oracles.touching.depth import depth, held, inside

SEED, FRAME = 20260811, 1.0 / 24.0
MOVING, CALM = 10, 24

#: Share of what the plant could fall through by which its energy may seem to grow.
ROUNDING = 1e-3

#: What is deeper inside in the end, in radii, is buried; and what is so deep inside two colliders at once has no room.
BURIED, SQUEEZED = 0.5, 0.25


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


def thing(rng: np.random.Generator, name: str) -> Collider:
    kind = str(rng.choice(["ball", "box", "capsule", "plane"]))
    size = {"ball": rng.uniform(0.02, 0.3, 1), "box": rng.uniform(0.02, 0.3, 3), "capsule": rng.uniform(0.02, 0.2, 2),
            "plane": ()}[kind]  # fmt: skip
    return placed(
        rng, Collider(kind, size, name, friction=rng.uniform(0.0, 1.0), bounce=rng.choice([0.0, 0.5])), 0.05
    )


def placed(rng: np.random.Generator, one: Collider, far: float) -> Collider:
    """The same with its surface at least so far (m) from the base, turned as may be."""
    if one.kind == "plane":
        return replace(one, position=(0.0, 0.0, -far))
    way, reach = rng.normal(size=3), float(np.sum(one.size)) + far
    way *= rng.uniform(reach, reach + 0.5) / np.linalg.norm(way)
    return replace(one, position=way, orientation=random_quaternions(rng, 1)[0])


def run_case(case: int) -> str:
    """What is wrong with it, or an empty string."""
    rng = np.random.default_rng([SEED, case])
    rods = plant_of(rng)
    model = discretize(rods)
    still = bool(rng.random() < 0.3)
    things = [thing(rng, str(k)) for k in range(int(rng.integers(1, 4)))]
    ends = things if still else [placed(rng, one, 0.05) for one in things]
    appears, vanishes = int(rng.integers(0, 4)) if not still else 0, int(rng.integers(3, 40))
    itself = bool(rng.random() < 0.3)

    def world(frame: float) -> Sample:
        s = min(1.0, frame / MOVING)
        now = [
            replace(a, position=(1.0 - s) * np.asarray(a.position) + s * np.asarray(b.position))
            for a, b in zip(things, ends, strict=True)
        ]
        if not still and (frame < appears or frame > vanishes):
            now = now[1:]
        return Sample(colliders=now, touches_itself=itself)

    plant = Simulation(model, Settings(max_step=1 / 120, threads=1))
    plant.start(world(0))
    there, excused = set[str](), set[str]()

    def meet(colliders: Sequence[Collider]) -> None:
        come = [one for one in colliders if one.name not in there]
        excused.update(one.name for one in come if inside(plant, [one]).max() > 0.0)
        there.clear()
        there.update(one.name for one in colliders)

    meet(world(0).colliders)
    thick, covered = float(np.max(rods.array("radius_base"))), set[str]()
    joints = np.vstack([np.zeros(3), held(plant, len(rods))])
    before, scale = sum(plant.energy()), float(model.bodies.mass.sum()) * 9.81 * 0.3
    for frame in range(1, MOVING + CALM):
        now = world(frame).colliders
        meet(now)
        report = plant.advance(world(frame), FRAME)
        if not np.isfinite(plant.rod_tails()).all():
            return f"frame {frame}: not finite"
        ways = [one for s in np.linspace(0.75, 0.0, 4) for one in world(frame - s).colliders]
        covered.update(one.name for one in ways if depth(joints, np.full(len(joints), thick), one).max() > 0.0)
        if report.status == STOPPED and not covered:
            return f"frame {frame}: stopped"
        if still and sum(plant.energy()) > before + ROUNDING * scale:
            return f"frame {frame}: energy has grown by {(sum(plant.energy()) - before) / scale:.2g} of its scale"
    now = world(MOVING + CALM - 1).colliders
    if not now:
        return ""
    deep = np.array([inside(plant, [one]) for one in now])
    deep[:, (deep > SQUEEZED).sum(axis=0) > 1] = -np.inf
    deep[[one.name in excused | covered for one in now]] = -np.inf
    worst = int(np.argmax(deep.max(axis=0)))
    return f"rod {worst} is inside by {deep[:, worst].max():.2g} radii" if deep.max() > BURIED else ""


def main(description: str, run: Callable[[int], str], told: Callable[[int], str]) -> None:
    """The command of a survey: what is wrong with its cases, and how those are told."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("cases", type=int, nargs="?", default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()
    cases = range(arguments.first, arguments.first + arguments.cases)
    if arguments.only is not None:
        cases = range(arguments.only, arguments.only + 1)
    begin, wrong = time.perf_counter(), 0
    for case in cases:
        problem = run(case)
        if problem:
            wrong += 1
            print(f"case {case}: {problem}{told(case)}", flush=True)
    print(f"{len(cases)} cases, {wrong} wrong, {time.perf_counter() - begin:.0f} s")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main(__doc__.splitlines()[0], run_case, lambda case: "")
