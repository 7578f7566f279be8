# SPDX-License-Identifier: GPL-3.0-or-later
"""Calling compiled kernels: arguments become a block of 8-byte words, results come back in another.

A whole number or truth value is one word, a real number its bits, an array the address of its object, of which the
kernel reads where its numbers are and how many; a named tuple is its fields, one after the other. Before all that come
the addresses of the types of arrays. The C function of a kernel takes the addresses of both blocks and returns 0; 1,
before it has done anything, for an array of another kind than its annotation says; or 2 where it failed.

The layout of arrays is that of NumPy's binary interface, PyArrayObject_fields in its ndarraytypes.h, the same from
NumPy 1 to 2: `layout_is_known` looks whether it is that here.
"""

import ctypes
import struct
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

#: Types of arrays, in the order of their addresses at the beginning of a block.
DTYPES = (np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.bool_))

#: Where in an array's object are the address of its numbers, how many dimensions it has, the address of their sizes,
#: its type and its flags; and the flags of one in one piece whose numbers can be written.
DATA, DIMENSIONS, SHAPE, DTYPE, FLAGS = 16, 24, 32, 56, 64
USABLE = 0x0001 | 0x0100 | 0x0400

#: What C functions return: all is well; an array does not fit; the kernel raised an error.
DONE, MISFIT, FAILED = 0, 1, 2

Words = list[Any]


class ArrayKind:
    """An array of so many dimensions in one piece."""

    def __init__(self, dtype: np.dtype[Any], dimensions: int):
        self.dtype, self.dimensions = dtype, dimensions

    @classmethod
    def of(cls, annotation: Any) -> "ArrayKind | None":
        """What an annotation of base/arrays.py says, None for others."""
        if get_origin(annotation) is not Annotated:
            return None
        _, number, dimensions = get_args(annotation)
        return cls(np.dtype(number), dimensions)

    def fits(self, array: Any) -> bool:
        """Whether an array is of this kind."""
        if not isinstance(array, np.ndarray):
            return False
        flags = array.flags
        return array.dtype == self.dtype and array.ndim == self.dimensions and flags.c_contiguous and flags.aligned


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
        words_of = [_words_of(hint) for _, hint in self.hints]
        results, is_tuple = self.results, self.is_tuple
        room = ctypes.c_double * max(len(results), 1)
        types = [id(dtype) for dtype in DTYPES]

        def run(*arguments: Any) -> Any:
            words = types.copy()
            for find, argument in zip(words_of, arguments, strict=True):
                words.extend(find(argument))
            out = room()
            try:
                status = call(pack(*words), out)
            except struct.error:
                status = MISFIT
            if status == MISFIT:
                status = self._call_with_replaced(call, pack, words_of, arguments, out)
            if status != DONE:
                raise RuntimeError(f"{self.name} failed")
            if not results:
                return None
            returned = [kind(value) for kind, value in zip(results, out, strict=True)]
            return tuple(returned) if is_tuple else returned[0]

        return run

    def _call_with_replaced(
        self, call: Callable[..., int], pack: Callable[..., bytes], words_of: Sequence[Any], arguments: Sequence[Any],
        out: Any,
    ) -> int:  # fmt: skip
        """Call with others instead of the arrays that did not fit: views of NumPy's own type, where theirs is equal
        only, as that of unpickled ones is; copies, where they are read-only.

        Raises TypeError for arguments of another kind than the annotations say, ValueError where a copy was written to.
        """
        self._check(arguments)
        replaced: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        words: Words = [id(dtype) for dtype in DTYPES]
        for find, (_, hint), argument in zip(words_of, self.hints, arguments, strict=True):
            words.extend(find(_replace(hint, argument, replaced)))
        status = call(pack(*words), out)
        for array, copy in replaced.values():
            if not array.flags.writeable and array.tobytes() != copy.tobytes():
                raise ValueError(f"{self.name} writes to an array that is read-only")
        return status

    def _check(self, arguments: Sequence[Any]) -> None:
        """Raise the error that names what is of another kind than its annotation says."""
        for (name, hint), argument in zip(self.hints, arguments, strict=True):
            for path, kind in leaves(hint, name):
                value = argument
                for field in path.split(".")[1:]:
                    value = getattr(value, field)
                if not _fits(kind, value):
                    found = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
                    is_array = isinstance(kind, ArrayKind)
                    wanted = f"{kind.dtype} of {kind.dimensions} dimensions in one piece" if is_array else kind.__name__
                    raise TypeError(f"{path} of {self.name} is {found}, expected {wanted}")


def _fits(kind: Any, value: Any) -> bool:
    if isinstance(kind, ArrayKind):
        return kind.fits(value)
    try:
        struct.pack("d" if kind is float else "q", bool(value) if kind is bool else value)
    except struct.error:
        return False
    return True


def _replace(hint: Any, value: Any, replaced: dict[int, tuple[np.ndarray, np.ndarray]]) -> Any:
    """An argument with other arrays instead of those that do not fit, which are kept with these by their addresses."""
    kind = ArrayKind.of(hint)
    if kind is None:
        if hint in (int, float, bool):
            return value
        fields = zip(fields_of(hint).values(), value, strict=True)
        return hint._make(_replace(its, one, replaced) for its, one in fields)
    if id(value) not in replaced:
        known = value.view(kind.dtype)
        replaced[id(value)] = value, known if value.flags.writeable else known.copy()
    return replaced[id(value)][1]


def _words_of(hint: Any) -> Callable[[Any], Words]:
    """A function that finds an argument's words: those of named tuples, and of such in them, are known again."""
    if _is_leaf(hint):
        word = _word_of(hint)
        return lambda value: [word(value)]
    hints = fields_of(hint)
    finds = [None if _is_leaf(its) else _words_of(its) for its in hints.values()]
    words = [_word_of(its) for its in hints.values()]
    if len(hints) == 1:
        name, find, word = next(iter(hints)), finds[0], words[0]
        return lambda value: [word(getattr(value, name))] if find is None else find(getattr(value, name))
    fields = attrgetter(*hints)
    if all(find is None for find in finds) and all(word is id for word in words):
        return _known_again(lambda value: list(map(id, fields(value))))

    def mixed(value: Any) -> Words:
        found: Words = []
        for find, word, one in zip(finds, words, fields(value), strict=True):
            if find is None:
                found.append(word(one))
            else:
                found += find(one)
        return found

    return _known_again(mixed)


def _is_leaf(hint: Any) -> bool:
    """Whether an argument is one number, truth value or array."""
    return hint in (int, float, bool) or ArrayKind.of(hint) is not None


def _word_of(kind: Any) -> Callable[[Any], Any]:
    if kind is bool:
        return bool
    return (lambda value: value) if kind in (int, float) else id  # what is no number, struct refuses


def _known_again(words_of: Callable[[Any], Words]) -> Callable[[Any], Words]:
    """A function that finds the words of a named tuple only once for one that comes many times."""
    known: tuple[Any, Words] = None, []

    def find(value: Any) -> Words:
        nonlocal known
        last, words = known  # read at once: other threads may call
        if value is not last:
            words = words_of(value)
            known = value, words
        return words

    return find


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
        if (word(array, DATA), dimensions, sizes, word(array, DTYPE)) != known or flags & USABLE != USABLE:
            return False
    return True
