# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces, discs and tubes of files of cpfg, numbered for our own turtle, which draws them where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from ..base.arrays import Floats
from ..base.sheets import Sheet, disc, over_all, ring
from ..language.beside.kinds import Surface
from .tubes import Style, in_own_axes

ORGANS = {"l": "~Leaf", "L": "~Leaf", "p": "~Petal", "f": "~Flower", "k": "~Flower", "b": "~Bud", "r": "~Fruit"}
"""What letters of surfaces mostly stand for, where no file says how they look."""
_RAMP = 64
"""Colours of a map that are one colour from dark to light, where surfaces are shaded by them."""
_FLAT = 3.0
"""A contour that is so many times as wide one way as the other is a blade's."""
_DIGITS = 3
"""Rings as wide as each other to so many digits are one."""


@dataclass
class Shapes:
    """What modules of our turtle name by numbers. Sheets lie along L, H and U of cpfg's turtle."""

    sheets: list[Sheet] = field(default_factory=list)
    styles: list[Style] = field(default_factory=list)
    """Of tubes' control points."""
    outlines: Mapping[int, Floats] = field(default_factory=dict)
    """Contours by the numbers that styles have, in radii, along x and z of our frames."""


class ShapeTable:
    """Finds shapes their numbers, each once."""

    def __init__(self, contours: Mapping[int, Floats]) -> None:
        self.shapes = Shapes(outlines={number: in_own_axes(contour) for number, contour in contours.items()})
        self.known: dict[object, list[int]] = {}
        self.flat = {number for number, outline in contours.items() if _is_flat(outline)}
        """Contours of blades."""
        self.styles: dict[Style, int] = {}

    def of_style(self, style: Style) -> int:
        """The number of a control point's style."""
        if style not in self.styles:
            self.styles[style] = len(self.shapes.styles)
            self.shapes.styles.append(style)
        return self.styles[style]

    def of_surface(self, letter: str, surface: Surface, in_one: bool) -> list[int]:
        """The numbers of the sheets of a surface of the view file; in_one: with one texture over all."""
        return self.numbers((letter, in_one), over_all(surface.sheets) if in_one else surface.sheets)

    def of_disc(self) -> int:
        """The disc's of diameter 1 in the plane of H and L, from behind the turtle around it."""
        return self.numbers("disc", (disc(),))[0]

    def of_ring(self, width: float) -> int:
        """The number of a circle's line of diameter 1, so wide."""
        width = round(width, _DIGITS)
        return self.numbers(width, (ring(width),))[0]

    def numbers(self, name: object, sheets: tuple[Sheet, ...]) -> list[int]:
        """Their numbers, which they get when they are first asked for."""
        if name not in self.known:
            here = len(self.shapes.sheets)
            self.known[name] = list(range(here, here + len(sheets)))
            self.shapes.sheets += sheets
        return self.known[name]


def lit_colour(colour: int, lit: float) -> int:
    """The colour of its ramp that a surface has in such light, by the most that there is."""
    hue, intensity = divmod(colour, _RAMP)
    return hue * _RAMP + min(int(intensity * lit), _RAMP - 1)


def _is_flat(outline: Floats) -> bool:
    widths = np.ptp(outline, axis=0)
    return float(widths.max()) > _FLAT * float(widths.min())
