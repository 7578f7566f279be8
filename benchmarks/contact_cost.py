# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact: what it costs with the world, how many solves pairs take, and how much memory.

    PLANT_DYNAMICS_KERNELS=python python benchmarks/contact_cost.py passes SCENE FILE
    python benchmarks/contact_cost.py memory

This is what the tables start beside themselves: in plain Python passes can be counted, and memory is a process's.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import markdown
from benchmarks.shown import Shown
from solver import Collider, Model, Rods, Sample, Settings, Simulation, discretize, warm_up
from solver.contact.pairs import NEAR, PAIR_SLOTS, touches
from solver.dynamics import forward_dynamics
from solver.math.rotations import from_matrices
from solver.snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from tests.oracles.models import binary_tree

STEP, FRAME = 1.0 / 240.0, 1.0 / 24.0
ONE_THREAD = Settings(max_step=STEP, threads=1)
GROUND = Collider("plane", friction=0.5)

#: What coupled solves leave where their passes are counted.
PASSES_LEAVE = 1e-6

#: A tree that is drawn lying.
LYING = (0.5**0.5, 0.0, 0.5**0.5, 0.0)


def _tree(internodes: int) -> Model:
    rods = binary_tree(internodes, 6, 0.004, 1e9, damping_time=0.02, friction=0.5)
    return discretize(rods, "double_root", segments=1)


def _measured(model: Model, seconds: tuple[float, float], ground: float | None, off: bool) -> tuple[float, float, int]:
    """Seconds of a step, solves of one, and points that touch, from one time to another. ground: how far (m) below all
    of the tree; off: whether it is let go."""
    cut = np.eye(model.rod_count)[0] if off else None
    sample, plant = Sample(base_orientation=LYING, cut=cut), Simulation(model, ONE_THREAD)
    plant.start(sample)
    if ground is not None:
        lowest = float(plant.rod_tails()[:, 2].min())
        floor = Collider("plane", position=(0.0, 0.0, lowest - ground), friction=0.5)
        sample = replace(sample, colliders=[floor])
        plant.start(sample)
    for _ in range(round(seconds[0] / FRAME)):
        plant.advance(sample, FRAME)
    steps, solves, begin = 0, 0, time.process_time()
    for _ in range(round((seconds[1] - seconds[0]) / FRAME)):
        report = plant.advance(sample, FRAME)
        steps, solves = steps + report.steps, solves + report.solves
    return (time.process_time() - begin) / steps, solves / steps, len(plant.contacts().rod)


def world_table(quick: bool) -> str:
    rows = []
    for internodes, late in ((8, True), (20, False)) if quick else ((8, True), (20, False), (80, False)):
        model = _tree(internodes)
        n = model.body_count
        cases: list[tuple[str, tuple[float, float], float | None, bool]] = [
            ("swings, clamped, no ground", (0.25, 0.75), None, False),
            ("swings, clamped, the ground far below", (0.25, 0.75), 100.0, False),
            ("has been let go onto the ground", (0.25, 0.75), 0.05, True),
        ]
        if late:
            cases.append(("lies", (4.0, 6.0), 0.05, True))
        alone = 0.0
        for what, seconds, ground, off in cases:
            repeats = 3 if internodes == 8 else 1
            step, solves, points = min(_measured(model, seconds, ground, off) for _ in range(repeats))
            alone = alone or step
            short = ground is not None and step > 1.3 * alone
            rows.append(
                [f"{n}", what, f"{points}", f"{1e6 * step:.0f}", f"{solves:.1f}", f"{1e9 * step / solves / n:.0f}",
                 f"{step / alone:.2f}" + (" — **short**" if short else "")]
            )  # fmt: skip
    return markdown(
        "Cost of contacts with the world",
        ["bodies", "a tree that", "points", "µs a step", "solves a step", "ns a solve and body", "ratio (< 1.3)"],
        rows,
        "Drawn lying, all of it at least 5 cm above the ground. From 0.25 to 0.75 s after the start, of the one that"
        " lies from 4 to 6 s;"
        " one core, processor time.",
    )


