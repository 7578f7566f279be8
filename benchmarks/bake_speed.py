# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Bake in Blender as a Python module: 10 s at 24 frames a second, 200 and 1500 bones.

    .venv-blender-4.5/bin/python benchmarks/bake_speed.py [--repeats N] [--write FILE]

The kernels are compiled beforehand. "Simulated": no frame of the plant is known, so the bake simulates them all.
"Cached": it has been played, so the bake only looks whether the scene has changed, and writes keys. Windy: a plant in
gusts, in a scene where nothing else is animated, so that only the first frame has to be looked at. Carried: the object
is moved by keys, so that Blender evaluates the scene at each of 240 frames. "The scene alone" is what this
takes Blender, of which the bake's own share is the difference.
"""

import argparse
import importlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from time import perf_counter

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from benchmarks import machine  # noqa: E402
from tests.blender import conftest  # noqa: E402

FRAMES = 240
TARGETS = {200: 0.4, 1500: 3.0}  # s, asked for
BRANCH = 8  # bones of a side branch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the table to this Markdown file")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="plant_dynamics_bench_"))
    os.environ["BLENDER_USER_RESOURCES"] = str(folder)
    os.environ["BLENDER_USER_EXTENSIONS"] = str(folder / "extensions")
    conftest.link_extension(folder / "extensions" / "user_default" / "plant_dynamics")
    importlib.import_module("bpy")
    try:
        text = "\n".join([machine.describe(), *table(arguments.repeats)])
        print(text, flush=True)
        if arguments.write:
            arguments.write.write_text(text + "\n", encoding="utf-8")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # some releases of bpy hang when Python tears them down


def table(repeats: int) -> list[str]:
    import addon_utils
    import bpy

    addon = addon_utils.enable(conftest.EXTENSION, default_set=True)
    library = f"{addon.__name__}.plant_dynamics_addon"
    baking = importlib.import_module(f"{library}.baking.bake")
    sessions = importlib.import_module(f"{library}.dynamics.session")
    importlib.import_module(f"{library}.dynamics.warm_up").warm_up()
    lines = [
        f"Bake of 10 s, 240 frames, Blender {bpy.app.version_string}; shortest and middle of {repeats}, seconds.\n",
        "| bones, plant | simulated | cached | cached, keys within 0.1° | the scene alone | asked for |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for bones, asked in TARGETS.items():
        for scene in ("windy", "carried"):
            obj = _plant(bones, scene)
            options = baking.BakeOptions(1, FRAMES)
            thin = baking.BakeOptions(1, FRAMES, max_error=0.0017453)
            times: dict[str, list[float]] = {"simulated": [], "cached": [], "thin": [], "walk": []}
            for _ in range(repeats):
                sessions.close_all()
                for name, chosen in (("simulated", options), ("cached", options), ("thin", thin)):
                    begin = perf_counter()
                    baking.bake_now(bpy.context, obj, chosen)
                    times[name].append(perf_counter() - begin)
                    baking.clear_bake(obj)
                begin = perf_counter()
                for frame in range(1, FRAMES + 1) if scene == "carried" else (1,):
                    bpy.context.scene.frame_set(frame)
                times["walk"].append(perf_counter() - begin)
            cells = [f"{min(of):.2f}, {sorted(of)[len(of) // 2]:.2f}" for of in times.values()]
            lines.append(f"| {bones}, {scene} | {' | '.join(cells)} | {asked:.1f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


def _plant(count: int, kind: str) -> object:
    """A trunk of count / BRANCH bones with a branch at each, dynamic, in an empty file."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    armature = bpy.data.armatures.new("Tree")
    obj = bpy.data.objects.new("Tree", armature)
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
    if kind == "windy":
        wind = scene.plant_dynamics.wind
        wind.use_air, wind.source, wind.speed, wind.turbulence_intensity = True, "GUSTS", 4.0, 0.3
    else:
        for frame, x in ((1, 0.0), (24, 0.2), (48, 0.0), (120, 0.1), (240, 0.0)):
            obj.location.x = x
            obj.keyframe_insert("location", frame=frame)
    return obj


if __name__ == "__main__":
    main()
