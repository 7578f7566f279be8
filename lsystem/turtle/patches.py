# SPDX-License-Identifier: GPL-3.0-or-later
"""Bezier patches whose control points the turtle sets one by one, as those of cpfg's own surfaces, `@PC`."""

import numpy as np

from ..base.quaternions import Vector
from ..base.sheets import Sheet

_SIDE = 4


class Patches:
    """Control points by the numbers of their patches."""

    def __init__(self) -> None:
        self.knots: dict[int, dict[tuple[int, int], Vector]] = {}

    def knot(self, place: Vector, number: float, row: float, column: float) -> None:
        """Set a control point of a patch; one in a row below 0 begins it anew."""
        if row < 0.0:
            self.knots.pop(int(number), None)
        elif row < _SIDE and 0.0 <= column < _SIDE:
            self.knots.setdefault(int(number), {})[int(row), int(column)] = place

    def sheet(self, number: float) -> Sheet | None:
        """The patch in the plant's frame; None if not all of its control points have been set."""
        knots = self.knots.get(int(number), {})
        if len(knots) < _SIDE * _SIDE:
            return None
        patch = np.array([[knots[row, column] for column in range(_SIDE)] for row in range(_SIDE)])
        return Sheet(patches=patch[None])
