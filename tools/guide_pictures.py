# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the picture of guides from the demo's garland and two example scenes. Needs `bpy`; started as

    .venv-blender-4.5/bin/python tools/guide_pictures.py docs/pictures [SIZE [SAMPLES]]

guides.jpg: a garland in gusts, a shoot that grows up its pole, a tong.
"""

import importlib
import itertools
import sys
from pathlib import Path

import numpy as np
from contact_pictures import render
from demo import EXTENSION, REPOSITORY
from enabled_extension import enabled_extension
from preset_pictures import save_jpeg

#: case, frame, and two corners of what is to be seen (m)
GARLAND = ("11_garland", 34, (-0.6, -0.05, 0.2), (0.6, 0.05, 1.08))
#: file, frame, corners, azimuth and elevation (degrees)
SCENES = (
    ("climbing_shoot", 162, (-0.28, -0.1, 0.75), (0.3, 0.1, 1.66), 20.0, 6.0),
    ("tong", 52, (0.78, -0.05, 0.0), (1.42, 0.15, 0.4), 18.0, 8.0),
)


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    size, samples = (int(text) for text in (sys.argv[2:] + ["420", "32"][len(sys.argv) - 2 :])[:2])
    with enabled_extension() as scratch:
        sheet = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures").sheet
        scenes = [render_scene(*one, size, samples, scratch) for one in SCENES]
        case, frame, *corners = GARLAND
        garland = render(case, [frame], corners, (size, size), samples, scratch)
        save_jpeg(sheet([[*garland, *scenes]]), folder / "guides.jpg")


def render_scene(
    name: str, frame: int, low, high, azimuth: float, elevation: float, size: int, samples: int, scratch: Path
) -> np.ndarray:
    """An example scene, played up to the frame; pixels (height, width, 4), first row at the bottom."""
    import bpy

    shots = importlib.import_module("demo_shots")
    bpy.ops.wm.open_mainfile(filepath=str(REPOSITORY / "examples" / f"{name}.blend"))
    scene = bpy.context.scene
    bpy.ops.plant_dynamics.play()
    for one in range(scene.frame_start, frame + 1):
        scene.frame_set(one)
    shots.studio.use_cycles(scene, shots.studio.RenderQuality(size, size, samples))
    box = np.array(list(itertools.product(*zip(low, high, strict=True))))
    shots.studio.aim(scene, scene.camera, box, azimuth, elevation, margin=0.02)
    scene.render.filepath = str(scratch / f"{name}.png")
    scene.render.image_settings.file_format = "PNG"
    bpy.ops.render.render(write_still=True)
    return shots.read_pixels(scene.render.filepath)


if __name__ == "__main__":
    main()
