# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures, movies, plots and tables of comparisons, as files."""

import re
from pathlib import Path

import bpy

from ..errors import PlantError
from ..studio.output import Rendering, movie, rendered, stills
from ..studio.pictures import read_pixels, save_pixels, sheet
from ..user_choices import user_choice
from .footage import pictures_first, shown_as_pictures
from .plots import plot_together, write_csv
from .row import Comparison


def folder_text(scene: bpy.types.Scene) -> str:
    """The scene's folder; where none was set that of the preferences, if there is one."""
    settings = scene.plant_dynamics_compare
    preferred = user_choice("output_folder", "")
    return preferred if preferred and not settings.is_property_set("folder") else settings.folder


def output_folder(scene: bpy.types.Scene) -> Path:
    """The folder of the scene's settings or of the preferences, made if need be. Raises PlantError."""
    text = folder_text(scene)
    if text.startswith("//") and not bpy.data.filepath:
        raise PlantError("Save the file first, or choose a folder that does not begin with //")
    folder = Path(bpy.path.abspath(text)).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlantError("'{folder}' cannot be made: {reason}", folder=folder, reason=error.strerror) from None
    return folder


def frames_of(scene: bpy.types.Scene) -> list[int]:
    """The frames that are typed in the scene's settings; else first, middle and last. Raises PlantError."""
    text = scene.plant_dynamics_compare.stills.strip()
    if not text:
        first, last = scene.frame_start, scene.frame_end
        return sorted({first, (first + last) // 2, last})
    return frame_numbers(text)


def frame_numbers(text: str) -> list[int]:
    """Frames of a list such as "1, 12, 24"."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise PlantError("'{text}' is no list of frames: write 1, 12, 24", text=text) from None


def file_name(text: str) -> str:
    """A name for a file: letters, digits, points, lines and blanks."""
    return re.sub(r"[^\w.\-' ]+", "_", text.replace("×", "x").replace("/", " per ")).strip(" _") or "plant"


def shot(scene: bpy.types.Scene, folder: Path, chosen: list[int] | None) -> Rendering[list[Path]]:
    """A movie of the scene, or the chosen frames and a sheet of all of them, below each other; gives the files."""
    name = file_name(scene.name)
    frames = range(scene.frame_start, scene.frame_end + 1) if chosen is None else chosen
    pictures = yield from pictures_first(scene, frames, folder / f"{name} frames")
    with shown_as_pictures(scene, frames, pictures):
        if chosen is None:
            return [(yield from movie(scene, folder / f"{name}.mp4"))]
        paths = yield from stills(scene, chosen, folder, name)
    if len(paths) > 1:
        save_pixels(sheet([[read_pixels(path)] for path in paths]), folder / f"{name}_sheet.png")
        paths.append(folder / f"{name}_sheet.png")
    return paths


def render_shot(scene: bpy.types.Scene, folder: Path, chosen: list[int] | None) -> list[Path]:
    """Render such a shot and wait for it; gives the files. Raises PlantError."""
    return rendered(shot(scene, folder, chosen))


def write_plots(comparison: Comparison, folder: Path) -> list[Path]:
    """One plot of all plants that were measured, and a table of each; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    name = file_name(comparison.scene.name)
    motions = [(place.motion, place.text) for place in comparison.places if place.motion is not None]
    paths = [folder / f"{name}.png"]
    plot_together(comparison.scene.name, [m for m, _ in motions], [text for _, text in motions], paths[0])
    for motion, text in motions:
        paths.append(folder / f"{name} {file_name(text)}.csv")
        write_csv(motion, paths[-1])
    return paths
