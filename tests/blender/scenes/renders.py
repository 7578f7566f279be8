# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders that take no time, and what they see of a plant; and renders of a file by a Blender of their own, which
nobody has pressed Play in."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import bpy
import numpy as np

_BEGIN = """
import os, sys
import bpy
import addon_utils
extension, blend, folder = sys.argv[1:]
addon_utils.enable(extension, default_set=True)
bpy.ops.wm.open_mainfile(filepath=blend)
scene = bpy.context.scene
for one in bpy.data.scenes:
    one.render.filepath = os.path.join(folder, "")
"""
_RENDER = "\nbpy.ops.render.render(animation=True)\n"
_END = "\nsys.stdout.flush()\nos._exit(0)\n"


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


def rendered_elsewhere(
    addon: ModuleType, blend: Path, folder: Path, before: str = "", render: str = _RENDER, fails: bool = False
) -> tuple[dict[int, np.ndarray], str]:
    """Pictures of the frames that another Blender renders, and what it prints.

    before: what its script does before rendering; render: and to render; fails: whether it is to end with an error
    """
    folder.mkdir()
    arguments = [sys.executable, "-c", _BEGIN + before + render + _END, addon.__name__, str(blend), str(folder)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == int(fails), done.stderr
    return pictures(folder), done.stdout + done.stderr


def pictures(folder: Path) -> dict[int, np.ndarray]:
    """Pixels by frame of all pictures in the folder."""
    found = {}
    for path in folder.glob("*.png"):
        image = bpy.data.images.load(str(path))
        found[int(path.stem)] = np.array(image.pixels)
        bpy.data.images.remove(image)
    return found


def rendered_here(folder: Path, step: int = 8) -> dict[int, np.ndarray]:
    """Pictures of every so many frames as this Blender renders them."""
    scene = bpy.context.scene
    scene.render.filepath, scene.frame_step = str(folder) + "/", step
    bpy.ops.render.render(animation=True)
    return pictures(folder)


def prepare_render(obj: bpy.types.Object) -> None:
    """A cube at the plant's tip, before nothing: where it is, the picture's alpha tells."""
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.camera.location, scene.camera.rotation_euler = (0.2, -2.0, 0.0), (np.pi / 2, 0.0, 0.0)
    scene.collection.objects.link(scene.camera)
    bpy.ops.mesh.primitive_cube_add(size=0.1)
    cube = bpy.context.object
    cube.parent, cube.parent_type, cube.parent_bone = obj, "BONE", obj.data.bones[-1].name
    scene.render.engine, scene.cycles.samples, scene.cycles.seed = "CYCLES", 1, 0
    scene.render.resolution_x = scene.render.resolution_y = 48
    scene.render.film_transparent = True
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGBA"
    scene.frame_step = 8
