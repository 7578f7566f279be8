# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparisons made at once, for the tests of Compare."""

import importlib

import bpy

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"


def module(name):
    return importlib.import_module(f"{ADDON}.{name}")


def compare_now(obj, options):
    """The comparison in one go."""
    module("dynamics.kernels.warm_up").warm_up()
    return module("blender.meanwhile").result_of(module("comparison.row").compare(bpy.context, obj, options))
