# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the frames of the documentation's loops. Needs `bpy`; started by tools/loops.sh as

    python tools/render_loops.py FRAMES [NAME ...]

Wind loops and keys go round; the second time round is rendered, when what began the motion has died away.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from demo import EXTENSION
from enabled_extension import enabled_extension

ROUNDS = 3


@dataclass(frozen=True)
class Loop:
    """plants: preset, place (m) and seed; speed (m/s) of the wind; frames of a round; size of the picture (pixels)."""

    plants: tuple[tuple[str, tuple[float, float], int], ...]
    frames: int
    size: tuple[int, int]
    speed: float = 0.0
    act: Callable[[Any, int], None] | None = None
    pot: bool = False
    elevation: float = 6.0
    samples: int = 10


def push_to_and_fro(plant: Any, frames: int) -> None:
    """To the right and stopped, and back half a round later."""
    for first in range(1, ROUNDS * frames + 1, frames):
        for frame, shift in ((0, -0.17), (5, 0.17), (frames // 2, 0.17), (frames // 2 + 5, -0.17)):
            plant.location.x = shift
            plant.keyframe_insert("location", index=0, frame=first + frame)


LOOPS = {
    "birch": Loop((("silver_birch", (0.0, 0.0), 0),), 72, (300, 420), speed=7.0),
    "flowers": Loop(
        (("tulip", (-0.27, 0.0), 0), ("tulip", (-0.17, 0.12), 1), ("daffodil", (0.0, 0.03), 0),
         ("lavender", (0.34, 0.08), 0)), 72, (520, 300), speed=4.5,
    ),
    "pot": Loop((("potted_plant", (-0.17, 0.0), 0),), 60, (360, 300), act=push_to_and_fro, pot=True),
}  # fmt: skip


def main() -> None:
    frames, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(LOOPS)
    with enabled_extension():
        for name in names:
            render(LOOPS[name], frames / name)


def render(loop: Loop, folder: Path) -> None:
    """Grow the plants, bake all rounds and render the second one."""
    import bpy

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.preferences.edit.keyframe_new_interpolation_type = "LINEAR"
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, ROUNDS * loop.frames
    wind = scene.plant_dynamics.wind
    wind.use_air = True
    if loop.speed:
        wind.source, wind.speed, wind.turbulence_intensity, wind.length_scale = "GUSTS", loop.speed, 0.3, 6.0
        wind.use_loop, wind.loop_frames = True, loop.frames
    plants = []
    for preset, place, seed in loop.plants:
        grow = scene.plant_dynamics
        grow.source, grow.preset, grow.pot, grow.seed = "PRESET", preset, loop.pot, seed
        scene.cursor.location = (*place, 0.0)
        bpy.ops.plant_dynamics.grow()
        plants.append(bpy.context.object)
        if loop.act:
            loop.act(plants[-1], loop.frames)
    for plant in plants:
        bpy.context.view_layer.objects.active = plant
        bpy.ops.plant_dynamics.bake()

    seen = []
    for frame in range(loop.frames + 1, 2 * loop.frames + 1, 6):
        scene.frame_set(frame)
        meshes = [part for plant in plants for part in plant.children_recursive if part.type == "MESH"]
        seen.append(studio.world_points(meshes, every=5))
    points = np.concatenate(seen)
    size = float(np.ptp(seen[0], axis=0).max())
    studio.add_backdrop(scene, size)
    studio.light_softly(scene, points.mean(axis=0), size)
    studio.use_cycles(scene, studio.RenderQuality(*loop.size, loop.samples))
    studio.add_camera(scene, points, azimuth_degrees=8.0, elevation_degrees=loop.elevation, margin=0.05)
    scene.frame_start, scene.frame_end = loop.frames + 1, 2 * loop.frames
    scene.render.image_settings.file_format = "PNG"
    scene.render.filepath = f"{folder}/"
    bpy.ops.render.render(animation=True)


if __name__ == "__main__":
    main()
