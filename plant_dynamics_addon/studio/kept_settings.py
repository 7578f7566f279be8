# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene's settings of how and where it is rendered, kept through a render with others."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy

from ..blender.timeline import frame_handler_paused, place_in_time
from ..blender.versions import movie_settings

#: In this order, as the first of them decide what the others can be.
_FIRST = ("media_type", "file_format", "format", "codec", "color_mode", "color_depth")
#: Blender chooses none in the scenes that it makes, warns of that when it is read, and does not change it after.
_NOT_KEPT = {"ffmpeg_preset"}
_OF_RENDER = ("filepath", "use_file_extension", "use_overwrite", "use_placeholder", "resolution_x", "resolution_y",
              "resolution_percentage")  # fmt: skip


@contextmanager
def kept_render_settings(scene: bpy.types.Scene) -> Iterator[None]:
    """Whatever is changed meanwhile of the scene's files, their format and size, its range and its place in time."""
    render = scene.render
    owners = [(render.image_settings, _settable(render.image_settings)), (render, _OF_RENDER)]
    movie = movie_settings(render)
    if movie is not None:
        owners.insert(1, (movie, _settable(movie)))
    kept = [(owner, _values(owner, names)) for owner, names in owners]
    first, last = scene.frame_start, scene.frame_end
    frame, share = place_in_time(scene)
    try:
        yield
    finally:
        for owner, values in kept:
            for name, value in values.items():
                if getattr(owner, name) != value:
                    setattr(owner, name, value)
        if (scene.frame_start, scene.frame_end) != (first, last):
            with frame_handler_paused():
                scene.frame_start, scene.frame_end = first, last
        scene.frame_set(frame, subframe=share)


def _values(owner: bpy.types.bpy_struct, names: Sequence[str]) -> dict[str, object]:
    """Without choices that this version of Blender does not know."""
    kinds = owner.bl_rna.properties
    values = {name: getattr(owner, name) for name in names}
    return {name: value for name, value in values.items() if kinds[name].type != "ENUM" or value}


def _settable(owner: bpy.types.bpy_struct) -> list[str]:
    names = {one.identifier for one in owner.bl_rna.properties if not one.is_readonly} - _NOT_KEPT
    return sorted(names, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
