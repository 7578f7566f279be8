# SPDX-License-Identifier: GPL-3.0-or-later
"""Calling compiled kernels: arguments become a block of 8-byte words, results come back in another.

A whole number or truth value is one word, a real number its bits, an array the address of its object, of which the
kernel reads where its numbers are and how many; a named tuple is its fields, one after the other. Before all that come
the addresses of the types of arrays. The C function of a kernel takes the addresses of both blocks and returns 0, or 1
for an array of another kind than its annotation says.

The layout of arrays is that of NumPy's binary interface, PyArrayObject_fields in its ndarraytypes.h, the same from
NumPy 1 to 2: `layout_is_known` looks whether it is that here.
"""

import ctypes
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

#: Types of arrays, in the order of their addresses at the beginning of a block.
DTYPES = (np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_))

#: Where in an array's object are the address of its numbers, how many dimensions it has, the address of their sizes,
#: its type and its flags; and the flags of one in one piece whose numbers can be written.
DATA, DIMENSIONS, SHAPE, DTYPE, FLAGS = 16, 24, 32, 56, 64
IN_ONE_PIECE = 0x0001 | 0x0100

Words = list[Any]


class ArrayKind:
    """An array of so many dimensions in one piece."""

    def __init__(self, dtype: np.dtype[Any], dimensions: int):
        self.dtype, self.dimensions = dtype, dimensions

    @classmethod
    def of(cls, annotation: Any) -> "ArrayKind | None":
        """What an annotation of _arrays.py says, None for others."""
        if get_origin(annotation) is not Annotated:
            return None
        array, dimensions = get_args(annotation)
        return cls(np.dtype(get_args(get_args(array)[1])[0]), dimensions)

    def fits(self, array: Any) -> bool:
        """Whether an array is of this kind."""
        if not isinstance(array, np.ndarray):
            return False
        flags = array.flags
        return array.dtype is self.dtype and array.ndim == self.dimensions and flags.c_contiguous and flags.aligned


def fields_of(named_tuple: Any) -> dict[str, Any]:
    """The annotations of a named tuple's fields."""
    return get_type_hints(named_tuple, include_extras=True)


def leaves(hint: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Names and kinds (int, float, bool or an ArrayKind) of what an argument consists of."""
    if hint in (int, float, bool):
        yield name, hint
    elif (array := ArrayKind.of(hint)) is not None:
        yield name, array
    else:
        for field, its_hint in fields_of(hint).items():
            yield from leaves(its_hint, f"{name}.{field}")


class Signature:
    """What a kernel takes and returns, from its annotations."""

    def __init__(self, function: Callable[..., Any]):
        hints = get_type_hints(function, include_extras=True)
        returned = hints.pop("return")
        self.name = function.__name__
        self.hints = list(hints.items())
        self.results = () if returned is type(None) else get_args(returned) or (returned,)
        self.is_tuple = get_origin(returned) is tuple

    def caller(self, address: int) -> Callable[..., Any]:
        """A Python function that calls the C function at this address, without holding Python's lock."""
        call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(address)
        found = [kind for name, hint in self.hints for _, kind in leaves(hint, name)]
        pack = struct.Struct("qqq" + "".join("d" if kind is float else "q" for kind in found)).pack
        takers = [_taker(hint) for _, hint in self.hints]
        results, is_tuple = self.results, self.is_tuple
        room = ctypes.c_double * max(len(results), 1)
        types = [id(dtype) for dtype in DTYPES]

        def run(*arguments: Any) -> Any:
            words = types.copy()
            for take, argument in zip(takers, arguments, strict=True):
                take(words, argument)
            out = room()
            if call(pack(*words), out):
                raise self._misfit(arguments)
            if not results:
                return None
            returned = [kind(value) for kind, value in zip(results, out, strict=True)]
            return tuple(returned) if is_tuple else returned[0]

        return run

    def _misfit(self, arguments: Sequence[Any]) -> TypeError:
        """The error that names the array of another kind than its annotation says."""
        for (name, hint), argument in zip(self.hints, arguments, strict=True):
            for path, kind in leaves(hint, name):
                value = argument
                for field in path.split(".")[1:]:
                    value = getattr(value, field)
                if isinstance(kind, ArrayKind) and not kind.fits(value):
                    found = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
                    wanted = f"{kind.dtype} of {kind.dimensions} dimensions in one piece"
                    return TypeError(f"{path} of {self.name} is {found}, expected {wanted}")
        return TypeError(f"{self.name} failed")


def _taker(hint: Any) -> Callable[[Words, Any], None]:
    """A function that appends an argument's words."""
    if hint in (int, float, bool):
        return lambda words, value: words.append(hint(value))
    if ArrayKind.of(hint) is not None:
        return lambda words, value: words.append(id(value))
    hints = list(fields_of(hint).values())
    if all(ArrayKind.of(field) is not None for field in hints):
        return lambda words, value: words.extend(map(id, value))
    takers = [_taker(field) for field in hints]

    def take(words: Words, value: Any) -> None:
        for one, field in zip(takers, value, strict=True):
            one(words, field)

    return take


def layout_is_known() -> bool:
    """Whether arrays of this Python and NumPy lie in memory as compiled kernels read them."""

    def word(array: Any, offset: int) -> int:
        return ctypes.c_int64.from_address(id(array) + offset).value

    for array in (np.arange(6.0).reshape(2, 3), np.ones(5, dtype=np.int64), np.zeros((2, 3, 4), dtype=np.bool_)):
        shape = word(array, SHAPE)
        sizes = tuple(ctypes.c_int64.from_address(shape + 8 * k).value for k in range(array.ndim))
        flags = ctypes.c_int32.from_address(id(array) + FLAGS).value
        dimensions = ctypes.c_int32.from_address(id(array) + DIMENSIONS).value
        known = (array.ctypes.data, array.ndim, array.shape, id(array.dtype))
        if (word(array, DATA), dimensions, sizes, word(array, DTYPE)) != known or flags & IN_ONE_PIECE != IN_ONE_PIECE:
            return False
    return True
