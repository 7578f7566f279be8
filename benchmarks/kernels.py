# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels that ship beside those that numba compiles for this very processor: time per body and solve.

python -m benchmarks.kernels            the library's levels that this processor has, and numba in place, in turns
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.shown import Shown

ROOT = Path(__file__).resolve().parents[1]
TREES = (45, 504, 1524, 5110, 10230)
WINDS = ("without air", "uniform wind")


def costs() -> dict[str, float]:
    """ns per body and solve of all trees, by whatever PLANT_DYNAMICS_KERNELS says."""
    from benchmarks.speed import LARGER, sway
    from solver import Settings, Simulation, discretize
    from tests.oracles.models import binary_tree
    from tests.oracles.runs.fixed_steps import standing

    found: dict[str, float] = {}
    for bodies in TREES:
        larger = {"radius": 0.1, "young": 2e10, "damping_time": 0.002}
        rods = binary_tree(*LARGER[bodies], **larger) if bodies in LARGER else standing(bodies, 0.002)
        plant = Simulation(discretize(rods, "double_root"), Settings(threads=1))
        for wind in WINDS:
            for frames in (1, 24):
                name = f"{bodies} bodies, {wind}, {frames} frames a second"
                rounds = range(max(3, 6000 // bodies))
                found[name] = min(sway(plant, wind, frames).per_solve(len(rods)) for _ in rounds)
    return found


def table(rounds: int = 4) -> str:
    """Ratios of speeds, the shortest of several runs in turns."""
    from solver.machine.library import levels_of_this_processor, open_library

    library = open_library()
    if isinstance(library, str):
        return f"{library}\n"
    ways = levels_of_this_processor(library)
    best: dict[str, dict[str, float]] = {}
    for _ in range(rounds):
        for way in (*ways, "numba"):
            program = "import json; from benchmarks.kernels import costs; print(json.dumps(costs()))"
            asked = os.environ | {"PLANT_DYNAMICS_KERNELS": way}
            command = [sys.executable, "-c", program]
            done = subprocess.run(command, cwd=ROOT, env=asked, capture_output=True, text=True, check=True)
            for name, cost in json.loads(done.stdout).items():
                own = best.setdefault(name, {})
                own[way] = min(cost, own.get(way, cost))
    shown = Shown("Kernels that ship and numba in place", "ns per body and solve, shortest of runs in turns.")
    for name, own in best.items():
        ratio = own["numba"] / own[ways[-1]]
        measured = ", ".join(f"{way} {cost:.0f} ns" for way, cost in own.items())
        shown.add(name, ">= 0.95 of numba's speed", f"{ratio:.2f} ({measured})", ratio >= 0.95)
    return shown.markdown()


if __name__ == "__main__":
    print(table())
