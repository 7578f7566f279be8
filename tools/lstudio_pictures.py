# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders objects of L-studio as they are drawn, each from where its own view looks. Needs `bpy`; started as

    .venv-blender-4.5/bin/python tools/lstudio_pictures.py docs/pictures/lstudio.jpg FOLDER [WORD ...]

FOLDER holds objects. With words for each the first whose path contains it, in their order; else all.
"""

import argparse
import importlib
import re
from pathlib import Path

import numpy as np
from demo import EXTENSION
from enabled_extension import enabled_extension
from preset_pictures import save_jpeg

IN_A_ROW = 4
#: Colours of materials are those that they have in full light.
EXPOSURE = -0.7
_LOOKS = re.compile(r"^[ \t]*(viewpoint|view reference point)[ \t]*:([^\n/]*)", re.MULTILINE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, help="the sheet")
    parser.add_argument("folder", type=Path)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--keep", type=Path, help="folder for the pictures of the sheet")
    parser.add_argument("--size", type=int, default=300, help="width and height of a picture, pixels")
    parser.add_argument("--samples", type=int, default=16)
    options = parser.parse_intermixed_args()
    with enabled_extension() as folder:
        draw_sheet(options, Path(options.keep or folder).resolve())


def draw_sheet(options: argparse.Namespace, folder: Path) -> None:
    """Render one object after the other and lay the pictures out in rows."""
    pictures = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures")
    lsystem = importlib.import_module(f"{EXTENSION}.lsystem")
    found = lsystem.objects_in(options.folder)
    if options.words:
        found = [next(file for file in found if word in str(file)) for word in options.words]
    tiles = []
    for number, file in enumerate(found):
        still = folder / f"{number:02d}.png"
        view = lsystem.beside(file).get("view")
        render(file, still, options, looking_from(view.read_text(errors="replace") if view else ""))
        tiles.append(pictures.read_pixels(still))
    blank = np.ones_like(tiles[0])
    tiles += [blank] * (-len(tiles) % min(IN_A_ROW, len(tiles)))
    across = min(IN_A_ROW, len(tiles))
    rows = [tiles[first : first + across] for first in range(0, len(tiles), across)]
    save_jpeg(pictures.sheet(rows), options.target.resolve())


def looking_from(view: str) -> np.ndarray:
    """(3) the way from what a view file looks at to who looks, with z upwards."""
    places = {"viewpoint": (0.0, 0.0, 1.0), "view reference point": (0.0, 0.0, 0.0)}
    for name, numbers in _LOOKS.findall(view):
        places[name] = tuple(map(float, re.findall(r"[-+.\d]+", numbers)[:3]))
    x, y, z = np.subtract(places["viewpoint"], places["view reference point"])
    return np.array([x, -z, y])


def render(file: Path, still: Path, options: argparse.Namespace, away: np.ndarray) -> None:
    """Open and grow an object by the operators in an empty file and render it."""
    import bpy
    from mathutils import Vector

    studio = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.studio")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    bpy.ops.plant_dynamics.open_object(filepath=str(file))
    bpy.ops.plant_dynamics.grow()
    plant = bpy.context.object
    studio.use_cycles(scene, studio.RenderQuality(options.size, options.size, options.samples))
    seen = studio.world_points([part for part in plant.children_recursive if part.type == "MESH"])
    middle, extent = (seen.min(axis=0) + seen.max(axis=0)) / 2, float(np.ptp(seen, axis=0).max())
    turn = Vector(away.tolist()).to_track_quat("Z", "Y")
    across = (seen - middle) @ np.array(turn.to_matrix())
    data = bpy.data.cameras.new("Camera")
    data.type, data.ortho_scale, data.clip_end = "ORTHO", 1.05 * float(np.ptp(across[:, :2], axis=0).max()), 100.0
    camera = bpy.data.objects.new("Camera", data)
    scene.collection.objects.link(camera)
    scene.camera = camera
    seen_middle = (across.min(axis=0) + across.max(axis=0)) / 2
    place = middle + np.array(turn.to_matrix()) @ (*seen_middle[:2], 3.0 * extent)
    camera.location, camera.rotation_mode, camera.rotation_quaternion = place.tolist(), "QUATERNION", turn
    studio.light_softly(scene, middle, extent)
    scene.view_settings.view_transform, scene.view_settings.exposure = "Standard", EXPOSURE
    scene.render.filepath = str(still)
    scene.render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
