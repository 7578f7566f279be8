# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender as a Python module with the extension enabled from a temporary user folder, and plants to measure in it."""

import argparse
import importlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks import machine
from tests.blender.scenes.extension import EXTENSION, link_extension

BRANCH = 8  # bones of a side branch


def main(doc: str, repeats: int, table: Callable[[int], list[str]]) -> None:
    """Run a benchmark in Blender: the table's lines, of so many repeats, printed and written as asked for."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=repeats)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table into this Markdown file")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="plant_dynamics_bench_"))
    os.environ["BLENDER_USER_RESOURCES"] = str(folder)
    os.environ["BLENDER_USER_EXTENSIONS"] = str(folder / "extensions")
    link_extension(folder / "extensions" / "user_default" / "plant_dynamics")
    importlib.import_module("bpy")
    try:
        begun = _load()
        lines = table(arguments.repeats)
        title, rest = lines[0], lines[1:]
        text = "\n".join([title, machine.describe(_USED), f"{begun} when it began, {_load()} when it ended.\n", *rest])
        print(text, flush=True)
        if arguments.write:
            _put(arguments.write, title, text)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # some releases of bpy hang when Python tears them down


#: What the add-on does by default.
_USED = "Plants, and parts of one that stand by themselves, share its cores."


def _load() -> str:
    """How many processes wanted a core in the last minute, of all that run on the machine."""
    return f"Load of the machine {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "Load unknown"


def _put(file: Path, title: str, text: str) -> None:
    """Replace the file's section of this title, or add it at the end."""
    before = file.read_text(encoding="utf-8") if file.exists() else "# Benchmarks of the add-on in Blender\n"
    sections = before.split("\n## ")
    kept = [section for section in sections[1:] if not f"## {section}".startswith(title)]
    parts = [sections[0].strip(), *(f"## {section}".strip() for section in kept), text.strip()]
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def enable() -> Callable[[str], ModuleType]:
    """Enable the extension, its kernels loaded, and return what imports its modules by their names."""
    import addon_utils

    addon = addon_utils.enable(EXTENSION, default_set=True)

    def module(name: str) -> ModuleType:
        return importlib.import_module(f"{addon.__name__}.{name}")

    module("plant_dynamics_addon.dynamics.kernels.warm_up").warm_up()
    return module


def empty_scene(frames: int) -> Any:
    """The scene of an empty file, so long."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    return scene


def make_gusty(scene: Any) -> None:
    """Let gusts of 4 m/s blow."""
    wind = scene.plant_dynamics.wind
    wind.use_air, wind.source, wind.speed, wind.turbulence_intensity = True, "GUSTS", 4.0, 0.3


def carry(obj: Any) -> None:
    """Key the object to be carried to and fro by 20 cm."""
    for frame, x in ((1, 0.0), (24, 0.2), (48, 0.0), (120, 0.1), (240, 0.0)):
        obj.location.x = x
        obj.keyframe_insert("location", frame=frame)


def tree(count: int, name: str = "Tree") -> Any:
    """A dynamic plant: a trunk of count / BRANCH bones, 1.5 m high, with a branch at each."""
    import bpy

    scene = bpy.context.scene
    armature = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, armature)
    scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    trunk, step, made = None, 1.5 / (count / BRANCH), 0
    while made < count:
        level = made // BRANCH
        bone = armature.edit_bones.new(f"Trunk.{level}")
        bone.head, bone.tail = (0, 0, level * step), (0, 0, (level + 1) * step)
        bone.head_radius = bone.tail_radius = 0.02
        bone.parent, trunk, above = trunk, bone, bone
        side = (1.0 if level % 2 else -1.0) * 0.05
        for i in range(min(BRANCH, count - made) - 1):
            twig = armature.edit_bones.new(f"Twig.{level}.{i}")
            twig.head, twig.tail = above.tail, (above.tail[0] + side, 0.02 * (level % 3), above.tail[2] + 0.02)
            twig.head_radius = twig.tail_radius = 0.003
            twig.parent, above = above, twig
        made += min(BRANCH, count - made)
    bpy.ops.object.mode_set(mode="OBJECT")
    assert bpy.ops.plant_dynamics.make_dynamic() == {"FINISHED"}
    assert len(armature.bones) == count
    obj.select_set(False)
    return obj
