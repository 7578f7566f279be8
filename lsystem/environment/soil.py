# SPDX-License-Identifier: GPL-3.0-or-later
"""Water in the soil: a field that roots draw on and that flows in from where there is more.

Steady diffusion to sinks in cells, as Mech and Prusinkiewicz 1996 (Visual models of plants interacting with their
environment, section 6) have it in time: a root's cell gives water in proportion to what it has, and what surrounds the
roots by a few cells is as wet as soil without roots.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Floats, Integers
from .kinds import Environment, Sent

_Cell = tuple[int, int, int]
_Way = tuple[float, float, float]
_AROUND = 3
"""Soil farther from roots than so many cells is as if there were none."""
_SWEEPS, _SLOWEST = 60, 0.97
"""How often the field is corrected, and by which share its slowest error goes on from one time to the next."""
_AN_ANSWER, _A_CELL = 100, 15_000
"""What an answer takes, and a cell with roots to which water flows, in modules that are replaced over arrays."""
_SIDES = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])


@dataclass(frozen=True)
class Soil(Environment):
    """A module `?E(water)` is told its share of the water where it is, from 0 to 1; above z = 0 there is none.

    With more parameters it is told the direction x, y, z, too, in which it grows wetter.
    """

    cell: float
    """Width of the cells whose water is shared, in units."""
    surface: float = 0.3
    """Water at the ground."""
    rise: float = 0.0
    """How much more there is by unit of depth."""
    uptake: float = 0.0
    """What a root takes of its cell's water, over what flows through one side for the same difference of water."""

    def cost(self, places: Floats) -> int:
        """By the cells with roots."""
        wet = _A_CELL * len(np.unique(np.floor(places / self.cell), axis=0)) if self.uptake else 0
        return len(places) * _AN_ANSWER + wet

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """The water of the cell, by the number of roots in it, and the direction to more of it."""
        cells = [_cell(cell) for cell in np.floor(places / self.cell).astype(np.int64).tolist()]
        roots, heights = Counter(cells), places[:, 2].tolist()
        deeper = (0.0, 0.0, -1.0 if self.rise >= 0.0 else 1.0)
        flowing = self.flowing(roots) if self.uptake else {}
        told: list[tuple[float, ...]] = []
        for cell, z in zip(cells, heights, strict=True):
            still = min(max(self.surface - self.rise * z, 0.0), 1.0) if z <= 0.0 else 0.0
            water, wetter = flowing.get(cell, (still, deeper))
            told.append((water / roots[cell], *wetter))
        return told

    def flowing(self, roots: Counter[_Cell]) -> dict[_Cell, tuple[float, _Way]]:
        """Of each cell with roots the water, as it flows to them all, and where it grows wetter."""
        field = _Field(np.array(sorted(cell for cell in roots if cell[2] < 0), dtype=np.int64).reshape(-1, 3))
        cells, beyond = [_cell(cell) for cell in field.cells.tolist()], self.undisturbed(field.beyond)
        drawn = self.uptake * np.array([float(roots.get(cell, 0)) for cell in cells])
        water = field.water(self.undisturbed(field.cells), beyond, drawn)
        found = zip(cells, water.tolist(), field.wetter(water, beyond), strict=True)
        return {cell: (wet, way) for cell, wet, way in found if cell in roots}

    def undisturbed(self, cells: Integers) -> Floats:
        """Water in the middle of cells (n, 3) without roots."""
        depth = -(cells[:, 2] + 0.5) * self.cell
        water: Floats = np.clip(self.surface + self.rise * depth, 0.0, 1.0)
        return water


def _cell(numbers: list[int]) -> _Cell:
    x, y, z = numbers
    return x, y, z


class _Field:
    """Cells around roots.

    cells (n, 3); beside (6, n): numbers of those beside them, from n on of beyond (k, 3), those in which there is as
    much water as without roots; the ground lets nothing through.
    """

    def __init__(self, roots: Integers):
        steps = np.arange(-_AROUND, _AROUND + 1)
        around = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
        near = (roots[:, None] + around).reshape(-1, 3)
        self.cells = np.unique(near[near[:, 2] < 0], axis=0)
        sides = self.cells + _SIDES[:, None]
        sides[4] = np.where(sides[4, :, 2:] < 0, sides[4], self.cells)
        both, number = np.unique(np.concatenate([self.cells, sides.reshape(-1, 3)]), axis=0, return_inverse=True)
        count, number = len(self.cells), number.reshape(-1)
        is_own = np.zeros(len(both), dtype=bool)
        is_own[number[:count]] = True
        place = np.where(is_own, np.cumsum(is_own) - 1, count + np.cumsum(~is_own) - 1)
        self.beyond, self.beside = both[~is_own], place[number[count:]].reshape(6, -1)

    def water(self, begin: Floats, beyond: Floats, drawn: Floats) -> Floats:
        """(n) water, of which each cell loses so many times its own.

        By Chebyshev's acceleration of Jacobi's method (Golub and Varga 1961): without sums over cells, so that their
        order does not matter.
        """
        before = water = begin
        weight = 1.0
        for sweep in range(_SWEEPS if drawn.any() else 0):
            known = np.concatenate([water, beyond])
            flown = known[self.beside[0]]
            for side in self.beside[1:]:
                flown = flown + known[side]
            better = flown / (6.0 + drawn)
            weight = {0: 1.0, 1: 1.0 / (1.0 - 0.5 * _SLOWEST**2)}.get(sweep, 1.0 / (1.0 - 0.25 * _SLOWEST**2 * weight))
            before, water = water, before + weight * (better - before)
        return water

    def wetter(self, water: Floats, beyond: Floats) -> list[_Way]:
        """Unit vectors along which the water of cells rises; down where it does not."""
        known = np.concatenate([water, beyond])[self.beside]
        slopes = np.stack([known[0] - known[1], known[2] - known[3], known[4] - known[5]], axis=1)
        lengths = np.sqrt(slopes[:, 0] ** 2 + slopes[:, 1] ** 2 + slopes[:, 2] ** 2)
        slopes[lengths < 1e-9] = 0.0, 0.0, -1.0
        return [(x, y, z) for x, y, z in (slopes / np.where(lengths < 1e-9, 1.0, lengths)[:, None]).tolist()]
