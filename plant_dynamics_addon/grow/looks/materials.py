# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of plants, soil and pots.

A material is made once and found again by its name, so an artist's changes to it hold for the next plant too.
"""

from collections.abc import Callable

import bpy

from ..mesh.surface import PARTS
from .colours import Colour, PlantColours
from .shader_nodes import ShaderTree
from .shaders import CLAY, SHADERS, SOIL, pot, soil


def material_name(part: str, colours: str) -> str:
    """What the material of a part is called in the set of colours of this name."""
    return " ".join(word for word in ("Plant", part.replace("_", " ").title(), colours) if word)


def plant_materials(colours: PlantColours) -> list[bpy.types.Material]:
    """The materials of a plant's skin, in the order of `surface.PARTS`."""
    return [
        _found_or_made(material_name(part, colours.name), getattr(colours, part), SHADERS[part], colours)
        for part in PARTS
    ]


def soil_material() -> bpy.types.Material:
    """Dark crumbly earth."""
    return _found_or_made("Plant Soil", SOIL, soil)


def pot_material() -> bpy.types.Material:
    """Fired clay."""
    return _found_or_made("Plant Pot", CLAY, pot)


def _found_or_made(
    name: str, viewport_colour: Colour, shader: Callable[..., None], *colours: PlantColours
) -> bpy.types.Material:
    material = bpy.data.materials.get(name)
    if material is None:
        material = bpy.data.materials.new(name)
        material.diffuse_color = (*viewport_colour, 1.0)
        shader(ShaderTree(material), *colours)
    return material
