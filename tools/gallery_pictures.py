# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders all pictures of docs/gallery.md: its four sheets, and each plant's for the panel. Needs `bpy`, and a display
or EGL for EEVEE; started as

    .venv-blender-4.5/bin/python tools/gallery_pictures.py KEPT [NAME ...]

Each plant is grown only twice, also at the detail High for the pictures from near. What lies in the folder KEPT already
stays, so that this may be stopped and goes on; with names only these plants are rendered, and no sheets are written.
"""

import argparse
import importlib
from pathlib import Path
from time import perf_counter

from demo import EXTENSION, REPOSITORY
from enabled_extension import enabled_extension
from preset_pictures import SMALL, SMALL_QUALITY, known_presets, look_at, save_jpeg, save_sheet, stage, take

#: By the folder in KEPT: the distance (m, 0 for all of the plant), and whether it is by EEVEE.
SHEETS = {
    "presets": (0.0, False), "presets_eevee_far": (0.0, True),
    "presets_near": (0.3, False), "presets_eevee": (0.3, True),
}  # fmt: skip
PANEL, SIZE = "panel", (240, 300)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kept", type=Path, help="folder for all single pictures")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--samples", type=int, default=12, help="of Cycles")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_intermixed_args()
    kept = options.kept.resolve()
    with enabled_extension():
        read_pixels = importlib.import_module(f"{EXTENSION}.plant_dynamics_addon.studio.pictures").read_pixels
        presets = known_presets()
        for name in options.names or presets:
            begin = perf_counter()
            pictures_of(presets[name], kept, options)
            print(f"{name}: {perf_counter() - begin:.1f} s", flush=True)
        panel = REPOSITORY / "plant_dynamics_addon" / "grow" / "pictures"
        for name in options.names or presets:
            save_jpeg(read_pixels(kept / PANEL / f"{name}.png"), panel / f"{name}.jpg", SMALL_QUALITY)
        for sheet in () if options.names else SHEETS:
            tiles = [read_pixels(kept / sheet / f"{name}.png") for name in presets]
            save_sheet(tiles, REPOSITORY / "docs" / "pictures" / f"{sheet}.jpg")


def pictures_of(preset, kept: Path, options: argparse.Namespace) -> None:
    """Render those of a plant's pictures that are not there."""
    missing = [one for one in (PANEL, *SHEETS) if not (kept / one / f"{preset.name}.png").exists()]
    near = [one for one in missing if one != PANEL and SHEETS[one][0]]
    for sheets in ([one for one in missing if one not in near], near):
        staged = stage(preset, sheets is near, options.threads) if sheets else None
        for one in sheets:
            distance, by_eevee = SHEETS.get(one, (0.0, False))
            look_at(staged, (SMALL, SMALL) if one == PANEL else SIZE, one != PANEL, distance)
            take(kept / one / f"{preset.name}.png", options.samples, by_eevee)


if __name__ == "__main__":
    main()
