# SPDX-License-Identifier: GPL-3.0-or-later
"""A plant beside footage of a real one, as in Garcia 2023, 9.1.5 and 9.2.3: plate left, simulation right.

The two stand beside each other in the sequencer of a scene of their own, which renders both: the sequencer's Python
interface, unlike the compositor's, is the same in Blender 4.2 to 5.2 but for a name.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy

from ..blender.versions import strips_of
from ..errors import PlantError
from ..studio.output import Rendering, stills

_PICTURES = {suffix for suffix in bpy.path.extensions_image if suffix != ".svg"}


@dataclass(frozen=True)
class FootageOptions:
    """start_frame: the scene's frame at which the plate begins; skip: its first frames to leave out; height: of both
    pictures (pixels), 0 for the plate's; background: also show the plate behind the scene's camera, to line plant and
    handles up with it."""

    start_frame: int = 1
    skip: int = 0
    height: int = 0
    background: bool = True


def sequence_files(path: Path) -> list[Path]:
    """The numbered pictures of a sequence, in order, of which path is one or the folder."""
    if path.is_dir():
        return sorted(one for one in path.iterdir() if one.suffix.lower() in _PICTURES)
    match = re.fullmatch(r"(.*?)(\d+)", path.stem)
    if match is None:
        return [path]
    pattern = re.compile(rf"{re.escape(match[1])}\d+{re.escape(path.suffix)}")
    return sorted(one for one in path.parent.iterdir() if pattern.fullmatch(one.name))


def beside_footage(scene: bpy.types.Scene, path: Path, options: FootageOptions) -> bpy.types.Scene:
    """A new scene whose sequencer shows footage and `scene` beside each other over the scene's frames.

    path: a movie, a picture of a numbered sequence, or a folder of pictures. The scene's picture gets the plate's
    height and is cut to no more than it needs. Raises PlantError.
    """
    if scene.camera is None:
        raise PlantError("'{scene}' has no camera. Add one and aim it as the footage was taken", scene=scene.name)
    if not path.exists():
        raise PlantError("There is no footage '{path}'", path=path)
    new = bpy.data.scenes.new(f"{scene.name} beside {path.stem}")
    try:
        size = _add_strips(new, scene, path, options)
    except PlantError:
        bpy.data.scenes.remove(new)
        raise
    new.render.fps, new.render.fps_base = scene.render.fps, scene.render.fps_base
    new.frame_start, new.frame_end = scene.frame_start, scene.frame_end
    new.render.resolution_x, new.render.resolution_y = size
    new.render.resolution_percentage = 100
    new.render.use_sequencer = True
    new.view_settings.view_transform = "Standard"  # both are finished pictures
    if options.background:
        _show_behind(scene.camera, path, options)
    new.frame_set(scene.frame_current)
    return new


def footage_rate(new: bpy.types.Scene) -> float:
    """Frames per second of the movie in such a scene; 0 where a sequence of pictures has none."""
    plate = next(strip for strip in strips_of(new) if strip.type != "SCENE")
    return float(plate.fps) if plate.type == "MOVIE" else 0.0


def pictures_first(new: bpy.types.Scene, frames: Sequence[int], folder: Path) -> Rendering[list[Path]]:
    """Of a scene with footage the frames of the simulation, in the colours of its own scene; of another none.

    The sequencer shows a scene without its view transform. Other scenes stay as they are.
    """
    shown = _simulation(new)
    return (yield from stills(shown.scene, list(frames), folder, "simulation")) if shown is not None else []


@contextmanager
def shown_as_pictures(new: bpy.types.Scene, frames: Sequence[int], paths: list[Path]) -> Iterator[None]:
    """Meanwhile a scene with footage has these pictures of the frames in place of the simulation."""
    strips, shown = strips_of(new), _simulation(new)
    if shown is None:
        yield
        return
    muted = shown.mute
    picture = strips.new_image("Rendered", str(paths[0]), shown.channel + 1, min(frames), fit_method="ORIGINAL")
    try:
        path_of = dict(zip(frames, paths, strict=True))
        for frame in range(min(frames) + 1, max(frames) + 1):
            path = path_of.get(frame, paths[0])  # frames that are not rendered are not asked for
            picture.elements.append(path.name)
        picture.blend_type, picture.transform.offset_x = "ALPHA_OVER", shown.transform.offset_x
        picture.transform.scale_x = picture.transform.scale_y = shown.transform.scale_x
        shown.mute = True
        yield
    finally:
        shown.mute = muted
        strips.remove(picture)


def _simulation(new: bpy.types.Scene) -> Any:
    """The strip of the scene with the plants."""
    return next((strip for strip in strips_of(new) if strip.type == "SCENE"), None)


def _add_strips(new: bpy.types.Scene, scene: bpy.types.Scene, path: Path, options: FootageOptions) -> tuple[int, int]:
    """Plate and scene as strips; gives width and height of both together."""
    new.sequence_editor_create()
    strips = strips_of(new)
    plate = _add_plate(strips, path, options)
    shown = strips.new_scene("Simulation", scene, 2, scene.frame_start)
    element = plate.elements[0]
    width, height = element.orig_width, element.orig_height
    if not (width and height):
        raise PlantError("'{path}' cannot be read as a picture or movie", path=path.name)
    tall = (options.height or height) // 2 * 2
    percent = scene.render.resolution_percentage / 100.0
    own = scene.render.resolution_x * percent, scene.render.resolution_y * percent
    wide = [_even(width * tall / height), _even(own[0] * tall / own[1])]
    total = sum(wide)
    for strip, file_height, x in ((plate, height, -wide[1] / 2), (shown, own[1], wide[0] / 2)):
        strip.blend_type = "ALPHA_OVER"
        strip.transform.offset_x = x
        strip.transform.scale_x = strip.transform.scale_y = tall / file_height
    return total, tall


def _even(number: float) -> int:
    return 2 * round(number / 2)


def _add_plate(strips: Any, path: Path, options: FootageOptions) -> Any:
    begin = options.start_frame - options.skip
    if path.suffix.lower() in bpy.path.extensions_movie:
        strip = strips.new_movie("Plate", str(path), 1, begin, fit_method="ORIGINAL")
    else:
        files = sequence_files(path)
        if not files:
            raise PlantError("'{path}' holds no pictures", path=path)
        strip = strips.new_image("Plate", str(files[0]), 1, begin, fit_method="ORIGINAL")
        for file in files[1:]:
            strip.elements.append(file.name)
    if options.skip:
        strip.frame_offset_start = options.skip
    return strip


def _show_behind(camera: bpy.types.Object, path: Path, options: FootageOptions) -> None:
    """The plate as the camera's background picture, in the viewport."""
    movie = path.suffix.lower() in bpy.path.extensions_movie
    files: Sequence[Path] = [path] if movie else sequence_files(path)
    image = bpy.data.images.load(os.fspath(files[0]), check_existing=True)
    image.source = "MOVIE" if movie else "SEQUENCE" if len(files) > 1 else "FILE"
    behind = next((one for one in camera.data.background_images if one.image == image), None)
    behind = behind or camera.data.background_images.new()
    behind.image, behind.alpha = image, 0.5
    user = behind.image_user
    user.frame_start, user.frame_offset = options.start_frame, options.skip
    user.frame_duration = image.frame_duration if movie else len(files)
    if not movie and len(files) > 1:
        number = re.search(r"(\d+)$", files[0].stem)
        user.frame_offset += int(number[1]) - 1 if number else 0
    user.use_auto_refresh = True
    camera.data.show_background_images = True
