# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and functions of expressions, over arrays, with the arguments that each refuses.

Angles are in degrees, as everywhere in the text. Truth is 1 or 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from .splines import spline

Value = float | NDArray[np.float64]
Wrong = NDArray[np.bool_] | bool
"""Which of the rows have arguments outside a function's domain."""

NOT_FINITE = "the result is not a finite number"
TOO_LARGE = "the result is too large"
OUT_OF_RANGE = "argument out of range"

MOST_ARGUMENTS = 16


@dataclass(frozen=True)
class Function:
    """``compute`` of as many arguments as given; each of ``refused`` is a test of the arguments and its message."""

    compute: Callable[..., Value]
    counts: Sequence[int]
    """How many arguments it may have."""
    refused: tuple[tuple[Callable[..., Wrong], str], ...] = ()
    overflow: str | None = NOT_FINITE
    """The message if a result is not finite; None where it always is."""
    draws: int = 0
    """Even random numbers that come before its arguments."""
    scalar: Callable[..., float] | None = None
    """The same of plain numbers, where modules are replaced one by one; raises `ValueError` for what is refused."""


def quotient(a: float, b: float) -> float:
    """A division by 0 divides by 1, in files of cpfg."""
    return a / (b or 1.0)


def _truth(relation: Callable[..., NDArray[np.bool_]]) -> Callable[..., Value]:
    return lambda *values: np.multiply(relation(*values), 1.0)


def _binary(compute: Callable[..., Value], *refused: tuple, overflow: str | None = NOT_FINITE) -> Function:
    return Function(compute, (2,), refused, overflow)


def _unary(compute: Callable[..., Value], *refused: tuple, overflow: str | None = NOT_FINITE) -> Function:
    return Function(compute, (1,), refused, overflow)


def _fold(compute: Callable[[Value, Value], Value]) -> Function:
    return Function(lambda *values: reduce(compute, values), range(1, MOST_ARGUMENTS + 1), overflow=None)


_power = _binary(
    np.power,
    (lambda a, b: (np.less(a, 0.0)) & (np.not_equal(b, np.floor(b))), "a negative number to a fractional power"),
    (lambda a, b: (np.equal(a, 0.0)) & (np.less(b, 0.0)), "zero to a negative power"),
    overflow=TOO_LARGE,
)
_divide = _binary(np.divide, (lambda a, b: np.equal(b, 0.0), "division by zero"))
_modulo = _binary(np.mod, (lambda a, b: np.equal(b, 0.0), "remainder of a division by zero"))

BINARY: dict[str, tuple[int, Function | None]] = {
    "||": (1, None),
    "&&": (2, None),
    "==": (3, _binary(_truth(np.equal), overflow=None)),
    "!=": (3, _binary(_truth(np.not_equal), overflow=None)),
    "<": (4, _binary(_truth(np.less), overflow=None)),
    "<=": (4, _binary(_truth(np.less_equal), overflow=None)),
    ">": (4, _binary(_truth(np.greater), overflow=None)),
    ">=": (4, _binary(_truth(np.greater_equal), overflow=None)),
    "+": (5, _binary(np.add)),
    "-": (5, _binary(np.subtract)),
    "*": (6, _binary(np.multiply)),
    "/": (6, _divide),
    "%": (6, _modulo),
    "^": (8, _power),
}
"""Operator -> precedence and function; the logical ones leave their right side unevaluated where they can."""
COMPARISONS = (3, 4)
UNARY_PRECEDENCE = 7
POWER_PRECEDENCE = 8

UNARY: dict[str, Function] = {
    "-": _unary(np.negative, overflow=None),
    "!": _unary(_truth(np.logical_not), overflow=None),
}

_outside_one = (lambda a: np.greater(np.abs(a), 1.0), OUT_OF_RANGE)
_not_positive = (lambda a: np.less_equal(a, 0.0), OUT_OF_RANGE)


def _chosen(draw: Value, *values: Value) -> Value:
    place = np.minimum(np.floor(np.multiply(draw, len(values))), len(values) - 1.0)
    chosen = values[-1]
    for index in range(len(values) - 1):
        chosen = np.where(np.equal(place, index), values[index], chosen)
    return chosen


def _either(draw: Value, probability: Value, one: Value, other: Value) -> Value:
    likely = np.multiply(np.less(draw, probability), 1.0)
    return likely * one + (1.0 - likely) * other


def _normal(first: Value, second: Value, mean: Value = 0.0, deviation: Value = 1.0) -> Value:
    """Box and Muller's transform of two even draws."""
    return mean + deviation * np.sqrt(-2.0 * np.log1p(np.negative(first))) * np.cos(2.0 * np.pi * second)


_no_chance = (lambda draw, p, *rest: np.less(p, 0.0) | np.greater(p, 1.0), "a probability must be from 0 to 1")
_narrow = (lambda u, v, mean=0.0, deviation=1.0: np.less(deviation, 0.0), "a deviation must not be negative")
_no_range = (lambda u, a, b: np.greater(a, b), "the first bound must not be above the second")

FUNCTIONS: dict[str, Function] = {
    "sin": _unary(lambda a: np.sin(np.radians(a)), overflow=None),
    "cos": _unary(lambda a: np.cos(np.radians(a)), overflow=None),
    "tan": _unary(lambda a: np.tan(np.radians(a))),
    "asin": _unary(lambda a: np.degrees(np.arcsin(a)), _outside_one, overflow=None),
    "acos": _unary(lambda a: np.degrees(np.arccos(a)), _outside_one, overflow=None),
    "atan": _unary(lambda a: np.degrees(np.arctan(a)), overflow=None),
    "atan2": _binary(lambda a, b: np.degrees(np.arctan2(a, b)), overflow=None),
    "sqrt": _unary(np.sqrt, (lambda a: np.less(a, 0.0), OUT_OF_RANGE), overflow=None),
    "exp": _unary(np.exp, overflow=TOO_LARGE),
    "log": _unary(np.log, _not_positive, overflow=None),
    "log10": _unary(np.log10, _not_positive, overflow=None),
    "pow": _power,
    "hypot": _binary(np.hypot),
    "abs": _unary(np.abs, overflow=None),
    "min": _fold(np.minimum),
    "max": _fold(np.maximum),
    "floor": _unary(np.floor, overflow=None),
    "ceil": _unary(np.ceil, overflow=None),
    "trunc": _unary(np.trunc, overflow=None),
    "round": _unary(lambda a: np.floor(np.add(a, 0.5)), overflow=None),
    "sign": _unary(np.sign, overflow=None),
    "spline": Function(spline, range(3, MOST_ARGUMENTS + 1)),
    "random": Function(lambda u, a=0.0, b=1.0: a + (b - a) * u, (0, 2), draws=1),
    "normal": Function(_normal, (0, 2), (_narrow,), draws=2),
    "exponential": Function(lambda u, mean: -mean * np.log1p(np.negative(u)), (1,), draws=1),
    "chance": Function(_truth(np.less), (1,), (_no_chance,), None, draws=1),
    "biased": Function(_either, (3,), (_no_chance,), None, draws=1),
    "choose": Function(_chosen, range(1, MOST_ARGUMENTS + 1), overflow=None, draws=1),
    "whole": Function(lambda u, a, b: np.minimum(np.floor(a + u * (b - a + 1.0)), b), (2,), (_no_range,), draws=1),
}
