# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials for the numbered colours of a text that says what they stand for, as files of L-studio do."""

import math
from collections.abc import Mapping
from dataclasses import astuple, replace

import bpy
import numpy as np

from ....lsystem import ORGANS, NumberedColour, Skeleton
from ...blender.node_trees import Value
from ..mesh.surface import Surface
from .colours import Colour
from .shader_nodes import ShaderTree

#: Custom property of such a material: what it was made from.
MADE_FROM = "plant_dynamics_colour"
#: Of dielectrics Blender's 0.5 reflects what most do; that is a highlight of full strength there.
_STRONGEST = 0.5
#: Channels of images as Blender has those of colour.
_RGBA = 4
#: Numbers of colours from here on are those with textures.
NUMBERS = 256


def numbered_material(name: str, number: int, colour: NumberedColour) -> bpy.types.Material:
    """The material for a number in a plant's text of this name. One that was made for the same is found again, with
    whatever has been changed in it since."""
    called, made_from = f"{name} Colour {number}", repr(astuple(colour))
    if colour.texture in bpy.data.images:
        called = f"{name} Colour {number % NUMBERS} {colour.texture}"
    material = bpy.data.materials.get(called)
    if material is not None and material.get(MADE_FROM) == made_from:
        return material
    material = bpy.data.materials.new(called)
    material[MADE_FROM] = made_from
    diffuse, emitted, specular = (_linear(one) for one in (colour.diffuse, colour.emitted, colour.specular))
    strongest = max(specular)
    tint = (specular[0] / strongest, specular[1] / strongest, specular[2] / strongest) if strongest else (1.0,) * 3
    tree = ShaderTree(material)
    seen: tuple[Value, Value] = diffuse, 1.0 - colour.transparency
    on_average = 1.0, 1.0, 1.0
    image = bpy.data.images.get(colour.texture) if colour.texture else None
    if image is not None:
        on_average = _mean_colour(image)
        place = tree.node("ShaderNodeTexCoord").outputs["UV"]
        texture = tree.node("ShaderNodeTexImage", {"Vector": place}, image=image)
        multiplied = tree.node("ShaderNodeMix", {0: 1.0, 6: texture.outputs[0], 7: diffuse}, data_type="RGBA",
                               blend_type="MULTIPLY")  # fmt: skip
        seen = multiplied.outputs[2], tree.math("MULTIPLY", texture.outputs[1], seen[1])
    tree.principled({
        "Base Color": seen[0], "Roughness": _roughness(colour.exponent), "Specular IOR Level": _STRONGEST * strongest,
        "Specular Tint": tint, "Emission Color": emitted, "Emission Strength": float(any(emitted)),
        "Alpha": seen[1],
    })  # fmt: skip
    red, green, blue = (one * share for one, share in zip(diffuse, on_average, strict=True))
    material.diffuse_color = (red, green, blue, 1.0 - colour.transparency)  # which Solid view shows
    return material


def _mean_colour(image: bpy.types.Image) -> Colour:
    """Linear RGB of the image, where it covers; white of an empty one."""
    pixels = np.empty(len(image.pixels), dtype=np.float32)
    image.pixels.foreach_get(pixels)
    shown = pixels.reshape(-1, max(1, image.channels))
    if image.channels != _RGBA or not shown[:, 3].any():
        return 1.0, 1.0, 1.0
    red, green, blue = np.average(shown[:, :3], axis=0, weights=shown[:, 3]).tolist()
    return (red, green, blue) if image.is_float else _linear((red, green, blue))


def numbered_materials(
    name: str, colours: Mapping[int, NumberedColour], used: list[int]
) -> dict[int, bpy.types.Material]:
    """By their numbers, those that are used and known."""
    return {number: numbered_material(name, number, colours[number]) for number in used if number in colours}


def wrapped(surface: Surface, skeleton: Skeleton, colours: Mapping[int, NumberedColour]) -> Surface:
    """The surface with the UVs of stems and other tubes that have textures such that these go around them once, in
    their own proportions; UVs of others stay."""
    if not colours:
        return surface
    is_tube = np.isin(skeleton.organ, [ORGANS.index("stem"), ORGANS.index("petiole")])
    is_tube[[one.segment for one in skeleton.contours]] = True
    heights = np.ones(len(skeleton))  # of images by their widths
    textured = np.flatnonzero(is_tube & (skeleton.colour >= NUMBERS))
    for number in np.unique(skeleton.colour[textured]).tolist():
        image = bpy.data.images.get(colours[number].texture) if number in colours else None
        if image is not None and image.size[0]:
            heights[skeleton.colour == number] = image.size[1] / image.size[0]
    radius = np.bincount(skeleton.axis, skeleton.radius_base) / np.maximum(np.bincount(skeleton.axis), 1)
    along = np.ones(len(skeleton))
    along[textured] = 1.0 / (2.0 * np.pi * radius[skeleton.axis] * heights)[textured]
    scaled = {}
    for name, corners in (("quad_uv", surface.quads), ("triangle_uv", surface.triangles)):
        factor = np.stack([np.ones(len(along)), along], axis=1)[surface.segment[corners]]
        scaled[name] = getattr(surface, name) * factor
    return replace(surface, **scaled)


def _linear(colour: Colour) -> Colour:
    """Red, green and blue of a screen (sRGB) as light adds up."""
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in colour)
    return red, green, blue


def _roughness(exponent: float) -> float:
    """Of a highlight as small as that of an exponent: alpha squared is 2 / (exponent + 2) (Walter et al. 2007)."""
    return math.sqrt(math.sqrt(2.0 / (exponent + 2.0)))
