# SPDX-License-Identifier: GPL-3.0-or-later
"""What stems look like: green ones, and bark of several kinds."""

import math
from typing import NamedTuple

from ...blender.node_trees import Socket, Value
from .colours import PlantColours, darker
from .shader_nodes import ShaderTree

_FIBRES_PER_METRE, _STRETCH = 190.0, 0.16
# Plates between fissures are so much longer than wide; a trunk has them from the first radius (m) on, wholly from the
# second.
_PLATES, _FISSURED_FROM, _FISSURED_AT = 0.22, 0.006, 0.03
# Thin twigs have wrinkles along them, so many to a metre around, so much longer; pale pores, so many to a metre, as
# dots so wide in their distances; and rings where buds have stood, m apart. Lichen has spots, so many to a metre.
_WRINKLES, _LONG, _PORES, _DOT, _SCARS, _LICHEN = 900.0, 0.08, 230.0, 0.17, 0.05, 55.0
_LICHEN_COLOUR, _PALE = (0.27, 0.29, 0.22), 2.2
# Of birches: what is below bark that has come off, marks across the trunk, and crust at its foot up to this height (m).
_BELOW_BARK, _MARK, _CRUST = (0.40, 0.24, 0.14), (0.05, 0.04, 0.035), 0.9


class _Bark(NamedTuple):
    colour: Value
    relief: Socket


def stem(tree: ShaderTree, colours: PlantColours) -> None:
    """Green where it is thin or no wood, bark elsewhere, which passes into one another."""
    u, v = tree.uv()
    girth = tree.attribute("plant_girth")
    angle = tree.math("MULTIPLY", u, 2 * math.pi)
    # Places on a cylinder have no seam.
    x, y = (tree.math("MULTIPLY", tree.math(side, angle), girth) for side in ("COSINE", "SINE"))
    wood = tree.math("MULTIPLY", tree.smooth_step(girth, *colours.bark_radii), tree.attribute("plant_wood"))
    patches = tree.noise(28.0)
    # Stretched along the stem: fibres when it is green, ridges when it is bark.
    fibres = tree.noise(_FIBRES_PER_METRE, 4.0, tree.place(x, y, tree.math("MULTIPLY", v, _STRETCH)))
    green = tree.blend(tree.math("MULTIPLY", patches, 0.5), colours.stem, darker(colours.stem, 0.55))
    if colours.bark_kind == "birch":
        bark = _birch(tree, colours, (x, y, v), fibres)
    elif colours.bark_rings:
        bark = _ringed(tree, colours, v, fibres, patches)
    else:
        bark = _fissured(tree, colours, (x, y, v), fibres, girth)
    colour = tree.blend(wood, green, bark.colour)
    relief = tree.math("ADD", tree.math("MULTIPLY", fibres, 0.1), tree.math("MULTIPLY", bark.relief, wood))
    roughness = tree.math("MULTIPLY_ADD", wood, 0.4, 0.42)
    normal = tree.bump(relief, 0.8, 0.003 if not colours.fissures else 0.16 / colours.fissures)
    tree.principled({"Base Color": colour, "Roughness": roughness, "Specular IOR Level": 0.3, "Normal": normal})


def _fissured(
    tree: ShaderTree, colours: PlantColours, place: tuple[Socket, ...], fibres: Socket, girth: Socket
) -> _Bark:
    """Ridges of fibres; on thick stems plates with dark fissures between them, the wider the thicker the stem."""
    x, y, v = place
    twig = _twig(tree, colours, place, fibres)
    if not colours.fissures:
        return twig
    warp = tree.math("MULTIPLY", tree.math("SUBTRACT", tree.noise(14.0), 0.5), 1.6 / colours.fissures)
    plates = tree.place(tree.math("ADD", x, warp), tree.math("SUBTRACT", y, warp), tree.math("MULTIPLY", v, _PLATES))
    inputs = {"Vector": plates, "Scale": colours.fissures}
    to_edge = tree.node("ShaderNodeTexVoronoi", inputs, feature="DISTANCE_TO_EDGE").outputs["Distance"]
    ragged = tree.math("ADD", to_edge, tree.math("MULTIPLY", tree.math("SUBTRACT", fibres, 0.5), 0.16))
    thick = tree.smooth_step(girth, _FISSURED_FROM, _FISSURED_AT)
    fissure = tree.math("MULTIPLY", tree.smooth_step(ragged, 0.13, 0.0), thick)
    weathered = tree.blend(tree.math("MULTIPLY", tree.noise(9.0), 0.5), twig.colour, (0.13, 0.125, 0.10))
    colour = tree.blend(tree.math("MULTIPLY", fissure, 0.9), weathered, darker(colours.bark, 0.16))
    plate = tree.math("MULTIPLY", tree.smooth_step(ragged, 0.0, 0.32), thick)
    # where plates are, they are all the relief
    fine = tree.math("MULTIPLY", twig.relief, tree.math("MULTIPLY_ADD", thick, -0.4, 1.0))
    return _Bark(colour, tree.math("ADD", plate, fine))


