# SPDX-License-Identifier: GPL-3.0-or-later
"""What the surfaces of plants, soil and pots look like, for Cycles and EEVEE: one function for each."""

import math
from collections.abc import Callable

from .colours import PlantColours, darker
from .shader_nodes import ShaderTree

SOIL, CLAY = (0.040, 0.025, 0.016), (0.42, 0.145, 0.075)
#: Of what is dead on a leaf.
_DRY = (0.11, 0.06, 0.022)
_FIBRES_PER_METRE, _STRETCH = 190.0, 0.16


def _thin_sheet(tree: ShaderTree, colour, glow, translucency: float, roughness: float, normal) -> None:
    """One side of a leaf or petal, which lets light through: `glow` is its colour against the light.

    The inside of the other side is clear, so that light which goes through is coloured once.
    """
    inputs = {"Base Color": colour, "Roughness": roughness, "Specular IOR Level": 0.25, "Normal": normal}
    front = tree.node("ShaderNodeBsdfPrincipled", inputs).outputs[0]
    through = tree.node("ShaderNodeBsdfTranslucent", {"Color": glow, "Normal": normal}).outputs[0]
    side = tree.node("ShaderNodeMixShader", {0: translucency, 1: front, 2: through}).outputs[0]
    inside = tree.node("ShaderNodeNewGeometry").outputs["Backfacing"]
    clear = tree.node("ShaderNodeBsdfTransparent").outputs[0]
    tree.surface(tree.node("ShaderNodeMixShader", {0: inside, 1: side, 2: clear}).outputs[0])


def _leaf(tree: ShaderTree, colours: PlantColours) -> None:
    u, v = tree.uv()
    from_midrib = tree.math("MULTIPLY", tree.math("ABSOLUTE", tree.math("SUBTRACT", u, 0.5)), 2.0)
    midrib = tree.smooth_step(from_midrib, 0.075, 0.02)
    # Side veins leave the midrib at regular places and run outwards and towards the tip.
    first, count = colours.veins
    slant = tree.math("MULTIPLY", from_midrib, colours.vein_slant)
    place = tree.math("MULTIPLY", tree.math("SUBTRACT", tree.math("SUBTRACT", v, first), slant), count)
    between = tree.math("ABSOLUTE", tree.math("SUBTRACT", tree.math("FRACT", place), 0.5))
    side_veins = tree.math("MULTIPLY", tree.smooth_step(between, 0.10, 0.0), tree.smooth_step(from_midrib, 1.0, 0.3))
    veins = tree.math("MAXIMUM", midrib, tree.math("MULTIPLY", side_veins, 0.5))

    chance = tree.organ_attribute("plant_variation")
    blade = tree.blend(chance, colours.leaf, colours.leaf_other)
    mottled = tree.blend(tree.math("MULTIPLY", tree.noise(45.0), 0.35), blade, (0.02, 0.07, 0.012))
    veined = tree.blend(tree.math("MULTIPLY", veins, 0.55), mottled, colours.vein)
    veined = _aged(tree, colours, veined, chance, from_midrib, v)
    colour = tree.blend(tree.math("MULTIPLY", tree.attribute("plant_under"), 0.45), veined, (0.17, 0.27, 0.10))
    glow = tree.blend(tree.math("MULTIPLY", veins, 0.6), colours.glow, darker(colours.glow, 0.56))
    normal = tree.bump(tree.math("SUBTRACT", 1.0, veins), 0.35, 0.0015)
    _thin_sheet(tree, colour, glow, 0.25, 0.52, normal)


def _aged(tree: ShaderTree, colours: PlantColours, colour, chance, from_midrib, v):
    """The colour of a leaf that is old or hurt: the more, the higher its random number. Old leaves turn pale from tip
    and margin; on about half of all leaves there are some brown spots, as of fungi and of what has bitten them."""
    wide, fine = tree.noise(90.0), tree.noise(420.0, 2.0)
    outer = tree.math("MAXIMUM", from_midrib, tree.math("POWER", v, 3.0))
    edge = tree.math("ADD", outer, tree.math("MULTIPLY", tree.math("SUBTRACT", wide, 0.5), 0.7))
    old = tree.math("MULTIPLY", tree.smooth_step(chance, 0.84, 1.0), tree.smooth_step(edge, 0.15, 0.95))
    dry = tree.math("MULTIPLY", tree.smooth_step(chance, 0.8, 0.97), tree.smooth_step(edge, 1.0, 1.12))
    spots = tree.math("MULTIPLY", tree.smooth_step(chance, 0.35, 0.75), tree.smooth_step(fine, 0.7, 0.76))
    colour = tree.blend(tree.math("MULTIPLY", old, 0.6), colour, colours.old)
    return tree.blend(tree.math("MULTIPLY", tree.math("MAXIMUM", dry, spots), 0.8), colour, _DRY)


def _petal(tree: ShaderTree, colours: PlantColours) -> None:
    u, v = tree.uv()
    lines = tree.math("ABSOLUTE", tree.math("SINE", tree.math("MULTIPLY", u, 44.0)))
    graded = tree.blend(tree.smooth_step(v, 0.05, 0.75), colours.petal_base, colours.petal)
    lined = tree.blend(tree.math("MULTIPLY", lines, 0.10), graded, colours.petal_base)
    lighter = tuple(channel + 0.25 * (1.0 - channel) for channel in colours.petal)
    colour = tree.blend(tree.math("MULTIPLY", tree.organ_attribute("plant_variation"), 0.45), lined, lighter)
    _thin_sheet(tree, colour, colour, 0.35, 0.55, tree.bump(lines, 0.08, 0.0005))


