# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of plants."""

from dataclasses import dataclass

Colour = tuple[float, float, float]

#: Renders show colours paler than they are, as film does: Solid view shows them so much paler.
_PALER = 0.1


@dataclass(frozen=True)
class PlantColours:
    """Linear RGB. Materials of a set that has a name carry it, so sets do not overwrite each other."""

    name: str = ""
    leaf: Colour = (0.032, 0.110, 0.017)
    leaf_other: Colour = (0.060, 0.150, 0.020)  # what single leaves vary towards
    glow: Colour = (0.22, 0.44, 0.03)  # of leaves against the light
    vein: Colour = (0.20, 0.32, 0.09)
    stem: Colour = (0.10, 0.20, 0.045)
    bark: Colour = (0.115, 0.075, 0.045)
    petal: Colour = (0.78, 0.32, 0.42)
    petal_base: Colour = (0.85, 0.62, 0.55)
    flower_centre: Colour = (0.72, 0.42, 0.04)
    sepal: Colour = (0.09, 0.20, 0.04)
    fruit: Colour = (0.50, 0.035, 0.02)
    bark_radii: tuple[float, float] = (0.0035, 0.014)  # m; woody stems are green below the first, bark above the second
    veins: tuple[float, float] = (0.0, 11.0)  # where side veins begin, as a share of the blade, and how many to a blade
    vein_slant: float = 0.16  # how far they run up to the margin, in blades
    parallel: float = 0.0  # veins that run from base to tip, as grasses have them; 0: a net of side veins
    vein_alternate: float = 0.12  # by how much of their distance those of the two sides are not opposite
    blade_width: float = 0.5  # of the blade over its length, for the net of the smallest veins
    under: Colour = (0.16, 0.25, 0.09)  # what the lower side is paled with
    teeth: tuple[float, float] = (0.0, 0.0)  # of the margin, on each side: how many, and how deep in half widths
    gloss: float = 0.35  # of leaves: 0 is felt, 1 is wax
    quilted: float = 0.35  # how strongly the tissue bulges between the veins
    old: Colour = (0.30, 0.23, 0.035)  # of old leaves, at their margins first
    bark_kind: str = ""  # or "birch"
    fissures: float = 0.0  # in the bark of thick stems, to a metre around them; 0: none
    bark_rings: float = 0.0  # m between the rings that fallen leaves have left on bark; 0: none


def in_solid_view(colour: Colour, lightness: float) -> Colour:
    """The colour with which Solid view, whose light is dim and does not shine through, looks about as renders do: of
    the same hue but a little paler, its largest channel raised to the power of `lightness`, which is less the more a
    surface shines."""
    largest = max(colour)
    if largest <= 0.0:
        return colour
    r, g, b = (channel * largest ** (lightness - 1.0) for channel in colour)
    pale = largest**lightness
    return r + _PALER * (pale - r), g + _PALER * (pale - g), b + _PALER * (pale - b)


def mean(one: Colour, other: Colour) -> Colour:
    """Half-way between two colours."""
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2, (one[2] + other[2]) / 2


def darker(colour: Colour, factor: float) -> Colour:
    """The colour times a factor (above 1: lighter)."""
    r, g, b = (min(1.0, factor * channel) for channel in colour)
    return r, g, b
