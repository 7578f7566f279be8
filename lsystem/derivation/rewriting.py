# SPDX-License-Identifier: GPL-3.0-or-later
"""One parallel replacement of all modules of a string, over flat arrays.

Modules are grouped by kind; conditions and parameters are evaluated for a whole group at once. Random numbers are
given out from left to right along the string, so one seed gives one string.
"""

from dataclasses import dataclass

import numpy as np

from ..base.errors import ExpressionError, LSystemError
from ..base.module_string import Floats, Integers, Module, ModuleString, SlotTable, ends
from ..expressions.functions import Value
from ..expressions.nodes import Rows
from ..language.grammar import Grammar, Production, Rules
from .contexts import Neighbours

_NO_RULE = -1


@dataclass(frozen=True)
class Bounds:
    """What a replacement may come to."""

    modules: int
    values: int


@dataclass(frozen=True)
class Replaced:
    """A string, and for each of its modules the one of the string before that it comes from."""

    string: ModuleString
    origin: Integers


class TooMuchError(Exception):
    """The string would have more modules or parameters than the bounds allow: ``what`` of these.

    ``production`` makes most of them.
    """

    def __init__(self, what: str, production: Production) -> None:
        super().__init__(what)
        self.what = what
        self.production = production


@dataclass
class _Match:
    """The modules that one production replaces, and the columns of its names."""

    modules: Integers
    columns: list[Value]


