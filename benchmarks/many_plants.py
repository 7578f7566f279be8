# SPDX-License-Identifier: GPL-3.0-or-later
"""Many plants on two cores, and very large ones."""

import subprocess
import sys
import threading
import time
from pathlib import Path

import numba
import numpy as np

from benchmarks.shown import Shown
from solver import Sample, Settings, Simulation, discretize
from tests.oracles.models import random_rods

WIND = Sample(wind=(3.0, 0.0, 0.0))


@numba.njit(nogil=True)
def _arithmetic(count: int) -> float:
    x = 0.5
    for _ in range(count):
        x = 3.7 * x * (1.0 - x)
    return x


def table(quick: bool) -> str:
    shown = Shown(
        "Scale",
        "1 000 plants of 100 bodies (random trees of 50 rods), wind of 3 m/s, 24 frames a second, wall clock,"
        " shortest of several runs in turns. Control: two threads, each with the arithmetic that one does alone;"
        " where it does not come to 2, the machine's cores are not two (shared or busy). 100 000 bodies: one random"
        " tree.",
    )
    plants = 100 if quick else 1000
    control = core_ratio(3 if quick else 7)
    one, two = frame_times(plants, 2 if quick else 4)
    shown.add("control: two threads of pure arithmetic over one", "2", f"{control:.2f}")
    shown.add(
        f"{plants} plants, two cores over one", ">= 1.8",
        f"{one / two:.2f} ({100 * one / two / control:.0f} % of the control); {1e3 * one:.0f} and {1e3 * two:.0f} ms a"
        " frame",
        one / two >= 1.8,
    )  # fmt: skip
    bodies = 10_000 if quick else 100_000
    shown.add(f"{bodies} bodies in one tree", "runs", large_tree(bodies))
    return shown.markdown()


def core_ratio(rounds: int) -> float:
    """How much more arithmetic two threads do in the same time."""
    count = 30_000_000
    _arithmetic(10)

    def seconds(threads: int) -> float:
        work = [threading.Thread(target=_arithmetic, args=(count,)) for _ in range(threads)]
        begin = time.perf_counter()
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        return time.perf_counter() - begin

    best = {1: np.inf, 2: np.inf}
    for _ in range(rounds):
        for threads in best:
            best[threads] = min(best[threads], seconds(threads))
    return 2.0 * best[1] / best[2]


def frame_times(plants: int, rounds: int) -> tuple[float, float]:
    """Seconds a frame with one thread and with two."""
    model = discretize(random_rods(np.random.default_rng(1), 50, young=2e9, damping_time=0.01))
    best = {1: np.inf, 2: np.inf}
    runs = {threads: Simulation([model] * plants, Settings(threads=threads)) for threads in best}
    for plant in runs.values():
        plant.start(WIND)
        plant.advance(WIND, 1 / 24)
    for _ in range(rounds):
        for threads, plant in runs.items():
            begin = time.perf_counter()
            for _ in range(2):
                plant.advance(WIND, 1 / 24)
            best[threads] = min(best[threads], 0.5 * (time.perf_counter() - begin))
    return best[1], best[2]


def large_tree(bodies: int) -> str:
    """Measured in a process of its own, whose memory is then known."""
    root = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-m", "benchmarks.many_plants", str(bodies)]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    """Make and advance one tree of so many bodies."""
    bodies = int(sys.argv[1])
    small = Simulation(discretize(random_rods(np.random.default_rng(2), 5)))  # loads the kernels
    small.start(WIND)
    small.advance(WIND, 1 / 24)
    before = _memory()
    begin = time.perf_counter()
    plant = Simulation(discretize(random_rods(np.random.default_rng(2), bodies // 2, young=5e9, damping_time=0.01)))
    made = time.perf_counter()
    plant.start(WIND)
    report = plant.advance(WIND, 1 / 24)
    first = time.perf_counter()
    for _ in range(3):
        report = plant.advance(WIND, 1 / 24)
    each = (time.perf_counter() - first) / 3
    finite = np.isfinite(plant.rod_tails()).all()
    print(
        f"{'finite' if finite else 'not finite'}; made in {made - begin:.1f} s, {each:.2f} s a frame of {report.steps}"
        f" steps and {report.solves} solves, {_memory() - before:.0f} MB"
    )


def _memory() -> float:
    """MB, the most this process has had; what the resource module tells includes the process that started it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    main()
