# SPDX-License-Identifier: GPL-3.0-or-later
"""Derivation: all modules of a string are replaced in parallel, step by step."""

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

import numpy as np

from ..base.between_steps import Derived
from ..base.brackets import depths, uncut_mask
from ..base.errors import ExpressionError, LSystemError
from ..base.module_string import ModuleString
from ..environment.solids.solids import Solids
from ..language.grammar import Grammar
from ..language.parser import MAX_STEPS, parse
from ..turtle.asking import answered
from ..turtle.cpfg_turtle import CpfgTurtle
from .among import solids_of
from .limits import Effort, Limits, Replaced
from .rewriting import Rewriter, in_single
from .sequential.one_by_one import OneByOne
from .sequential.output import COST

_SOONEST = 1e-9
"""Steps; what has just begun to grow is not nothing, so that every size stays above 0."""


def derive(
    grammar: Grammar,
    steps: float | None = None,
    seed: int = 0,
    constants: Mapping[str, float] | None = None,
    limits: Limits | None = None,
    interpreted: bool = True,
    solids: Solids | None = None,
    told: Callable[[float], object] | None = None,
) -> ModuleString:
    """The module string after ``steps`` derivation steps (by default as many as the text asks for).

    A module is replaced by the successor of the first production that fits: symbol, parameter count and context match
    and the condition holds. If that one has a weight, one is drawn among all with a weight that fit. Without any the
    module stays. Random numbers are drawn from left to right, so one seed gives one string. In the last string the
    interpretation rules are applied, unless ``interpreted`` is False; `interpret` draws either. ``steps`` need not be
    whole: then the string is the one after the last whole step, its modules older by the fraction.
    ``constants`` replaces values of ``let`` lines (the materials and headers of ``grammar`` itself stay as they are;
    `parse` with the same constants changes these too).
    ``solids`` stand around the plant, in metres, in place of the text's own.
    ``told`` is called before each step with the share of the steps that is done; what it raises ends the derivation.
    Raises `LSystemError` if an expression fails or if a limit is exceeded; it names the step.
    """
    if constants:
        grammar = parse(grammar.text, grammar.source, constants)
    derivation = _Derivation(grammar, steps, seed, limits, solids)
    string = derivation.first_string()
    step = 0
    while not derivation.is_over(step):
        if told is not None:
            told(step / derivation.steps)
        step += 1
        string = derivation.step(string, step).string
    string.time = derivation.steps
    return derivation.interpreted(string).string if interpreted else string


def derive_at(
    grammar: Grammar, ages: Collection[int], seed: int = 0, limits: Limits | None = None, solids: Solids | None = None
) -> Iterator[ModuleString]:
    """The strings after so many steps, from the youngest on, each as `derive` gives it, in the time of the oldest.

    The limits hold for all of them together. Raises `LSystemError` as `derive` does, and for files of cpfg, whose
    interpretation may change what the next step finds.
    """
    if grammar.program is not None:
        raise LSystemError("a file of cpfg is derived to one age at a time", source=grammar.source)
    derivation = _Derivation(grammar, max(ages), seed, limits, solids)
    string, step = derivation.first_string(), 0
    for age in sorted(ages):
        while step < age:
            step += 1
            string = derivation.step(string, step).string
        yield derivation.interpreted(replace(string, time=float(age))).string


def derive_between(
    grammar: Grammar, steps: float, seed: int = 0, limits: Limits | None = None, solids: Solids | None = None
) -> Derived:
    """The strings before and after a time that is not whole, interpretation rules applied; see `derive`."""
    derivation = _Derivation(grammar, steps, seed, limits, solids)
    before = derivation.first_string()
    last = max(math.ceil(derivation.steps), 1)
    step = 0
    while step < last - 1 and not derivation.has_stopped():
        step += 1
        before = derivation.step(before, step).string
    replaced = _itself(before) if derivation.has_stopped() else derivation.step(before, last)
    drawn_before, drawn_after = derivation.interpreted(before), derivation.interpreted(replaced.string)
    drawn_after.string.time = derivation.steps
    return Derived(
        drawn_before.string,
        drawn_after.string,
        drawn_before.origin,
        replaced.origin[drawn_after.origin],
        max(derivation.steps - (last - 1), _SOONEST),
    )


