# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparisons made at once, for the tests of Compare."""

import importlib

import bpy
import numpy as np

from tests.blender.scenes import plants

LAST = 12
ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


def compare_now(obj, options):
    """The comparison in one go."""
    module("dynamics.kernels.warm_up").warm_up()
    return module("blender.meanwhile").result_of(module("comparison.row").compare(bpy.context, obj, options))


def compared(obj, quantity, values, **options):
    row = module("comparison.row")
    return compare_now(obj, row.CompareOptions(quantity, values, 1, LAST, **options))


def rotation_keys(obj):
    """Baked rotation curves by path and index."""
    found = plants.curves(obj.animation_data.action)
    return {key: keys for key, keys in found.items() if key[0].endswith(plants.POSES)}


def same_keys(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)
