# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/gallery.md: every plant of the Grow panel with its picture, size, bones and time to grow. Needs `bpy`:

.venv-blender-4.5/bin/python tools/gallery_page.py
"""

import importlib
import os
import platform
import sys
import tempfile
from pathlib import Path
from time import process_time

from demo import EXTENSION, REPOSITORY, link_extension

PAGE = REPOSITORY / "docs" / "gallery.md"
PICTURES = "../plant_dynamics_addon/grow/pictures"
REPEATS = 2  # the best counts
_INTRODUCTION = """\
# The plants

The presets of the Grow panel, as they stand when they have grown with the sliders' values: height as drawn, bones,
leaves that are seen, and the seconds of processor time from the press of Grow to the whole plant with its skin, on
{machine}. Every one is [a text](../lsystem/presets) with comments; other sliders give other plants.

Of trees and shrubs also the leaf area over the ground that their leaves stand over. Measured mean of all vegetation:
4.5 with a standard deviation of 2.5, of shrublands 2.1 (Asner, Scurlock and Hicke 2003, *Global Ecology and
Biogeography* 12); of 14 single oaks that were harvested 4.4 (Karlik and McKay 2002, blue oaks).

`tools/gallery_page.py` makes this page, `tools/preset_pictures.py` its pictures, also those from 0.3 m,
at the detail High (studies come last):

![All plants from near](pictures/presets_near.jpg)

The same as EEVEE shows them (`--near --eevee`):

![All plants from near, by EEVEE](pictures/presets_eevee.jpg)
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="plant_dynamics_gallery_") as folder:
        link_extension(Path(folder))
        importlib.import_module("bpy")
        importlib.import_module("addon_utils").enable(EXTENSION, default_set=True)
        PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.flush()
    os._exit(0)  # some releases of bpy hang when Python tears them down


def page() -> str:
    """Text of the page, the plants in their groups."""
    presets = importlib.import_module(f"{EXTENSION}.lsystem").presets()
    looks = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.grow.looks.catalogue")
    parts = [_INTRODUCTION.format(machine=f"one core of {_processor()}")]
    for group in importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.properties.preset_items").GROUPS:
        crowns = group in ("Trees and shrubs", "Studies")
        head = ["", "", "height", "bones", "leaves", "grows in", *(["leaf area"] if crowns else [])]
        parts.append(f"\n## {group}\n\n| {' | '.join(head)} |\n| {' | '.join(len(head) * ['---'])} |\n")
        for preset in sorted(presets, key=lambda one: one.title):
            if preset.group == group:
                bones, leaves, height, seconds = min((grown(preset) for _ in range(REPEATS)), key=lambda one: one[3])
                spray = looks.look_named(preset.title).blade.spray
                leaves *= spray.leaves if spray else 1
                parts.append(
                    f"| ![{preset.title}]({PICTURES}/{preset.name}.jpg) | **{preset.title}**. {preset.description}"
                    f" | {height:.2g} m | {bones} | {leaves} | {seconds:.1f} s |"
                    f"{f' {leaf_area():.1f} |' if crowns else ''}\n"
                )
                print(f"{preset.name}: {bones} bones, {seconds:.2f} s", flush=True)
    return "".join(parts)


def grown(preset) -> tuple[int, int, float, float]:
    """Bones, leaves of the text, m of height and seconds of a plant that is grown by the operator in an empty file."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    grow = bpy.context.scene.plant_dynamics
    grow.source, grow.preset = "PRESET", preset.name
    begin = process_time()
    bpy.ops.plant_dynamics.grow()
    seconds = process_time() - begin
    bones = bpy.context.object.data.bones
    is_leaf = [bone.plant_dynamics.organ == "leaf" for bone in bones]
    inside = [leaf and bone.parent is not None and bone.parent.plant_dynamics.organ == "leaf" and bone.use_connect
              for leaf, bone in zip(is_leaf, bones, strict=True)]  # fmt: skip
    return len(bones), sum(is_leaf) - sum(inside), max(bone.tail_local.z for bone in bones), seconds


def leaf_area() -> float:
    """Area of the active plant's leaves over that of the convex hull of their places on the ground."""
    import bpy
    from mathutils.geometry import convex_hull_2d

    leaves = [bone for bone in bpy.context.object.data.bones if bone.plant_dynamics.organ == "leaf"]
    places = [end.xy for bone in leaves for end in (bone.head_local, bone.tail_local)]
    around = [places[i] for i in convex_hull_2d(places)] if places else []
    ground = 0.5 * abs(sum(a.cross(b) for a, b in zip(around, around[1:] + around[:1], strict=True)))
    return sum(bone.plant_dynamics.blade_area for bone in leaves) / ground if ground else 0.0


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"a {names[0]}" if names else platform.machine()


if __name__ == "__main__":
    main()
