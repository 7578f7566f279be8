# SPDX-License-Identifier: GPL-3.0-or-later
"""The Plant tab of the 3D View's sidebar, and the bone's panel."""

from ..blender.classes import classes_of
from . import bone, bones, contact, deletion, follow, force_fields, grow, material, plant, presets, status, wind
from .results import bake, cache, compare, effort

#: Panels stand below each other in the order of use: grow, play, what acts on the plant and what it follows, keyframes,
#: what it is made of.
CLASSES = [
    plant.PLANT_DYNAMICS_UL_loads,
    *classes_of(presets, deletion, grow, status),
    plant.PLANT_DYNAMICS_PT_plant,
    plant.PLANT_DYNAMICS_PT_loads,
    *classes_of(wind, force_fields, contact, follow, bake, material, bones),
    plant.PLANT_DYNAMICS_PT_accuracy,
    *classes_of(effort, cache, bone, compare),
]
