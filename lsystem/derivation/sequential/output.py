# SPDX-License-Identifier: GPL-3.0-or-later
"""A string that is being written from those of another, module by module."""

from typing import TYPE_CHECKING

import numpy as np

from ...base.errors import LSystemError
from ...base.module_string import ModuleString
from ..limits import Replaced
from .candidates import Candidate, CompiledRules, Piece
from .outer_string import OuterString

COST = 4
"""One module at a time takes so many times as long as many at once."""
if TYPE_CHECKING:
    from .one_by_one import OneByOne


class Output:
    """A string that is being written, module by module, from those of another."""

    def __init__(
        self, state: "OneByOne", string: ModuleString, where: str, shared: "Output | None" = None
    ) -> None:
        """shared: writes on behind what this one writes."""
        self.state = state
        self.where = where
        self.outer = OuterString(string, state.program.seen, state.program.ring)
        self.slots: list[int] = [] if shared is None else shared.slots
        self.values: list[float] = [] if shared is None else shared.values
        self.ends: list[tuple[int, int, bool]] = [] if shared is None else shared.ends
        """For each part of the old string that came to something: its first module, where in the new one it ends, and
        whether it stayed."""

    def emit(self, piece: Piece, place: int, value: int) -> tuple[int, int]:
        """Write a module as it is; where the next one and its parameters are."""
        slots, values = piece
        count = self.state.counts[self.state.kind_of[slots[place]]]
        self.slots.append(slots[place])
        if count:
            self.values += values[value : value + count]
        return place + 1, value + count

    def unfold(self, rules: CompiledRules, first: Candidate, before: int, behind: int) -> None:
        """Replace by a candidate, and what it gives by rules again, depth first, down to their depth."""
        state, outer, registers = self.state, self.outer, self.state.registers
        self.check(first)
        frames: list[tuple[Piece, int, int]] = [(state.applied(first), 0, 0)]
        while frames:
            piece, place, value = frames.pop()
            while place < len(piece[0]):
                candidate = rules.find(piece, place, value, registers, outer, before, behind)
                if candidate is None or len(frames) + 1 >= rules.depth:
                    place, value = self.emit(piece, place, value)
                    continue
                self.check(candidate)
                frames.append((piece, place + candidate.count, value + candidate.width))
                piece, place, value = state.applied(candidate), 0, 0

    def check(self, candidate: Candidate) -> None:
        """Count an application. Raise if these are too many, or if the string has grown too long."""
        state = self.state
        effort = state.effort
        effort.unfolded += 1
        if effort.unfolded * COST > effort.most:
            raise self.error(candidate, f"goes beyond {effort.most // COST} replacements one by one")
        if len(self.slots) > state.limits.max_modules:
            raise self.error(candidate, f"gives more than {state.limits.max_modules} modules")
        if len(self.values) > state.limits.max_values:
            raise self.error(candidate, f"gives more than {state.limits.max_values} parameters")

    def error(self, candidate: Candidate, message: str) -> LSystemError:
        """An error at the production that was applied last."""
        production = candidate.production
        message = f"{self.where} {message}; the last come from this production of {production.symbol}"
        return LSystemError(message, production.line, production.column, self.state.grammar.source)

    def result(self, time: float, inherits: bool) -> Replaced:
        """What has been written; modules that were not replaced are as old as they were."""
        old = self.outer.string
        ends = np.array(self.ends, dtype=np.int64).reshape(-1, 3)
        lengths = np.diff(ends[:, 1], prepend=0)
        origin = np.repeat(ends[:, 0], lengths)
        stays = np.repeat(ends[:, 2] != 0, lengths) | inherits
        born = np.where(stays, old.born[origin], np.int32(time)).astype(np.int32)
        values = np.array(self.values, dtype=np.float64)
        slots = np.array(self.slots, dtype=np.int32)
        return Replaced(ModuleString(old.table, slots, values, born, time, old.turtles), origin)
