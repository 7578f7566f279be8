# SPDX-License-Identifier: GPL-3.0-or-later
"""L-systems that modules of a string call: what stands between `?(2)` and `$` is that of the L-system 2.

Each call has variables of its own, from when it is made until it is gone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Slots
from ...base.module_string import ModuleString
from ..limits import Replaced

if TYPE_CHECKING:
    from .one_by_one import OneByOne

DEEPEST = 100
_CALL, _RETURN = "?", "$"


@dataclass
class Own:
    """Variables of one call."""

    registers: list[float]
    arrays: list[list[float]]
    begun: bool = False
    """Whether its first statements have run, as they do in the first step that it takes part in."""


@dataclass
class Part:
    """Modules of a string, from one to another, that one L-system replaces."""

    system: "OneByOne"
    own: Own
    first: int
    end: int
    begins: bool
    """Whether the call begins here; it goes on behind calls within it."""
    ends: bool


class Calls:
    """The calls of a string."""

    def __init__(self, systems: Mapping[int, "OneByOne"], main: int) -> None:
        self.systems = systems
        self.main = main
        table = systems[main].table
        self.calling = {kind for (symbol, count), kind in table.kinds.items() if symbol == _CALL and count}
        self.returning = {kind for (symbol, _), kind in table.kinds.items() if symbol == _RETURN}
        self.known: list[tuple[Slots, dict[int, Own]]] = []
        """Of the last two strings: their slots, by which they are known again, and by the places of the modules that
        call their variables."""

    def begin(self, string: ModuleString) -> None:
        """All calls of a first string are new."""
        self.known = [(string.slots, {place: self.new(string, place) for place in self.places(string)})]

    def own_of(self, string: ModuleString) -> dict[int, Own]:
        """The variables of all calls of a string, one of the last two."""
        return next(own for slots, own in self.known if slots is string.slots)

    def go_on(self, old_string: ModuleString, replaced: Replaced, ends: list[tuple[int, int, bool]]) -> None:
        """Calls that have stayed keep their variables, others are new; ends: see the output's."""
        string = replaced.string
        bounds = np.array([end for _, end, _ in ends], dtype=np.int64)
        before = self.own_of(old_string)
        after: dict[int, Own] = {}
        for place in self.places(string):
            old, _, stayed = ends[int(np.searchsorted(bounds, place, side="right"))]
            kept = before.get(old) if stayed else None
            after[place] = kept or self.new(string, place)
        self.known = [(old_string.slots, before), (string.slots, after)]

    def places(self, string: ModuleString) -> list[int]:
        """Of the modules that call."""
        return np.flatnonzero(np.isin(string.kinds, list(self.calling))).tolist()

    def new(self, string: ModuleString, place: int) -> Own:
        """Variables for a new call. Raises `LSystemError` if there is no such L-system."""
        main = self.systems[self.main]
        return self.system(string, place).called(float(main.program.length))

    def system(self, string: ModuleString, place: int) -> "OneByOne":
        """The L-system that a module calls."""
        number = int(string[place].params[0])
        if number not in self.systems or number == self.main:
            there = ", ".join(str(one) for one in self.systems if one != self.main)
            raise string.error(place, f"{{module}} calls an L-system that is not there or its own (there: {there})")
        return self.systems[number]

    def parts(self, string: ModuleString) -> Iterator[Part]:
        """The string cut where L-systems change. A module that calls is its caller's, one that returns is the
        called one's. Raises `LSystemError` where one calls itself."""
        main, owned = self.systems[self.main], self.own_of(string)
        stack = [(main, Own(main.registers, []), 0)]
        first, begins = 0, False
        kinds = string.kinds
        changing = np.flatnonzero(np.isin(kinds, [*self.calling, *self.returning])).tolist()
        for place in changing:
            system, own, _ = stack[-1]
            if int(kinds[place]) in self.calling:
                yield Part(system, own, first, place + 1, begins, ends=False)
                called = self.system(string, place)
                if any(one is called for one, _, _ in stack) or len(stack) > DEEPEST:
                    raise string.error(place, "{module} calls an L-system that calls it itself")
                stack.append((called, owned[place], place))
                begins = True
            elif len(stack) > 1:
                yield Part(system, own, first, place + 1, begins, ends=True)
                stack.pop()
                begins = False
            else:
                continue
            first = place + 1
        while stack:
            system, own, _ = stack.pop()
            yield Part(system, own, first, len(kinds), begins, ends=bool(stack))
            first, begins = len(kinds), False
