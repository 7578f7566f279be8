# SPDX-License-Identifier: GPL-3.0-or-later
"""Replaces the modules of strings from left to right, as cpfg does: statements, choices by weight, decomposition, cuts.

One object derives one string: it has the text's variables, which statements change from module to module.
"""

import numpy as np

from ...base.errors import LSystemError
from ...base.module_string import ModuleString, SlotTable
from ...expressions.closures import Action, Compiler, Registers, Rounds, Surroundings
from ...expressions.state import Block, size_of
from ...language.grammar import Grammar
from ...language.program import Program
from ..limits import Effort, Limits, Replaced
from .calls import Calls, Own
from .candidates import Candidate, CompiledRules, Piece, parameters_of
from .effects import Effects
from .interpretation import Interpretation
from .one_step import Step
from .outer_string import counts_of
from .random_streams import RandomStreams

_CUT = "%"
_NODES = 24
"""Of statements that take as long as one module over arrays."""

class OneByOne:
    """The state of one derivation."""

    def __init__(
        self, grammar: Grammar, program: Program, seed: int, limits: Limits, effort: Effort,
        caller: "OneByOne | None" = None,
    ) -> None:
        """caller: the L-system by which this one is called; they share random numbers and what functions have asked
        for. effort: what the derivation may still do in all."""
        self.grammar = grammar
        self.program = program
        self.table: SlotTable = grammar.table
        self.limits = limits
        self.effort = effort
        self.streams: RandomStreams = caller.streams if caller else RandomStreams(program.seed or 0, seed, effort)
        self.effects: Effects = caller.effects if caller else Effects(
            self.streams, program.beside, grammar.steps, effort, grammar.steps > program.length
        )
        rounds = caller.surroundings.rounds if caller else Rounds(limits.max_loops)
        self.surroundings: Surroundings = Surroundings(program.arrays, self.effects.table, rounds)
        self.registers: Registers = [0.0] * program.registers
        self.registers[1] = float(program.length)
        self.counts = counts_of(self.table)
        self.rules: CompiledRules
        self.decomposition: CompiledRules
        self.interpretation: CompiledRules
        self.rules, self.decomposition, self.interpretation = (
            CompiledRules(rules, self.table, self.surroundings, self.counts, effort)
            for rules in (grammar.rules, grammar.decomposition, grammar.interpretation)
        )
        self.kind_of = self.rules.kind_of
        self.cuts = [symbol == _CUT and count < 2 for symbol, count in self.table.kinds]
        self.kept: dict[int, tuple[int, float]] = {}
        """Of the string that is replaced next: places of cuts with a number, the number of the turtle there, and
        that of the cut, in whose place cpfg puts another."""
        behind = self.table.kinds.get((_CUT, 2))
        self.behind = -1 if behind is None else self.table.kind_of.tolist().index(behind)
        """The slot of the module that stands before a part that was cut and kept."""
        self.homomorphism_stream: int | None = None
        self.compiled: dict[int, tuple[Action | None, int]] = {}
        """Blocks that stand outside of productions: what they do, and what that takes."""
        self.decomposes = self.decomposition.any and self.decomposition.depth > 0
        self.calls: Calls | None = None
        if caller is not None:
            return
        self.run(program.start)
        self.length = self.effects.steps
        """Steps of the derivation, which what is said of them later does not change."""
        templates = grammar.axiom.successor
        parameters = parameters_of(templates, Compiler(self.surroundings))(self.registers)
        self.axiom = self.string([template.slot for template in templates], parameters.tolist(), 0.0)
        self.effects.stopped = False  # steps begin, whatever has been said before
        if grammar.others:
            others = {
                number: OneByOne(other, other.program, seed, limits, effort, self)
                for number, other in grammar.others.items() if other.program is not None
            }  # fmt: skip
            self.calls = Calls({program.number: self, **others}, program.number)
            self.calls.begin(self.axiom)

    def run(self, block: Block) -> None:
        """Run statements that stand outside of productions."""
        if id(block) not in self.compiled:
            self.compiled[id(block)] = Compiler(self.surroundings).block(block), size_of(block) // _NODES
        action, cost = self.compiled[id(block)]
        if action is not None:
            self.work(cost)
            action(self.registers)

    def work(self, cost: int) -> None:
        """Count what is done. Raises `LSystemError` if it is too much in all."""
        if not self.effort.take(cost):
            counted = "blocks around steps, calls of other L-systems and their arrays count too"
            message = f"the work goes beyond that of {self.effort.most} replacements: {counted}"
            raise LSystemError(message, source=self.grammar.source)

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
        is_last = step == self.length and step >= self.effects.steps
        self.run(self.program.start_each)
        if self.calls is None:
            replaced = Step(self, string, where).replaced(float(step))
        else:
            replaced = self.stepped(string, step, where, self.calls, is_last)
        self.run(self.program.end_each)
        if is_last:
            self.run(self.program.end)
        return replaced

    def interpreted(self, string: ModuleString, where: str) -> Replaced:
        """The string as the turtle follows it: with its interpretation rules applied."""
        seed = self.program.interpretation_seed
        self.homomorphism_stream = None if seed is None else self.streams.state_of(seed)
        interpretation = Interpretation(self, string, where)
        if self.calls is None:
            return interpretation.replaced(string.time)
        others = {id(self): interpretation}
        for part in self.calls.parts(string):
            self.work(part.cost)
            other = others.get(id(part.system))
            if other is None:
                other = others[id(part.system)] = Interpretation(part.system, string, where, interpretation)
            if part.begins:
                part.system.enter(part.own, string.time)
            for one in part.shared:
                one.take(part.system)
            other.replace_part(part.first, part.end)
            for one in part.shared:
                one.give_back(part.system)
            if part.ends:
                part.system.leave(part.own)
        return interpretation.result(string.time, inherits=True)

    def stepped(self, string: ModuleString, step: int, where: str, calls: "Calls", is_last: bool) -> Replaced:
        """One step of all L-systems that are called, each with variables of its own."""
        first = Step(self, string, where)
        steps = {id(self): first}
        for part in calls.parts(string):
            self.work(part.cost)
            system = part.system
            if part.begins:
                system.enter(part.own, float(step))
            for one in part.shared:
                one.take(system)
            if part.begins:
                if not part.own.begun:
                    part.own.begun = True
                    system.run(system.program.start)
                system.run(system.program.start_each)
            if id(system) not in steps:
                steps[id(system)] = Step(system, string, where, first)
            steps[id(system)].replace_part(part.first, part.end)
            if part.ends:
                system.run(system.program.end_each)
                if is_last:
                    system.run(system.program.end)
            for one in part.shared:
                one.give_back(system)
            if part.ends:
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
        self.work(self.program.registers + sum(len(array.values) for array in self.program.arrays))
        own = Own([0.0] * self.program.registers, [list(array.values) for array in self.program.arrays])
        own.registers[1] = length
        return own

    def applied(self, candidate: Candidate) -> Piece:
        """What a candidate gives, whose parameters are in their registers."""
        if candidate.after is not None:
            candidate.after(self.registers)
        return candidate.slots, candidate.parameters(self.registers).tolist()
