# SPDX-License-Identifier: GPL-3.0-or-later
"""The same rose four times, its pot pushed, with stems of other lengths: a picture, plots and tables.

    blender --background --python examples/compare.py -- FOLDER

writes them to the folder, with the .blend that the pictures are of. The extension must be enabled.
"""

import importlib
import sys
from pathlib import Path

import bpy

ADDON = "bl_ext.user_default.plant_dynamics.plant_dynamics_addon"
commands = importlib.import_module(f"{ADDON}.commands")
output = importlib.import_module(f"{ADDON}.comparison.output")
comparison_scene = importlib.import_module(f"{ADDON}.comparison.scene")

folder = Path(sys.argv[-1]).resolve()
scene = bpy.context.scene
scene.frame_start, scene.frame_end = 1, 72
rose = commands.grow("rose", pot=True)
for frame, x in ((1, 0.0), (6, 0.0), (12, 0.1)):
    rose.location.x = x
    rose.keyframe_insert("location", frame=frame)

shot = comparison_scene.Shot(width=960, samples=16)
comparison = commands.compare(rose, "length", "0.6, 1, 1.4, 1.8", shot=shot, measured=True)
for path in (*output.write_plots(comparison, folder), *output.render_shot(comparison.scene, folder, [12, 60])):
    print(path)
commands.save(folder / "compare.blend")
