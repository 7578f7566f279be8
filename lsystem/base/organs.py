# SPDX-License-Identifier: GPL-3.0-or-later
"""The organs a segment can be, the rod that stands for each in the dynamics, and what it is made of by default.

Leaves, petals and flowers are simulated as rods of the same mass. A leaf of length l, width w and thickness t has about
0.7 l w t of tissue, a flower of diameter d 0.6 pi/4 d^2 t; the rod of length l with that volume has the radius
given here.
"""

import math

ORGANS = ("stem", "petiole", "leaf", "flower", "bud", "fruit", "petal")
STEM, PETIOLE, LEAF, FLOWER, BUD, FRUIT, PETAL = range(len(ORGANS))

BLADE = "blade"
"""Leaves that are tubes with contours have a material line of their own."""

SECTIONS = ("round", "elliptic", "flat", "grooved")
"""Shapes of rods across them."""

ORGAN_SYMBOLS = {"~" + name.capitalize(): index for index, name in enumerate(ORGANS) if index != STEM}
"""Symbol -> index into ORGANS."""

DEFAULT_SIZE = {
    PETIOLE: (0.03, 0.0008),
    LEAF: (0.06, 0.03),
    FLOWER: (0.02, 0.03),
    BUD: (0.01, 0.005),
    FRUIT: (0.02, 0.02),
    PETAL: (0.02, 0.012),
}
"""Length and second parameter (m) of an organ written without parameters."""

THICKNESS = {LEAF: 3e-4, FLOWER: 5e-4, PETAL: 3e-4}
"""Metres, of the organs that are blades, unless a third parameter says otherwise; a double flower's petals add up."""

BLADES = (LEAF, PETAL)
"""Organs that may be several segments long."""

DEFAULT_MATERIAL: dict[int, dict[str, float]] = {
    PETIOLE: {"young": 4e8, "poisson": 0.3, "density": 950.0, "damping": 0.02, "joint": 1.0},
    LEAF: {"young": 6e7, "poisson": 0.3, "density": 800.0, "damping": 0.03, "joint": 0.5},
    FLOWER: {"young": 1e8, "poisson": 0.3, "density": 700.0, "damping": 0.02, "joint": 0.7},
    BUD: {"young": 2e8, "poisson": 0.3, "density": 800.0, "damping": 0.02, "joint": 1.0},
    FRUIT: {"young": 2e8, "poisson": 0.3, "density": 950.0, "damping": 0.02, "joint": 0.7},
    PETAL: {"young": 4e7, "poisson": 0.3, "density": 700.0, "damping": 0.03, "joint": 0.5},
}
"""What all organs but stems are made of where the text says nothing; a stem is then as the plant's panel says.

The joint factor softens the joint at which the organ sits on another one, for an organ without a material line.
"""

LEAF_AREA = 0.7
"""Area of a blade by length times width."""
_FLOWER_AREA = 0.6


def rod_of(organ: int, length: float, size: float, thickness: float | None = None) -> tuple[float, float]:
    """Radius and width (m) of an organ; ``size`` is a petiole's radius, a blade's width, else a diameter."""
    if thickness is None:
        thickness = THICKNESS.get(organ, 0.0)
    if organ == PETIOLE:
        return size, 0.0
    if organ in BLADES:
        return math.sqrt(LEAF_AREA * size * thickness / math.pi), size
    if organ == FLOWER:
        return math.sqrt(_FLOWER_AREA * 0.25 * size * size * thickness / length), size
    # buds and fruits are ellipsoids: two thirds of the enclosing cylinder
    return 0.5 * size * math.sqrt(2.0 / 3.0), size


def blade_widths(pieces: int) -> list[float]:
    """Widths of the pieces of a blade, from base to tip, by that of a single piece of the same area."""
    middle = [(piece + 0.5) / pieces for piece in range(pieces)]
    # broadest at a third of its length
    outline = [math.sin(math.pi * along**0.63) for along in middle]
    mean = sum(outline) / pieces
    return [width / mean for width in outline]
