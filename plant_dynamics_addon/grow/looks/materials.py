# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of plants, soil and pots.

A material is made once and found again by its name, so an artist's changes to it hold for the next plant too.
"""

from collections.abc import Callable

import bpy

from ..mesh.surface import PARTS
from .colours import Colour, PlantColours, in_solid_view, mean
from .shader_nodes import ShaderTree
from .shaders import CLAY, SHADERS, SOIL, pot, soil

#: How dark organs are in Solid view beside what their surfaces reflect: those that let light through shine.
_LIGHTNESS = {
    "stem": 0.3, "leaf": 0.13, "petal": 0.25, "flower_centre": 0.45, "sepal": 0.25, "fruit": 0.4, "bark": 0.4,
}  # fmt: skip
_OF_EARTH = 0.6

_Shader = Callable[..., None]
_Made = dict[_Shader, bpy.types.Material]


def material_name(part: str, colours: str) -> str:
    """What the material of a part is called in the set of colours of this name."""
    return " ".join(word for word in ("Plant", part.replace("_", " ").title(), colours) if word)


def plant_materials(colours: PlantColours) -> list[bpy.types.Material]:
    """The materials of a plant's skin, in the order of `surface.PARTS`."""
    shown = {part: getattr(colours, part) for part in PARTS}
    shown["leaf"], shown["petal"] = mean(colours.leaf, colours.leaf_other), mean(colours.petal, colours.petal_base)
    made: _Made = {}
    return [
        _found_or_made(material_name(part, colours.name), shown[part], _LIGHTNESS[part], SHADERS[part], made, colours)
        for part in PARTS
    ]


def soil_material() -> bpy.types.Material:
    """Dark crumbly earth."""
    return _found_or_made("Plant Soil", SOIL, _OF_EARTH, soil, {})


def pot_material() -> bpy.types.Material:
    """Fired clay."""
    return _found_or_made("Plant Pot", CLAY, _OF_EARTH, pot, {})


def _found_or_made(
    name: str, plain: Colour, lightness: float, shader: _Shader, made: _Made, *colours: PlantColours
) -> bpy.types.Material:
    """plain: its colour on the whole, also for what does not know its nodes. made: by their shaders, the materials that
    have just been made; one of them is copied if it has the same."""
    material = bpy.data.materials.get(name)
    if material is None:
        if shader in made:
            material = made[shader].copy()
            material.name = name
        else:
            made[shader] = material = bpy.data.materials.new(name)
            shader(ShaderTree(material), *colours)
        material.diffuse_color = (*in_solid_view(plain, lightness), 1.0)
        for node in material.node_tree.nodes:
            if node.bl_idname == "ShaderNodeBsdfPrincipled":
                node.inputs["Base Color"].default_value = (*plain, 1.0)
    return material
