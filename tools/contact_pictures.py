# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders the pictures of contact and breaking from the demo's cases. Needs `bpy`; started as

    .venv-blender-4.5/bin/python tools/contact_pictures.py docs/pictures [SIZE [SAMPLES]]

contact.jpg: a foot in reeds, a rose on the table, a branch that falls. row_break.jpg: the branch, over time.
"""

import argparse
import importlib
import itertools
import sys
from pathlib import Path

import numpy as np
from demo import EXTENSION
from enabled_extension import enabled_extension
from preset_pictures import save_jpeg

#: case, frame, and two corners of what is to be seen (m)
CONTACT = (
    ("7_foot_in_reeds", 24, (-0.3, -0.3, 0.0), (0.36, 0.3, 0.62)),
    ("8_rose_on_table", 84, (-0.08, -0.08, 0.0), (0.42, 0.08, 0.24)),
    ("9_broken_branch", 24, (-0.1, -0.3, -0.04), (1.3, 0.3, 1.3)),
)
#: case, frames, corners
ROW = ("9_broken_branch", (1, 18, 20, 24, 30, 60), (-0.45, -0.3, -0.04), (1.6, 0.3, 1.85))


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    size, samples = (int(text) for text in (sys.argv[2:] + ["420", "32"][len(sys.argv) - 2 :])[:2])
    with enabled_extension() as scratch:
        render_all(folder, size, samples, scratch)


def render_all(folder: Path, size: int, samples: int, scratch: Path) -> None:
    """Both pictures; the row's stills are smaller and higher."""
    sheet = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures").sheet
    shots = [render(case, [frame], corners, (size, size), samples, scratch) for case, frame, *corners in CONTACT]
    save_jpeg(sheet([[shot[0] for shot in shots]]), folder / "contact.jpg")
    case, frames, *corners = ROW
    save_jpeg(sheet([render(case, frames, corners, (size * 3 // 5, size * 2 // 3), samples, scratch)]),
              folder / "row_break.jpg")  # fmt: skip


def render(name: str, frames, corners, size: tuple[int, int], samples: int, scratch: Path) -> list[np.ndarray]:
    """The demo's case at these frames; pixels (height, width, 4), first row at the bottom."""
    import bpy

    shots = importlib.import_module("demo_shots")
    case = next(one for one in shots.CASES if one.name == name)
    plant = shots.act_out(case, print)
    shots.dress(case, plant, argparse.Namespace(size=size[0], samples=samples))
    scene = bpy.context.scene
    shots.studio.use_cycles(scene, shots.studio.RenderQuality(*size, samples))
    box = np.array(list(itertools.product(*zip(*corners, strict=True))))
    shots.studio.aim(scene, scene.camera, box, case.azimuth, case.elevation, margin=0.02)
    found = []
    for frame in frames:
        scene.frame_set(frame)
        scene.render.filepath = str(scratch / f"{name}_{frame}.png")
        scene.render.image_settings.file_format = "PNG"
        bpy.ops.render.render(write_still=True)
        found.append(shots.read_pixels(scene.render.filepath))
    return found


if __name__ == "__main__":
    main()
