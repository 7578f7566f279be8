# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions as trees, evaluated for all modules of one production at once.

A value is one number for all rows, or an array with one for each.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from ..base.arrays import Flags, Floats, Integers
from ..base.cursor import Text
from ..base.errors import ExpressionError
from ..base.surface import Surface
from .functions import Function, Value, Wrong


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
    surface: Surface | None = None
    """Of the solids around, if there are any."""

    def where(self, chosen: Flags | Integers) -> "Rows":
        """Some of the rows, by a mask or by numbers."""
        index = np.arange(self.count) if self.index is None else self.index
        index = index[chosen]
        return Rows(
            len(index),
            tuple([taken(column, chosen) for column in self.columns]),
            None if self.draws is None else self.draws[chosen],
            taken(self.age, chosen),
            self.time,
            index,
            self.surface,
        )


def taken(value: Value, chosen: Flags | Integers) -> Value:
    """A value for some of the rows."""
    return value if isinstance(value, float) else value[chosen]


class Node(ABC):
    """Part of an expression."""

    depth = 1
    value: float | None = None
    """What it comes to, if that is the same for all modules and known."""

    @abstractmethod
    def __call__(self, rows: Rows) -> Value:
        """What it comes to for each row; raises `ExpressionError`."""


@dataclass(frozen=True)
class Number(Node):
    """The expression that is always ``value``."""

    value: float = 0.0

    def __call__(self, rows: Rows) -> Value:
        return self.value


@dataclass(frozen=True)
class Parameter(Node):
    """A parameter of the module that is replaced, or of one in its context."""

    column: int

    def __call__(self, rows: Rows) -> Value:
        return rows.columns[self.column]


@dataclass(frozen=True)
class RandomNumber(Node):
    """An even random number between 0 and 1."""

    site: int
    depth = 0

    def __call__(self, rows: Rows) -> Value:
        assert rows.draws is not None  # a production with random functions is always given draws
        return rows.draws[:, self.site]


@dataclass(frozen=True)
class Clock(Node):
    """The module's age, or the time of the whole plant, in steps."""

    is_age: bool

    def __call__(self, rows: Rows) -> Value:
        return rows.age if self.is_age else rows.time


@dataclass
class Operation(Node):
    """What is made of arguments, which are nodes too."""

    arguments: tuple[Node, ...]

    def __post_init__(self) -> None:
        self.depth = 1 + max((argument.depth for argument in self.arguments), default=0)


@dataclass
class Call(Operation):
    """A function or an operator, computed at once for all rows."""

    function: Function
    text: Text
    offset: int

    def __call__(self, rows: Rows) -> Value:
        values = [argument(rows) for argument in self.arguments]
        for test, message in self.function.refused:
            wrong = test(*values)
            if np.any(wrong):
                raise self.error(message, rows, wrong)
        result = self.function.compute(*values)
        if self.function.overflow is not None and not np.all(finite := np.isfinite(result)):
            raise self.error(self.function.overflow, rows, np.logical_not(finite))
        return result if isinstance(result, np.ndarray) and result.ndim else float(result)

    def error(self, message: str, rows: Rows, wrong: Wrong) -> ExpressionError:
        """The error for the first row that is wrong."""
        error = ExpressionError(message, *self.text.position(self.offset), self.text.source)
        row = int(np.argmax(np.broadcast_to(wrong, rows.count))) if rows.count else 0
        error.row = row if rows.index is None else int(rows.index[row])
        return error


@dataclass
class Logical(Operation):
    """``first && second`` or ``first || second``; the second is evaluated only where it decides."""

    is_and: bool

    def __call__(self, rows: Rows) -> Value:
        one, other = self.arguments
        first = one(rows)
        if isinstance(first, float):
            if (first != 0.0) != self.is_and:
                return 0.0 if self.is_and else 1.0
            second = other(rows)
            return float(second != 0.0) if isinstance(second, float) else np.multiply(second != 0.0, 1.0)
        undecided = (first != 0.0) == self.is_and
        result = np.full(rows.count, 0.0 if self.is_and else 1.0)
        if undecided.any():
            part = rows if undecided.all() else rows.where(undecided)
            result[undecided] = np.not_equal(other(part), 0.0)
        return result


@dataclass
class Choice(Operation):
    """``if(condition, then, otherwise)``; each of the two is evaluated only where it is taken."""

    def __call__(self, rows: Rows) -> Value:
        condition, then, otherwise = self.arguments
        holds = condition(rows)
        if isinstance(holds, float):
            return (then if holds != 0.0 else otherwise)(rows)
        result = np.empty(rows.count)
        true = holds != 0.0
        for chosen, node in ((true, then), (~true, otherwise)):
            if chosen.any():
                result[chosen] = node(rows.where(chosen))
        return result
