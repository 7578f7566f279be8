# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of expressions that ask for solids: `inside`, `distance`, the nearest place of their surface.

What answers is given when a text is derived; expressions know only what it can be asked.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Floats
from ..base.cursor import Text
from ..base.errors import ExpressionError
from ..base.surface import Answer, AskedTooMuch
from .functions import Value
from .nodes import Operation, Rows


def _coordinate(name: str, axis: int) -> Callable[[Answer], Floats]:
    return lambda answer: np.asarray(getattr(answer, name)[:, axis])


ASKED: dict[str, Callable[[Answer], Floats]] = {
    "inside": lambda answer: np.less(answer.distance, 0.0) * 1.0,
    "distance": lambda answer: answer.distance,
    **{f"{name}_{axis}": _coordinate(name, i) for name in ("nearest", "away") for i, axis in enumerate("xyz")},
}
"""Functions of a place x, y, z by their names."""
MOST_ASKED = 500_000
"""Places that a derivation may ask for, which takes some ten seconds, among large meshes minutes."""
OWN_SOLIDS = "own_solids"
"""The function without arguments that tells whether the solids are the text's own."""


@dataclass
class Asked(Operation):
    """One of these functions."""

    name: str
    text: Text
    offset: int

    def __call__(self, rows: Rows) -> Value:
        """What the solids that the rows are among answer."""
        surface = rows.surface
        assert surface is not None  # texts that ask are not derived without
        if self.name == OWN_SOLIDS:
            return float(surface.is_own)
        places = np.empty((rows.count, 3))
        for axis, argument in enumerate(self.arguments):
            places[:, axis] = argument(rows)
        surface.asked += rows.count
        if surface.asked > MOST_ASKED:
            raise self._error(f"solids are asked for more than {MOST_ASKED} places in all")
        try:
            return ASKED[self.name](surface.answer(places))
        except AskedTooMuch:
            many = "solids are asked for too many places that are as far from many triangles"
            raise self._error(f"{many}: ask less often, or with coarser meshes") from None

    def _error(self, message: str) -> ExpressionError:
        return ExpressionError(message, *self.text.position(self.offset), self.text.source)
