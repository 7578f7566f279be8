# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders strips of leaves in wind from near: a twig of the young oak and the broad leaf at 2, 5 and 8 m/s, a
twelfth of a second from picture to picture. Needs `bpy`:

    .venv-blender-4.5/bin/python tools/leaf_strips.py docs/pictures/row_leaves.jpg
"""

import importlib
import sys
from pathlib import Path

import numpy as np
from demo import EXTENSION
from enabled_extension import enabled_extension
from preset_pictures import save_jpeg

#: By preset: its name in the picture, which share of its bones' tips is below what is looked at, and how far (m) one
#: sees to each side of that.
PLANTS = {"young_oak": ("Oak", 0.98, 0.3), "broad_leaf": ("Broad Leaf", 0.3, 0.2)}
SPEEDS = (2.0, 5.0, 8.0)
FRAMES = range(30, 46, 2)
SIZE = (150, 150)


def main() -> None:
    with enabled_extension() as folder:
        pictures = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures")
        strips = [strip(preset, speed, folder) for preset in PLANTS for speed in SPEEDS]
        save_jpeg(pictures.sheet([[pictures.read_pixels(still) for still in stills] for stills in strips]),
                  Path(sys.argv[1]).resolve())  # fmt: skip


def strip(preset: str, speed: float, folder: Path) -> list[Path]:
    """The pictures of one plant in wind of a speed (m/s)."""
    import bpy

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    commands = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.commands")
    name, below, reach = PLANTS[preset]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, FRAMES[-1], 24
    plant = commands.grow(preset)
    bpy.context.view_layer.objects.active = plant
    bpy.ops.plant_dynamics.wind_preset(preset="WIND")
    scene.plant_dynamics.wind.speed, scene.plant_dynamics.wind.direction = speed, (1.0, 0.0, 0.0)
    bpy.ops.plant_dynamics.play()
    studio.use_cycles(scene, studio.RenderQuality(*SIZE, 8))
    stills, label = [], None
    for frame in range(1, FRAMES[-1] + 1):
        scene.frame_set(frame)
        if frame not in FRAMES:
            continue
        if label is None:
            middle = looked_at(plant, below)
            studio.light_softly(scene, tuple(middle), 4.0 * reach)
            corners = middle + reach * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            studio.add_camera(scene, corners, 0.0, 5.0, margin=0.0)
            label = studio.add_label(scene, f"{name}, {speed:.0f} m/s", 0.9, (0.04, 0.9))
            label.data.size *= 1.6
        stills.append(folder / f"{preset}_{speed:.0f}_{frame}.png")
        scene.render.filepath = str(stills[-1])
        bpy.ops.render.render(write_still=True)
    return stills


def looked_at(plant, below: float) -> np.ndarray:
    """(3,) m: the middle of the plant, as it is shown, but for that share of its bones."""
    import bpy

    bones = plant.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    tails = np.array([plant.matrix_world @ bone.tail for bone in bones])
    return tails[tails[:, 2] > np.quantile(tails[:, 2], below)].mean(axis=0)


if __name__ == "__main__":
    main()
