# SPDX-License-Identifier: GPL-3.0-or-later
"""Without machine code the same code runs as plain Python and gives the same motion."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import solver
from tests.solver.dynamics.test_invariants import swing

SCRIPT = """
import json, sys
import solver
from tests.solver.test_plain_python import motion
assert solver.running().how == "python"
json.dump(motion().tolist(), sys.stdout)
"""


def motion():
    from tests.oracles.models import binary_tree

    paths = []
    for mode, layout in (("settled", "double_root"), ("keep_shape", "mid")):
        plant = solver.Simulation(solver.discretize(binary_tree(2, 2, damping_time=0.01), layout))
        plant.start(solver.Sample(), mode)
        paths.append(swing(plant, 3))
    absurd = solver.Simulation(solver.discretize(binary_tree(2, 2)), solver.Settings(max_step=0.1, halvings=0))
    absurd.start(solver.Sample())
    status = absurd.advance(solver.Sample(gravity=(1e40, 0.0, 0.0)), 0.1).status
    assert status == solver.STOPPED
    assert np.isfinite(absurd.rod_tails()).all()
    return np.array(paths)


def test_same_motion_in_plain_python():
    root = Path(__file__).resolve().parents[3]
    environment = os.environ | {"PLANT_DYNAMICS_KERNELS": "python"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.array(json.loads(done.stdout)), motion())
