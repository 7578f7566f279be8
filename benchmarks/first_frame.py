# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a user waits for the first frame, with machine code as shipped and where numba compiles it first."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.machine import markdown

SCRIPT = """
import json, time
begin = time.perf_counter()
from solver import Sample, Simulation, discretize
imported = time.perf_counter()
from tests.oracles.models import binary_tree
plant = Simulation(discretize(binary_tree(3, 4)))
ready = time.perf_counter()
plant.start(Sample())
plant.advance(Sample(), 1 / 24)
first = time.perf_counter()
plant.start(Sample(), "settled")
settled = time.perf_counter()
print(json.dumps([imported - begin, first - ready, settled - first, time.perf_counter() - begin]))
"""


def table(quick: bool) -> str:
    with tempfile.TemporaryDirectory() as folder:
        numba = _run({"PLANT_DYNAMICS_KERNELS": "numba", "PLANT_DYNAMICS_CACHE_DIR": folder})
    shipped = [min(times) for times in zip(*(_run({}) for _ in range(3)), strict=True)]
    labels = (
        "importing NumPy and the solver",
        "first frame as drawn",
        "then settling",
        "everything, from the start of Python",
    )
    rows = [[label, f"{one:.2f}", f"{other:.2f}"] for label, one, other in zip(labels, shipped, numba, strict=True)]
    return markdown(
        "Time to the first frame", ["what", "as shipped (s)", "compiled by numba first (s)"], rows,
        "As shipped: machine code is loaded. The other: where it cannot be, and numba is installed, once.",
    )  # fmt: skip


def _run(variables: dict[str, str]) -> list[float]:
    root = Path(__file__).resolve().parents[1]
    environment = os.environ | {"PYTHONPATH": str(root)} | variables
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)
