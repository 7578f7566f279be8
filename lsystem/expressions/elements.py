# SPDX-License-Identifier: GPL-3.0-or-later
"""Elements of arrays as functions of registers, without a detour for one or two subscripts."""

from collections.abc import Callable, Sequence

from .arithmetic import Expression, Registers
from .state import Array


def place(array: Array, indices: Sequence[Expression]) -> Callable[[Registers], int]:
    """The function that finds an element's place among the values of an array."""
    if len(indices) > 2:
        return lambda registers: array.offset(tuple([index(registers) for index in indices]))
    size, offset, last = array.sizes[-1], array.offset, len(array.values) - 1
    if len(indices) == 1:
        (only,) = indices

        def of_one(registers: Registers) -> int:
            index = only(registers)
            return int(index) if 0.0 <= index < size else offset((index,))

        return of_one
    rows = array.sizes[0]
    first, second = indices

    def of_two(registers: Registers) -> int:
        row, column = first(registers), second(registers)
        if 0.0 <= row < rows and 0.0 <= column < size:
            found = int(row * size + column)
            return found if found <= last else last
        return offset((row, column))

    return of_two


def element(
    array: Array, values: list[float], indices: Sequence[Expression], constants: Sequence[float | None]
) -> Expression:
    """The function that reads an element; constants: what indices come to that are numbers."""
    known = [constant for constant in constants if constant is not None]
    if len(known) == len(indices):
        at = array.offset(tuple(known))
        return lambda registers: values[at]
    if len(indices) > 1:
        found = place(array, indices)
        return lambda registers: values[found(registers)]
    (only,), size, offset = indices, array.sizes[0], array.offset

    def of_one(registers: Registers) -> float:
        index = only(registers)
        return values[int(index)] if 0.0 <= index < size else values[offset((index,))]

    return of_one