class Rewriter:
    """Replaces strings by the productions of one set of rules."""

    def __init__(self, grammar: Grammar, rules: Rules, generator: np.random.Generator) -> None:
        self.grammar = grammar
        self.table: SlotTable = grammar.table
        self.generator = generator
        self.productions = rules.productions
        self.of_kind: dict[int, list[int]] = {}
        for number, production in enumerate(rules.productions):
            self.of_kind.setdefault(production.kind, []).append(number)
        self.has_context = any(production.left or production.right for production in rules.productions)
        self.has_clock = any(production.knows_age for production in rules.productions)
        # one entry more, which answers for modules that no production replaces
        successors = [production.successor for production in rules.productions]
        self.lengths = np.array([*map(len, successors), 1], dtype=np.int64)
        self.value_counts = np.array(
            [*(sum(len(t.parameters) for t in successor) for successor in successors), 0], dtype=np.int64
        )
        self.starts = ends(self.lengths) - self.lengths
        slots = [template.slot for successor in successors for template in successor]
        self.slots = np.array([*slots, 0], dtype=np.int32)
        self.draws = np.array([*(production.successor_draws for production in rules.productions), 0], dtype=np.int64)
        decisions = np.zeros(len(self.table.kinds), dtype=np.int64)
        for kind, numbers in self.of_kind.items():
            decisions[kind] = self.decision_draws(numbers)
        self.decisions = decisions

    def decision_draws(self, numbers: list[int]) -> int:
        """Random numbers it takes to choose among productions."""
        chosen = [self.productions[number] for number in numbers]
        return sum(p.condition_draws for p in chosen) + any(p.weight is not None for p in chosen)

    def axiom(self) -> ModuleString:
        """The string that the axiom of the grammar stands for."""
        axiom = self.grammar.axiom
        draws = self.generator.random(axiom.successor_draws).reshape(1, -1)
        with np.errstate(all="ignore"):
            values = [p.values(Rows(1, draws=draws)) for t in axiom.successor for p in t.parameters]
        flat = np.array([float(np.ravel(value)[0]) for value in values], dtype=np.float64)
        return ModuleString(self.table, np.array([t.slot for t in axiom.successor], dtype=np.int32), flat)

    def replace(self, string: ModuleString, time: float, bounds: Bounds, inherits: bool = False) -> Replaced | None:
        """The string after one replacement at a time; None if no production applies anywhere.

        New modules are born then, or, if they inherit, as old as those they replace.
        Raises `LSystemError` if an expression fails, and `TooMuchError`.
        """
        rule = np.full(len(string), _NO_RULE, dtype=np.int64)
        with np.errstate(all="ignore"):
            matches = self.choose(string, rule, time)
            if not matches:
                return None
            return self.written(string, rule, matches, time, bounds, inherits)

    def choose(self, string: ModuleString, rule: Integers, time: float) -> dict[int, _Match]:
        """Find the production of every module; writes their numbers into ``rule``."""
        draws, draw_ends = self.drawn(self.decisions[string.kinds])
        neighbours = None
        if self.has_context and len(string):
            neighbours = Neighbours(string, self.grammar.ignored, self.grammar.considered)
        matches: dict[int, _Match] = {}
        for kind, modules in self.groups(string):
            numbers = self.of_kind[kind]
            count = int(string.table.parameters_of[string.slots[modules[0]]])
            columns = self.columns(string, modules, count)
            sites = int(self.decisions[kind])
            own_draws = self.rows_of(draws, draw_ends, modules, sites)
            chooser = _Chooser(self, string, neighbours, time, modules, columns, own_draws)
            for number, match in chooser.choose(numbers).items():
                rule[match.modules] = number
                matches[number] = match
        return matches

    def groups(self, string: ModuleString) -> list[tuple[int, Integers]]:
        """Kinds that have productions, with the modules of each in the order of the string."""
        kinds = string.kinds
        if len(self.of_kind) <= 8:
            found = [(kind, np.flatnonzero(kinds == kind)) for kind in self.of_kind]
            return [(kind, modules) for kind, modules in found if len(modules)]
        order = np.argsort(kinds.astype(np.uint16) if len(self.table.kinds) < 65536 else kinds, kind="stable")
        bounds = np.searchsorted(kinds[order], np.arange(len(self.table.kinds) + 1))
        found = [(kind, order[bounds[kind] : bounds[kind + 1]]) for kind in self.of_kind]
        return [(kind, modules) for kind, modules in found if len(modules)]

    @staticmethod
    def columns(string: ModuleString, modules: Integers, count: int) -> list[Value]:
        """A column for each parameter of modules of one kind."""
        if not count:
            return []
        first = string.first[modules]
        return [string.values[first + parameter] for parameter in range(count)]

    def drawn(self, counts: Integers) -> tuple[Floats, Integers]:
        """Random numbers for all modules from left to right, and where each module's end."""
        until = ends(counts)
        return self.generator.random(int(until[-1]) if len(until) else 0), until

    @staticmethod
    def rows_of(draws: Floats, until: Integers, modules: Integers, sites: int) -> Floats | None:
        """(len(modules), sites) random numbers of some modules that take as many."""
        if not sites:
            return None
        return draws[(until[modules] - sites)[:, None] + np.arange(sites)]

    def written(
        self, string: ModuleString, rule: Integers, matches: dict[int, _Match], time: float, bounds: Bounds,
        inherits: bool,
    ) -> Replaced:  # fmt: skip
        """The new string."""
        lengths = self.lengths[rule]
        stays = rule == _NO_RULE
        value_counts = np.where(stays, string.parameters, self.value_counts[rule])
        total, total_values = int(lengths.sum()), int(value_counts.sum())
        if total > bounds.modules or total_values > bounds.values:
            made = np.bincount(rule[~stays], lengths[~stays])
            what = f"{bounds.modules} modules" if total > bounds.modules else f"{bounds.values} parameters"
            raise TooMuchError(what, self.productions[int(np.argmax(made))])
        ahead = ends(lengths) - lengths
        values_ahead = ends(value_counts) - value_counts
        origin = np.repeat(np.arange(len(string)), lengths)
        # place in the row of all successors: where the rule's begins, plus how far into it
        slots = self.slots[np.repeat(self.starts[rule] - ahead, lengths) + np.arange(total)]
        born = string.born[origin] if inherits else np.full(total, time, dtype=np.int32)
        values = np.empty(total_values)
        if stays.any():
            slots[ahead[stays]] = string.slots[stays]
            born[ahead[stays]] = string.born[stays]
            values[np.repeat(stays, value_counts)] = string.values[np.repeat(stays, string.parameters)]
        draws, draw_ends = self.drawn(self.draws[rule])
        for number, match in matches.items():
            production = self.productions[number]
            own = self.rows_of(draws, draw_ends, match.modules, production.successor_draws)
            rows = self.rows(string, match.modules, match.columns, own, time)
            self.fill(string, production, rows, match.modules, values, values_ahead)
        new = ModuleString(self.table, slots, values, born)
        new.time = time
        return Replaced(new, origin)

    def fill(
        self, string: ModuleString, production: Production, rows: Rows, modules: Integers, values: Floats,
        values_ahead: Integers,
    ) -> None:  # fmt: skip
        """Evaluate and write the parameters of one production's successors."""
        place = values_ahead[modules]
        offset = 0
        try:
            for template in production.successor:
                for parameter in template.parameters:
                    values[place + offset] = parameter.values(rows)
                    offset += 1
        except ExpressionError as error:
            raise for_module(error, string, modules) from None

    def rows(
        self, string: ModuleString, modules: Integers, columns: list[Value], draws: Floats | None, time: float
    ) -> Rows:
        """What the expressions of a production are evaluated for."""
        age: Value = time - string.born[modules].astype(np.float64) if self.has_clock else 0.0
        return Rows(len(modules), tuple(columns), draws, age, float(time))


def for_module(error: ExpressionError, string: ModuleString, modules: Integers) -> LSystemError:
    """The error, naming the module that is to blame."""
    module = int(modules[error.row])
    symbol = string.table.symbols[string.kinds[module]]
    return error.during(f"for module {Module(symbol, string.params(module))}")


