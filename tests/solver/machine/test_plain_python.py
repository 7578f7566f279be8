# SPDX-License-Identifier: GPL-3.0-or-later
"""Without machine code the same code runs as plain Python and gives the same motion."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.oracles.runs.repeated_motions import motion

SCRIPT = """
import json, sys
import solver
from tests.oracles.runs.repeated_motions import motion
assert solver.running().how == "python"
json.dump(motion().tolist(), sys.stdout)
"""


def test_same_motion_in_plain_python():
    root = Path(__file__).resolve().parents[3]
    environment = os.environ | {"PLANT_DYNAMICS_KERNELS": "python"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.array(json.loads(done.stdout)), motion())
