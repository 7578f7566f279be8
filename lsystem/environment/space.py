# SPDX-License-Identifier: GPL-3.0-or-later
"""Competition for room: who has a stronger one near to it may not grow.

The rule of Honda, Tomlinson and Fisher (1981) for branches that come too near to each other, as VLAB's program honda81
has it.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..base.arrays import Floats, Integers
from .kinds import Environment, Sent

_AN_ANSWER, _PAIRS = 300, 5
"""What an answer takes, in modules that are replaced over arrays, and how many that are compared count for one."""


@dataclass(frozen=True)
class Space(Environment):
    """A module `?E(vigour, group)` is told 1 if it may grow, 0 if one of its group is near that has as much vigour."""

    radius: float
    """Nearer than this, in units, or just as near."""
    axes: tuple[int, ...] = (0, 1, 2)
    """Axes of the world along which distances count."""
    formats: tuple[str, ...] = ()
    """How the coordinates along these axes are rounded, as Python formats numbers: ".4f"; not at all without."""

    def cost(self, places: Floats) -> int:
        """By those that are near enough to be compared."""
        counts = Counter(self.cells_of(places[:, list(self.axes)].astype(np.float32)))
        pairs = sum(
            count * sum(counts.get(cell, 0) for cell in product(*[(one - 1, one, one + 1) for one in own]))
            for own, count in counts.items()
        )
        return _AN_ANSWER * len(places) + pairs // _PAIRS

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """1 or 0; nothing for modules without a parameter."""
        at = self.rounded(places)
        vigour = np.array([parameters[0] if parameters else -np.inf for parameters in sent])
        group = np.array([parameters[1] if len(parameters) > 1 else 0.0 for parameters in sent])
        asking = np.array([bool(parameters) for parameters in sent], dtype=np.bool_)
        own_cells = self.cells_of(at)
        cells: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for index, cell in enumerate(own_cells):
            cells[cell].append(index)
        limit = np.float32(self.radius) * np.float32(self.radius)
        told: list[tuple[float, ...]] = []
        for index in range(len(at)):
            if not asking[index]:
                told.append(())
                continue
            near = _near(cells, own_cells[index])
            away = at[near] - at[index]
            stronger = (
                ((away * away).sum(axis=1, dtype=np.float32) <= limit)
                & (group[near] == group[index])
                & (vigour[near] >= vigour[index])
                & (near != index)
                & asking[near]
            )
            told.append((0.0 if stronger.any() else 1.0,))
        return told

    def rounded(self, places: Floats) -> np.ndarray:
        """(n, axes) coordinates in single precision."""
        chosen = places[:, list(self.axes)]
        for axis, form in enumerate(self.formats):
            chosen[:, axis] = [float(format(value, form)) for value in chosen[:, axis].tolist()]
        return chosen.astype(np.float32)

    def cells_of(self, at: np.ndarray) -> list[tuple[int, ...]]:
        """The cell of a grid, as wide as the radius, that each place is in."""
        return list(map(tuple, np.floor(at / max(self.radius, 1e-6)).astype(np.int64).tolist()))


def _near(cells: dict[tuple[int, ...], list[int]], cell: tuple[int, ...]) -> Integers:
    """The places in a cell and in those around it."""
    around = product(*[(one - 1, one, one + 1) for one in cell])
    return np.array([index for one in around for index in cells.get(one, ())], dtype=np.int64)
