# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stems are of bark: by what they are made of, and by their girth."""

import importlib

import numpy as np
import pytest

from tests.blender.scenes.grown_fern import share_of_bark
from tests.blender.scenes.leaves.shadows import brightness_below_sheet
from tests.blender.scenes.plants import grow_skeleton, mesh_of

EXTENSION = "bl_ext.user_default.plant_dynamics"

#: Presets whose trunks, or the stake, are bark. All others are green all over.
BARK = {
    "climbing_shoot", "conifer", "crowded_tree", "hedge", "honda_tree", "ivy", "light_seeker", "lilac", "old_oak",
    "palm", "shrub", "silver_birch", "sympodial_tree", "ternary_tree", "tomato", "wall_climber", "willow",
    "winter_tree", "young_oak",
}  # fmt: skip


@pytest.fixture
def lsystem(fresh):
    return importlib.import_module(f"{EXTENSION}.lsystem")


@pytest.fixture
def plant(lsystem):
    """Grows a text as a plant of this name, and returns its mesh."""

    def grow(text: str, name: str = "Plant"):
        return mesh_of(grow_skeleton(lsystem.grow(text), name)).data

    return grow


def values(mesh, name):
    found = np.empty(len(mesh.vertices), dtype=np.float32)
    mesh.attributes[name].data.foreach_get("value", found)
    return found


@pytest.mark.slow
def test_trees_have_bark_and_herbs_have_none(presets):
    shares = {name: grown.bark for name, grown in presets.all().items()}
    assert {name for name, share in shares.items() if share} == BARK & shares.keys()
    trees = {"young_oak", "old_oak", "willow", "winter_tree", "conifer", "honda_tree", "palm"} & shares.keys()
    assert trees
    for name in trees:
        assert shares[name] > 0.4, (name, shares[name])


@pytest.mark.parametrize(("young", "wood"), [(1.2e9, 0.0), (2.25e9, 0.5), (6e9, 1.0), (None, 0.0)])
def test_youngs_modulus_decides_on_a_thick_stem(plant, young, wood):
    line = f"material stem young={young:g} poisson=0.3 density=900 damping=0.01\n" if young else ""
    mesh = plant(line + "axiom: F(0.5, 0.05) ~Leaf(0.1, 0.05)\n")
    is_stem = values(mesh, "plant_girth") > 0
    np.testing.assert_allclose(values(mesh, "plant_wood")[is_stem], wood, atol=1e-6)
    assert not values(mesh, "plant_wood")[~is_stem].any()


def test_thin_twigs_of_wood_stay_green(plant):
    wood = "material stem young=6e9 poisson=0.3 density=900 damping=0.01\n"
    assert share_of_bark(plant(wood + "axiom: F(0.5, 0.05)\n")) == 1.0
    assert share_of_bark(plant(wood + "axiom: F(0.5, 0.003)\n")) == 0.0


def test_solid_view_shows_trunks_brown_and_herbs_green(plant):
    wood = "material stem young=6e9 poisson=0.3 density=900 damping=0.01\n"
    materials = {material.name: material for material in plant(wood + "axiom: F(0.5, 0.05)\n").materials}
    red, green, _, _ = materials["Plant Bark"].diffuse_color
    assert red > green
    red, green, _, _ = materials["Plant Stem"].diffuse_color
    assert green > red


def test_the_shader_reads_girth_and_wood(plant):
    for material in plant("axiom: F(0.5, 0.05)\n").materials:
        read = {node.attribute_name for node in material.node_tree.nodes if node.bl_idname == "ShaderNodeAttribute"}
        assert ({"plant_girth", "plant_wood"} <= read) == (material.name in ("Plant Stem", "Plant Bark"))


@pytest.mark.parametrize("part", ["Plant Leaf", "Plant Petal", "Plant Sepal"])
def test_thin_sheets_are_so_for_eevee_too(plant, part):
    """Of what has no thickness linked it takes the object's, squares the colour and darkens what shines through."""
    found = next(one for one in plant("axiom: F(0.1, 0.01) ~Leaf(0.1, 0.05)\n").materials if one.name == part)
    outputs = [node for node in found.node_tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial"]
    (link,) = (link for node in outputs for link in node.inputs["Thickness"].links)
    assert link.from_socket.default_value == 0.0


@pytest.mark.parametrize("for_eevee", [False, True])
@pytest.mark.parametrize("faces_light", [False, True])
def test_in_both_engines_the_side_of_a_sheet_that_faces_away_from_the_light_casts_the_shadow(
    plant, tmp_path, faces_light, for_eevee
):
    """Cycles looks for shadows from the shaded place, EEVEE from the light. Here Cycles reads the outputs of both, for
    it needs no window, so that EEVEE's has to look the other way round."""
    material = next(one for one in plant("axiom: F(0.1, 0.01)\n").materials if one.name == "Plant Sepal")
    for node in material.node_tree.nodes:
        if node.bl_idname == "ShaderNodeOutputMaterial":
            node.target = "CYCLES" if (node.target == "EEVEE") == for_eevee else "EEVEE"
    below = brightness_below_sheet(material, faces_light, tmp_path)
    is_shaded = below < 0.5 * brightness_below_sheet(None, faces_light, tmp_path)
    assert is_shaded == (faces_light == for_eevee)
