# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings of modules as flat arrays, and their text.

Every module of a string was written by one place of the text, its *slot*: the axiom's or a successor's. A string is
one number a module, its slot, and all parameters in a row. The slot tells symbol, number of parameters and place.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .arrays import Flags, Floats, Integers, Slots
from .errors import LSystemError
from .saved_turtle import SavedTurtle


class Module(NamedTuple):
    """A symbol with its parameters, and the place in the text that wrote it."""

    symbol: str
    params: tuple[float, ...] = ()
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.symbol}({', '.join(map(number_text, self.params))})" if self.params else self.symbol


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number."""
    if not math.isfinite(value):
        return repr(value)
    whole = value == int(value) and abs(value) < 1e15 and math.copysign(1.0, value) == math.copysign(1.0, int(value))
    return repr(int(value)) if whole else repr(value)


class SlotTable:
    """All places of a text that write modules. A *kind* is a symbol with a number of parameters."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.kinds: dict[tuple[str, int], int] = {}
        self._slots: list[tuple[int, int, int]] = []

    def kind(self, symbol: str, parameters: int) -> int:
        """The number of a kind."""
        return self.kinds.setdefault((symbol, parameters), len(self.kinds))

    def add(self, symbol: str, parameters: int, line: int, column: int) -> int:
        """The number of a new slot. No more are added once the arrays below have been asked for."""
        self._slots.append((self.kind(symbol, parameters), line, column))
        return len(self._slots) - 1

    @cached_property
    def _table(self) -> Integers:
        return np.array(self._slots, dtype=np.int64).reshape(-1, 3)

    @cached_property
    def kind_of(self) -> Slots:
        """(slots) kind of each."""
        return self._table[:, 0].astype(np.int32)

    @cached_property
    def parameters_of(self) -> Slots:
        """(slots) how many parameters each has."""
        return np.array([count for _, count in self.kinds], dtype=np.int32)[self.kind_of]

    @cached_property
    def symbols(self) -> list[str]:
        """(kinds) symbol of each."""
        return [symbol for symbol, _ in self.kinds]

    def place(self, slot: int) -> tuple[int, int]:
        """Line and column of a slot."""
        _, line, column = self._slots[slot]
        return line, column


@dataclass(eq=False)
class ModuleString:
    """n modules. Reads as a sequence of `Module`; the arrays are for those who have many."""

    table: SlotTable
    slots: Slots
    """(n) which place of the text wrote each module."""
    values: Floats
    """All parameters of all modules in a row."""
    born: Slots
    """(n) the derivation step that made each module."""
    time: float = 0.0
    """Steps since the axiom."""
    turtles: Mapping[int, SavedTurtle] = field(default_factory=dict)
    """By number where parts that were cut and kept stood; modules `%(n, number)` are followed by such a part."""

    @cached_property
    def kinds(self) -> Slots:
        """(n) kind of each module."""
        return self.table.kind_of[self.slots]

    @cached_property
    def parameters(self) -> Slots:
        """(n) number of parameters of each module."""
        return self.table.parameters_of[self.slots]

    @cached_property
    def first(self) -> Integers:
        """(n) where each module's parameters begin."""
        return ends(self.parameters) - self.parameters

    def flags(self, symbols: Iterable[str]) -> Flags:
        """(n) whether each module has one of these symbols."""
        wanted = frozenset(symbols)
        return np.array([symbol in wanted for symbol in self.table.symbols], dtype=np.bool_)[self.kinds]

    def columns(self, indices: Integers) -> list[Floats]:
        """The parameters of modules of one kind, as columns."""
        count = int(self.table.parameters_of[self.slots[indices[0]]]) if len(indices) else 0
        if not count:
            return []
        first = self.first[indices]
        return [self.values[first + parameter] for parameter in range(count)]

    def error(self, index: int, message: str) -> LSystemError:
        """An error at the place of a module, which `{module}` in the message stands for."""
        module = self[index]
        return LSystemError(message.replace("{module}", str(module)), module.line, module.column, self.table.source)

    def __len__(self) -> int:
        return len(self.slots)

    def __getitem__(self, index: int) -> Module:
        index = range(len(self))[index]
        start = self.first[index]
        params = tuple(self.values[start : start + self.parameters[index]].tolist())
        return Module(self.table.symbols[self.kinds[index]], params, *self.table.place(self.slots[index]))

    def __iter__(self) -> Iterator[Module]:
        symbols, values, place = self.table.symbols, self.values.tolist(), self.table.place
        start = 0
        for slot, kind, count in zip(self.slots.tolist(), self.kinds.tolist(), self.parameters.tolist(), strict=True):
            yield Module(symbols[kind], tuple(values[start : start + count]), *place(slot))
            start += count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModuleString):
            return NotImplemented
        return len(self) == len(other) and all(a[:2] == b[:2] for a, b in zip(self, other, strict=True))

    def part(self, keep: Flags) -> "ModuleString":
        """The modules chosen by a mask."""
        values = self.values[np.repeat(keep, self.parameters)]
        return ModuleString(self.table, self.slots[keep], values, self.born[keep], self.time, self.turtles)


def single(value: float) -> float:
    """A number as single precision keeps it."""
    return array("f", (value,))[0]


def ends(counts: NDArray[np.integer]) -> Integers:
    """Running sums of counts: where each part of a row of parts ends."""
    return np.cumsum(counts, dtype=np.int64)


def modules_text(modules: Iterable[Module]) -> str:
    """The string as text that `parse_modules` reads back as the same modules."""
    words: list[str] = []
    last = ""
    for module in modules:
        # a name would run on into the next letter, and two bare slashes could start a comment
        if (last[:1] in ("~", "@", "?") and not last.endswith(")")) or last == module.symbol == "/":
            words.append(" ")
        last = str(module)
        words.append(last)
    return "".join(words)
