# SPDX-License-Identifier: GPL-3.0-or-later
"""The Plant tab of the 3D View's sidebar, and the bone's panel."""

from .bone import PLANT_DYNAMICS_PT_bone
from .grow import PLANT_DYNAMICS_PT_grow
from .plant import (
    PLANT_DYNAMICS_PT_accuracy,
    PLANT_DYNAMICS_PT_bake,
    PLANT_DYNAMICS_PT_damping,
    PLANT_DYNAMICS_PT_loads,
    PLANT_DYNAMICS_PT_material,
    PLANT_DYNAMICS_PT_plant,
    PLANT_DYNAMICS_UL_loads,
)

CLASSES = (
    PLANT_DYNAMICS_UL_loads,
    PLANT_DYNAMICS_PT_grow,
    PLANT_DYNAMICS_PT_plant,
    PLANT_DYNAMICS_PT_material,
    PLANT_DYNAMICS_PT_damping,
    PLANT_DYNAMICS_PT_loads,
    PLANT_DYNAMICS_PT_accuracy,
    PLANT_DYNAMICS_PT_bake,
    PLANT_DYNAMICS_PT_bone,
)
