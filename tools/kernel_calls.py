# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of kernels as files: recorded here, run elsewhere by tools/kernels/replay.c, compared here.

Files have little-endian words of 8 bytes; bytes and names are filled up with zeros to whole words.

Calls: the mark PDCALLS1, then items, each of
    0, size, bytes                          contents of memory, numbered from 0 in the order of the file
    1, name of the kernel (4 words), how many calls of it come before, how many blocks, arrays, words and results this
       one has, and
        of every block of memory            the number of its contents before the call
        of every array                      type (0 real, 1 whole, 2 truth), block, offset in bytes, dimensions, sizes
        of every word, as in solver/_call.py but without the types' addresses    0, value  or  1, number of an array
Found: the mark PDFOUND1, then of every call
    what the C function returned; the results, real numbers; of every block 0, or 1 and its bytes where they changed
"""

import ctypes
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from solver import _jit
from solver._call import DTYPES, ArrayKind, Signature, fields_of

#: Kernels that only copy numbers, of which few calls are recorded: they are many, with all rows of a simulation.
_COPIES = {"put_bodies_of", "put_panels_of", "take_bodies"}
_MOST_COPIES = 40

CALLS_MARK, FOUND_MARK = b"PDCALLS1", b"PDFOUND1"
_NAME = 32


class Block(NamedTuple):
    """Memory that arrays lie in: first byte, and the one behind the last."""

    begin: int
    end: int

    def bytes(self) -> bytes:
        """What is in it now."""
        return ctypes.string_at(self.begin, self.end - self.begin)


def _words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}q", *values)


def _filled(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def _blocks(arrays: Sequence[np.ndarray]) -> list[Block]:
    """The memory of arrays, in their order, where parts of one array are in one block."""
    blocks: list[Block] = []
    for begin, end in sorted(map(_place, arrays)):
        if blocks and begin < blocks[-1].end:
            blocks[-1] = Block(blocks[-1].begin, max(end, blocks[-1].end))
        else:
            blocks.append(Block(begin, end))
    return [blocks[k] for k in dict.fromkeys(_block_of(array, blocks) for array in arrays)]


def _place(array: np.ndarray) -> tuple[int, int]:
    begin = array.ctypes.data
    return begin, begin + array.nbytes


def _block_of(array: np.ndarray, blocks: Sequence[Block]) -> int:
    begin, end = _place(array)
    return next(k for k, block in enumerate(blocks) if block.begin <= begin and end <= block.end)


def _values(hint: Any, value: Any) -> Iterator[tuple[Any, Any]]:
    """Kinds (int, float, bool or an ArrayKind) and values of what an argument consists of."""
    if hint in (int, float, bool):
        yield hint, value
    elif (kind := ArrayKind.of(hint)) is not None:
        yield kind, value
    else:
        for one, its_hint in zip(value, fields_of(hint).values(), strict=True):
            yield from _values(its_hint, one)


class Recorder:
    """Writes every call of the solver's kernels within its context, and what it left, to two files."""

    def __init__(self, calls: Path, found: Path):
        self._paths = calls, found
        self._contents: dict[bytes, int] = {}
        self._signatures: dict[str, Signature] = {}
        self._busy = False
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> "Recorder":
        self._calls, self._found = (path.open("wb") for path in self._paths)
        self._calls.write(CALLS_MARK)
        self._found.write(FOUND_MARK)
        self._call = call = _jit.Kernel.__call__
        _jit.Kernel.__call__ = lambda kernel, *arguments, **keywords: self._record(  # type: ignore[method-assign]
            call, kernel, kernel.positional(arguments, keywords)
        )
        return self

    def __exit__(self, *_: object) -> None:
        _jit.Kernel.__call__ = self._call  # type: ignore[method-assign]
        self._calls.close()
        self._found.close()

    def _record(self, call: Any, kernel: _jit.Kernel, arguments: Sequence[Any]) -> Any:
        name = kernel.python.__name__.lstrip("_")
        if self._busy or (name in _COPIES and self.counts[name] >= _MOST_COPIES):
            return call(kernel, *arguments)
        signature = self._signatures.setdefault(name, Signature(kernel.python))
        values = [
            one for (_, hint), value in zip(signature.hints, arguments, strict=True) for one in _values(hint, value)
        ]
        arrays = list({id(value): value for kind, value in values if isinstance(kind, ArrayKind)}.values())
        blocks = _blocks(arrays)
        before = [block.bytes() for block in blocks]
        numbers = [self._number(data) for data in before]
        place = {id(array): k for k, array in enumerate(arrays)}
        found = [_array(array, blocks) for array in arrays]
        words = [_word(kind, value, place) for kind, value in values]
        counts = _words(1), name.encode().ljust(_NAME, b"\0"), _words(
            self.counts[name], len(blocks), len(arrays), len(words), len(signature.results)
        )
        self._calls.write(b"".join([*counts, _words(*numbers), *found, *words]))
        self._busy = True  # plain Python's kernels call each other
        try:
            result = call(kernel, *arguments)
        finally:
            self._busy = False
        results = () if result is None else result if signature.is_tuple else (result,)
        self._found.write(_words(0) + struct.pack(f"<{len(results)}d", *results))
        for block, data in zip(blocks, before, strict=True):
            now = block.bytes()
            self._found.write(_words(0) if now == data else _words(1) + _filled(now))
        self.counts[name] += 1
        return result

    def _number(self, data: bytes) -> int:
        """Number of these contents, which are written where they are new."""
        key = sha256(data).digest()
        if key not in self._contents:
            self._contents[key] = len(self._contents)
            self._calls.write(_words(0, len(data)) + _filled(data))
        return self._contents[key]


