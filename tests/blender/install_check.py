# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by test_extension_install.py in a Blender of its own: install a zip, enable it, run the compiled solver.

    python install_check.py ZIP     or     blender --background --python install_check.py -- ZIP

The last line it prints is JSON with what was found.
"""

import importlib
import json
import os
import sys

import bpy

EXTENSION = "bl_ext.user_default.plant_dynamics"


def main() -> None:
    import addon_utils  # found only after bpy was imported

    addon_utils.enable("bl_pkg", default_set=False)  # Blender's own; `bpy` starts without it
    install = bpy.ops.extensions.package_install_files
    result = install(filepath=sys.argv[-1], repo="user_default", enable_on_install=True)
    import numba
    import numpy

    bpy.context.scene.frame_end = 10
    bpy.ops.plant_dynamics.grow()
    bpy.ops.plant_dynamics.play()
    bpy.ops.plant_dynamics.bake()
    plant = bpy.context.object
    solver = importlib.import_module(f"{EXTENSION}.solver")
    kernel = importlib.import_module(f"{EXTENSION}.solver.integrate").advance_plants
    found = {
        "blender": bpy.app.version_string,
        "result": sorted(result),
        "enabled": EXTENSION in bpy.context.preferences.addons,
        "python": list(sys.version_info[:2]),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "numba_file": numba.__file__,
        "llvmlite_file": importlib.import_module("llvmlite").__file__,
        "compiled": len(kernel.signatures),
        "baked": plant.plant_dynamics.is_baked and plant.animation_data.action.frame_range[1] == 10.0,
        "solver_has_numba": solver.NUMBA_AVAILABLE,
    }
    print(json.dumps(found), flush=True)
    os._exit(0)  # some releases of bpy hang when Python tears them down


main()