class _Derivation:
    def __init__(
        self, grammar: Grammar, steps: float | None, seed: int, limits: Limits | None, solids: Solids | None
    ) -> None:
        self.grammar = grammar
        self.limits = limits or Limits()
        generator = np.random.default_rng(seed)
        self.solids = solids_of(grammar, solids)
        self.environment = grammar.environment and grammar.environment.among(self.solids)
        self.effort = Effort(self.limits)
        self.rules = Rewriter(grammar, grammar.rules, generator, self.effort, self.solids)
        self.decomposition = Rewriter(grammar, grammar.decomposition, generator, self.effort, self.solids)
        self.seed = seed
        program = grammar.program
        self.program = program
        self.turtle = None if program is None else CpfgTurtle(program.beside.view)
        self.before_empty: ModuleString | None = None
        """The string of which nothing was left, if nothing is left of it now."""
        self.cuts = 0
        """Parts with a number that have been cut so far."""
        self.state: OneByOne | None = None
        if program is not None and not (program.over_arrays and program.draws_over_arrays):
            self.state = OneByOne(grammar, program, seed, self.limits, self.effort)
        if steps is None:  # statements at the start may have said another length
            steps = grammar.steps if self.state is None else max(self.state.length, 0)
        if not 0 <= steps <= MAX_STEPS:
            raise LSystemError(f"cannot derive {steps} steps (0 to {MAX_STEPS})", source=grammar.source)
        self.steps = steps
        self.whole_steps = math.floor(steps)

    def first_string(self) -> ModuleString:
        """The axiom, whose modules that ask are answered already if the view says so."""
        string = self.axiom()
        return self.told(string) if self.grammar.asks and self.asks_before() else string

    def asks_before(self) -> bool:
        """Whether modules are answered behind each step, before its string is drawn."""
        return self.program is not None and self.program.beside.view.asks_before

    def axiom(self) -> ModuleString:
        if self.state is not None:
            self.check(self.state.axiom, "the axiom")
            return self.state.axiom
        string = self.rules.axiom()
        self.check(string, "the axiom")
        if self.program is not None:
            return string
        return self.repeated(self.decomposition, _itself(string), 0, "the axiom").string

    def step(self, string: ModuleString, step: int) -> Replaced:
        """One derivation step; modules that ask are answered before it, or after it if the view says so."""
        if not self.grammar.asks:
            return self.replaced_once(string, step)
        after = self.asks_before()
        replaced = self.replaced_once(string if after else self.told(string), step)
        return Replaced(self.told(replaced.string), replaced.origin) if after else replaced

    def told(self, string: ModuleString) -> ModuleString:
        """The string with what its modules ask for in their parameters, as far as they have any."""
        asking = string.flags(symbol for symbol in string.table.symbols if symbol[0] in "?%s")
        # where rules draw random numbers of all, the string is interpreted in any case, as cpfg does
        if not asking.any() and not (self.program is not None and self.grammar.interpretation.productions):
            return string
        drawn = self.interpreted(string)
        self.count(COST * len(drawn.string), string, "what asks where it is")
        values = string.values.copy()
        found = answered(drawn.string, self.grammar, self.turtle)
        answers: dict[int, tuple[float, ...]] = dict(found.answers)
        answers |= self.environment_tells(drawn.string, answers)
        for place, answer in answers.items():
            module = int(drawn.origin[place])
            # what the interpretation rules have made is gone with them
            if drawn.string.slots[place] == string.slots[module]:
                first, count = string.first[module], min(string.parameters[module], len(answer))
                values[first : first + count] = answer[:count]
        turtles = dict(string.turtles)
        if self.state is not None:
            cuts = {int(drawn.origin[place]): turtle for place, turtle in found.turtles.items()
                    if drawn.string.slots[place] == string.slots[drawn.origin[place]]}  # fmt: skip
            self.state.kept = {}
            for index, (place, turtle) in enumerate(cuts.items()):
                first = string.first[place]
                self.state.kept[place] = self.cuts, float(string.values[first])
                turtles[self.cuts] = turtle
                values[first] = _as_cpfg_keeps(index)
                self.cuts += 1
        return replace(string, values=values if self.program is None else in_single(values), turtles=turtles)

    def environment_tells(
        self, string: ModuleString, places: Mapping[int, tuple[float, ...]]
    ) -> dict[int, tuple[float, ...]]:
        """What the modules of a string that ask the environment are told, by their places in it."""
        asks = string.flags(("E", "?E"))
        modules = [place for place in places if asks[place]]
        environment = self.environment
        if environment is None or not modules:
            return dict.fromkeys(modules, ())
        at = np.array([places[module] for module in modules], dtype=np.float64)
        sent = [string[module].params for module in modules]
        for module, place, parameters in zip(modules, at.tolist(), sent, strict=True):
            if not all(map(math.isfinite, (*place, *parameters))):
                raise string.error(module, "{module} asks the environment with what is no finite number, or from there")
        cost = environment.cost(at)
        self.effort.asked -= cost
        if self.effort.asked < 0 or cost > self.limits.max_rewrites:
            message = "{module} and others like it ask the environment for too much: ask less often"
            raise string.error(modules[0], f"{message}, have wider cells or fewer layers, or derive fewer steps")
        return dict(zip(modules, environment.answers(at, sent), strict=True))

    def replaced_once(self, string: ModuleString, step: int) -> Replaced:
        """One replacement by the productions, and the decomposition of what it makes."""
        where = f"derivation step {step}"
        if self.state is not None and self.program is not None and not self.program.over_arrays:
            during = f"{where} of {math.ceil(self.steps)}"
            self.count(COST * len(string), string, during)
            try:
                replaced = self.state.step(string, step, where)
            except ExpressionError as error:
                raise error.during(during) from None
            self.check(replaced.string, where)
            return self.brought_back(string, replaced)
        uncut = uncut_mask(string)
        kept = string if uncut is None else string.part(uncut)
        replaced = self.replaced(self.rules, kept, step, where, f"{where} of {math.ceil(self.steps)}")
        if uncut is not None:
            replaced = Replaced(replaced.string, np.flatnonzero(uncut)[replaced.origin])
        decomposed = self.repeated(self.decomposition, replaced, step, where)
        return decomposed if self.program is None else self.brought_back(string, decomposed)

    def brought_back(self, string: ModuleString, replaced: Replaced) -> Replaced:
        """What a step gives of a string: of an empty one, with cpfg, the string before it.

        cpfg writes into the memory of the string before last, and for an empty string nothing at all. Where other
        L-systems are called an empty string stays empty: their variables are gone with it.
        """
        former, self.before_empty = self.before_empty, None
        if len(replaced.string) or (self.state is not None and self.state.calls is not None):
            return replaced
        if len(string):
            self.before_empty = string
            return replaced
        if former is None:
            return replaced
        back = replace(former, born=np.full_like(former.born, replaced.string.time), time=replaced.string.time)
        return _itself(back)

    def interpreted(self, string: ModuleString) -> Replaced:
        """The string with its interpretation rules applied."""
        if self.state is not None and self.program is not None and not self.program.draws_over_arrays:
            self.count(COST * len(string), string, "the interpretation")
            try:
                replaced = self.state.interpreted(string, "the interpretation")
            except ExpressionError as error:
                raise error.during("the interpretation") from None
            self.check(replaced.string, "the interpretation")
            return replaced
        # its own random numbers, the same at every age, and others than those of the derivation
        generator = np.random.default_rng([self.seed, 1])
        rules = Rewriter(self.grammar, self.grammar.interpretation, generator, self.effort, self.solids)
        return self.repeated(rules, _itself(string), string.time, "the interpretation")

    def repeated(self, rules: Rewriter, replaced: Replaced, time: float, where: str) -> Replaced:
        """What rules make of a string that they are applied to as often as they say."""
        for _ in range(rules.depth if rules.productions else 0):
            further = self.replaced(rules, replaced.string, time, where, where, inherits=True)
            if further.string is replaced.string:
                break
            replaced = Replaced(further.string, replaced.origin[further.origin])
        return replaced

    def replaced(
        self, rules: Rewriter, string: ModuleString, time: float, where: str, during: str, inherits: bool = False
    ) -> Replaced:
        """One replacement within the limits; the same string where no production applies."""
        self.count(len(string), string, during)
        try:
            replaced = rules.replace(string, time, self.limits, where, inherits)
        except ExpressionError as error:
            raise error.during(during) from None
        if replaced is None:
            return _itself(string)
        self.check(replaced.string, where)
        return replaced

    def count(self, modules: int, string: ModuleString, during: str) -> None:
        """Count the modules that are looked at. Raises `LSystemError` if these are too many in all."""
        if not self.effort.take(modules):
            message = f"{during} goes beyond {self.limits.max_rewrites} replacements in all"
            raise string.error(_of_commonest_kind(string), f"{message}; most modules are like this one")

    def is_over(self, step: int) -> bool:
        """Whether no step comes after one: there are enough, or the text itself wants no more."""
        return step >= self.whole_steps or self.has_stopped()

    def has_stopped(self) -> bool:
        """Whether the text wants no further step."""
        return self.state is not None and self.state.effects.stopped

    def check(self, string: ModuleString, where: str) -> None:
        if len(string) > self.limits.max_modules:
            raise string.error(-1, f"{where} gives more than {self.limits.max_modules} modules")
        finite = np.isfinite(string.values)
        if self.program is None and not finite.all():
            module = int(np.argmax(string.first + string.parameters > np.argmin(finite)))
            raise string.error(module, f"{where} gives a parameter that is not a finite number: {{module}}")
        depth = depths(string)
        if depth.max(initial=0) > self.limits.max_depth:
            raise string.error(int(np.argmax(depth)), f"{where} nests brackets more than {self.limits.max_depth} deep")


def _itself(string: ModuleString) -> Replaced:
    return Replaced(string, np.arange(len(string)))


def _as_cpfg_keeps(index: int) -> float:
    """What is read from a parameter into which cpfg has put a whole number, bit by bit."""
    return float(np.array(index, dtype=np.int32).view(np.float32))


def _of_commonest_kind(string: ModuleString) -> int:
    """The first module of those that there are most of."""
    return int(np.argmax(string.kinds == np.argmax(np.bincount(string.kinds))))