def _array(array: np.ndarray, blocks: Sequence[Block]) -> bytes:
    k = _block_of(array, blocks)
    return _words(DTYPES.index(array.dtype), k, _place(array)[0] - blocks[k].begin, array.ndim, *array.shape)


def _word(kind: Any, value: Any, place: dict[int, int]) -> bytes:
    if isinstance(kind, ArrayKind):
        return _words(1, place[id(value)])
    return _words(0) + struct.pack("<d" if kind is float else "<q", kind(value))


class Call(NamedTuple):
    """A recorded call. number: how many of its kernel come before; sizes: of its blocks, bytes; types: of the numbers
    in them, None for truths."""

    kernel: str
    number: int
    sizes: list[int]
    types: list[np.dtype[Any] | None]
    results: int


def _take(file: BinaryIO, count: int) -> tuple[int, ...]:
    data = file.read(8 * count)
    if len(data) != 8 * count:
        raise EOFError
    return struct.unpack(f"<{count}q", data)


def read_calls(path: Path) -> Iterator[Call]:
    """The calls of a file, in order."""
    sizes: list[int] = []
    with path.open("rb") as file:
        if file.read(8) != CALLS_MARK:
            raise ValueError(f"'{path}' is no file of calls")
        while head := file.read(8):
            if not any(head):
                (size,) = _take(file, 1)
                sizes.append(size)
                file.seek(size + -size % 8, 1)
                continue
            name = file.read(_NAME).rstrip(b"\0").decode()
            number, blocks, arrays, words, results = _take(file, 5)
            own = [sizes[contents] for contents in _take(file, blocks)]
            types: list[np.dtype[Any] | None] = [None] * blocks
            for _ in range(arrays):
                dtype, block, _, dimensions = _take(file, 4)
                _take(file, dimensions)
                types[block] = DTYPES[dtype] if dtype < 2 else None
            _take(file, 2 * words)
            yield Call(name, number, own, types, results)


@dataclass
class Comparison:
    """How two runs of the same calls compare.

    numbers, bytes: what the calls returned and changed; different: numbers of other bits, and by kernel; largest: the
    largest difference as a share of the largest number beside it, infinite where it is no difference of finite numbers
    not_numbers: NaN in both, with other signs or payloads, which IEEE 754 leaves open and nothing reads
    """

    calls: int = 0
    numbers: int = 0
    bytes: int = 0
    different: int = 0
    kernels: Counter[str] = field(default_factory=Counter)
    largest: float = 0.0
    not_numbers: int = 0

    def __str__(self) -> str:
        numbers = f"{self.calls} calls, {self.numbers} numbers in {self.bytes / 1e6:.1f} MB"
        if self.not_numbers:
            numbers += f", {self.not_numbers} NaN of other bits"
        if not self.different:
            return f"{numbers}: equal bits"
        return f"{numbers}: {self.different} differ, by {self.largest:.2g} at most: {dict(self.kernels)}"


def compare(calls: Path, one: Path, other: Path, every: int = 1) -> Comparison:
    """Compare bit by bit what two runs of the calls left, in the other one every so many-th call of each kernel."""
    total = Comparison()
    with one.open("rb") as left, other.open("rb") as right:
        for file, path in ((left, one), (right, other)):
            if file.read(8) != FOUND_MARK:
                raise ValueError(f"'{path}' does not hold what calls left")
        for call in read_calls(calls):
            before = _left_by(left, call)
            if call.number % every:
                continue
            total.calls += 1
            for mine, its, dtype in zip(before, _left_by(right, call), _types(call), strict=True):
                _compare(total, call.kernel, mine, its, dtype)
        if left.read(1) or right.read(1):
            raise ValueError("there is more than the calls left")
    return total


def _types(call: Call) -> list[np.dtype[Any] | None]:
    """Types of what _left_by gives."""
    return [DTYPES[1], DTYPES[0], *call.types]


def _left_by(file: BinaryIO, call: Call) -> list[bytes | None]:
    """What a call returned, its results, and its blocks where they changed."""
    left: list[bytes | None] = [file.read(8), file.read(8 * call.results)]
    for size in call.sizes:
        changed = _take(file, 1)[0]
        left.append(file.read(size + -size % 8)[:size] if changed else None)
    return left


def _compare(
    total: Comparison, kernel: str, mine: bytes | None, its: bytes | None, dtype: np.dtype[Any] | None
) -> None:
    total.bytes += len(mine or b"")
    total.numbers += len(mine or b"") // (dtype.itemsize if dtype else 1)
    if mine == its:
        return
    if mine is None or its is None or len(mine) != len(its) or dtype != DTYPES[0]:
        total.different += max(len(mine or b""), len(its or b"")) // (dtype.itemsize if dtype else 1)
        total.largest = np.inf
        total.kernels[kernel] += 1
        return
    a, b = np.frombuffer(mine), np.frombuffer(its)
    differs, neither = a.view(np.int64) != b.view(np.int64), np.isnan(a) & np.isnan(b)
    total.not_numbers += int((differs & neither).sum())
    differs &= ~neither
    if not differs.any():
        return
    a, b, scale = a[differs], b[differs], np.abs(a[np.isfinite(a)]).max(initial=0.0)
    with np.errstate(all="ignore"):
        share = np.abs(a - b).max() / scale
    total.different += int(differs.sum())
    total.largest = max(total.largest, float(share) if np.isfinite(share) else np.inf)
    total.kernels[kernel] += int(differs.sum())
