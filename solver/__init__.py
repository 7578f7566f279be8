# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of branching plants: rods -> rigid bodies and springs -> articulated-body algorithm -> rod orientations.

    model = discretize(Rods(...), layout="double_root")
    plant = Simulation(model)
    plant.start(Sample(), mode="settled")
    plant.advance(Sample(base_position=(0.01, 0, 0)), duration=1 / 24)
    plant.rod_orientations()

SI units, world z up, quaternions w x y z, parents before children. Knows nothing of Blender or of L-systems.
"""

from ._jit import CACHE_VARIABLE, NUMBA_AVAILABLE, NUMBA_PROBLEM
from .discretize import LAYOUTS, discretize
from .errors import SolverError
from .integrate import LIMITED, OK, STOPPED, Report
from .loads import EARTH_GRAVITY, Sample
from .model import Model
from .rods import Rods
from .simulation import SCHEMES, Settings, Simulation, Snapshot
from .statics import Equilibrium
from .warm_up import kernels_are_cached, warm_up

__all__ = [
    "CACHE_VARIABLE",
    "EARTH_GRAVITY",
    "LAYOUTS",
    "LIMITED",
    "NUMBA_AVAILABLE",
    "NUMBA_PROBLEM",
    "OK",
    "SCHEMES",
    "STOPPED",
    "Equilibrium",
    "Model",
    "Report",
    "Rods",
    "Sample",
    "Settings",
    "Simulation",
    "Snapshot",
    "SolverError",
    "discretize",
    "kernels_are_cached",
    "warm_up",
]
