# SPDX-License-Identifier: GPL-3.0-or-later
"""What the surfaces of plants, soil and pots look like, for Cycles and EEVEE: one function for each."""

import math
from collections.abc import Callable
from typing import NamedTuple

from ...blender.node_trees import Socket, Value
from .colours import PlantColours, darker
from .shader_nodes import ShaderTree
from .stem_shader import stem

SOIL, CLAY = (0.040, 0.025, 0.016), (0.42, 0.145, 0.075)
#: Of what is dead on a leaf.
_DRY = (0.11, 0.06, 0.022)


def _thin_sheet(
    tree: ShaderTree, colour, glow, translucency: float, roughness, normal, specular: Value = 0.25, cut=None
) -> None:
    """One side of a leaf or petal, which lets light through: `glow` is its colour against the light.

    The inside of the other side is clear, so that light which goes through is coloured once; and so is what is `cut`
    (1) out of it.
    """
    inputs = {"Base Color": colour, "Roughness": roughness, "Specular IOR Level": specular, "Normal": normal}
    front = tree.node("ShaderNodeBsdfPrincipled", inputs).outputs[0]
    through = tree.node("ShaderNodeBsdfTranslucent", {"Color": glow, "Normal": normal}).outputs[0]
    side = tree.node("ShaderNodeMixShader", {0: translucency, 1: front, 2: through}).outputs[0]
    inside = tree.node("ShaderNodeNewGeometry").outputs["Backfacing"]
    clear = tree.node("ShaderNodeBsdfTransparent").outputs[0]
    # Of the two sides the one that faces away from the light is to cast the shadow: the other one's would lie on itself
    # as speckles. Cycles looks for it from the shaded place, EEVEE from the light, where front and back are swapped.
    shadow = tree.node("ShaderNodeLightPath").outputs["Is Shadow Ray"]
    inside_for_eevee = tree.math("ABSOLUTE", tree.math("SUBTRACT", inside, shadow))

    def open_where(hidden: Socket) -> Socket:
        none = hidden if cut is None else tree.math("MAXIMUM", hidden, cut)
        return tree.node("ShaderNodeMixShader", {0: none, 1: side, 2: clear}).outputs[0]

    tree.surface(open_where(inside))
    tree.thin_surface_for_eevee(open_where(inside_for_eevee))


def _leaf(tree: ShaderTree, colours: PlantColours) -> None:
    u, v = tree.uv()
    chance = tree.organ_attribute("plant_variation")
    aside = tree.math("SUBTRACT", u, 0.5)
    from_midrib = tree.math("MULTIPLY", tree.math("ABSOLUTE", aside), 2.0)
    on_blade = tree.place(
        tree.math("MULTIPLY", aside, 2.0 * colours.blade_width), v, tree.math("MULTIPLY", chance, 9.0)
    )
    if colours.parallel:
        veins = _parallel_veins(tree, colours, from_midrib, u)
    else:
        veins = _veins(tree, colours, from_midrib, aside, v, on_blade)

    blade = tree.blend(chance, colours.leaf, colours.leaf_other)
    mottled = tree.blend(tree.math("MULTIPLY", tree.noise(45.0), 0.35), blade, darker(colours.leaf, 0.55))
    # Between the veins the tissue is paler, towards them deeper green.
    pale = tree.blend(tree.math("MULTIPLY", veins.swell, 0.3), mottled, colours.leaf_other)
    veined = tree.blend(tree.math("MULTIPLY", veins.drawn, 0.62), pale, colours.vein)
    aged, holes = _aged(tree, colours, veined, chance, from_midrib, v)
    under = tree.attribute("plant_under")
    tint = _tint(tree, chance)
    colour = tint(tree.blend(tree.math("MULTIPLY", under, 0.55), aged, colours.under))
    glow = tint(tree.blend(tree.math("MULTIPLY", veins.drawn, 0.75), colours.glow, darker(colours.glow, 0.45)))
    normal = tree.bump(veins.height, colours.quilted, 0.0022)
    # wax lies on the upper side, unevenly
    wax = tree.math("MULTIPLY", colours.gloss, tree.math("MULTIPLY_ADD", under, -0.7, 1.0))
    dull = tree.math("MULTIPLY_ADD", tree.noise(160.0), 0.26, 0.66)
    sheen = tree.math("MULTIPLY_ADD", wax, -0.5, dull)
    specular = tree.math("MULTIPLY_ADD", wax, 0.35, 0.22)
    cut = _cut(tree, colours, from_midrib, v, holes)
    _thin_sheet(tree, colour, glow, 0.36, sheen, normal, specular, cut)


