# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes from outside becomes numbers of the right kind here, or one SolverError that says what, where and why."""

import math
import reprlib
import sys
from collections.abc import Collection

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats, Ints
from .constants import LARGEST
from .errors import SolverError

#: The least number of those that are more than zero, and the largest finite one.
MORE_THAN_ZERO, FINITE = math.ulp(0.0), sys.float_info.max

_FLOAT = np.dtype(np.float64)

#: So many numbers are looked at faster one by one.
_FEW = 16


def floats(name: str, values: ArrayLike, truth: bool = False) -> Floats:
    """Return the values as floats, of any shape and size, or raise SolverError where they are no real numbers.

    Texts, objects and rows of different lengths are none, nor are booleans but where truth is asked for.
    """
    if type(values) is np.ndarray and values.dtype is _FLOAT:
        return values
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):  # rows of different lengths, and objects that refuse
        array = np.array(None)
    if array.dtype.kind not in ("iufb" if truth else "iuf"):
        raise SolverError(f"{name} must be numbers, not {reprlib.repr(values)}")
    return array.astype(np.float64, copy=False)


def within(name: str, values: ArrayLike, low: float = -FINITE, high: float = FINITE, whole: bool = False) -> Floats:
    """Return the values as floats, or raise SolverError for one outside low to high, or not whole if asked for."""
    array = floats(name, values)
    if not whole and _all_within(array, low, high):
        return array
    good = (array >= low) & (array <= high)
    if whole:
        good &= array == np.floor(array)
    if not good.all():
        at = tuple(np.argwhere(~good)[0].tolist())
        place = f"{name}{list(at) if at else ''}"
        raise SolverError(f"{place} is {array[at]:.9g}, expected {_range(low, high, whole)}")
    return array


def number(name: str, value: ArrayLike, low: float = -FINITE, high: float = FINITE) -> float:
    """Return one number, or raise SolverError as within does."""
    if type(value) is float and low <= value <= high:
        return value
    return float(_single(name, within(name, value, low, high)))


def whole_number(name: str, value: ArrayLike, low: int = 0, high: float = FINITE) -> int:
    """Return one whole number, or raise SolverError as within does."""
    array = _single(name, within(name, value, low, high, whole=True))
    return int(value) if isinstance(value, int | np.integer) else int(array)  # floats hold no large ones exactly


def indices(name: str, values: ArrayLike, low: float = -FINITE, high: float = FINITE, size: str = "n") -> Ints:
    """Return a row of whole numbers, of which one may come alone, or raise SolverError. size: the row's in words."""
    if is_empty(values):
        return np.zeros(0, dtype=np.int64)
    array = np.atleast_1d(within(name, values, low, high, whole=True))
    if array.ndim > 1:
        raise SolverError(f"{name} has shape {array.shape}, expected ({size},)")
    return np.clip(array, -(2.0**53), 2.0**53).astype(np.int64)


def truth(name: str, value: object) -> bool:
    """The value, which must be True or False."""
    if not isinstance(value, bool | np.bool_):
        raise SolverError(f"{name} is {value!r}, expected True or False")
    return bool(value)


def choice(name: str, value: object, choices: Collection[str]) -> None:
    """Raise SolverError unless the value is one of the choices."""
    if not (isinstance(value, str) and value in choices):
        raise SolverError(f"unknown {name} {value!r}, choose one of {', '.join(choices)}")


def is_empty(values: ArrayLike) -> bool:
    """Whether the values are a list or tuple of none."""
    return isinstance(values, list | tuple) and not values


def _all_within(array: Floats, low: float, high: float) -> bool:
    """Whether no number is below low, above high or none: the quick answer for those that are good."""
    if array.size <= _FEW:
        return all(low <= value <= high for value in array.ravel().tolist())
    return bool(np.minimum.reduce(array, axis=None) >= low and np.maximum.reduce(array, axis=None) <= high)


def _single(name: str, array: Floats) -> Floats:
    if array.ndim > 0:
        raise SolverError(f"{name} has shape {array.shape}, expected one number")
    return array


def _range(low: float, high: float, whole: bool) -> str:
    kind = "a whole number" if whole else "a number"
    if high < FINITE:
        return f"{kind} from {low:g} to {high:g}"
    if low == MORE_THAN_ZERO:
        return f"{kind} more than 0"
    if low > -FINITE:
        return f"{kind} of at least {low:g}"
    return kind if whole else "a finite number"


def must_be(kind: type, value: object) -> None:
    """Raise SolverError for what is not of this class."""
    if not isinstance(value, kind):
        raise SolverError(f"{kind.__name__.lower()} must be a {kind.__name__}, not {reprlib.repr(value)}")


def finite(
    name: str, values: ArrayLike, shape: tuple[int, ...], low: float = -LARGEST, high: float = LARGEST
) -> Floats:
    """Return a copy of the values as a contiguous array of the shape.

    Raises SolverError for what is not numbers, another shape, and a number below low, above high or not finite.
    """
    if shape[0] == 0 and is_empty(values):
        return np.zeros(shape)
    array = floats(name, values)
    if array.size != math.prod(shape) or (array.ndim > 1 and array.shape != shape):
        raise SolverError(f"{name} has shape {array.shape}, expected {shape}")
    return np.array(within(name, array, low, high).reshape(shape), order="C")
