# SPDX-License-Identifier: GPL-3.0-or-later
"""Light from above, with the shade that a plant's parts throw on each other, in cells.

The shadow propagation of Palubicki et al., Self-organizing tree models for image synthesis (2009), section 4.1: every
part shades a pyramid below it, less and less with its depth.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Floats
from .kinds import Environment, Sent, first_of

_Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Light(Environment):
    """A module `?E(size)` is told how much light reaches it, from 0 to 1, and throws a shade by its size.

    With more parameters it is told the direction x, y, z, too, in which it grows lighter.
    """

    cell: float
    """Width of a cell, in units."""
    shade: float = 0.2
    """What a part of size 1 takes of the light in its own cell and right below."""
    fade: float = 2.0
    """The shade is divided by this with each layer further down."""
    layers: float = 4
    """How many layers of cells below a part are shaded."""

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """Light, and the direction to more of it."""
        cells = [_cell(place) for place in np.floor(places / self.cell).astype(np.int64)]
        sizes = first_of(sent, 1.0)
        shadow = self.shadow(cells, sizes)
        told: list[tuple[float, ...]] = []
        for cell, size in zip(cells, sizes, strict=True):
            # what a part itself takes away does not count
            darkness = max(shadow[cell] - self.shade * size, 0.0)
            told.append((max(1.0 - darkness, 0.0), *_lighter(shadow, cell)))
        return told

    def shadow(self, cells: list[_Cell], sizes: list[float]) -> dict[_Cell, float]:
        """How much light is taken from each cell."""
        found: dict[_Cell, float] = defaultdict(float)
        for (x, y, z), size in zip(cells, sizes, strict=True):
            taken = self.shade * size
            for layer in range(int(self.layers) + 1):
                for dx in range(-layer, layer + 1):
                    for dy in range(-layer, layer + 1):
                        found[x + dx, y + dy, z - layer] += taken
                taken /= self.fade
        return found


def _cell(place: np.ndarray) -> _Cell:
    x, y, z = place.tolist()
    return x, y, z


def _lighter(shadow: dict[_Cell, float], cell: _Cell) -> tuple[float, float, float]:
    """The direction in which it grows lighter, by the cells on all six sides; upwards where there is none."""
    x, y, z = cell
    sides = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    gradient = [
        shadow.get((x - dx, y - dy, z - dz), 0.0) - shadow.get((x + dx, y + dy, z + dz), 0.0) for dx, dy, dz in sides
    ]
    length = float(np.linalg.norm(gradient))
    return (0.0, 0.0, 1.0) if length < 1e-9 else (gradient[0] / length, gradient[1] / length, gradient[2] / length)