def _tint(tree: ShaderTree, chance: Socket) -> Callable[[Socket], Socket]:
    """What makes single leaves and whole twigs yellower and lighter or bluer and darker than others."""
    of_leaf = tree.math("FRACT", tree.math("MULTIPLY", chance, 31.7))  # which says nothing of its age
    # twigs of different steps differ; noise by places would run over leaves that move
    wave = tree.math("SINE", tree.math("MULTIPLY", tree.organ_attribute("plant_age"), 0.9))
    of_twig = tree.math("MULTIPLY_ADD", wave, 0.5, 0.5)
    lighter = tree.math("MULTIPLY_ADD", of_twig, 0.4, tree.math("MULTIPLY", of_leaf, 0.6))
    hue = tree.math("MULTIPLY_ADD", lighter, -0.034, 0.517)
    value = tree.math("MULTIPLY_ADD", lighter, 0.5, 0.75)

    def tinted(colour: Socket) -> Socket:
        inputs = {"Hue": hue, "Saturation": 0.92, "Value": value, "Color": colour}
        return tree.node("ShaderNodeHueSaturation", inputs).outputs[0]

    return tinted


class _Veins(NamedTuple):
    """What the veins of a blade are to its colour and its relief."""

    drawn: Socket  # 0..1
    swell: Socket  # 0..1 between the side veins
    height: Socket


def _veins(tree: ShaderTree, colours: PlantColours, from_midrib, aside, v, on_blade) -> _Veins:
    """Three orders: the midrib, which tapers; side veins, which leave it not quite opposite, bend towards the tip and
    get thinner; and between them a net of small ones."""
    tapering = tree.math("MULTIPLY_ADD", v, -0.75, 1.0)
    midrib = tree.smooth_step(tree.math("DIVIDE", from_midrib, tapering), 0.055, 0.018)
    first, count = colours.veins
    bent = tree.math("MULTIPLY", from_midrib, tree.math("MULTIPLY_ADD", from_midrib, 0.7, 0.65))
    uneven = tree.math("MULTIPLY", tree.math("SUBTRACT", tree.noise(5.0, 1.0, on_blade), 0.5), 0.9 / count)
    opposite = tree.math("MULTIPLY", tree.math("SIGN", aside), colours.vein_alternate / count)
    place = tree.math("SUBTRACT", tree.math("SUBTRACT", v, first), tree.math("MULTIPLY", bent, colours.vein_slant))
    place = tree.math("MULTIPLY", tree.math("ADD", tree.math("ADD", place, uneven), opposite), count)
    between = tree.math("ABSOLUTE", tree.math("SUBTRACT", tree.math("FRACT", place), 0.5))
    thinner = tree.math("MULTIPLY_ADD", from_midrib, -0.7, 1.0)
    side_veins = tree.smooth_step(tree.math("DIVIDE", between, thinner), 0.07, 0.015)
    side_veins = tree.math("MULTIPLY", side_veins, tree.smooth_step(from_midrib, 1.0, 0.7))
    net_inputs = {"Vector": on_blade, "Scale": 3.2 * count}
    to_edge = tree.node("ShaderNodeTexVoronoi", net_inputs, feature="DISTANCE_TO_EDGE").outputs["Distance"]
    net = tree.smooth_step(to_edge, 0.09, 0.01)
    drawn = tree.math("MAXIMUM", midrib, tree.math("MULTIPLY", side_veins, 0.6))
    drawn = tree.math("MAXIMUM", drawn, tree.math("MULTIPLY", net, 0.22))
    swell = tree.math("MULTIPLY", tree.smooth_step(between, 0.0, 0.42), tree.smooth_step(from_midrib, 0.0, 0.25))
    height = tree.math("MULTIPLY_ADD", net, -0.18, tree.math("MULTIPLY", swell, 0.75))
    return _Veins(drawn, swell, tree.math("SUBTRACT", height, tree.math("MULTIPLY", midrib, 0.5)))


