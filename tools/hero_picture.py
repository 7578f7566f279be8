# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the README's first picture: three plants in motion. Needs `bpy`; started as

    .venv-blender-4.5/bin/python tools/hero_picture.py docs/pictures/hero.jpg [WIDTH [SAMPLES]]

The pots are jerked to the left and stopped; the picture shows the moment when all plants lean.
"""

import importlib
import sys
from pathlib import Path

from demo import EXTENSION
from enabled_extension import enabled_extension

#: preset, place along x (m), pot, stiffness factor, seed
PLANTS = (
    ("broad_leaf", -0.46, True, 0.8, 2),
    ("rose", -0.13, True, 0.3, 0),
    ("orchid", 0.43, True, 0.5, 0),
)
FRAME = 11


def main() -> None:
    picture = Path(sys.argv[1]).resolve()
    width, samples = (int(text) for text in (sys.argv[2:] + ["1400", "48"][len(sys.argv) - 2 :])[:2])
    with enabled_extension():
        render(picture, width, samples)


def render(picture: Path, width: int, samples: int) -> None:
    import bpy
    from mathutils import Vector

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAME
    options = scene.plant_dynamics
    plants = []
    for preset, x, pot, stiffness, seed in PLANTS:
        options.source, options.preset, options.pot, options.seed = "PRESET", preset, pot, seed
        scene.cursor.location = (x, 0.0, 0.0)
        bpy.ops.plant_dynamics.grow()
        plant = bpy.context.object
        plant.plant_dynamics.stiffness_factor = stiffness
        place = plant.location.copy()
        for frame, shift in ((1, 0.22), (7, 0.0)):
            plant.location = place + Vector((shift, 0.0, 0.0))
            plant.keyframe_insert("location", frame=frame)
        plants.append(plant)
    for plant in plants:
        bpy.context.view_layer.objects.active = plant
        bpy.ops.plant_dynamics.bake()
    scene.frame_set(FRAME)

    studio.use_cycles(scene, studio.RenderQuality(width, round(width * 0.52), samples))
    seen = studio.world_points([part for plant in plants for part in plant.children_recursive if part.type == "MESH"])
    size = float(seen[:, 2].max() - seen[:, 2].min())
    studio.add_backdrop(scene, 1.6 * size)
    studio.light_softly(scene, seen.mean(axis=0), 1.3 * size)
    studio.add_camera(scene, seen, azimuth_degrees=0.0, elevation_degrees=7.0, lens=85.0, margin=0.04)
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = 88
    scene.render.filepath = str(picture)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
