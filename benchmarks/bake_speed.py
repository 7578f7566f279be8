# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure Bake in Blender as a Python module: 10 s at 24 frames a second, 200 and 1500 bones.

    .venv-blender-4.5/bin/python benchmarks/bake_speed.py [--repeats N] [--write docs/benchmarks-blender.md]

The kernels are compiled beforehand. "Simulated": no frame of the plant is known, so the bake simulates them all.
"Cached": it has been played, so the bake only looks whether the scene has changed, and writes keys. Windy: a plant in
gusts, in a scene where nothing else is animated, so that only the first frame has to be looked at. Carried: the object
is moved by keys, so that Blender evaluates the scene at each of 240 frames. "The scene alone" is what this
takes Blender, of which the bake's own share is the difference.
"""

import sys
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import in_blender

FRAMES = 240
TARGETS = {200: 0.4, 1500: 3.0}  # s, asked for


def table(repeats: int) -> list[str]:
    import bpy

    module = in_blender.enable()
    baking = module("plant_dynamics_addon.baking.bake")
    sessions = module("plant_dynamics_addon.dynamics.motion.sessions")
    lines = [
        f"## Bake of 10 s, 240 frames, Blender {bpy.app.version_string}\n",
        f"Shortest of {repeats}, seconds: by the wall clock, and processor time of Blender's main thread.\n",
        "| bones, plant | simulated | cached | cached, keys within 0.1° | the scene alone | asked for |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for bones, asked in TARGETS.items():
        for kind in ("windy", "carried"):
            obj = _plant(bones, kind)
            options = baking.BakeOptions(1, FRAMES)
            thin = baking.BakeOptions(1, FRAMES, max_error=0.0017453)
            times: dict[str, list[tuple[float, float]]] = {"simulated": [], "cached": [], "thin": [], "walk": []}
            for _ in range(repeats):
                sessions.close_session(obj)
                for name, chosen in (("simulated", options), ("cached", options), ("thin", thin)):
                    begin = perf_counter(), thread_time()
                    baking.bake_now(bpy.context, obj, chosen)
                    times[name].append((perf_counter() - begin[0], thread_time() - begin[1]))
                    baking.clear_bake(obj)
                begin = perf_counter(), thread_time()
                for frame in range(1, FRAMES + 1) if kind == "carried" else (1,):
                    bpy.context.scene.frame_set(frame)
                times["walk"].append((perf_counter() - begin[0], thread_time() - begin[1]))
            cells = [", ".join(f"{min(column):.2f}" for column in zip(*of, strict=True)) for of in times.values()]
            lines.append(f"| {bones}, {kind} | {' | '.join(cells)} | {asked:.1f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    lines.append(
        "\nSimulated: no frame of the plant is known; cached: it has been played. Windy: in gusts, nothing else is"
        " animated; carried: its object is moved by keys, so that Blender evaluates the scene at each frame, which"
        " takes it what the scene alone does."
    )
    return lines


def _plant(count: int, kind: str) -> Any:
    scene = in_blender.empty_scene(FRAMES)
    obj = in_blender.tree(count)
    if kind == "windy":
        in_blender.make_gusty(scene)
    else:
        in_blender.carry(obj)
    return obj


if __name__ == "__main__":
    in_blender.main(__doc__, 5, table)
