# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of the sky solids leave open, by rays that go out from places."""

import math

import numpy as np

from ..base.arrays import Floats
from .solids.solids import Solids

RAYS = 64
_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


def _directions() -> Floats:
    """(RAYS, 3) over the upper half of a sphere, the denser the higher.

    Each stands for as much of the light that an even sky throws on level ground.
    """
    height = np.sqrt((np.arange(RAYS) + 0.5) / RAYS)
    turn = _GOLDEN * np.arange(RAYS)
    flat = np.sqrt(1.0 - height * height)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), height], axis=1)


class Sky:
    """The sky above solids. What was found for a cell is kept."""

    def __init__(self, solids: Solids, cell: float) -> None:
        self.solids = solids
        self.cell = cell
        self.directions = _directions()
        self.known: dict[tuple[int, int, int], float] = {}

    def open_at(self, places: Floats) -> Floats:
        """(n) the share, from 0 to 1, of the light of an even sky that reaches places (n, 3)."""
        origins = np.repeat(places, RAYS, axis=0)
        blocked = self.solids.blocks(origins, np.tile(self.directions, (len(places), 1)))
        return np.asarray(1.0 - blocked.reshape(-1, RAYS).mean(axis=1))

    def open_in(self, cells: list[tuple[int, int, int]], places: Floats | None = None) -> list[float]:
        """The same for cells, at the places within them that are given or in their middles."""
        wanted = [index for index, cell in enumerate(cells) if cell not in self.known]
        if wanted:
            middles = self.cell * (np.array([cells[index] for index in wanted]) + 0.5)
            shares = self.open_at(middles if places is None else places[wanted])
            for index, share in zip(wanted, shares.tolist(), strict=True):
                self.known.setdefault(cells[index], share)
        return [self.known[cell] for cell in cells]
