# SPDX-License-Identifier: GPL-3.0-or-later
"""The string that the turtle follows: with the interpretation rules applied, from left to right."""

from ...language.cpfg.words import behind
from ..limits import Replaced
from .candidates import Piece
from .output import Output


class Interpretation(Output):
    """The string that the turtle follows."""

    at_top = True
    """Whether what is written is a module of the string itself, which no rule has made."""

    def replaced(self, time: float) -> Replaced:
        """The string as the turtle follows it."""
        self.replace_part(0, len(self.outer.slots))
        return self.result(time, inherits=True)

    def replace_part(self, first: int, n: int) -> None:
        """Write what becomes of the modules from one to another."""
        state, outer = self.state, self.outer
        rules, registers = state.interpretation, state.registers
        piece: Piece = outer.slots, outer.values
        place, value = first, outer.first[first] if 0 < first < n else 0
        while place < n:
            start = place
            candidate = rules.find(piece, place, value, registers, outer, place - 1, place + 1)
            if candidate is None or rules.depth <= 0:
                written = len(self.slots)
                place, value = self.emit(piece, place, value)
                self.ends += [(start + one, written + one + 1, True) for one in range(len(self.slots) - written)]
                continue
            place += candidate.count
            value += candidate.width
            own_stream, main_stream = state.homomorphism_stream, state.streams.state
            if own_stream is not None:
                state.streams.state = own_stream
            self.at_top = False
            self.unfold(rules, candidate, start - 1, start + 1)
            self.at_top = True
            if own_stream is not None:
                state.homomorphism_stream, state.streams.state = state.streams.state, main_stream
            self.ends.append((start, len(self.slots), False))

    def emit(self, piece: Piece, place: int, value: int) -> tuple[int, int]:
        """Write a module, and those that the turtle reads together with it: these are not rewritten."""
        symbols, kind_of, counts = self.state.table.symbols, self.state.kind_of, self.state.counts
        slots, values = piece
        kind = kind_of[slots[place]]
        place, value = super().emit(piece, place, value)
        symbol = symbols[kind]
        taken = 0
        if symbol in "@~?":
            kinds = [kind_of[slot] for slot in slots[place : place + 2]]
            taken = behind(symbol, counts[kind], [(symbols[one], counts[one]) for one in kinds])
        for _ in range(taken):
            place, value = super().emit(piece, place, value)
        if taken == 2:
            last = kind_of[slots[place - 1]]
            is_cut = symbols[kind_of[slots[place - 2]]] + symbols[last] == "mc"
            if is_cut and counts[last] and values[value - counts[last]] == 1.0:
                return self.skipped(piece, place, value)
        if (
            symbol == "%" and self.at_top and not counts[kind] and not self.state.program.beside.view.draws_past_cut
        ):
            end = self.outer.end_of_cut(place)
            value = self.outer.first[end] if end < len(slots) else len(values)
            place = end
        return place, value

    def skipped(self, piece: Piece, place: int, value: int) -> tuple[int, int]:
        """Go over what `@mc(1)` cuts: up to the end of the branch, of the call or of what a rule gives, or up to a cut
        with a number."""
        kinds, kind_of = list(self.state.table.kinds), self.state.kind_of
        slots = piece[0]
        branches = calls = 0
        while place < len(slots):
            symbol, count = kinds[kind_of[slots[place]]]
            branches += (symbol == "[") - (symbol == "]")
            calls += (symbol == "?" and count > 0) - (symbol == "$")
            if branches < 0 or calls < 0 or (symbol == "%" and count):
                break
            place, value = place + 1, value + count
        return place, value