def _parallel_veins(tree: ShaderTree, colours: PlantColours, from_midrib, u) -> _Veins:
    """Ribs from base to tip, every other a fine one, and the midrib."""
    midrib = tree.smooth_step(from_midrib, 0.07, 0.02)
    ribs = tree.math("ABSOLUTE", tree.math("SINE", tree.math("MULTIPLY", u, math.pi * colours.parallel)))
    fine = tree.math("ABSOLUTE", tree.math("SINE", tree.math("MULTIPLY", u, 3.0 * math.pi * colours.parallel)))
    lines = tree.math("MAXIMUM", tree.smooth_step(ribs, 0.3, 0.0), tree.math("MULTIPLY", fine, 0.25))
    drawn = tree.math("MAXIMUM", midrib, tree.math("MULTIPLY", lines, 0.4))
    height = tree.math("MULTIPLY_ADD", midrib, -0.8, tree.math("MULTIPLY", ribs, 0.4))
    return _Veins(drawn, ribs, height)


def _cut(tree: ShaderTree, colours: PlantColours, from_midrib, v, holes):
    """1 where there is nothing: in holes, and between the teeth of the margin, which point to the tip."""
    count, depth = colours.teeth
    if not count:
        return holes
    tooth = tree.math("FRACT", tree.math("MULTIPLY", v, count))
    small = tree.math("FRACT", tree.math("MULTIPLY", v, 2.9 * count))
    bay = tree.math("MULTIPLY_ADD", small, -0.3 * depth, tree.math("MULTIPLY_ADD", tooth, -depth, 1.3 * depth))
    outside = tree.math("GREATER_THAN", tree.math("ADD", from_midrib, bay), 1.0)
    # none at the very base and at the tip, where the blade has no width to be cut
    off_middle = tree.math("ABSOLUTE", tree.math("SUBTRACT", v, 0.53))
    teeth = tree.math("MULTIPLY", outside, tree.math("LESS_THAN", off_middle, 0.44))
    return tree.math("MAXIMUM", holes, teeth)


def _aged(tree: ShaderTree, colours: PlantColours, colour, chance, from_midrib, v):
    """The colour of a leaf by its age, which its random number stands for, and where it has holes (1). Young leaves are
    yellower; old ones turn pale from tip and margin; on about half of all leaves there are some brown spots, as of
    fungi and of what has bitten them, which went right through some."""
    wide, fine = tree.noise(90.0), tree.noise(420.0, 2.0)
    outer = tree.math("MAXIMUM", from_midrib, tree.math("POWER", v, 3.0))
    edge = tree.math("ADD", outer, tree.math("MULTIPLY", tree.math("SUBTRACT", wide, 0.5), 0.7))
    young = tree.math("MULTIPLY", tree.smooth_step(chance, 0.3, 0.0), 0.3)
    old = tree.math("MULTIPLY", tree.smooth_step(chance, 0.84, 1.0), tree.smooth_step(edge, 0.15, 0.95))
    dry = tree.math("MULTIPLY", tree.smooth_step(chance, 0.8, 0.97), tree.smooth_step(edge, 1.0, 1.12))
    spots = tree.math("MULTIPLY", tree.smooth_step(chance, 0.35, 0.75), tree.smooth_step(fine, 0.7, 0.76))
    holes = tree.math("MULTIPLY", tree.math("GREATER_THAN", chance, 0.6), tree.math("GREATER_THAN", fine, 0.765))
    colour = tree.blend(young, colour, darker(colours.glow, 0.5))
    colour = tree.blend(tree.math("MULTIPLY", old, 0.6), colour, colours.old)
    return tree.blend(tree.math("MULTIPLY", tree.math("MAXIMUM", dry, spots), 0.8), colour, _DRY), holes


def _petal(tree: ShaderTree, colours: PlantColours) -> None:
    u, v = tree.uv()
    lines = tree.math("ABSOLUTE", tree.math("SINE", tree.math("MULTIPLY", u, 44.0)))
    graded = tree.blend(tree.smooth_step(v, 0.05, 0.75), colours.petal_base, colours.petal)
    lined = tree.blend(tree.math("MULTIPLY", lines, 0.10), graded, colours.petal_base)
    lighter = tuple(channel + 0.25 * (1.0 - channel) for channel in colours.petal)
    colour = tree.blend(tree.math("MULTIPLY", tree.organ_attribute("plant_variation"), 0.45), lined, lighter)
    _thin_sheet(tree, colour, colour, 0.35, 0.55, tree.bump(lines, 0.08, 0.0005))


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
    "stem": stem, "leaf": _leaf, "petal": _petal, "flower_centre": _flower_centre, "sepal": _sepal, "fruit": _fruit,
    "bark": stem,
}  # fmt: skip
