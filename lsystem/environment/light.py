# SPDX-License-Identifier: GPL-3.0-or-later
"""Light from above, with the shade that a plant's parts throw on each other, and that of solids, in cells.

The shadow propagation of Palubicki et al., Self-organizing tree models for image synthesis (2009), section 4.1: every
part shades a pyramid below it, less and less with its depth. Solids hide a part of the sky.
"""

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Floats
from .kinds import Environment, Sent, first_of
from .sky import Sky
from .solids.solids import Solids

_Cell = tuple[int, int, int]
_AN_ANSWER, _A_CELL = 100, 2
"""What an answer and a cell that is shaded take, in modules that are replaced over arrays."""
_SIDES: tuple[_Cell, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


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
    sky: Sky | None = None
    """Above solids; without it is open everywhere."""

    def among(self, solids: Solids | None) -> Environment:
        """The same light with the shade of solids."""
        return self if solids is None else replace(self, sky=Sky(solids, self.cell))

    def cost(self, places: Floats) -> int:
        """By the cells that each part shades."""
        return len(places) * (_AN_ANSWER + _A_CELL * sum((2 * layer + 1) ** 2 for layer in range(int(self.layers) + 1)))

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """Light, and the direction to more of it."""
        cells = [_cell(place) for place in np.floor(places / self.cell).astype(np.int64)]
        sizes = first_of(sent, 1.0)
        shadow = self.shadow(cells, sizes)
        skies = [1.0] * len(cells) if self.sky is None else self.sky.open_in(cells, places)
        directions = self.lighter(shadow, cells)
        told: list[tuple[float, ...]] = []
        for cell, size, sky, direction in zip(cells, sizes, skies, directions, strict=True):
            # what a part itself takes away does not count
            darkness = max(shadow[cell] - self.shade * size, 0.0)
            told.append((max(1.0 - darkness, 0.0) * sky, *direction))
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

    def lighter(self, shadow: dict[_Cell, float], cells: list[_Cell]) -> list[tuple[float, float, float]]:
        """The direction in which it grows lighter, by the cells on all six sides; upwards where there is none."""
        around = [
            (x + sign * dx, y + sign * dy, z + sign * dz)
            for x, y, z in cells for dx, dy, dz in _SIDES for sign in (-1, 1)
        ]  # fmt: skip
        darkness = np.array([shadow.get(cell, 0.0) for cell in around])
        if self.sky is not None and around:
            darkness -= self.sky.open_in(around)
        before, behind = darkness.reshape(-1, 3, 2).transpose(2, 0, 1)
        gradients = before - behind
        lengths = np.sqrt((gradients * gradients).sum(axis=1))
        gradients[lengths < 1e-9] = 0.0, 0.0, 1.0
        directions = gradients / np.where(lengths < 1e-9, 1.0, lengths)[:, None]
        return [(x, y, z) for x, y, z in directions.tolist()]


def _cell(place: np.ndarray) -> _Cell:
    x, y, z = place.tolist()
    return x, y, z
