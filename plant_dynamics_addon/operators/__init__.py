# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can do. Operators collect options, call library functions and report errors."""

from ..blender.classes import classes_of
from . import finding, fixes
from .growing import choose_object, delete, grow, open_object
from .playing import cache, catch_up, kernels, play
from .results import bake, compare, contact_forces, effort, render_shot, stress
from .setup import bones, breaking, dynamics, equilibrium, leaves, material, presets
from .world import contact, grab, guides, loads, things, wind

CLASSES = [
    *loads.BUTTONS,
    *classes_of(
        grow, choose_object, open_object, delete, dynamics, bones, leaves, fixes, material, breaking, loads, guides,
        wind, presets, kernels, equilibrium, stress, play, catch_up, grab, contact, things, bake, cache, compare,
        render_shot, contact_forces, effort, finding,
    ),
]  # fmt: skip
