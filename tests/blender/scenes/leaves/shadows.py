# SPDX-License-Identifier: GPL-3.0-or-later
"""A floor that a sheet over it shades from the sun, rendered by Cycles."""

from pathlib import Path

import bpy
import numpy as np

from tests.blender.scenes.renders import film


def brightness_below_sheet(material: bpy.types.Material | None, faces_light: bool, folder: Path) -> float:
    """Mean of the pixels of a white floor below a one-sided sheet of this material, without one below none.

    faces_light: whether the sheet's normal points to the sun above it, or away.
    """
    scene = bpy.data.scenes.new("Shade")
    film(folder, scene)
    scene.camera.data.type, scene.camera.data.ortho_scale = "ORTHO", 1.0
    scene.camera.location = (0.0, 0.0, 1.0)  # below the sheet, looking down
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.location, sun.data.angle = (0.0, 0.0, 5.0), 0.0
    scene.collection.objects.link(sun)
    _add_square(scene, "Floor", 0.0, upwards=True)
    if material is not None:
        _add_square(scene, "Sheet", 2.0, upwards=faces_light).data.materials.append(material)
    path = folder / "shade.png"
    scene.render.filepath = str(path)
    scene.view_settings.view_transform = "Standard"
    bpy.ops.render.render(write_still=True, scene=scene.name)
    image = bpy.data.images.load(str(path), check_existing=False)
    return float(np.array(image.pixels).reshape(-1, 4)[:, :3].mean())


def _add_square(scene: bpy.types.Scene, name: str, height: float, *, upwards: bool) -> bpy.types.Object:
    corners = [(-3.0, -3.0, height), (3.0, -3.0, height), (3.0, 3.0, height), (-3.0, 3.0, height)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], [(0, 1, 2, 3) if upwards else (3, 2, 1, 0)])
    square = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(square)
    return square
