# SPDX-License-Identifier: GPL-3.0-or-later
"""Competition of whole plants: who overlaps a larger one dies (self-thinning).

As VLAB's program ecosystem has it without vigour (Deussen et al. 1998, Realistic modeling and rendering of plant
ecosystems, section 4.2), down to its single precision.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import product

import numpy as np

from ..base.arrays import Floats
from .ground_light import said
from .kinds import Environment, Sent

_WIDEST = 64
"""Cells to each side that one plant may reach over; larger ones are compared with all."""

_AN_ANSWER, _PAIRS = 300, 50
"""What an answer takes, in modules that are replaced over arrays, and how many that are compared count for one."""


@dataclass(frozen=True)
class Rivals(Environment):
    """A module `?E(radius, group)` is told 0 if it overlaps one of its group that is as large or larger, else 1."""

    axes: tuple[int, ...] = (0, 1)
    """Axes of the world along which distances count."""
    forms: tuple[str, ...] = ()
    """How the coordinates along these axes are rounded, as Python formats numbers; not at all without."""

    def cost(self, places: Floats) -> int:
        """As if each were wide enough to be compared with all."""
        return len(places) * (_AN_ANSWER + len(places) // _PAIRS)

    def answers(self, places: Floats, sent: Sent) -> list[tuple[float, ...]]:
        """1 or 0; nothing for modules without a parameter."""
        at = places[:, list(self.axes)]
        for axis, form in enumerate(self.forms):
            at[:, axis] = [float(format(value, form)) for value in at[:, axis].tolist()]
        at = at.astype(np.float32)
        radius = np.array([said(one[0]) if one else 0.0 for one in sent], dtype=np.float32)
        group = np.array([int(one[1]) if len(one) > 1 else 0 for one in sent])
        near = self.near(at, radius, [bool(one) for one in sent])
        told: list[tuple[float, ...]] = []
        for index, parameters in enumerate(sent):
            if not parameters:
                told.append(())
                continue
            others = np.array(near[index], dtype=np.int64)
            others = others[(group[others] == group[index]) & (radius[index] <= radius[others]) & (others != index)]
            away = at[index] - at[others]
            together = radius[index] + radius[others]
            squares = np.zeros(len(others), dtype=np.float32)
            for axis in range(at.shape[1]):
                squares = squares + away[:, axis] * away[:, axis]
            told.append((0.0 if (squares <= together * together).any() else 1.0,))
        return told

    def near(self, at: np.ndarray, radius: np.ndarray, asking: list[bool]) -> list[list[int]]:
        """By module those, of all that ask, whose circle may reach its own."""
        asked = [index for index, asks in enumerate(asking) if asks]
        size = float(np.median(radius[asked])) if asked else 0.0
        if size <= 0.0 or float(np.abs(radius).max()) > _WIDEST * size:
            return [asked] * len(asking)
        cells: dict[tuple[int, ...], list[int]] = defaultdict(list)
        covered: list[list[tuple[int, ...]]] = [[] for _ in asking]
        for index in asked:
            reach = abs(float(radius[index])) * 1.001 + 1e-6
            low, high = (np.floor((at[index] + side * reach) / size).astype(np.int64) for side in (-1.0, 1.0))
            covered[index] = list(product(*(range(a, b + 1) for a, b in zip(low.tolist(), high.tolist(), strict=True))))
            for cell in covered[index]:
                cells[cell].append(index)
        return [sorted({other for cell in own for other in cells[cell]}) for own in covered]
