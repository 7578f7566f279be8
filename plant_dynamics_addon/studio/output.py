# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendering to stills and movies, the same from Blender 4.2 to 5.2."""

from pathlib import Path

import bpy


def render_stills(scene: bpy.types.Scene, frames: list[int], folder: Path, name: str) -> list[Path]:
    """Render frames to folder/name_0001.png and so on; the scene's range, output path and frame are put back.

    Each as an animation of one frame: a still of a sequencer that no window shows comes with the wrong frame.
    """
    folder.mkdir(parents=True, exist_ok=True)
    render, before = scene.render, scene.frame_current
    kept = scene.frame_start, scene.frame_end, render.filepath
    _use(scene, "PNG")
    render.filepath = str(folder / f"{name}_####.png")
    try:
        for frame in frames:
            scene.frame_start = scene.frame_end = frame
            bpy.ops.render.render(animation=True, scene=scene.name)
    finally:
        scene.frame_start, scene.frame_end, render.filepath = kept
        scene.frame_set(before)
    return [folder / f"{name}_{frame:04d}.png" for frame in frames]


def use_movie(scene: bpy.types.Scene, path: Path) -> bool:
    """Have the scene's animation rendered to an H.264 movie at the path, or, in a Blender without FFmpeg, to a sequence
    of PNG files beside it. Whether it is a movie."""
    movie = bool(bpy.app.build_options.codec_ffmpeg)
    path.parent.mkdir(parents=True, exist_ok=True)
    _use(scene, "FFMPEG" if movie else "PNG")
    scene.render.use_file_extension = not movie
    if movie:
        # H.264 halves the colours' resolution, so that widths and heights must be even.
        scene.render.resolution_x += scene.render.resolution_x % 2
        scene.render.resolution_y += scene.render.resolution_y % 2
        scene.render.ffmpeg.format, scene.render.ffmpeg.codec = "MPEG4", "H264"
        scene.render.ffmpeg.constant_rate_factor = "HIGH"
        scene.render.filepath = str(path)
    else:
        scene.render.filepath = str(path.with_suffix("")) + "_"
    return movie


def render_movie(scene: bpy.types.Scene, path: Path) -> Path:
    """Render the scene's frame range to a movie; gives the file, or of a sequence the first one."""
    movie = use_movie(scene, path)
    bpy.ops.render.render(animation=True, scene=scene.name)
    return path if movie else Path(f"{path.with_suffix('')}_{scene.frame_start:04d}.png")


def _use(scene: bpy.types.Scene, file_format: str) -> None:
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):  # from 5.0 on
        settings.media_type = "VIDEO" if file_format == "FFMPEG" else "IMAGE"
    settings.file_format = file_format
    scene.render.use_file_extension = True
