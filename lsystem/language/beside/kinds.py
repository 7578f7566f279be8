# SPDX-License-Identifier: GPL-3.0-or-later
"""What may lie beside a file of cpfg, as it is when it has been read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from ...base.arrays import Floats
from ...base.sheets import Sheet
from ...environment.kinds import Environment

Place = tuple[float, float, float]
COLOURS = 256
"""Numbers of colours from here on are those with the first texture, and so on."""


def _no_file(name: str) -> None:
    return None


@dataclass(frozen=True)
class Surface:
    """A drawn surface, in units of its size, along L, H and U of cpfg's turtle, from where this stands."""

    sheets: tuple[Sheet, ...]
    """What hangs together of it."""
    end: Place
    """Where the turtle goes on."""


@dataclass(frozen=True)
class Tropism:
    """A tropism that the view file numbers."""

    direction: Place
    """Its length is the intensity. In cpfg's axes, y upwards."""
    angle: float = 0.0
    """Degrees that the turtle comes to stand at to the direction."""
    twists: bool = False
    """Rolls the turtle's upper side to the direction instead."""
    elasticity: float = 0.0
    """At the beginning."""
    increment: float = 0.0


@dataclass(frozen=True)
class Texture:
    """An image on surfaces, which their colours are multiplied by."""

    image: str
    """The name of its file."""
    over_all: bool = False
    """Whether it goes over all patches of a surface, not over each."""


@dataclass(frozen=True)
class View:
    """What a view file says of the turtle, and what holds for a text alone. Lengths are in the text's units."""

    angle: float = 22.5
    """Degrees of turns without a parameter."""
    step: float = 1.0
    width: float = 0.2
    in_pixels: bool = False
    """Whether widths are pixels, which say nothing of lengths."""
    width_increment: float = 0.0
    colour: int = 0
    colour_increment: int = 1
    elasticity: float = 0.0
    elasticity_increment: float = 0.0
    tropism: Place = (0.0, 1.0, 0.0)
    """Unit direction of the old tropism, that of `_`."""
    tropisms: tuple[Tropism, ...] = ()
    surfaces: Mapping[str, Surface] = field(default_factory=dict)
    """By their letters."""
    contours: Mapping[int, Floats] = field(default_factory=dict)
    """Outlines across tubes, in their radii, by number; any other number is the circle."""
    tubes_twist: bool = False
    """Whether tubes twist as the turtle rolls between their control points; else no more than they must."""
    textures: tuple[Texture, ...] = ()
    """Numbered from 1."""
    surface_textures: Mapping[str, int] = field(default_factory=dict)
    """Of surfaces that have one of their own, 0 for none, by their letters; others have that of `@Tx`."""
    scale: float = 1.0
    scale_multiplier: float = 1.0
    lit: float | None = None
    """Surfaces have the colour of the map's ramp at so many times their own; None: their own."""
    draws_past_cut: bool = True
    asks_before: bool = False
    """Whether questions are answered at the end of the step that makes them, not at the beginning of the next."""


@dataclass(frozen=True)
class Colour:
    """What a colour's number stands for. Shares of red, green and blue from 0 to 1, as a screen shows them."""

    diffuse: Place
    emitted: Place = (0.0, 0.0, 0.0)
    specular: Place = (0.0, 0.0, 0.0)
    """Of the highlight."""
    exponent: float = 0.0
    """Of the highlight, 0 to 255: the larger, the smaller it is."""
    transparency: float = 0.0
    """From 0 to 1."""
    texture: str = ""
    """The name of an image that it is multiplied by."""


@dataclass(frozen=True)
class Slider:
    """What a panel says of a constant."""

    words: str
    minimum: float
    maximum: float


class Drawn(Protocol):
    """A function that is drawn by hand."""

    @property
    def cost(self) -> int:
        """What its next value takes, in modules that are replaced over arrays."""

    def __call__(self, x: float) -> float:
        """Its value."""


@dataclass(frozen=True)
class Beside:
    """Other files' contents. Functions are numbered from 1, as ``func(1, x)``."""

    included: Callable[[str], str | None] = _no_file
    """The text of a file by the name that ``#include`` gives."""
    functions: tuple[Drawn, ...] = ()
    names: tuple[str, ...] = ()
    """Names of the functions that the text may use in place of their numbers."""
    contours: tuple[Callable[[str, float], float], ...] = ()
    """Each gives a coordinate, x, y or z, of a place from 0 to 1 along a curve; or, asked for "length", its length."""
    view: View = field(default_factory=View)
    environment: Environment | None = None
    """What answers `?E`."""
    colours: Mapping[int, Colour] = field(default_factory=dict)
    """By their numbers; none where no file has them."""
    panel: Mapping[str, Slider] = field(default_factory=dict)
    """What sliders are called, by the names of their constants."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Letters of surfaces whose files are not there, and the names of these."""
    note: str = ""
    """On what is answered by another environment than the file names."""

    def all_colours(self) -> Mapping[int, Colour]:
        """Colours by their numbers, also those with textures."""
        found = dict(self.colours)
        for number, texture in enumerate(self.view.textures, 1):
            for colour in range(COLOURS):
                plain = self.colours.get(colour, Colour((1.0, 1.0, 1.0)))
                found[COLOURS * number + colour] = replace(plain, texture=texture.image)
        return found
