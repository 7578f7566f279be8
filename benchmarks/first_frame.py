# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a user waits for the first frame, with nothing compiled yet and with the kernels in the cache."""

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
import numpy
import numba
imported = time.perf_counter()
from solver import Sample, Simulation, discretize, warm_up
from tests.solver.models import binary_tree
plant = Simulation(discretize(binary_tree(3, 4)))
ready = time.perf_counter()
plant.start(Sample())
plant.advance(Sample(), 1 / 24)
first = time.perf_counter()
plant.start(Sample(), "settled")
settled = time.perf_counter()
warm_up()
print(json.dumps([imported - begin, first - ready, settled - first, time.perf_counter() - begin]))
"""


def table(quick: bool) -> str:
    with tempfile.TemporaryDirectory() as folder:
        cold = _run(folder)
        warm = [min(times) for times in zip(*(_run(folder) for _ in range(3)), strict=True)]
    labels = (
        "importing NumPy and numba",
        "first frame as drawn",
        "then settling",
        "everything, from the start of Python",
    )
    rows = [[label, f"{one:.2f}", f"{other:.2f}"] for label, one, other in zip(labels, cold, warm, strict=True)]
    return markdown(
        "Time to the first frame", ["what", "cold cache (s)", "warm cache (s)"], rows,
        "Cold: the first time after installing or updating. Warm: every later start of Blender.",
    )  # fmt: skip


def _run(cache: str) -> list[float]:
    root = Path(__file__).resolve().parents[1]
    environment = os.environ | {"PLANT_DYNAMICS_CACHE_DIR": cache, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)
