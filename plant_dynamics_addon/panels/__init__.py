# SPDX-License-Identifier: GPL-3.0-or-later
"""The Plant tab of the 3D View's sidebar, and the bone's panel."""

from ..blender.classes import classes_of
from . import bake, bone, bones, cache, compare, contact, fixes, force_fields, grow, material, plant, presets, wind
from .results import effort

#: Panels stand below each other in this order.
CLASSES = [
    plant.PLANT_DYNAMICS_UL_loads,
    *classes_of(presets, fixes, grow),
    plant.PLANT_DYNAMICS_PT_plant,
    *classes_of(bones, material),
    plant.PLANT_DYNAMICS_PT_loads,
    *classes_of(wind, force_fields, contact),
    plant.PLANT_DYNAMICS_PT_accuracy,
    *classes_of(bake, effort, cache),
    plant.PLANT_DYNAMICS_PT_status,
    *classes_of(bone, compare),
]
