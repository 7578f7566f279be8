# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Grow in Blender as a Python module: from text to a plant with its mesh in the evaluated scene.

    .venv-blender-4.5/bin/python benchmarks/grow_speed.py [--repeats N] [--profile PLANT] [--write FILE]

"Grown" is what the button does; "shown" is Blender's first evaluation of the new objects. No kernel is compiled:
growing needs none. "Processor" is the time that the process itself ran: other work on the machine does not count.
--profile prints where the time of one plant goes.
"""

import argparse
import cProfile
import importlib
import os
import pstats
import shutil
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import machine
from tests.blender.scenes.extension import EXTENSION, link_extension

# A trunk with branches, twigs and leaves on petioles; {n} nodes of the trunk make about 150 segments each.
TREE = """
steps: 60
axiom: F(0.2, 0.05) A(0)
A(n) : n < {n} -> F(0.12, 0.045*0.94^n) [ &(60) B(0, 0.5*0.94^n) ] /(137.5) A(n+1)
B(n, s) : n < 8 -> F(0.08*s, 0.03*s*0.9^n) [ &(50) T(0, s) ] /(137.5) B(n+1, s)
T(n, s) : n < 6 -> F(0.05*s, 0.006*s) [ &(50) ~Petiole(0.02, 0.001) ~Leaf(0.06, 0.03) ] /(137.5) T(n+1, s)
"""
PLANTS = {"orchid": 0.3, "tree 1500": 2.0, "tree 6000": None}  # s, asked for
NODES = {"tree 1500": 10, "tree 6000": 39}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--profile", choices=PLANTS)
    parser.add_argument("--write", type=Path, metavar="FILE", help="also write the table to this Markdown file")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="plant_dynamics_bench_"))
    os.environ["BLENDER_USER_RESOURCES"] = str(folder)
    os.environ["BLENDER_USER_EXTENSIONS"] = str(folder / "extensions")
    link_extension(folder / "extensions" / "user_default" / "plant_dynamics")
    importlib.import_module("bpy")
    try:
        if arguments.profile:
            _profile(arguments.profile)
        else:
            text = "\n".join([machine.describe(), *table(arguments.repeats)])
            print(text, flush=True)
            if arguments.write:
                arguments.write.write_text(text + "\n", encoding="utf-8")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # some releases of bpy hang when Python tears them down


def table(repeats: int) -> list[str]:
    import bpy

    lines = [
        f"Grow, Blender {bpy.app.version_string}; shortest and middle of {repeats}, seconds.\n",
        "| plant | bones | vertices | grown | shown | together | processor | asked for |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for plant, asked in PLANTS.items():
        for instanced in (False, True):
            grow = _grower(plant, instanced)
            times: dict[str, list[float]] = {"grown": [], "shown": [], "together": [], "processor": []}
            for _ in range(repeats):
                bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
                ran, begin = process_time(), perf_counter()
                obj = grow()
                grown = perf_counter()
                bpy.context.view_layer.update()
                end = perf_counter()
                times["processor"].append(process_time() - ran)
                for name, value in (("grown", grown - begin), ("shown", end - grown), ("together", end - begin)):
                    times[name].append(value)
            vertices = sum(len(child.data.vertices) for child in obj.children if child.type == "MESH")
            cells = [f"{min(of):.2f}, {sorted(of)[len(of) // 2]:.2f}" for of in times.values()]
            name = f"{plant}{', organs instanced' if instanced else ''}"
            cells.append(f"{asked:.1f}" if asked else "")
            lines.append(f"| {name} | {len(obj.data.bones)} | {vertices} | {' | '.join(cells)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    return lines


def _grower(plant: str, instanced: bool = False):
    """A function that grows the plant as the operator does."""
    import addon_utils
    import bpy

    addon = addon_utils.enable(EXTENSION, default_set=True)
    package = f"{addon.__name__}.plant_dynamics_addon.grow"
    from_text, recipe = (importlib.import_module(f"{package}.{name}") for name in ("from_text", "recipe"))
    presets = {preset.name: preset.text for preset in importlib.import_module(f"{addon.__name__}.lsystem").presets()}
    text = TREE.replace("{n}", str(NODES[plant])) if plant in NODES else presets[plant]
    return lambda: from_text.grow_from_text(bpy.context, recipe.Recipe(text, plant, instanced=instanced))


def _profile(plant: str) -> None:
    import bpy

    grow = _grower(plant)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    profile = cProfile.Profile()
    profile.runcall(grow)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(35)


if __name__ == "__main__":
    main()
