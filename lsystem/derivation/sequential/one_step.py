# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of a derivation, from left to right."""

from typing import TYPE_CHECKING

from ...base.module_string import ModuleString, single
from ...expressions.closures import Registers
from ..limits import Replaced
from .candidates import Candidate, Piece
from .outer_string import OuterString
from .output import Output

if TYPE_CHECKING:
    from .one_by_one import OneByOne

_FEW, _A_DRAW = 8, 4
"""Productions that may be drawn from without being counted, and what each of more of them counts for."""


class Step(Output):
    """One step of a derivation."""

    def __init__(self, state: "OneByOne", string: ModuleString, where: str, shared: "Output | None" = None) -> None:
        super().__init__(state, string, where, shared)
        self.kept: list[tuple[int, float, int]] = []
        """Parts that have been cut and go on at the string's end: the cut, its number, and where the part ends."""

    def replaced(self, time: float) -> Replaced:
        """The string after the step."""
        self.replace_part(0, len(self.outer.slots))
        for place, value, end in self.kept:  # grows meanwhile, by cuts in these parts
            self.slots.append(self.state.behind)
            self.values += [value, float(self.state.kept[place][0])]
            self.ends.append((place, len(self.slots), False))
            if place + 1 == end:  # cpfg's string ends with a part in which there is nothing
                break
            self.replace_part(place + 1, end)
        return self.result(time, inherits=False)

    def replace_part(self, first: int, n: int) -> None:
        """Write what becomes of the modules from one to another."""
        state, outer = self.state, self.outer
        rules, decomposition, registers, counts = state.rules, state.decomposition, state.registers, state.counts
        slots, values = piece = outer.slots, outer.values
        new_slots, new_values, ends = self.slots, self.values, self.ends
        draws = state.program.seed is not None
        most_modules, most_values = state.limits.max_modules, state.limits.max_values
        place, value = first, outer.first[first] if 0 < first < n else 0
        while place < n:
            kind = rules.kind_of[slots[place]]
            candidate = None
            if draws:
                candidate = self.drawn(piece, place, value, registers, outer, place - 1, None)
            elif candidates := rules.by_kind[kind]:
                candidate = rules.first(candidates, piece, place, value, registers, outer, place - 1, None)
            if candidate is not None:
                if state.decomposes:
                    self.decompose(state.applied(candidate), place, place + candidate.count)
                else:
                    if candidate.after is not None:
                        candidate.after(registers)
                    new_slots += candidate.slots
                    new_values.extend(candidate.parameters(registers))
                    if len(new_slots) > most_modules or len(new_values) > most_values:
                        self.check(candidate)
            elif state.decomposes and (
                candidate := decomposition.find(piece, place, value, registers, outer, place - 1, place + 1)
            ):
                self.unfold(decomposition, candidate, place - 1, place + 1)
            elif state.cuts[kind] and (not counts[kind] or place in state.kept):
                end = min(outer.end_of_cut(place + 1), n)
                if counts[kind]:
                    self.kept.append((place, state.kept[place][1], end))
                place = end
                value = outer.first[place] if place < len(slots) else len(values)
                continue
            else:
                count = counts[kind]
                new_slots.append(slots[place])
                if count:
                    new_values += values[value : value + count]
                place, value = place + 1, value + count
                ends.append((place - 1, len(new_slots), True))
                continue
            ends.append((place, len(new_slots), False))
            place, value = place + candidate.count, value + candidate.width

    def decompose(self, piece: Piece, start: int, end: int) -> None:
        """Write what a production gives, decomposed; contexts are those of the modules that it replaces."""
        state = self.state
        rules = state.decomposition
        place = value = 0
        while place < len(piece[0]):
            candidate = rules.find(piece, place, value, state.registers, self.outer, start - 1, end)
            if candidate is None:
                place, value = self.emit(piece, place, value)
                continue
            place += candidate.count
            value += candidate.width
            self.unfold(rules, candidate, start - 1, end)

    def drawn(
        self, piece: Piece, place: int, value: int, registers: Registers, outer: OuterString, before: int,
        behind: int | None,
    ) -> Candidate | None:  # fmt: skip
        """One of all candidates that fit, by their weights, which are added in single precision as cpfg does.

        A number is drawn for every module, also where none fits.
        """
        state = self.state
        rules = state.rules
        fitting: list[tuple[Candidate, float]] = []
        total = 0.0
        candidates = rules.by_kind[rules.kind_of[piece[0][place]]]
        if len(candidates) > _FEW:
            state.effort.spend(_A_DRAW * len(candidates), candidates[0].production, state.table.source)
        for candidate in candidates:
            if rules.first((candidate,), piece, place, value, registers, outer, before, behind) is not None:
                weight = 1.0 if candidate.weight is None else candidate.weight(registers)
                fitting.append((candidate, single(weight)))
                total = single(total + single(weight))
        left = single(total * state.streams.choice())
        for candidate, weight in fitting:
            left = single(left - weight)
            if left <= 0.0:
                return candidate
        return None
