# SPDX-License-Identifier: GPL-3.0-or-later
"""Light that falls straight down onto level ground, by a map of it, through leaves of given areas.

As VLAB's program clover has it, for plants that creep (Mech and Prusinkiewicz 1996, Visual models of plants interacting
with their environment, section 5), down to its single precision and to the six digits in which cpfg and it talk.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..base.arrays import Floats
from .kinds import Environment, Sent
from .solids.solids import Solids

_Counts = NDArray[np.uint8]
_LEAST_AREA = 1e-7
_MOST = 255
_RICH = 128.0
"""A map's byte that stands for 1 in what it says besides light."""


@dataclass(frozen=True, eq=False)
class GroundLight(Environment):
    """A module `?E(x)` or `?E(0, x)` is told the light on its cell, from 0 to 1, and how rich this is.

    `?E(1, area)` lays a leaf over the cells around it, `?E(2, area)` takes one away; these are told nothing, and what
    they have done stays.
    """

    corner: tuple[float, float]
    """Where the ground begins, in units."""
    size: tuple[float, float]
    light: _Counts
    """(rows, columns) cells from the corner, 0 to 255."""
    richness: _Counts
    transmittance: float = 0.6
    """What a leaf lets through."""
    axes: tuple[int, int] = (0, 1)
    """Axes of the world along which the ground lies."""
    form: str = "g"
    """How coordinates are rounded, as Python formats numbers."""
    forgets: bool = False
    """Leaves are laid anew at each step."""
    leaves: _Counts = field(default_factory=lambda: np.zeros((0, 0), dtype=np.uint8))
    """(rows, columns) how many lie over each cell."""

    def among(self, solids: Solids | None) -> Environment:
        """The same ground, bare."""
        return replace(self, leaves=np.zeros_like(self.light))

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """Light and richness for those that ask; leaves are laid before."""
        if self.forgets:
            self.leaves[:] = 0
        rows, columns = self.light.shape
        cells = []
        sent = [[said(value) for value in parameters] for parameters in sent]
        for axis, corner, size, count in zip(self.axes, self.corner, self.size, (columns, rows), strict=True):
            at = np.array([format(place, self.form) for place in places[:, axis].tolist()], dtype=np.float32)
            at = (at - np.float32(corner)) / np.float32(size) * np.float32(count)
            cells.append(np.floor(at).astype(np.int64).tolist())
        asking = [len(parameters) == 1 or (bool(parameters) and parameters[0] == 0.0) for parameters in sent]
        for x, y, asks, parameters in zip(*cells, asking, sent, strict=True):
            if not asks and parameters and parameters[1] >= _LEAST_AREA:
                self.lay(x, y, 1 if parameters[0] == 1.0 else -1, parameters[1])
        told: list[tuple[float, ...]] = []
        for x, y, asks in zip(*cells, asking, strict=True):
            is_there = 0 <= x < columns and 0 <= y < rows
            if asks and is_there:
                through = _powers(self.transmittance)[self.leaves[y, x]]
                light = float(self.light[y, x]) / _MOST * through
                told.append((said(light), said(float(self.richness[y, x]) / _RICH)))
            else:
                told.append((0.0, 0.0) if asks else ())
        return told

    def lay(self, x: int, y: int, count: int, area: float) -> None:
        """Lay leaves of an area (square units) over a cell and those around it, or take them away if below 0."""
        rows, columns = self.light.shape
        radius = np.float32(math.sqrt(area / math.pi))
        wide, high = (
            int(radius / np.float32(size) * np.float32(cells) + np.float32(1.0))
            for size, cells in zip(self.size, (columns, rows), strict=True)
        )
        first, last = max(-wide, -x), min(wide, columns - x)
        low, high_end = max(-high, -y), min(high, rows - y)
        if first >= last or low >= high_end:
            return
        across = np.arange(first, last, dtype=np.float32) ** 2 / np.float32(wide * wide)
        along = np.arange(low, high_end, dtype=np.float32) ** 2 / np.float32(high * high)
        covered = across[None, :] + along[:, None] <= 1.0
        part = self.leaves[y + low : y + high_end, x + first : x + last]
        part[covered & ((part < _MOST) if count > 0 else (part > 0))] += np.uint8(count % (_MOST + 1))


def said(value: float) -> float:
    """A number in single precision as the programs tell it each other."""
    return float(format(float(np.float32(value)), "g"))


def _powers(share: float) -> list[float]:
    """Powers of a share from 0 to 255, each rounded to single precision."""
    found = [np.float32(1.0)]
    for _ in range(_MOST):
        found.append(np.float32(share) * found[-1])
    return [float(one) for one in found]
