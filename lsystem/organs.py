# SPDX-License-Identifier: GPL-3.0-or-later
"""The organs a segment can be, and the rod that stands for each in the dynamics.

Leaves and flowers are simulated as rods of the same mass. A leaf of length l, width w and thickness t has about
0.7 l w t of tissue, a flower of diameter d 0.6 pi/4 d^2 t; the rod of length l with that volume has the radius
given here.
"""

import math

ORGANS = ("stem", "petiole", "leaf", "flower", "bud", "fruit")
STEM, PETIOLE, LEAF, FLOWER, BUD, FRUIT = range(len(ORGANS))

ORGAN_SYMBOLS = {"~" + ORGANS[index].capitalize(): index for index in (PETIOLE, LEAF, FLOWER, BUD, FRUIT)}
"""Symbol -> index into ORGANS."""

DEFAULT_SIZE = {
    PETIOLE: (0.03, 0.0008),
    LEAF: (0.06, 0.03),
    FLOWER: (0.02, 0.03),
    BUD: (0.01, 0.005),
    FRUIT: (0.02, 0.02),
}
"""Length and second parameter (m) of an organ written without parameters."""

THICKNESS = {LEAF: 3e-4, FLOWER: 5e-4}
"""Metres, of the organs that are blades, unless a third parameter says otherwise; a double flower's petals add up."""

_LEAF_AREA = 0.7
_FLOWER_AREA = 0.6


def rod_of(organ: int, length: float, size: float, thickness: float | None = None) -> tuple[float, float]:
    """Radius and width (m) of an organ; ``size`` is a petiole's radius, a leaf's width, else a diameter."""
    if thickness is None:
        thickness = THICKNESS.get(organ, 0.0)
    if organ == PETIOLE:
        return size, 0.0
    if organ == LEAF:
        return math.sqrt(_LEAF_AREA * size * thickness / math.pi), size
    if organ == FLOWER:
        return math.sqrt(_FLOWER_AREA * 0.25 * size * size * thickness / length), size
    # buds and fruits are ellipsoids: two thirds of the enclosing cylinder
    return 0.5 * size * math.sqrt(2.0 / 3.0), size
