# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of branching plants: rods -> rigid bodies and springs -> articulated-body algorithm -> rod orientations.

    model = discretize(Rods(...))
    plant = Simulation(model)
    plant.start(Sample(), mode="settled")
    plant.advance(Sample(base_position=(0.01, 0, 0)), duration=1 / 24)
    plant.rod_orientations()

SI units, world z up, quaternions w x y z, parents before children. Knows nothing of Blender or of L-systems.
"""

from ._in_place import CACHE_VARIABLE
from ._library import Running, running
from ._library import is_ready as kernels_are_ready
from ._library import prepare as warm_up
from .discretize import discretize
from .energy import Energy
from .errors import SolverError
from .forest import join
from .guards import COARSE, LIMITED, OK, STOPPED
from .hall_chain import ChainEquilibrium, hall_chain
from .integrate import Report
from .layouts import AT_THE_BASE, DEFAULT_LAYOUT, LAYOUTS
from .loads import AIR_DENSITY, EARTH_GRAVITY, ForceField, Sample, WindField
from .materials import MATERIALS, Material, materials_table
from .model import Model
from .modes import Damped, Modes, modal_damping, natural_modes, with_damping
from .rod_poses import turns_from_rest
from .rods import Rods
from .simulation import SCHEMES, Settings, Simulation, Snapshot
from .snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from .statics import Equilibrium
from .stress import rod_stresses, section_moduli
from .wind import GustyWind, UniformWind

__all__ = [
    "AIR_DENSITY",
    "AT_THE_BASE",
    "CACHE_VARIABLE",
    "COARSE",
    "DEFAULT_LAYOUT",
    "EARTH_GRAVITY",
    "LAYOUTS",
    "LIMITED",
    "MATERIALS",
    "OK",
    "SCHEMES",
    "STOPPED",
    "ChainEquilibrium",
    "Damped",
    "Energy",
    "Equilibrium",
    "ForceField",
    "GustyWind",
    "Material",
    "Model",
    "Modes",
    "Report",
    "Rods",
    "Running",
    "Sample",
    "Settings",
    "Simulation",
    "Snapshot",
    "SolverError",
    "UniformWind",
    "WindField",
    "discretize",
    "hall_chain",
    "join",
    "kernels_are_ready",
    "materials_table",
    "modal_damping",
    "natural_modes",
    "rod_stresses",
    "running",
    "section_moduli",
    "snapshot_arrays",
    "snapshot_from_arrays",
    "turns_from_rest",
    "warm_up",
    "with_damping",
]
