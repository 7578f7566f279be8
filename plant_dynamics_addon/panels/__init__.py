# SPDX-License-Identifier: GPL-3.0-or-later
"""The Plant tab of the 3D View's sidebar, and the bone's panel."""

from .bake import PLANT_DYNAMICS_PT_bake, PLANT_DYNAMICS_PT_bake_options
from .bone import PLANT_DYNAMICS_PT_bone
from .bones import PLANT_DYNAMICS_PT_active_bone, PLANT_DYNAMICS_PT_bones
from .cache import PLANT_DYNAMICS_PT_cache
from .compare import PLANT_DYNAMICS_PT_compare, PLANT_DYNAMICS_PT_compare_output, PLANT_DYNAMICS_PT_compare_picture
from .force_fields import PLANT_DYNAMICS_PT_force_fields
from .grow import PLANT_DYNAMICS_PT_grow
from .material import PLANT_DYNAMICS_PT_damping, PLANT_DYNAMICS_PT_limits, PLANT_DYNAMICS_PT_material
from .plant import (
    PLANT_DYNAMICS_PT_accuracy,
    PLANT_DYNAMICS_PT_loads,
    PLANT_DYNAMICS_PT_plant,
    PLANT_DYNAMICS_PT_status,
    PLANT_DYNAMICS_UL_loads,
)
from .presets import CLASSES as PRESETS
from .trouble import PLANT_DYNAMICS_PT_trouble
from .wind import PLANT_DYNAMICS_PT_drag, PLANT_DYNAMICS_PT_gusts, PLANT_DYNAMICS_PT_medium, PLANT_DYNAMICS_PT_wind

CLASSES = (
    PLANT_DYNAMICS_UL_loads,
    *PRESETS,
    PLANT_DYNAMICS_PT_trouble,
    PLANT_DYNAMICS_PT_grow,
    PLANT_DYNAMICS_PT_plant,
    PLANT_DYNAMICS_PT_bones,
    PLANT_DYNAMICS_PT_active_bone,
    PLANT_DYNAMICS_PT_material,
    PLANT_DYNAMICS_PT_damping,
    PLANT_DYNAMICS_PT_limits,
    PLANT_DYNAMICS_PT_loads,
    PLANT_DYNAMICS_PT_wind,
    PLANT_DYNAMICS_PT_gusts,
    PLANT_DYNAMICS_PT_medium,
    PLANT_DYNAMICS_PT_drag,
    PLANT_DYNAMICS_PT_force_fields,
    PLANT_DYNAMICS_PT_accuracy,
    PLANT_DYNAMICS_PT_bake,
    PLANT_DYNAMICS_PT_bake_options,
    PLANT_DYNAMICS_PT_cache,
    PLANT_DYNAMICS_PT_status,
    PLANT_DYNAMICS_PT_bone,
    PLANT_DYNAMICS_PT_compare,
    PLANT_DYNAMICS_PT_compare_picture,
    PLANT_DYNAMICS_PT_compare_output,
)