def _loose(links: int, head, way, length: float) -> Model:
    """A chain of 1 m or a stick, 2 cm thick, along a level way, which nothing holds."""
    y = np.asarray(way) / np.linalg.norm(way)
    frame = from_matrices(np.column_stack([np.cross(y, (0.0, 0.0, 1.0)), y, (0.0, 0.0, 1.0)])[None])
    return discretize(
        Rods(
            parent=np.arange(links) - 1, head=np.asarray(head) + np.arange(links)[:, None] * length * y,
            frame=np.repeat(frame, links, axis=0), length=length, radius_base=0.01, radius_tip=0.01, young=1e9,
            density=500.0, friction=0.5, joint_damping=2e-4, stiffness=np.full((links, 3), 0.02),
        ), "base", segments=1,
    )  # fmt: skip


def _pile(chains: int, links: int) -> list[Model]:
    """One above the other, crosswise."""
    ways = [np.array((np.cos(2.4 * k), np.sin(2.4 * k), 0.0)) for k in range(chains)]
    up = np.array((0.0, 0.0, 0.03))
    return [_loose(links, (k + 1) * up - 0.5 * way, way, 1.0 / links) for k, way in enumerate(ways)]


def _stack(layers: int, each: int) -> list[Model]:
    """Layers of sticks, crosswise, of which each lies on all of the layer below."""
    found = []
    for layer in range(layers):
        for k in range(each):
            aside, high = 0.06 * (k - 0.5 * (each - 1)), 0.0101 + 0.0201 * layer
            head = (-0.4, aside, high) if layer % 2 == 0 else (aside, -0.4, high)
            found.append(_loose(1, head, (1.0, 0.0, 0.0) if layer % 2 == 0 else (0.0, 1.0, 0.0), 0.8))
    return found


#: By name: models, and after how long (s) passes are counted.
SCENES: dict[str, tuple[Callable[[], list[Model]], float]] = {
    "2 sticks on 2": (lambda: _stack(2, 2), 0.5),
    "5 chains of 10 links in a pile": (lambda: _pile(5, 10), 2.0),
    "3 layers of 3 sticks": (lambda: _stack(3, 3), 0.5),
    "10 chains of 20 links in a pile": (lambda: _pile(10, 20), 2.0),
    "11 layers of 10 sticks": (lambda: _stack(11, 10), 0.5),
}


def _scene(name: str) -> tuple[Simulation, Sample]:
    models = SCENES[name][0]()
    cut = np.concatenate([np.eye(model.rod_count)[0] for model in models])
    plant = Simulation(models, ONE_THREAD, together=True)
    sample = Sample(colliders=[GROUND], touches_itself=True, touches_others=True, cut=cut)
    plant.start(sample)
    return plant, sample


def count_passes(name: str, file: str) -> None:
    """Print, for the solves of one step from a snapshot, pairs that touch and passes."""
    plant, sample = _scene(name)
    with np.load(file, allow_pickle=False) as archive:
        plant.restore(snapshot_from_arrays(plant, archive))
    couple, found = forward_dynamics.couple, []

    def counted(data, parent, loose, ties, shapes, pairs, anew, left_over, enough):
        passes, filled, is_lost = couple(data, parent, loose, ties, shapes, pairs, anew, PASSES_LEAVE, 0.0)
        rows = range(pairs.counts[0, NEAR])
        touch = [any(touches(pairs.marks, PAIR_SLOTS * row + k) for k in range(PAIR_SLOTS)) for row in rows]
        found.append((sum(touch), int(passes)))
        return passes, filled, is_lost

    forward_dynamics.couple = counted
    plant.advance(sample, STEP)
    print(json.dumps(found))


