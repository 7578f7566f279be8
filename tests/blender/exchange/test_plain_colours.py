# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials without what only Blender knows: with Base Color unlinked their plain colours arrive by glTF."""

import addon_utils
import bpy
import numpy as np

from tests.blender.scenes import plants

PARTS = ("Plant Leaf Tulip", "Plant Stem Tulip", "Plant Petal Tulip", "Plant Pot", "Plant Soil")


def base_colours():
    """Base Color of each material's Principled BSDF, by the material's name."""
    found = {}
    for material in bpy.data.materials:
        for node in material.node_tree.nodes if material.node_tree else ():
            if node.bl_idname == "ShaderNodeBsdfPrincipled":
                found[material.name.split(".")[0]] = np.array(node.inputs["Base Color"].default_value[:3])
    return found


def test_plain_colours_arrive_by_gltf(fresh, tmp_path):
    plants.grow("tulip", pot=True)
    there = base_colours()
    for material in bpy.data.materials:
        tree = material.node_tree
        for link in list(tree.links) if tree else ():
            if link.to_socket.name == "Base Color":
                tree.links.remove(link)
    addon_utils.enable("io_scene_gltf2")
    path = str(tmp_path / "tulip.glb")
    bpy.ops.export_scene.gltf(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.import_scene.gltf(filepath=path)
    here = base_colours()
    for part in PARTS:
        assert here[part].max() < 0.9, "not white"
        np.testing.assert_allclose(here[part], there[part], atol=1e-3, err_msg=part)
