# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads ``let`` lines. A comment behind one says what a slider needs: ``let a = 25  # [0..90 deg] branching angle``."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..base.cursor import NAME, NUMBER, Cursor
from ..base.errors import LSystemError
from ..expressions.parser import Scope, parse_expression
from .grammar import Constant
from .production_parser import read_name

_BOUND = rf"([-+]?{NUMBER.pattern})"
_RANGE = re.compile(rf"\[\s*{_BOUND}\s*\.\.\s*{_BOUND}\s*([^\]]*)\]")
_COMMENT = re.compile(r"[ \t]*(?:#|//(?=\s))[ \t]*(.*)")
_WHOLE = re.compile(r"[-+]?[0-9]+")


def described(name: str, value: float, words: str, computed: bool) -> Constant:
    """A constant, with the range, the unit and the description that a comment gives. Raises `ValueError`."""
    minimum = maximum = None
    unit, is_whole = "", False
    bounds = _RANGE.match(words)
    if bounds:
        minimum, maximum = float(bounds.group(1)), float(bounds.group(2))
        if not minimum < maximum or not math.isfinite(maximum - minimum):
            raise ValueError(f"the range of '{name}' must go from a smaller to a larger number")
        minimum, maximum = min(minimum, value), max(maximum, value)
        unit = bounds.group(3).strip()
        is_whole = not unit and value == int(value) and all(map(_WHOLE.fullmatch, bounds.groups()[:2]))
        words = words[bounds.end() :].strip()
    return Constant(name, value, minimum, maximum, unit, words, is_whole, computed)


def check_overrides(overrides: Mapping[str, float], known: Mapping[str, float], source: str) -> None:
    """Raise for a replaced value of a constant that the text does not have, or that is no finite number."""
    for name, value in overrides.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise LSystemError(f"no constant is called '{name}'; there is {names}", source=source)
        if not math.isfinite(value):
            raise LSystemError(f"the constant '{name}' is not a finite number", source=source)


@dataclass
class ConstantReader:
    """The constants read so far; ``overrides`` replaces values."""

    overrides: Mapping[str, float]
    values: dict[str, float] = field(default_factory=dict)
    sliders: list[Constant] = field(default_factory=list)

    def evaluate(self, cursor: Cursor) -> float:
        """The value of an expression of numbers and constants."""
        value = parse_expression(cursor, Scope(self.values)).value
        assert value is not None  # without parameters and random numbers every expression folds
        return value

    def read(self, cursor: Cursor) -> None:
        """Read what follows the word ``let``."""
        name = read_name(cursor, "constant", self.values)
        cursor.expect("=", name)
        start = cursor.skip_space()
        value = self.evaluate(cursor)
        cursor.finish()
        written = cursor.text.content[start : cursor.offset].strip()
        self.sliders.append(self.slider(cursor, name, value, written))
        if name in self.overrides:
            value = float(self.overrides[name])
            if not math.isfinite(value):
                raise cursor.error(f"the constant '{name}' is not a finite number")
        self.values[name] = value

    def slider(self, cursor: Cursor, name: str, value: float, written: str) -> Constant:
        """What the comment at the end of the line says of a constant."""
        text = cursor.text
        begin = text.content.rfind("\n", 0, cursor.end) + 1
        code = len(text.content[begin : cursor.end].rstrip())
        comment = _COMMENT.match(text.raw, begin + code)
        words = comment.group(1).strip() if comment else ""
        computed = any(word in self.values for word in NAME.findall(written))
        try:
            return described(name, value, words, computed)
        except ValueError as error:
            assert comment is not None  # words without a comment there are none
            raise text.error(str(error), comment.start(1)) from None