def passes_table(quick: bool) -> str:
    rows = []
    for name in list(SCENES)[:3] if quick else SCENES:
        plant, sample = _scene(name)
        for _ in range(round(SCENES[name][1] / FRAME)):
            plant.advance(sample, FRAME)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "snapshot.npz"
            np.savez(file, **snapshot_arrays(plant.snapshot()))
            found = json.loads(_beside({"PLANT_DYNAMICS_KERNELS": "python"}, "passes", name, str(file)))
        pairs, passes = (np.array(column) for column in zip(*found, strict=True))
        most = 12 if pairs.max() <= 20 else 50
        rows.append(
            [name, f"{pairs.max()}", f"{len(passes)}", f"{np.median(passes):.0f}", f"{passes.max()}",
             f"{most}" + ("" if passes.max() <= most else " — **short**")]
        )  # fmt: skip
    return markdown(
        "Passes of the solve that couples pairs",
        ["scene", "pairs", "solves", "passes, middle", "passes, most", "asked for"],
        rows,
        "Out and back along the trees or, in heaps, over the bodies, of conjugate gradients to a millionth; of all"
        " solves of one step of loose bodies that lie, counted in plain Python. It ends at 101, done or not.",
    )


def measure_memory() -> None:
    """Print what a process holds (MB): with the solver and its kernels, at most afterwards; bodies, triangles, points;
    and what Python allocates in a frame of one step and of ten."""
    warm_up()
    before, k = _held("VmRSS"), 225
    x, y = np.meshgrid(np.linspace(-6.0, 6.0, k), np.linspace(-6.0, 6.0, k), indexing="ij")
    vertices = np.stack([x, y, 0.01 * np.sin(3.0 * x) * np.cos(2.0 * y) - 0.03], axis=-1).reshape(-1, 3)
    i = np.arange(k * k).reshape(k, k)
    corners = (i[:-1, :-1], i[1:, :-1], i[1:, 1:]), (i[:-1, :-1], i[1:, 1:], i[:-1, 1:])
    triangles = np.concatenate([np.stack(three, axis=-1).reshape(-1, 3) for three in corners])
    heads = [(-2.5, 0.1 * (line - 25), 0.0) for line in range(50)]
    plant = Simulation([_loose(100, head, (1.0, 0.0, 0.0), 0.05) for head in heads], ONE_THREAD)
    cut = np.tile(np.eye(100)[0], 50)
    sample = Sample(colliders=[Collider("mesh", vertices=vertices, triangles=triangles, friction=0.5)], cut=cut)
    plant.start(sample)
    for _ in range(12):
        plant.advance(sample, FRAME)
    points, most, traced, steps = len(plant.contacts().rod), _held("VmHWM"), [], []
    tracemalloc.start()
    for duration in (STEP / 16.0, 10.0 * STEP):
        tracemalloc.reset_peak()
        begin = tracemalloc.get_traced_memory()[0]
        steps.append(plant.advance(sample, duration).steps)
        traced.append((tracemalloc.get_traced_memory()[1] - begin) / 2**20)
    print(json.dumps([before, most, plant.model.body_count, len(triangles), points, traced, steps]))


def _held(which: str) -> float:
    """MB of this process, on Linux."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(which))


def memory_table(quick: bool) -> str:
    before, most, bodies, triangles, points, traced, steps = json.loads(_beside({}, "memory"))
    shown = Shown(
        "Memory of contact",
        "Of the whole process, Python and NumPy with it. A frame's arrays are made in Python, before and after its"
        " steps; the kernels, in which all steps are, have nothing to allocate with"
        " (`tests/solver/machine/test_kernel_libraries.py`).",
    )
    what = f"{triangles} triangles, {bodies} bodies, {points} points that touch"
    shown.add(what, "< 200 MB", f"{most:.0f} MB, of which {before:.0f} before there is a plant", most < 200.0)
    told = " and ".join(f"{size:.2f} MB in {count} steps" for size, count in zip(traced, steps, strict=True))
    shown.add("allocated by Python in a frame, at most at a time", "no more for more steps", told,
              traced[1] < 1.01 * traced[0] + 0.1)  # fmt: skip
    return shown.markdown()


def _beside(environment: dict[str, str], *arguments: str) -> str:
    """What this file prints, run for itself."""
    found = subprocess.run(
        [sys.executable, __file__, *arguments], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return found.stdout


if __name__ == "__main__":
    {"passes": count_passes, "memory": measure_memory}[sys.argv[1]](*sys.argv[2:])
