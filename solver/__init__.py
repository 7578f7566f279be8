# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion of branching plants: rods -> rigid bodies and springs -> articulated-body algorithm -> rod orientations.

    model = discretize(Rods(...))
    plant = Simulation(model)
    plant.start(Sample(), mode="settled")
    plant.advance(Sample(base_position=(0.01, 0, 0)), duration=1 / 24)
    plant.rod_orientations()

SI units, world z up, quaternions w x y z, parents before children. Knows nothing of Blender or of L-systems.
"""

from . import mechanisms
from .base.constants import AIR_DENSITY, EARTH_GRAVITY
from .base.errors import SolverError, TooSoftError
from .base.interruption import Interrupted, may_be_interrupted
from .cross_sections import shapes as sections
from .dynamics.energy import Energy
from .dynamics.inverse_dynamics import BaseMotion, JointLoads, inverse_dynamics
from .dynamics.stability import COARSE, LIMITED, OK, STOPPED
from .dynamics.stepping import Report
from .dynamics.touching.meeting import ContactPoints
from .hall.chain import ChainEquilibrium, hall_chain
from .joined_samples import Counts, joined_samples
from .left_alone import left_alone, pairs_left_alone
from .machine.in_place import CACHE_VARIABLE
from .machine.library import Running, running
from .machine.library import is_ready as kernels_are_ready
from .machine.library import prepare as warm_up
from .math import rotations
from .model.discretize import discretize
from .model.forest import join
from .model.layouts import AT_THE_BASE, DEFAULT_LAYOUT, LAYOUTS
from .model.materials import MATERIALS, Material, materials_table
from .model.model import Model
from .model.rods import Rods
from .model.solids import solid
from .modes import Damped, Modes, modal_damping, natural_modes, with_damping
from .rod_poses import turns_from_rest
from .settings import SCHEMES, Settings
from .side_by_side import SideBySide, can_go_together
from .simulation import Simulation
from .snapshot import Snapshot
from .snapshot_arrays import snapshot_arrays, snapshot_from_arrays
from .statics.equilibrium import Equilibrium
from .stress import rod_stresses, section_moduli
from .world.collider import Collider
from .world.guide import Curve, Guide
from .world.sample import ForceField, Sample, WindField
from .world.shelter import Shelter, ShelteredWind
from .world.surface import Surface
from .world.wind import GustyWind, UniformWind

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
    "BaseMotion",
    "ChainEquilibrium",
    "Collider",
    "ContactPoints",
    "Counts",
    "Curve",
    "Damped",
    "Energy",
    "Equilibrium",
    "ForceField",
    "Guide",
    "GustyWind",
    "Interrupted",
    "JointLoads",
    "Material",
    "Model",
    "Modes",
    "Report",
    "Rods",
    "Running",
    "Sample",
    "Settings",
    "Shelter",
    "ShelteredWind",
    "SideBySide",
    "Simulation",
    "Snapshot",
    "SolverError",
    "Surface",
    "TooSoftError",
    "UniformWind",
    "WindField",
    "can_go_together",
    "discretize",
    "hall_chain",
    "inverse_dynamics",
    "join",
    "joined_samples",
    "kernels_are_ready",
    "left_alone",
    "materials_table",
    "may_be_interrupted",
    "mechanisms",
    "modal_damping",
    "natural_modes",
    "pairs_left_alone",
    "rod_stresses",
    "rotations",
    "running",
    "section_moduli",
    "sections",
    "snapshot_arrays",
    "snapshot_from_arrays",
    "solid",
    "turns_from_rest",
    "warm_up",
    "with_damping",
]
