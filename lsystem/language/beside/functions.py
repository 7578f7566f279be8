# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that are drawn by hand, as `.func` and `.fset` files keep them: y over x from 0 to 1, cubic B-splines.

As cpfg evaluates them: where a file asks for samples, between these on straight lines, and each sample is looked for by
halving until x is within 0.001; so that values agree to the last digit.
"""

import re
from bisect import bisect_right
from functools import cached_property

from ...base.errors import LSystemError
from ...base.module_string import single
from .numbers import LARGEST, is_plain, times_of

_ORDER = 4
_CLOSE = 0.001
_MOST_HALVINGS = 100
_MOST_KNOWN = 4096
_A_SEARCH = 20
"""What looking for a value by halving takes, in modules that are replaced over arrays."""
MOST_POINTS = 1000
MOST_SAMPLES = 100_000


class DrawnFunction:
    """A function by its control points. Outside of 0 to 1 it keeps its values at the ends."""

    def __init__(self, name: str, points: list[tuple[float, float]], samples: int) -> None:
        self.name = name
        self.points = points
        self.samples = samples
        inner = len(points) - _ORDER
        self.knots = [0] * _ORDER + [*range(1, inner + 1)] + [inner + 1] * _ORDER
        self.known: dict[float, tuple[float, float]] = {}
        """Places that halving has come upon; it begins with the same ones always."""

    def __call__(self, x: float) -> float:
        """Its value."""
        x = min(max(x, 0.0), 1.0)
        if self.samples <= 2:
            return self.found(x)
        index = x * (self.samples - 1)
        place = int(index)
        values = self.values
        if place == self.samples - 1:
            return values[place]
        return (1 - index + place) * values[place] + (index - place) * values[place + 1]

    @property
    def cost(self) -> int:
        """What its next value takes, in modules that are replaced over arrays."""
        if self.samples <= 2:
            return _A_SEARCH
        return 1 if "values" in vars(self) else self.samples * _A_SEARCH

    @cached_property
    def values(self) -> list[float]:
        """(samples) from 0 to 1."""
        return [self.found(sample / (self.samples - 1)) for sample in range(self.samples)]

    def found(self, x: float) -> float:
        """The y of the place on the curve whose x is near to a number."""
        low, high = 0.0, 1.0
        for _ in range(_MOST_HALVINGS):
            middle = (low + high) / 2.0
            known = self.known.get(middle)
            if known is None:
                known = self.place(middle)
                if len(self.known) < _MOST_KNOWN:
                    self.known[middle] = known
            at, y = known
            if at > x:
                high = middle
            else:
                low = middle
            if abs(at - x) <= _CLOSE:
                break
        return y

    def place(self, along: float) -> tuple[float, float]:
        """A place of the curve."""
        u = along * self.knots[-1]
        x = y = 0.0
        for number, weight in self.weights(u):
            x += self.points[number][0] * weight
            y += self.points[number][1] * weight
        return x, y

    def weights(self, u: float) -> list[tuple[int, float]]:
        """The points that a place depends on, and how much (de Boor's recursion); none at the very end."""
        knots = self.knots
        if u >= knots[-1]:
            return []
        span = bisect_right(knots, u) - 1
        basis = {span: 1.0}
        for order in range(2, _ORDER + 1):
            higher = {}
            for number in range(span - order + 1, span + 1):
                value = 0.0
                width = knots[number + order - 1] - knots[number]
                if width:
                    value = (u - knots[number]) / width * basis.get(number, 0.0)
                width = knots[number + order] - knots[number + 1]
                if width:
                    value += (knots[number + order] - u) / width * basis.get(number + 1, 0.0)
                higher[number] = value
            basis = higher
        return sorted(basis.items())


def read_function(text: str, source: str, samples: int) -> DrawnFunction:
    """The function in a `.func` file; ``samples`` is what the view file gives those of the oldest kind."""
    functions = _Reader(text, source)
    return functions.function(samples, source.removesuffix(".func"))


def read_function_set(text: str, source: str) -> tuple[DrawnFunction, ...]:
    """The functions in a `.fset` file."""
    reader = _Reader(text, source)
    reader.labelled("funcgalleryver")
    count = int(reader.numbers("items:", 1)[0])
    return tuple(reader.function(-1, "") for _ in range(min(count, MOST_POINTS)))


class _Reader:
    """Lines of a file of functions, one after the other."""

    def __init__(self, text: str, source: str) -> None:
        self.lines = text.splitlines()
        self.source = source
        self.line = 0

    def error(self, message: str) -> LSystemError:
        return LSystemError(message, max(min(self.line, len(self.lines)), 1), 1, self.source)

    def next(self) -> str:
        self.line += 1
        if self.line > len(self.lines):
            raise self.error("the file ends in the middle of a function")
        return self.lines[self.line - 1].strip()

    def labelled(self, label: str) -> str:
        """What stands behind a label."""
        line = self.next()
        if not line.startswith(label):
            raise self.error(f"expected '{label}', found '{line}'")
        return line.removeprefix(label).strip()

    def numbers(self, label: str, least: int) -> list[float]:
        """The numbers behind a label, or of a line without one."""
        words = re.split(r"[\s,]+", self.labelled(label))
        try:
            numbers = [float(word) for word in words if word]
        except ValueError:
            numbers = []
        if len(numbers) < least or not is_plain(numbers):
            raise self.error(f"expected {least} numbers of at most {LARGEST:g}")
        return numbers

    def function(self, samples: int, name: str) -> DrawnFunction:
        if self.next().startswith("fver"):
            name = self.labelled("name:")
            samples = int(self.numbers("samples:", 1)[0])
            while not self.next().startswith("flip:"):
                pass  # a background picture and markers are the editor's
        points: list[tuple[float, float]] = []
        count = int(self.numbers("points:", 1)[0])
        for _ in range(min(count, MOST_POINTS)):
            x, y, *times = self.numbers("", 2)
            points += [(single(x), single(y))] * times_of(times, MOST_POINTS)
            if len(points) > MOST_POINTS:
                break
        if not _ORDER <= len(points) <= MOST_POINTS or samples > MOST_SAMPLES:
            raise self.error(f"a function has {_ORDER} to {MOST_POINTS} points and at most {MOST_SAMPLES} samples")
        return DrawnFunction(name.removesuffix(".func"), points, samples)
