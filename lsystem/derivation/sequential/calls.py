# SPDX-License-Identifier: GPL-3.0-or-later
"""L-systems that modules of a string call: what stands between `?(2)` and `$` is that of the L-system 2.

Each call has variables of its own, from when it is made until it is gone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...base.arrays import Slots
from ...base.module_string import ModuleString
from ...base.whole_numbers import as_int
from ..limits import Replaced

if TYPE_CHECKING:
    from .one_by_one import OneByOne

DEEPEST = 100
_CALL_COST = 30
"""What a change of L-systems counts for."""
_ELEMENTS = 32
"""Of arrays that are copied, which count for one."""
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
    shared: tuple["Shared", ...]
    """What the L-system shares with those that call it."""

    @property
    def cost(self) -> int:
        """What it takes to take on the variables and to put them by."""
        own = sum(map(len, self.own.arrays)) if self.begins or self.ends else 0
        shared = sum(len(one.owner.surroundings.values[one.of_owner]) for one in self.shared if one.is_array)
        return _CALL_COST + (own + shared) // _ELEMENTS


@dataclass(frozen=True)
class Shared:
    """An external variable or array and what it is: that of an L-system that calls, or calls one that does."""

    owner: "OneByOne"
    is_array: bool
    of_owner: int
    """Its register, or the number of the array."""
    own: int

    def take(self, system: "OneByOne") -> None:
        """Have a called L-system know the value."""
        if self.is_array:
            system.surroundings.values[self.own][:] = self.owner.surroundings.values[self.of_owner]
        else:
            system.registers[self.own] = self.owner.registers[self.of_owner]

    def give_back(self, system: "OneByOne") -> None:
        """Have the owner know the value that a called L-system has made of it."""
        if self.is_array:
            self.owner.surroundings.values[self.of_owner][:] = system.surroundings.values[self.own]
        else:
            self.owner.registers[self.of_owner] = system.registers[self.own]


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
        self.shares: dict[tuple[int, ...], tuple[Shared, ...]] = {}
        """By the numbers of L-systems that call one another, what the last shares."""

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
        number = as_int(string[place].params[0])
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
                yield Part(system, own, first, place + 1, begins, False, self.shared(stack))
                called = self.system(string, place)
                if any(one is called for one, _, _ in stack) or len(stack) > DEEPEST:
                    raise string.error(place, "{module} calls an L-system that calls it itself")
                stack.append((called, owned[place], place))
                begins = True
            elif len(stack) > 1:
                yield Part(system, own, first, place + 1, begins, True, self.shared(stack))
                stack.pop()
                begins = False
            else:
                continue
            first = place + 1
        while stack:
            shared = self.shared(stack)
            system, own, _ = stack.pop()
            yield Part(system, own, first, len(kinds), begins, bool(stack), shared)
            first, begins = len(kinds), False

    def shared(self, stack: Sequence[tuple["OneByOne", Own, int]]) -> tuple[Shared, ...]:
        """What the last of L-systems that call one another shares with the others: with the nearest one that has a
        variable of the same name, or an array of the same name and size. Who shares it in turn passes it on."""
        numbers = tuple(system.program.number for system, _, _ in stack)
        if numbers not in self.shares:
            known: dict[tuple[int, str], Shared] = {}
            for depth, (system, _, _) in enumerate(stack):
                for name in system.program.external:
                    callers = (one for one, _, _ in reversed(stack[:depth]))
                    found = next(filter(None, (_same(name, system, one) for one in callers)), None)
                    if found is not None:
                        passed_on = known.get((found.owner.program.number, name))
                        known[system.program.number, name] = found if passed_on is None else Shared(
                            passed_on.owner, found.is_array, passed_on.of_owner, found.own
                        )  # fmt: skip
            self.shares[numbers] = tuple(one for (number, _), one in known.items() if number == numbers[-1])
        return self.shares[numbers]


def _same(name: str, system: "OneByOne", caller: "OneByOne") -> Shared | None:
    """What an external name of an L-system is in one that calls it."""
    own, its = system.program, caller.program
    if name in own.names and name in its.names:
        return Shared(caller, False, its.names[name], own.names[name])
    if name not in own.array_names or name not in its.array_names:
        return None
    number, other = own.array_names[name], its.array_names[name]
    return Shared(caller, True, other, number) if own.arrays[number].sizes == its.arrays[other].sizes else None
