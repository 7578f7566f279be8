# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders that take no time, and what they see of a plant."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy
import numpy as np


def film(folder: Path, scene: bpy.types.Scene | None = None) -> bpy.types.Scene:
    """Have the scene rendered to 8 by 8 pixels, to the folder."""
    scene = scene or bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 8
    scene.render.filepath = str(folder / "frame_")
    return scene


def set_format(scene: bpy.types.Scene, name: str) -> None:
    """Choose a format of files, in all versions of Blender."""
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):
        settings.media_type = "VIDEO" if name == "FFMPEG" else "IMAGE"
    settings.file_format = name


@contextmanager
def watched(obj: bpy.types.Object) -> Iterator[dict[float, np.ndarray]]:
    """Pose channels (bones, 4) by the moments that are rendered meanwhile, of a live plant or of keyframes."""
    seen: dict[float, np.ndarray] = {}

    def look(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        if depsgraph.mode == "RENDER":
            shown = obj if obj.plant_dynamics.live else obj.evaluated_get(depsgraph)
            seen[scene.frame_current + scene.frame_subframe] = channels(shown)

    bpy.app.handlers.frame_change_post.append(look)
    try:
        yield seen
    finally:
        bpy.app.handlers.frame_change_post.remove(look)


def channels(obj: bpy.types.Object) -> np.ndarray:
    """(bones, 4) rotation quaternions of the pose as they are set."""
    values = np.empty(4 * len(obj.pose.bones), dtype=np.float32)
    obj.pose.bones.foreach_get("rotation_quaternion", values)
    return values.reshape(-1, 4)
