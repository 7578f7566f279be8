# SPDX-License-Identifier: GPL-3.0-or-later
"""Water in the soil, which roots that are near to each other share."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Floats
from .kinds import Environment, Sent


@dataclass(frozen=True)
class Soil(Environment):
    """A module `?E(water)` is told its share of the water where it is, from 0 to 1; above z = 0 there is none."""

    cell: float
    """Width of the cells whose water is shared, in units."""
    surface: float = 0.3
    """Water at the ground."""
    rise: float = 0.0
    """How much more there is by unit of depth."""

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """The water of the cell, by the number of roots in it."""
        cells = [tuple(cell) for cell in np.floor(places / self.cell).astype(np.int64).tolist()]
        roots = Counter(cells)
        told: list[tuple[float, ...]] = []
        for cell, z in zip(cells, places[:, 2].tolist(), strict=True):
            water = min(max(self.surface - self.rise * z, 0.0), 1.0) if z <= 0.0 else 0.0
            told.append((water / roots[cell],))
        return told