def _twig(tree: ShaderTree, colours: PlantColours, place: tuple[Socket, ...], fibres: Socket) -> _Bark:
    """Ridges of fibres; on thin stems wrinkles, pores and the scars of buds, and lichen in spots on all."""
    x, y, v = place
    wrinkles = tree.noise(_WRINKLES, 2.0, tree.place(x, y, tree.math("MULTIPLY", v, _LONG)))
    inputs = {"Vector": tree.place(x, y, v), "Scale": _PORES}
    pores = tree.smooth_step(tree.node("ShaderNodeTexVoronoi", inputs).outputs["Distance"], _DOT, 0.6 * _DOT)
    spots = tree.noise(_LICHEN, 5.0)
    wavy = tree.math("MULTIPLY_ADD", spots, 0.6, tree.math("DIVIDE", v, _SCARS))
    scars = tree.smooth_step(tree.math("ABSOLUTE", tree.math("SUBTRACT", tree.math("FRACT", wavy), 0.5)), 0.05, 0.02)
    ridges = tree.math("MULTIPLY_ADD", wrinkles, 0.45, tree.math("MULTIPLY", fibres, 0.55))
    brown = tree.blend(tree.smooth_step(ridges, 0.36, 0.66), darker(colours.bark, 0.45), colours.bark)
    dark = tree.blend(tree.math("MULTIPLY", scars, 0.5), brown, darker(colours.bark, 0.3))
    dotted = tree.blend(tree.math("MULTIPLY", pores, 0.6), dark, darker(colours.bark, _PALE))
    lichen = tree.math("MULTIPLY", tree.smooth_step(spots, 0.57, 0.68), 0.55)
    relief = tree.math("ADD", tree.math("MULTIPLY", ridges, 0.8), tree.math("MULTIPLY", pores, 0.25))
    raised = tree.math("ADD", relief, tree.math("MULTIPLY", tree.math("ADD", scars, lichen), 0.2))
    return _Bark(tree.blend(lichen, dotted, _LICHEN_COLOUR), raised)


def _birch(tree: ShaderTree, colours: PlantColours, place: tuple[Socket, ...], fibres: Socket) -> _Bark:
    """White skin that peels off crosswise, with short dark marks across, and a dark cracked crust at the foot."""
    x, y, v = place
    across = tree.place(x, y, tree.math("MULTIPLY", v, 9.0))
    marks = tree.smooth_step(tree.noise(26.0, 2.0, across), 0.63, 0.70)
    wide = tree.noise(7.0, 2.0, tree.place(x, y, tree.math("MULTIPLY", v, 2.6)))
    peel = tree.math("MULTIPLY", tree.smooth_step(wide, 0.60, 0.64), tree.smooth_step(wide, 0.74, 0.68))
    scars = tree.smooth_step(tree.noise(5.5, 3.0, tree.place(x, y, tree.math("MULTIPLY", v, 0.7))), 0.67, 0.70)
    low = tree.smooth_step(v, _CRUST, 0.0)
    crust = tree.smooth_step(tree.math("MULTIPLY_ADD", low, 0.19, tree.noise(16.0, 4.0)), 0.66, 0.74)
    dark = tree.math("MAXIMUM", crust, scars)
    skin = tree.blend(tree.math("MULTIPLY", fibres, 0.35), colours.bark, darker(colours.bark, 0.62))
    colour = tree.blend(tree.math("MULTIPLY", peel, 0.75), skin, _BELOW_BARK)
    colour = tree.blend(tree.math("MULTIPLY", marks, 0.85), colour, _MARK)
    colour = tree.blend(tree.math("MULTIPLY", dark, 0.93), colour, darker(_MARK, 0.6))
    rough = tree.math("MULTIPLY", dark, fibres)
    relief = tree.math("SUBTRACT", tree.math("ADD", rough, tree.math("MULTIPLY", marks, 0.35)), peel)
    return _Bark(colour, relief)


def _ringed(tree: ShaderTree, colours: PlantColours, v: Socket, fibres: Socket, patches: Socket) -> _Bark:
    """The scars of fallen leaves around the trunk."""
    brown = tree.blend(tree.smooth_step(fibres, 0.35, 0.75), darker(colours.bark, 0.45), colours.bark)
    wavy = tree.math("MULTIPLY_ADD", patches, 0.5, tree.math("DIVIDE", v, colours.bark_rings))
    ring = tree.smooth_step(tree.math("FRACT", wavy), 0.22, 0.0)
    colour = tree.blend(tree.math("MULTIPLY", ring, 0.7), brown, darker(colours.bark, 0.35))
    return _Bark(colour, tree.math("SUBTRACT", tree.math("MULTIPLY", fibres, 0.5), ring))
