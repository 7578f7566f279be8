# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendering to stills and movies, the same from Blender 4.2 to 5.2. The scene's own settings stay as they are."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

import bpy

from ..blender.timeline import frame_handler_paused
from ..blender.versions import choose_media
from ..dynamics.live.rendering import look_ahead
from ..errors import PlantError
from .kept_settings import kept_render_settings


@dataclass(frozen=True)
class Render:
    """An animation that is to be rendered now: of a scene as it is, to a file."""

    scene: bpy.types.Scene
    written: Path


Result = TypeVar("Result")
#: Work that is given each render when it is to be done, and goes on when it has been. Closed, it puts all back.
Rendering = Generator[Render, None, Result]


def rendered(work: Rendering[Result]) -> Result:
    """Do all renders of the work, one after the other, and wait for them. Raises PlantError."""
    try:
        while True:
            _render(next(work))
    except StopIteration as end:
        return cast(Result, end.value)
    finally:
        work.close()


def stills(scene: bpy.types.Scene, frames: list[int], folder: Path, name: str) -> Rendering[list[Path]]:
    """Frames as folder/name_0001.png and so on. Raises PlantError.

    Each as an animation of one frame: a still of a sequencer that no window shows comes with the wrong frame. Live
    plants are not told of that range, as their motion begins where the scene's own does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}_{frame:04d}.png" for frame in frames]
    with kept_render_settings(scene):
        _use(scene, "PNG")
        scene.render.filepath = str(folder / f"{name}_####.png")
        look_ahead(scene, max(frames))
        with frame_handler_paused():
            for frame, path in zip(frames, paths, strict=True):
                scene.frame_start = scene.frame_end = frame
                yield from _written(scene, path)
    return paths


@contextmanager
def movie_settings(scene: bpy.types.Scene, path: Path) -> Iterator[Path]:
    """Meanwhile the scene's animation is rendered to an H.264 movie at the path, or, in a Blender without FFmpeg, to a
    sequence of PNG files beside it; gives the file, or of a sequence the first one."""
    movie = bool(bpy.app.build_options.codec_ffmpeg)
    path.parent.mkdir(parents=True, exist_ok=True)
    render = scene.render
    with kept_render_settings(scene):
        _use(scene, "FFMPEG" if movie else "PNG")
        render.use_file_extension = not movie
        if movie:
            # H.264 halves the colours' resolution, so that widths and heights must be even.
            share, render.resolution_percentage = render.resolution_percentage / 100.0, 100
            for name in ("resolution_x", "resolution_y"):
                setattr(render, name, _even(getattr(render, name) * share))
            render.ffmpeg.format, render.ffmpeg.codec = "MPEG4", "H264"
            render.ffmpeg.use_lossless_output = render.ffmpeg.use_autosplit = False
            render.ffmpeg.constant_rate_factor = "HIGH"
            render.filepath = str(path)
            yield path
        else:
            render.filepath = f"{path.with_suffix('')}_"
            yield Path(f"{render.filepath}{scene.frame_start:04d}.png")


def movie(scene: bpy.types.Scene, path: Path) -> Rendering[Path]:
    """The scene's frame range as a movie; gives the file, or of a sequence the first one. Raises PlantError."""
    with movie_settings(scene, path) as written:
        look_ahead(scene, scene.frame_end)
        yield from _written(scene, written)
    return written


def _written(scene: bpy.types.Scene, path: Path) -> Iterator[Render]:
    yield Render(scene, path)
    if not path.is_file():  # some versions of Blender say nothing about it
        raise _not_rendered(scene, path, "no file came of it")


def begin_to_render(job: Render) -> None:
    """Have Blender render in its window, with its progress and Esc, and go on. Raises PlantError."""
    _render(job, "INVOKE_DEFAULT")


def _render(job: Render, *how: str) -> None:
    try:
        bpy.ops.render.render(*how, animation=True, scene=job.scene.name)
    except RuntimeError as error:
        raise _not_rendered(job.scene, job.written, str(error)) from None


def _not_rendered(scene: bpy.types.Scene, path: Path, error: str) -> PlantError:
    reason = " ".join(error.replace("Error: ", "").split())
    return PlantError("'{scene}' was not rendered to '{path}': {reason}", scene=scene.name, path=path, reason=reason)


def _even(number: float) -> int:
    return 2 * ((int(number) + 1) // 2)


def _use(scene: bpy.types.Scene, file_format: str) -> None:
    settings, render = scene.render.image_settings, scene.render
    choose_media(settings, "VIDEO" if file_format == "FFMPEG" else "IMAGE")
    settings.file_format = file_format
    render.use_file_extension = render.use_overwrite = True
    render.use_placeholder = False
