# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the pictures of the guide's recipes: plants on a truck that brakes, birches in a storm. Needs `bpy`:

    .venv-blender-4.5/bin/python tools/recipe_pictures.py docs/pictures [truck|storm ...]
"""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from demo import EXTENSION
from enabled_extension import enabled_extension

#: Size (pixels) and samples.
SIZE, SAMPLES = (760, 440), 16
#: Frames and m of the truck's way, which is stopped at the third of them, and the frame that is shown.
DRIVE = ((1, 0.0), (20, 0.0), (44, 2.2), (50, 2.6), (60, 2.6))
SHOWN = {"truck": 53, "storm": 40}

RED, DARK, WOOD = (0.5, 0.05, 0.03), (0.03, 0.03, 0.035), (0.3, 0.18, 0.09)


def main() -> None:
    folder, names = Path(sys.argv[1]).resolve(), sys.argv[2:] or list(SCENES)
    with enabled_extension():
        for name in names:
            render(name, folder / f"recipe_{name}.jpg")


def grow(preset: str, place: tuple[float, float, float], pot: bool, seed: int = 0) -> Any:
    import bpy

    options = bpy.context.scene.plant_dynamics
    options.source, options.preset, options.pot, options.seed = "PRESET", preset, pot, seed
    bpy.context.scene.cursor.location = place
    bpy.ops.plant_dynamics.grow()
    return bpy.context.object


def block(place: tuple[float, float, float], size: tuple[float, float, float], colour, on: Any = None) -> Any:
    """A box with rounded edges about a place, carried by another object."""
    import bpy

    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    return _carried(size, colour, on)


def wheel(place: tuple[float, float, float], on: Any) -> Any:
    import bpy

    bpy.ops.mesh.primitive_cylinder_add(radius=0.5, depth=1.0, location=place, rotation=(1.5708, 0.0, 0.0))
    return _carried((0.44, 0.44, 0.16), DARK, on)


def ball(place: tuple[float, float, float], size: tuple[float, float, float], colour, lean: float) -> Any:
    """A smooth ellipsoid that leans to the right by an angle (rad)."""
    import bpy

    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, location=place, rotation=(0.0, lean, 0.0))
    bpy.ops.object.shade_smooth()
    return _carried(size, colour, None)


def _carried(size: tuple[float, float, float], colour, on: Any) -> Any:
    import bpy
    from demo_contact_cases import paint  # needs the extension

    obj = bpy.context.object
    obj.scale = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bevel = obj.modifiers.new("Edges", "BEVEL")
    bevel.width, bevel.segments = 0.02, 3
    paint(obj, "Paint", colour)
    obj.parent = on
    return obj


def truck() -> tuple[list[Any], list[Any]]:
    """Two potted plants on the bed of a truck that brakes; the plants, and what else is to be seen."""
    import bpy

    bed = block((0.0, 0.0, 0.42), (1.9, 0.8, 0.08), WOOD)
    parts = [block((1.15, 0.0, 0.28), (0.62, 0.78, 0.72), RED, bed)]
    parts += [block((1.6, 0.0, 0.1), (0.4, 0.74, 0.34), RED, bed)]
    parts += [block((0.0, side * 0.38, 0.1), (1.84, 0.03, 0.12), WOOD, bed) for side in (-1.0, 1.0)]
    parts += [wheel((x, side * 0.36, -0.2), bed) for x in (-0.6, 1.45) for side in (-1.0, 1.0)]
    plants = [grow("broad_leaf", (0.45, 0.0, 0.46), True, 2), grow("sunflower", (-0.4, 0.0, 0.46), True)]
    for plant in plants:
        plant.parent = bed
        plant.matrix_parent_inverse = bed.matrix_world.inverted()
    for frame, x in DRIVE:
        bed.location.x = x
        bed.keyframe_insert("location", index=0, frame=frame)
    bpy.context.preferences.edit.keyframe_new_interpolation_type = "LINEAR"
    return plants, [bed, *parts]


def storm() -> tuple[list[Any], list[Any]]:
    """Two birches whose crowns stream across the picture, and somebody in front of them."""
    import bpy

    plants = [grow("silver_birch", (-1.5, 1.2, 0.0), False, 0), grow("silver_birch", (1.6, 0.0, 0.0), False, 1)]
    bpy.ops.plant_dynamics.wind_preset(preset="STORM")
    coat = ball((0.08, -1.5, 1.05), (0.44, 0.36, 0.86), RED, lean=-0.3)
    legs = [ball((0.24 + side * 0.2, -1.5, 0.38), (0.17, 0.17, 0.8), DARK, lean=-0.3 * side) for side in (-1.0, 1.0)]
    head = ball((-0.1, -1.5, 1.55), (0.23, 0.23, 0.28), (0.55, 0.33, 0.22), lean=-0.3)
    return plants, [coat, *legs, head]


SCENES: dict[str, Callable[[], tuple[list[Any], list[Any]]]] = {"truck": truck, "storm": storm}


def render(name: str, picture: Path) -> None:
    import bpy
    import numpy as np

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.preferences.edit.keyframe_new_interpolation_type = "LINEAR"
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, SHOWN[name]
    plants, things = SCENES[name]()
    for plant in plants:
        bpy.context.view_layer.objects.active = plant
        bpy.ops.plant_dynamics.bake()
    scene.frame_set(SHOWN[name])
    studio.use_cycles(scene, studio.RenderQuality(*SIZE, SAMPLES))
    seen = studio.world_points(
        [part for plant in plants for part in plant.children_recursive if part.type == "MESH"] + things, every=3
    )
    size = float(np.ptp(seen, axis=0).max())
    studio.add_backdrop(scene, size)
    studio.light_softly(scene, seen.mean(axis=0), size)
    studio.add_camera(scene, seen, azimuth_degrees=14.0, elevation_degrees=6.0, margin=0.05)
    scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 88
    scene.render.filepath = str(picture)
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
