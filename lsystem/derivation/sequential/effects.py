# SPDX-License-Identifier: GPL-3.0-or-later
"""What functions of a text do that are more than arithmetic. None of them writes, reads or starts anything."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from ...base.whole_numbers import as_int
from ...language.beside.kinds import Beside
from ...language.cpfg.functions import SILENT
from ..limits import Effort
from .random_streams import RandomStreams

_Drawn = TypeVar("_Drawn")
_CURVE = 200
"""What a place on a curve counts for, in modules over arrays."""


class Effects:
    """The functions by their names, and what they have asked for."""

    def __init__(self, streams: RandomStreams, beside: Beside, steps: int, effort: Effort, is_animation: bool) -> None:
        """is_animation: whether a derivation goes beyond the text's own, one picture after the other."""
        self.beside = beside
        self.is_animation = is_animation
        self.effort = effort
        self.steps = steps
        """What the text says of the derivation length."""
        self.stopped = False
        """Whether the text wants no further step."""
        self.table: dict[str, Callable[..., float]] = {
            **dict.fromkeys(SILENT, _nothing),
            "ran": streams.ran,
            "nran": streams.nran,
            "bran": streams.bran,
            "biran": streams.biran,
            "srand": streams.srand,
            "func": self.func,
            "curveX": lambda number, place: self.contour(number, "x", place),
            "curveY": lambda number, place: self.contour(number, "y", place),
            "curveZ": lambda number, place: self.contour(number, "z", place),
            "curveGAL": lambda number: self.contour(number, "length", 0.0),
            "stop": self.stop,
            "SetDerivationLength": self.set_steps,
            "GetDerivationLength": lambda *_: float(self.steps),
        }

    def func(self, number: float, x: float) -> float:
        """The value of a function that lies beside the text."""
        function = _of_number(self.beside.functions, number, "function", x)
        self.spend(function.cost)
        return function(x)

    def contour(self, number: float, what: str, place: float) -> float:
        """A coordinate of a place along a curve that lies beside the text, or its length."""
        contour = _of_number(self.beside.contours, number, "curve", place)
        self.spend(0 if what == "length" else _CURVE)
        return contour(what, place)

    def spend(self, cost: int) -> None:
        """Count what a drawn function takes."""
        if not self.effort.take(cost):
            raise ValueError("drawn functions and curves are asked too often in all; ask less, or for fewer modules")

    def stop(self, how: float) -> float:
        """Derive no further after this step; 1 only has an animation show it, which goes on."""
        self.stopped = self.stopped or not (self.is_animation and how == 1.0)
        return 0.0

    def set_steps(self, steps: float) -> float:
        """Say how many steps are to be derived in all."""
        self.steps = as_int(steps)
        return 0.0


def _nothing(*_: float) -> float:
    return 0.0


def _of_number(drawn: Sequence[_Drawn], number: float, what: str, place: float) -> _Drawn:
    """The function or curve of a number from 1, which is asked at a place."""
    if not 1 <= as_int(number) <= len(drawn):
        raise ValueError(_missing(len(drawn), what, number))
    if math.isnan(place):
        raise ValueError(f"the {what} is asked at what is no number")
    return drawn[as_int(number) - 1]


def _missing(count: int, what: str, number: float) -> str:
    if not count:
        return f"there is no {what} beside this text; open its whole folder"
    them = f"is 1 {what}" if count == 1 else f"are {count} {what}s"
    return f"there {them} beside this text, and no number {number:g}"
