# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions as trees, evaluated for all modules of one production at once.

A value is one number for all rows, or an array with one for each.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..base.errors import ExpressionError
from .functions import Function, Value

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """The modules that an expression is evaluated for: a column for every name it may use."""

    count: int
    columns: tuple[Value, ...] = ()
    draws: Floats | None = None
    """(count, sites) evenly distributed from 0 to 1, for the production's random functions."""
    age: Value = 0.0
    """Steps since each module was made."""
    time: float = 0.0
    """Steps since the axiom."""
    index: Integers | None = None
    """(count) where each row stands among all rows, if these are a part."""

    def where(self, chosen: NDArray[np.bool_] | Integers) -> "Rows":
        """Some of the rows, by a mask or by numbers."""
        index = np.arange(self.count) if self.index is None else self.index
        index = index[chosen]
        return Rows(
            len(index),
            tuple([_part(column, chosen) for column in self.columns]),
            None if self.draws is None else self.draws[chosen],
            _part(self.age, chosen),
            self.time,
            index,
        )


def _part(value: Value, chosen: NDArray) -> Value:
    return value if isinstance(value, float) else value[chosen]


@dataclass(frozen=True)
class Place:
    """Where an operator or a function stands in the text."""

    line: int
    column: int
    source: str

    def error(self, message: str, rows: Rows, wrong: NDArray[np.bool_] | bool) -> ExpressionError:
        """The error at this place, for the first row that is wrong."""
        error = ExpressionError(message, self.line, self.column, self.source)
        row = int(np.argmax(np.broadcast_to(wrong, rows.count))) if rows.count else 0
        error.row = row if rows.index is None else int(rows.index[row])
        return error


class Node(ABC):
    """Part of an expression."""

    depth = 1
    value: float | None = None
    """What it comes to, if that is the same for all modules and known."""

    @abstractmethod
    def values(self, rows: Rows) -> Value:
        """What it comes to for each row; raises `ExpressionError`."""


@dataclass(frozen=True)
class Constant(Node):
    """The expression that is always ``value``."""

    value: float = 0.0

    def values(self, rows: Rows) -> Value:
        """As `Node.values`."""
        return self.value


@dataclass(frozen=True)
class Parameter(Node):
    """A parameter of the module that is replaced, or of one in its context."""

    column: int

    def values(self, rows: Rows) -> Value:
        """As `Node.values`."""
        return rows.columns[self.column]


@dataclass(frozen=True)
class Draw(Node):
    """An even random number between 0 and 1."""

    site: int

    def values(self, rows: Rows) -> Value:
        """As `Node.values`."""
        assert rows.draws is not None  # a production with random functions is always given draws
        return rows.draws[:, self.site]


@dataclass(frozen=True)
class Clock(Node):
    """The module's age, or the time of the whole plant, in steps."""

    is_age: bool

    def values(self, rows: Rows) -> Value:
        """As `Node.values`."""
        return rows.age if self.is_age else rows.time


@dataclass(frozen=True)
class Call(Node):
    """A function or an operator of arguments."""

    function: Function
    arguments: tuple[Node, ...]
    place: Place
    depth: int = field(default=1)

    def values(self, rows: Rows) -> Value:
        """As `Node.values`."""
        values = [argument.values(rows) for argument in self.arguments]
        for test, message in self.function.refused:
            wrong = test(*values)
            if np.any(wrong):
                raise self.place.error(message, rows, wrong)
        result = self.function.compute(*values)
        if self.function.overflow is not None and not np.all(finite := np.isfinite(result)):
            raise self.place.error(self.function.overflow, rows, np.logical_not(finite))
        return result if isinstance(result, np.ndarray) and result.ndim else float(result)


@dataclass(frozen=True)
class Logical(Node):
    """``first && second`` or ``first || second``; the second is evaluated only where it decides."""

    is_and: bool
    first: Node
    second: Node
    depth: int = field(default=1)

    def values(self, rows: Rows) -> Value:
        """As `Node.values`."""
        first = self.first.values(rows)
        if isinstance(first, float):
            if (first != 0.0) != self.is_and:
                return 0.0 if self.is_and else 1.0
            second = self.second.values(rows)
            return float(second != 0.0) if isinstance(second, float) else np.multiply(second != 0.0, 1.0)
        undecided = (first != 0.0) == self.is_and
        result = np.full(rows.count, 0.0 if self.is_and else 1.0)
        if undecided.any():
            part = rows if undecided.all() else rows.where(undecided)
            result[undecided] = np.not_equal(self.second.values(part), 0.0)
        return result


@dataclass(frozen=True)
class Choice(Node):
    """``if(condition, then, otherwise)``; each of the two is evaluated only where it is taken."""

    condition: Node
    then: Node
    otherwise: Node
    depth: int = field(default=1)

    def values(self, rows: Rows) -> Value:
        """As `Node.values`."""
        condition = self.condition.values(rows)
        if isinstance(condition, float):
            return (self.then if condition != 0.0 else self.otherwise).values(rows)
        result = np.empty(rows.count)
        true = condition != 0.0
        for chosen, node in ((true, self.then), (~true, self.otherwise)):
            if chosen.any():
                result[chosen] = node.values(rows.where(chosen))
        return result