class _Chooser:
    """Chooses among the productions of the modules of one kind."""

    def __init__(
        self, rewriter: Rewriter, string: ModuleString, neighbours: Neighbours | None, time: float,
        modules: Integers, columns: list[Value], draws: Floats | None,
    ) -> None:  # fmt: skip
        self.rewriter = rewriter
        self.string = string
        self.neighbours = neighbours
        self.time = time
        self.modules = modules
        self.columns = columns
        self.draws = draws
        self.first_site = 0

    def choose(self, numbers: list[int]) -> dict[int, _Match]:
        """Production -> its modules: the first that fits, or by weight if this one has a weight."""
        chosen: dict[int, _Match] = {}
        weighted: list[tuple[int, Integers, list[Value], Floats]] = []
        free = np.ones(len(self.modules), dtype=np.bool_)
        waiting = np.zeros(len(self.modules), dtype=np.bool_)
        for number in numbers:
            production = self.rewriter.productions[number]
            among = np.flatnonzero(free if production.weight is None else free | waiting)
            fits, columns = self.fitting(production, among) if len(among) else (among, [])
            if len(fits):
                free[fits] = False
                if production.weight is None:
                    chosen[number] = _Match(self.modules[fits], columns)
                else:
                    waiting[fits] = True
                    weighted.append((number, fits, columns, self.weights(production, fits, columns)))
            self.first_site += production.condition_draws
        if weighted:
            self.by_weight(weighted, chosen)
        return chosen

    def fitting(self, production: Production, among: Integers) -> tuple[Integers, list[Value]]:
        """Which of some places a production fits, with the columns of these."""
        whole = len(among) == len(self.modules)
        columns = self.columns if whole else [_taken(column, among) for column in self.columns]
        if production.left or production.right:
            among, columns = self.in_context(production, among, columns)
        if production.condition is None or not len(among):
            return among, columns
        rows = self.rows(production, among, columns)
        try:
            holds = np.broadcast_to(np.not_equal(production.condition.values(rows), 0.0), len(among))
        except ExpressionError as error:
            raise for_module(error, self.string, self.modules[among]) from None
        if holds.all():
            return among, columns
        return among[holds], [_taken(column, holds) for column in columns]

    def rows(self, production: Production, among: Integers, columns: list[Value]) -> Rows:
        draws = None
        if self.draws is not None and production.condition_draws:
            draws = self.draws[among, self.first_site : self.first_site + production.condition_draws]
        return self.rewriter.rows(self.string, self.modules[among], columns, draws, self.time)

    def in_context(self, production: Production, among: Integers, columns: list[Value]) -> tuple[Integers, list[Value]]:
        """Keep the places whose context fits, and add the columns of its parameters."""
        assert self.neighbours is not None
        modules = self.modules[among]
        left_fits, left = self.neighbours.left(modules, production.left)
        right_fits, right = self.neighbours.right(modules, production.right)
        fits = left_fits & right_fits
        found = np.concatenate([left, right], axis=1)[fits]
        columns = [_taken(column, fits) for column in columns]
        string = self.string
        for context in found.T:
            count = int(string.parameters[context[0]]) if len(context) else 0
            first = string.first[context]
            columns += [string.values[first + parameter] for parameter in range(count)]
        return among[fits], columns

    def weights(self, production: Production, places: Integers, columns: list[Value]) -> Floats:
        """The production's weight for each of its modules."""
        assert production.weight is not None
        try:
            weights = np.broadcast_to(production.weight.values(self.rows(production, places, columns)), len(places))
        except ExpressionError as error:
            raise for_module(error, self.string, self.modules[places]) from None
        if (weights < 0.0).any():
            grammar = self.rewriter.grammar
            raise LSystemError(
                f"the weight of this production of {production.symbol} is negative", production.line,
                production.column, grammar.source,
            )  # fmt: skip
        return weights

    def by_weight(self, weighted: list[tuple[int, Integers, list[Value], Floats]], chosen: dict[int, _Match]) -> None:
        """Draw one production for each module; one whose weights are all 0 stays."""
        assert self.draws is not None
        sums = np.zeros((len(weighted) + 1, len(self.modules)))
        for row, (_, places, _, weights) in enumerate(weighted):
            sums[row + 1] = sums[row]
            sums[row + 1, places] += weights
        draw = self.draws[:, -1] * sums[-1]
        for row, (number, places, columns, _) in enumerate(weighted):
            taken = (sums[row, places] <= draw[places]) & (draw[places] < sums[row + 1, places])
            if taken.any():
                chosen[number] = _Match(self.modules[places[taken]], [_taken(column, taken) for column in columns])


def _taken(column: Value, chosen: np.ndarray) -> Value:
    return column if isinstance(column, float) else column[chosen]