def _stem(tree: ShaderTree, colours: PlantColours) -> None:
    u, v = tree.uv()
    # Stretched along the stem: fibres when it is green, ridges when it is bark. Places on a cylinder have no seam.
    girth = tree.attribute("plant_girth")
    angle = tree.math("MULTIPLY", u, 2 * math.pi)
    across = [tree.math("MULTIPLY", tree.math(side, angle), girth) for side in ("COSINE", "SINE")]
    place = tree.node("ShaderNodeCombineXYZ", {0: across[0], 1: across[1], 2: tree.math("MULTIPLY", v, _STRETCH)})
    wood = tree.math("MULTIPLY", tree.smooth_step(girth, *colours.bark_radii), tree.attribute("plant_wood"))
    fibres = tree.noise(_FIBRES_PER_METRE, 4.0, place.outputs[0])
    patches = tree.noise(28.0)
    green = tree.blend(tree.math("MULTIPLY", patches, 0.5), colours.stem, darker(colours.stem, 0.55))
    brown = tree.blend(tree.smooth_step(fibres, 0.35, 0.75), darker(colours.bark, 0.45), colours.bark)
    colour = tree.blend(wood, green, brown)
    relief = tree.math("MULTIPLY", fibres, tree.math("MULTIPLY_ADD", wood, 0.8, 0.1))
    if colours.bark_rings:
        wavy = tree.math("MULTIPLY_ADD", patches, 0.5, tree.math("DIVIDE", v, colours.bark_rings))
        ring = tree.math("MULTIPLY", tree.smooth_step(tree.math("FRACT", wavy), 0.22, 0.0), wood)
        colour = tree.blend(tree.math("MULTIPLY", ring, 0.7), colour, darker(colours.bark, 0.35))
        relief = tree.math("SUBTRACT", tree.math("MULTIPLY", relief, 0.5), ring)
    normal = tree.bump(relief, 0.7, 0.003)
    roughness = tree.math("MULTIPLY_ADD", wood, 0.35, 0.45)
    tree.principled({"Base Color": colour, "Roughness": roughness, "Specular IOR Level": 0.35, "Normal": normal})


def _sepal(tree: ShaderTree, colours: PlantColours) -> None:
    colour = tree.blend(tree.math("MULTIPLY", tree.noise(60.0), 0.5), colours.sepal, darker(colours.sepal, 0.6))
    glow = darker(colours.sepal, 2.0)
    _thin_sheet(tree, colour, glow, 0.15, 0.5, tree.bump(tree.noise(300.0), 0.2, 0.0005))


def _flower_centre(tree: ShaderTree, colours: PlantColours) -> None:
    place = tree.node("ShaderNodeTexCoord").outputs["Object"]
    grains = tree.node("ShaderNodeTexVoronoi", {"Vector": place, "Scale": 900.0}).outputs["Distance"]
    colour = tree.blend(tree.smooth_step(grains, 0.2, 0.7), colours.flower_centre, darker(colours.flower_centre, 0.35))
    tree.principled({"Base Color": colour, "Roughness": 0.8, "Normal": tree.bump(grains, 0.8, -0.0008)})


def _fruit(tree: ShaderTree, colours: PlantColours) -> None:
    _, v = tree.uv()
    ripeness = tree.math("MULTIPLY_ADD", tree.organ_attribute("plant_variation"), 0.35, tree.smooth_step(v, 0.0, 0.5))
    colour = tree.blend(tree.math("MINIMUM", ripeness, 1.0), (0.45, 0.28, 0.04), colours.fruit)
    tree.principled({"Base Color": colour, "Roughness": 0.25, "Subsurface Weight": 0.15, "Subsurface Scale": 0.004})


def soil(tree: ShaderTree) -> None:
    """Dark crumbly earth."""
    crumbs = tree.noise(140.0, 6.0)
    shade = tree.blend(tree.smooth_step(crumbs, 0.35, 0.7), darker(SOIL, 0.35), darker(SOIL, 1.5))
    normal = tree.bump(crumbs, 1.0, 0.006)
    tree.principled({"Base Color": shade, "Roughness": 0.95, "Specular IOR Level": 0.15, "Normal": normal})


def pot(tree: ShaderTree) -> None:
    """Fired clay."""
    stains = tree.smooth_step(tree.noise(14.0, 5.0), 0.45, 0.75)
    shade = tree.blend(tree.math("MULTIPLY", stains, 0.35), CLAY, (0.50, 0.27, 0.18))
    normal = tree.bump(tree.noise(220.0, 4.0), 0.25, 0.0015)
    tree.principled({"Base Color": shade, "Roughness": 0.75, "Specular IOR Level": 0.3, "Normal": normal})


#: By the names of `surface.PARTS`. Bark is the stem's shader once more: it passes from green to brown at no edge, Solid
#: view knows one colour only.
SHADERS: dict[str, Callable[[ShaderTree, PlantColours], None]] = {
    "stem": _stem, "leaf": _leaf, "petal": _petal, "flower_centre": _flower_centre, "sepal": _sepal, "fruit": _fruit,
    "bark": _stem,
}  # fmt: skip
