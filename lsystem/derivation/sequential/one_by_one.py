# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces the modules of strings from left to right, as cpfg does: statements, choices by weight, decomposition, cuts.

One object derives one string: it has the text's variables, which statements change from module to module.
"""


import numpy as np

from ...base.errors import LSystemError
from ...base.module_string import ModuleString, SlotTable, single
from ...expressions.closures import Compiler, Registers, Surroundings
from ...expressions.state import Block
from ...language.grammar import Grammar
from ...language.program import Program
from ..limits import Limits, Replaced
from .calls import Calls, Own
from .candidates import Candidate, CompiledRules, Piece, parameters_of
from .effects import Effects
from .outer_string import OuterString, counts_of
from .random_streams import RandomStreams

_CUT = "%"
COST = 4
"""One module at a time takes so many times as long as many at once."""


class OneByOne:
    """The state of one derivation."""

    def __init__(
        self, grammar: Grammar, program: Program, seed: int, limits: Limits, caller: "OneByOne | None" = None
    ) -> None:
        """caller: the L-system by which this one is called; they share random numbers and what functions have asked
        for."""
        self.grammar = grammar
        self.program = program
        self.table: SlotTable = grammar.table
        self.limits = limits
        self.streams: RandomStreams = caller.streams if caller else RandomStreams(program.seed or 0, seed)
        self.effects: Effects = caller.effects if caller else Effects(self.streams, program.beside, grammar.steps)
        self.surroundings = Surroundings(program.arrays, self.effects.table, limits.max_loops)
        self.registers: Registers = [0.0] * program.registers
        self.registers[1] = float(program.length)
        self.counts = counts_of(self.table)
        self.rules, self.decomposition, self.interpretation = (
            CompiledRules(rules, self.table, self.surroundings, self.counts)
            for rules in (grammar.rules, grammar.decomposition, grammar.interpretation)
        )
        self.kind_of = self.rules.kind_of
        self.cuts = [symbol == _CUT and not count for symbol, count in self.table.kinds]
        self.homomorphism_stream: int | None = None
        self.decomposes = self.decomposition.any and self.decomposition.depth > 0
        self.applications = 0
        self.most_applications = limits.max_rewrites // COST
        self.calls: Calls | None = None
        if caller is not None:
            return
        self.run(program.start)
        templates = grammar.axiom.successor
        parameters = parameters_of(templates, Compiler(self.surroundings))(self.registers)
        self.axiom = self.string([template.slot for template in templates], parameters.tolist(), 0.0)
        if grammar.others:
            others = {
                number: OneByOne(other, other.program, seed, limits, self)
                for number, other in grammar.others.items() if other.program is not None
            }  # fmt: skip
            self.calls = Calls({program.number: self, **others}, program.number)
            self.calls.begin(self.axiom)

    def run(self, block: Block) -> None:
        """Run statements that stand outside of productions."""
        action = Compiler(self.surroundings).block(block)
        if action is not None:
            action(self.registers)

    def string(self, slots: list[int], values: list[float], time: float) -> ModuleString:
        """Modules that are all new."""
        return ModuleString(
            self.table,
            np.array(slots, dtype=np.int32),
            np.array(values, dtype=np.float64),
            np.full(len(slots), time, dtype=np.int32),
            time,
        )

    def step(self, string: ModuleString, step: int, where: str) -> Replaced:
        """One derivation step, with the statements around it. Raises `LSystemError`."""
        self.registers[0] = float(step)
        self.run(self.program.start_each)
        if self.calls is None:
            replaced = _Step(self, string, where).replaced(float(step))
        else:
            replaced = self.stepped(string, step, where, self.calls)
        self.run(self.program.end_each)
        if step == self.effects.steps:
            self.run(self.program.end)
        return replaced

    def interpreted(self, string: ModuleString, where: str) -> Replaced:
        """The string as the turtle follows it: with its interpretation rules applied."""
        seed = self.program.interpretation_seed
        self.homomorphism_stream = None if seed is None else self.streams.state_of(seed)
        interpretation = _Interpretation(self, string, where)
        if self.calls is None:
            return interpretation.replaced(string.time)
        for part in self.calls.parts(string):
            other = interpretation
            if part.system is not self:
                other = _Interpretation(part.system, string, where, interpretation)
            if part.begins:
                part.system.enter(part.own, string.time)
            other.replace_part(part.first, part.end)
            if part.ends:
                part.system.leave(part.own)
        return interpretation.result(string.time, inherits=True)

    def stepped(self, string: ModuleString, step: int, where: str, calls: "Calls") -> Replaced:
        """One step of all L-systems that are called, each with variables of its own."""
        first = _Step(self, string, where)
        for part in calls.parts(string):
            system = part.system
            if part.begins:
                system.enter(part.own, float(step))
                if not part.own.begun:
                    part.own.begun = True
                    system.run(system.program.start)
                system.run(system.program.start_each)
            (first if system is self else _Step(system, string, where, first)).replace_part(part.first, part.end)
            if part.ends:
                system.run(system.program.end_each)
                if step == self.effects.steps:
                    system.run(system.program.end)
                system.leave(part.own)
        replaced = first.result(float(step), inherits=False)
        calls.go_on(string, replaced, first.ends)
        return replaced

    def enter(self, own: Own, time: float) -> None:
        """Take on the variables of one that is called."""
        self.registers = own.registers
        self.registers[0] = time
        for array, kept in zip(self.surroundings.values, own.arrays, strict=True):
            array[:] = kept

    def leave(self, own: Own) -> None:
        """Put the arrays by."""
        for array, kept in zip(self.surroundings.values, own.arrays, strict=True):
            kept[:] = array

    def called(self, length: float) -> Own:
        """Variables for one more that is called."""
        own = Own([0.0] * self.program.registers, [list(array.values) for array in self.program.arrays])
        own.registers[1] = length
        return own

    def applied(self, candidate: Candidate) -> Piece:
        """What a candidate gives, whose parameters are in their registers."""
        if candidate.after is not None:
            candidate.after(self.registers)
        return candidate.slots, candidate.parameters(self.registers).tolist()


class _Output:
    """A string that is being written, module by module, from those of another."""

    def __init__(
        self, state: OneByOne, string: ModuleString, where: str, shared: "_Output | None" = None
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
        state.applications += 1
        if state.applications > state.most_applications:
            raise self.error(candidate, f"goes beyond {state.most_applications} replacements one by one")
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
        return Replaced(ModuleString(old.table, np.array(self.slots, dtype=np.int32), values, born, time), origin)


class _Step(_Output):
    """One step of a derivation."""

    def replaced(self, time: float) -> Replaced:
        """The string after the step."""
        self.replace_part(0, len(self.outer.slots))
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
            elif state.cuts[kind]:
                place = min(outer.end_of_branch(place), n)
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
        for candidate in rules.by_kind[rules.kind_of[piece[0][place]]]:
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


class _Interpretation(_Output):
    """The string that the turtle follows."""

    at_top = True
    """Whether what is written is a module of the string itself, which no rule has made."""

    def replaced(self, time: float) -> Replaced:
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
        if symbol in ("~", "@") or (symbol == "?" and not counts[kind]):
            if place < len(slots):
                second = kind_of[slots[place]]
                place, value = super().emit(piece, place, value)
                if symbol == "@" and symbols[second] in _PAIRS and not counts[second] and place < len(slots):
                    place, value = super().emit(piece, place, value)
        elif (
            symbol == _CUT and self.at_top and not counts[kind] and not self.state.program.beside.view.draws_past_cut
        ):
            end = self.outer.end_of_branch(place)
            value = self.outer.first[end] if end < len(slots) else len(values)
            place = end
        return place, value


_PAIRS = frozenset("PTGmDb")
"""Second letters of the turtle's words of three, such as @Gs."""


