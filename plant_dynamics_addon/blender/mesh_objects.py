# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh objects from lists of vertices and faces."""

from collections.abc import Sequence

import bpy
import numpy as np


def add_smooth_object(
    collection: bpy.types.Collection,
    name: str,
    vertices: Sequence[Sequence[float]],
    faces: Sequence[Sequence[int]],
    material: bpy.types.Material,
) -> bpy.types.Object:
    """A mesh object with smooth faces of one material, linked to the collection."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(faces), dtype=bool))
    mesh.materials.append(material)
    added = bpy.data.objects.new(name, mesh)
    collection.objects.link(added)
    return added
