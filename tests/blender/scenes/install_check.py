# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by test_extension_install.py in a Blender of its own: install a zip, enable it, run the compiled solver.

    python install_check.py ZIP     or     blender --background --python install_check.py -- ZIP

The last line it prints is JSON with what was found.
"""

import importlib
import json
import os
import sys
import time

import bpy

EXTENSION = "bl_ext.user_default.plant_dynamics"


def main() -> None:
    import addon_utils  # found only after bpy was imported

    addon_utils.enable("bl_pkg", default_set=False)  # Blender's own; `bpy` starts without it
    result = bpy.ops.extensions.package_install_files(
        filepath=sys.argv[-1], repo="user_default", enable_on_install=False
    )
    begun, used = time.perf_counter(), time.process_time()
    addon_utils.enable(EXTENSION, default_set=True)
    enabled, using = time.perf_counter() - begun, time.process_time()
    scene = bpy.context.scene
    scene.frame_end = 10
    bpy.ops.plant_dynamics.grow()
    plant = bpy.context.object
    bpy.ops.plant_dynamics.add_force()
    plant.plant_dynamics.start = "drawn"
    drawn = {bone.name: bone.matrix_basis.to_quaternion() for bone in plant.pose.bones}
    bpy.ops.plant_dynamics.play()
    scene.frame_set(2)
    first, played = time.perf_counter() - begun, time.process_time()
    turned = [drawn[b.name].rotation_difference(b.matrix_basis.to_quaternion()).angle for b in plant.pose.bones]
    bpy.ops.plant_dynamics.bake()
    solver = importlib.import_module(f"{EXTENSION}.solver")
    library = importlib.import_module(f"{EXTENSION}.solver.machine.library")
    found = {
        "blender": bpy.app.version_string,
        "result": sorted(result),
        "enabled": EXTENSION in bpy.context.preferences.addons,
        "seconds_to_enable": round(enabled, 3),
        "seconds_to_first_frame": round(first, 3),
        "processor_seconds": {"enabling": round(using - used, 3), "growing_and_playing": round(played - using, 3)},
        "largest_turn": max(turned),
        "baked": plant.plant_dynamics.is_baked and plant.animation_data.action.frame_range[1] == 10.0,
        "running": list(solver.running()),
        "library": library.open_library()._name,
        "numba": "numba" in sys.modules,
    }
    print(json.dumps(found), flush=True)
    os._exit(0)  # some releases of bpy hang when Python tears them down


main()
