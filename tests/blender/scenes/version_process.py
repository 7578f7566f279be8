# SPDX-License-Identifier: GPL-3.0-or-later
"""Run in a Blender of its own: writes files with plants, or opens those of another Blender and says what it finds.

python -m tests.blender.scenes.version_process make|open FOLDER EXTENSION
"""

import json
import os
import sys
from pathlib import Path

import bpy
import numpy as np

from tests.blender.scenes import plants
from tests.blender.scenes.busy_plant import FRAMES, NAME, busy_plant

FILES = ("unbaked", "playing", "baked", "nla")


def rotations(obj: bpy.types.Object) -> np.ndarray:
    """(frames, bones, 4) of the evaluated pose, in all frames."""
    shown = []
    for frame in FRAMES:
        plants.show(frame)
        evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        shown.append(np.array([bone.rotation_quaternion for bone in evaluated.pose.bones]))  # at once: they are views
    return np.array(shown)


def make(folder: Path) -> None:
    for name in FILES:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        obj = busy_plant()
        obj.plant_dynamics.use_disk_cache = True
        if name == "playing":
            bpy.ops.plant_dynamics.play()
            np.save(folder / "live.npy", rotations(obj))
            plants.show(10)
        elif name != "unbaked":
            bpy.ops.plant_dynamics.bake(target="NLA" if name == "nla" else "NEW")
            np.save(folder / "baked.npy", rotations(obj))
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{name}.blend"))


def look(folder: Path) -> dict[str, object]:
    """How far the poses are from those in the Blender that wrote the files."""
    live, baked = np.load(folder / "live.npy"), np.load(folder / "baked.npy")
    found: dict[str, object] = {"version": bpy.app.version_string}
    for name in FILES:
        bpy.ops.wm.open_mainfile(filepath=str(folder / f"{name}.blend"))
        obj = bpy.data.objects[NAME]
        bpy.context.view_layer.objects.active = obj
        settings = obj.plant_dynamics
        found[f"{name}: state"] = [settings.is_dynamic, settings.live, settings.is_baked]
        if name in ("baked", "nla"):
            found[name] = float(np.abs(rotations(obj) - baked).max())
            bpy.ops.plant_dynamics.clear_bake()
            bpy.ops.plant_dynamics.bake(target="NLA" if name == "nla" else "NEW")
            found[f"{name} again"] = float(np.abs(rotations(obj) - baked).max())
            bpy.ops.plant_dynamics.clear_bake()
            found[f"{name}: cleared"] = [settings.is_baked, any(bone.plant_dynamics.is_kept for bone in obj.pose.bones)]
        if name == "unbaked":
            bpy.ops.plant_dynamics.play()
        if not settings.is_baked and settings.live:
            found[name] = float(np.abs(rotations(obj) - live).max())
            bpy.ops.plant_dynamics.reset()
    return found


def main() -> None:
    what, folder, extension = sys.argv[1:]
    import addon_utils  # there only after bpy

    addon_utils.enable(extension, default_set=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    if what == "make":
        make(Path(folder))
    else:
        (Path(folder) / "found.json").write_text(json.dumps(look(Path(folder))))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
