# SPDX-License-Identifier: GPL-3.0-or-later
"""A small plant of stems and leaves, with constants."""

import bpy
import numpy as np

TEXT = """name: Fern
steps: 6
let angle = 30  # [0..90 deg] how far branches lean out
let count = 6   # [1..9] pieces
material stem young=3e8 density=900
axiom: A(0)
A(n) : n < count -> F(0.1, 0.004) [ +(angle) ~Leaf(0.1, 0.04) ] A(n + 1)
"""


def fern_in_panel():
    """The Grow panel's settings, with its text chosen."""
    return text_in_panel(TEXT)


def text_in_panel(text):
    """The Grow panel's settings, with a new text chosen and its constants shown."""
    found = bpy.context.scene.plant_dynamics
    found.text = bpy.data.texts.new("own")
    found.text.write(text)
    found.source = "TEXT"
    found.leaf_bones = 1
    bpy.ops.plant_dynamics.show_constants()
    return found


def share_of_bark(mesh):
    """The share of the stems' area that has the material of bark."""
    count = len(mesh.polygons)
    area, material = np.empty(count, dtype=np.float32), np.empty(count, dtype=np.int32)
    mesh.polygons.foreach_get("area", area)
    mesh.polygons.foreach_get("material_index", material)
    by_material = np.bincount(material, area, len(mesh.materials))
    words = np.array([one.name.split()[1] for one in mesh.materials])
    bark, stem = (by_material[words == word].sum() for word in ("Bark", "Stem"))
    return float(bark / (bark + stem)) if bark else 0.0
