# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and functions of cpfg, with its own meaning where that is unusual.

A division by zero divides by 1; the remainder is of whole numbers and has the sign of the first; ``trunc`` rounds to
the nearest number; angles are in degrees.
"""

import math
import operator
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from ...expressions.functions import NOT_FINITE, OUT_OF_RANGE, TOO_LARGE, Function, Value, Wrong, quotient

_Refusal = tuple[Callable[..., Wrong], str]


def _of(compute: Callable[..., Value], scalar: Callable[..., float], *refused: _Refusal, overflow: str | None = None,
        count: int = 1) -> Function:  # fmt: skip
    return Function(compute, (count,), refused, overflow, scalar=scalar)


def _safe(compute: Callable[..., Value], scalar: Callable[..., float], overflow: str | None = None) -> Function:
    return Function(compute, (2,), (), overflow, scalar=scalar, is_safe=True)


def _pair(compute: Callable[..., Value], scalar: Callable[..., float], *refused: _Refusal,
          overflow: str | None = None) -> Function:  # fmt: skip
    return _of(compute, scalar, *refused, overflow=overflow, count=2)


def _truth(relation: Callable[..., Value]) -> Callable[..., Value]:
    return lambda *values: np.multiply(relation(*values), 1.0)


def _quotient(a: Value, b: Value) -> Value:
    return np.divide(a, np.where(np.equal(b, 0.0), 1.0, b))


def _whole_quotient_is_zero(a: Value, b: Value) -> Wrong:
    return np.equal(np.trunc(b), 0.0)


_outside_one = (lambda a: np.greater(np.abs(a), 1.0), OUT_OF_RANGE)
_negative = (lambda a: np.less(a, 0.0), OUT_OF_RANGE)
_not_positive = (lambda a: np.less_equal(a, 0.0), OUT_OF_RANGE)
_bad_power = (
    lambda a, b: (np.less(a, 0.0) & np.not_equal(b, np.floor(b))) | (np.equal(a, 0.0) & np.less(b, 0.0)),
    "a negative number to a fractional power, or zero to a negative one",
)

BINARY: dict[str, tuple[int, Function | None]] = {
    "||": (1, None),
    "&&": (2, None),
    "==": (3, _safe(_truth(np.equal), operator.eq)),
    "!=": (3, _safe(_truth(np.not_equal), operator.ne)),
    "<>": (3, _safe(_truth(np.not_equal), operator.ne)),
    "<": (4, _safe(_truth(np.less), operator.lt)),
    "<=": (4, _safe(_truth(np.less_equal), operator.le)),
    ">": (4, _safe(_truth(np.greater), operator.gt)),
    ">=": (4, _safe(_truth(np.greater_equal), operator.ge)),
    "+": (5, _safe(np.add, operator.add, overflow=NOT_FINITE)),
    "-": (5, _safe(np.subtract, operator.sub, overflow=NOT_FINITE)),
    "*": (6, _safe(np.multiply, operator.mul, overflow=NOT_FINITE)),
    "/": (6, _safe(_quotient, quotient, overflow=NOT_FINITE)),
    "%": (
        6,
        _pair(
            lambda a, b: np.fmod(np.trunc(a), np.trunc(b)),
            lambda a, b: math.fmod(int(a), int(b)),
            (_whole_quotient_is_zero, "remainder of a division by zero"),
        ),
    ),
    "^": (7, _pair(np.power, math.pow, _bad_power, overflow=TOO_LARGE)),
}
"""Operator -> precedence and function; all group to the left, and signs bind tighter than any of them."""

UNARY: dict[str, Function] = {
    "-": _of(lambda a: np.multiply(a, -1.0), lambda a: a * -1.0),
    "!": _of(_truth(np.logical_not), operator.not_),
}


_Some = TypeVar("_Some", float, Value)


def _radians(a: _Some) -> _Some:
    return a * math.pi / 180.0  # in this order, for the last digit


def _degrees(a: _Some) -> _Some:
    return a * 180.0 / math.pi


FUNCTIONS: dict[str, Function] = {
    "sin": _of(lambda a: np.sin(_radians(a)), lambda a: math.sin(_radians(a))),
    "cos": _of(lambda a: np.cos(_radians(a)), lambda a: math.cos(_radians(a))),
    "tan": _of(lambda a: np.tan(_radians(a)), lambda a: math.tan(_radians(a)), overflow=NOT_FINITE),
    "asin": _of(lambda a: _degrees(np.arcsin(a)), lambda a: _degrees(math.asin(a)), _outside_one),
    "acos": _of(lambda a: _degrees(np.arccos(a)), lambda a: _degrees(math.acos(a)), _outside_one),
    "atan": _of(lambda a: _degrees(np.arctan(a)), lambda a: _degrees(math.atan(a))),
    "sqrt": _of(np.sqrt, math.sqrt, _negative),
    "exp": _of(np.exp, math.exp, overflow=TOO_LARGE),
    "log": _of(np.log, math.log, _not_positive),
    "floor": _of(np.floor, lambda a: float(math.floor(a))),
    "ceil": _of(np.ceil, lambda a: float(math.ceil(a))),
    "trunc": _of(lambda a: np.floor(np.add(a, 0.5)), lambda a: float(math.floor(a + 0.5))),
    "fabs": _of(np.abs, abs),
    "sign": _of(np.sign, lambda a: float((a > 0.0) - (a < 0.0))),
}
"""Functions of numbers alone."""

EFFECTS: dict[str, tuple[int, ...]] = {
    "ran": (1,), "nran": (2,), "bran": (2,), "biran": (2,), "srand": (1,),
    "func": (2,), "curveX": (2,), "curveY": (2,), "curveZ": (2,), "curveGAL": (1,),
    "stop": (1,), "SetDerivationLength": (1,), "GetDerivationLength": (0, 1),
}  # fmt: skip
"""Functions that depend on more, with how many arguments each may have."""

SILENT = ("printf", "fprintf", "fopen", "fclose", "fflush", "fscanf", "play", "Display")
"""Functions that would write, read or show something: they come to 0, and their arguments are evaluated."""

RESERVED = frozenset(
    [*FUNCTIONS, *EFFECTS, *SILENT, "if", "while", "do", "else", "array", "external", "atan2", "inblob",
     "vvXmin", "vvXmax", "vvYmin", "vvYmax", "vvZmin", "vvZmax", "vvScale"]
)  # fmt: skip
"""Words that no variable may be called by."""
