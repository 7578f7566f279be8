# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and functions of cpfg, with its own meaning where that is unusual.

A division by zero divides by 1; the remainder is of whole numbers and has the sign of the first; ``trunc`` rounds to
the nearest number; angles are in degrees. All take any numbers, also infinite ones and those that are none, and come to
such where C's do.
"""

import math
import operator
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from ...base.whole_numbers import LEAST_INT, as_int
from ...expressions.functions import Function, Value, quotient

_Some = TypeVar("_Some", float, Value)


def _one(compute: Callable[..., Value], scalar: Callable[[float], float]) -> Function:
    """A function of one number; what Python's own refuses, NumPy's comes to."""

    def total(a: float) -> float:
        try:
            return scalar(a)
        except (ValueError, OverflowError):
            with np.errstate(all="ignore"):
                return float(compute(np.float64(a)))

    return Function(compute, (1,), overflow=None, scalar=total)


def _of_angle(compute: Callable[..., Value], scalar: Callable[[float], float]) -> Function:
    """A function of degrees."""

    def total(a: float) -> float:
        try:
            return scalar(a * math.pi / 180.0)  # in this order, for the last digit
        except ValueError:  # of an infinite angle
            return math.nan

    return Function(lambda a: compute(np.multiply(a, math.pi) / 180.0), (1,), overflow=None, scalar=total)


def _two(compute: Callable[..., Value], scalar: Callable[..., float]) -> Function:
    return Function(compute, (2,), overflow=None, scalar=scalar)


def _truth(relation: Callable[..., Value]) -> Callable[..., Value]:
    return lambda *values: np.multiply(relation(*values), 1.0)


def _quotient(a: Value, b: Value) -> Value:
    return np.divide(a, np.where(np.equal(b, 0.0), 1.0, b))


def _power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except (ValueError, OverflowError):
        with np.errstate(all="ignore"):
            return float(np.power(np.float64(a), b))


def _whole(a: Value) -> Value:
    return np.where(np.greater(a, LEAST_INT - 1.0) & np.less(a, -LEAST_INT), np.trunc(a), LEAST_INT)


def _sign(a: float) -> float:
    return 0.0 if a == 0.0 else 1.0 if a > 0.0 else -1.0


def _rest(a: float, b: float) -> float:
    if LEAST_INT < a < -LEAST_INT and LEAST_INT < b < -LEAST_INT:
        return math.fmod(int(a), int(b))
    return math.fmod(as_int(a), as_int(b))


_remainder = Function(
    lambda a, b: np.fmod(_whole(a), _whole(b)),
    (2,),
    ((lambda a, b: np.equal(_whole(b), 0.0), "remainder of a division by zero, at which cpfg itself ends"),),
    overflow=None,
    scalar=_rest,
)

BINARY: dict[str, tuple[int, Function | None]] = {
    "||": (1, None),
    "&&": (2, None),
    "==": (3, _two(_truth(np.equal), operator.eq)),
    "!=": (3, _two(_truth(np.not_equal), operator.ne)),
    "<>": (3, _two(_truth(np.not_equal), operator.ne)),
    "<": (4, _two(_truth(np.less), operator.lt)),
    "<=": (4, _two(_truth(np.less_equal), operator.le)),
    ">": (4, _two(_truth(np.greater), operator.gt)),
    ">=": (4, _two(_truth(np.greater_equal), operator.ge)),
    "+": (5, _two(np.add, operator.add)),
    "-": (5, _two(np.subtract, operator.sub)),
    "*": (6, _two(np.multiply, operator.mul)),
    "/": (6, _two(_quotient, quotient)),
    "%": (6, _remainder),
    "^": (7, _two(np.power, _power)),
}
"""Operator -> precedence and function; all group to the left, and signs bind tighter than any of them."""

UNARY: dict[str, Function] = {
    "-": Function(lambda a: np.multiply(a, -1.0), (1,), overflow=None, scalar=lambda a: a * -1.0),
    "!": Function(_truth(np.logical_not), (1,), overflow=None, scalar=operator.not_),
}


def _degrees(a: _Some) -> _Some:
    return a * 180.0 / math.pi


FUNCTIONS: dict[str, Function] = {
    "sin": _of_angle(np.sin, math.sin),
    "cos": _of_angle(np.cos, math.cos),
    "tan": _of_angle(np.tan, math.tan),
    "asin": _one(lambda a: _degrees(np.arcsin(a)), lambda a: _degrees(math.asin(a))),
    "acos": _one(lambda a: _degrees(np.arccos(a)), lambda a: _degrees(math.acos(a))),
    "atan": _one(lambda a: _degrees(np.arctan(a)), lambda a: _degrees(math.atan(a))),
    "sqrt": _one(np.sqrt, math.sqrt),
    "exp": _one(np.exp, math.exp),
    "log": _one(np.log, math.log),
    "floor": _one(np.floor, lambda a: float(math.floor(a))),
    "ceil": _one(np.ceil, lambda a: float(math.ceil(a))),
    "trunc": _one(lambda a: np.floor(np.add(a, 0.5)), lambda a: float(math.floor(a + 0.5))),
    "fabs": _one(np.abs, abs),
    "sign": _one(lambda a: np.where(np.equal(a, 0.0), 0.0, np.where(np.greater(a, 0.0), 1.0, -1.0)), _sign),
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

_WINDOW = "asks how large the window is that cpfg draws in, and there is none here; write the number that it came to"
REFUSED = {
    "atan2": "is a word of cpfg that it cannot read itself; atan(y/x) gives the angle of a slope",
    "inblob": "asks for fields of blobs in a scene of cpfg's, which is not read here; solids are asked for with ?E",
    **dict.fromkeys(("vvXmin", "vvXmax", "vvYmin", "vvYmax", "vvZmin", "vvZmax", "vvScale"), _WINDOW),
}
"""Functions of cpfg that come to nothing here, and why."""

RESERVED = frozenset([*FUNCTIONS, *EFFECTS, *SILENT, *REFUSED, "if", "while", "do", "else", "array", "external"])
"""Words that no variable may be called by."""
