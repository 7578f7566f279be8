# SPDX-License-Identifier: GPL-3.0-or-later
"""Pinocchio's C++ articulated-body algorithm alone, timed in C++ by a small program (pinocchio_aba.cpp).

Called from Python, `pinocchio.aba` works for small plants only: with every model comes a `Data` with dense tensors of
the degrees of freedom cubed for derivatives nobody asks for here, 27 GB each for 500 bodies. The program is compiled
with that one constructor changed so that they have one element. It needs g++ and Eigen's headers (cmeel-eigen).
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pinocchio

from solver.model.model import Bodies
from tests.oracles.pinocchio_model import depth_first
from tests.oracles.rnea_crba import rotation

SOURCE = Path(__file__).with_suffix(".cpp")
FOLDER = Path(__file__).resolve().parents[1] / "build" / "benchmarks"
#: Joint types of Pinocchio's variant are more than Boost's default lists hold.
OPTIONS = (
    "-std=c++17", "-O3", "-DNDEBUG", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
)  # fmt: skip


def program() -> Path | None:
    """Build the program, once for a version of Pinocchio; None where a compiler or Eigen is missing."""
    built = FOLDER / f"pinocchio_aba_{pinocchio.__version__}"
    if built.exists() and built.stat().st_mtime > SOURCE.stat().st_mtime:
        return built
    compiler, headers = shutil.which("g++"), _headers()
    if compiler is None or headers is None:
        return None
    data = Path("pinocchio/src/multibody/data.hxx")
    changed = FOLDER / "include" / data
    changed.parent.mkdir(parents=True, exist_ok=True)
    text, count = re.subn(
        r"(d2tau_\w+|kinematic_hessians)\((?:6|model\.nv), model\.nv, model\.nv\)", r"\1(1, 1, 1)",
        (headers / data).read_text(),
    )  # fmt: skip
    if count != 5:
        raise RuntimeError(f"Pinocchio {pinocchio.__version__} constructs its Data in another way than expected")
    changed.write_text(text)
    include = [f"-I{path}" for path in (FOLDER / "include", headers, headers / "eigen3", "/usr/include/eigen3")]
    subprocess.run([compiler, *OPTIONS, *include, str(SOURCE), "-o", str(built)], check=True)
    return built


def _headers() -> Path | None:
    """Folder of Pinocchio's headers, if Eigen's can be found too."""
    for above in Path(pinocchio.__file__).resolve().parents:
        folder = above / "include"
        if (folder / "pinocchio").is_dir():
            eigen = (folder / "eigen3", Path("/usr/include/eigen3"))
            return folder if any((path / "Eigen").is_dir() for path in eigen) else None
    return None


def seconds_of_a_call(built: Path, bodies: Bodies, repetitions: int, rounds: int) -> float:
    """Shortest mean seconds of a call among the rounds."""
    order = depth_first(bodies.parent)
    place = {int(body): k for k, body in enumerate(order)}
    R = rotation(bodies.rest)
    lines = [f"{len(order)} {repetitions} {rounds}"]
    for i in order:
        m, c, k = bodies.mass[i], bodies.com[i], int(bodies.parent[i])
        xx, xy, xz, yy, yz, zz = bodies.inertia[i]
        about_joint = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = about_joint - m * (c @ c * np.eye(3) - np.outer(c, c))
        numbers = [*R[i].ravel(), *bodies.offset[i], m, *c, *inertia.ravel()]
        lines.append(f"{place[k] if k >= 0 else -1} " + " ".join(f"{x:.17g}" for x in numbers))
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [str(built)], input="\n".join(lines), capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)
