# SPDX-License-Identifier: GPL-3.0-or-later
"""One parallel replacement of all modules of a string, over flat arrays.

Modules are grouped by kind; conditions and parameters are evaluated for a whole group at once. Random numbers are
given out from left to right along the string, so one seed gives one string.
"""

from dataclasses import dataclass, replace

import numpy as np

from ..base.arrays import Flags, Floats, Integers
from ..base.errors import ExpressionError, LSystemError
from ..base.module_string import ModuleString, ends
from ..base.surface import Surface
from ..expressions.functions import Value
from ..expressions.nodes import Node, Rows, taken
from ..expressions.state import Assignment, Block, parts, size_of
from ..language.grammar import Context, Grammar, Production, Rules
from .contexts import Neighbours
from .limits import Effort, Limits, Replaced

_NO_RULE = -1
_NODES = 32
"""Of expressions that take as long for a module as it does itself."""
_CONTEXT, _NEIGHBOURS = 16, 4
"""What a module of a context counts for, in nodes, and what it takes for a module to know its neighbours."""


@dataclass
class _Match:
    """The modules that one production replaces, and the columns of its names."""

    modules: Integers
    columns: list[Value]

    def part(self, chosen: Flags | Integers) -> "_Match":
        """Some of them."""
        return _Match(self.modules[chosen], [taken(column, chosen) for column in self.columns])


class _RandomNumbers:
    """Even random numbers for all modules of a string from left to right, so many for each."""

    def __init__(self, generator: np.random.Generator, counts: Integers) -> None:
        self.ends = ends(counts)
        self.numbers = generator.random(int(self.ends[-1]) if len(counts) else 0)

    def of(self, modules: Integers, count: int) -> Floats | None:
        """(len(modules), count) the numbers of some modules that have as many."""
        if not count:
            return None
        return self.numbers[(self.ends[modules] - count)[:, None] + np.arange(count)]


class Rewriter:
    """Replaces strings by the productions of one set of rules."""

    def __init__(
        self, grammar: Grammar, rules: Rules, generator: np.random.Generator, effort: Effort,
        surface: Surface | None = None,
    ) -> None:
        self.grammar = grammar
        self.effort = effort
        self.table = grammar.table
        self.generator = generator
        self.surface = surface
        self.productions = rules.productions
        self.depth = rules.depth
        self.of_kind: dict[int, list[int]] = {}
        for number, production in enumerate(self.productions):
            self.of_kind.setdefault(production.kind, []).append(number)
        self.has_context = any(production.left or production.right for production in self.productions)
        self.single = grammar.program is not None
        """Whether parameters are kept in single precision."""
        self.has_clock = any(production.knows_age for production in self.productions)
        self.trying = [_size_of_conditions(production) // _NODES for production in self.productions]
        self.applying = [
            (sum(len(parts(node)) for template in production.successor for node in template.parameters)
             + size_of(production.after)) // _NODES
            for production in self.productions
        ]
        # one entry more, which answers for modules that no production replaces
        successors = [production.successor for production in self.productions]
        self.lengths = np.array([*map(len, successors), 1], dtype=np.int64)
        parameters = [sum(len(template.parameters) for template in successor) for successor in successors]
        self.value_counts = np.array([*parameters, 0], dtype=np.int64)
        self.starts = ends(self.lengths) - self.lengths
        slots = [template.slot for successor in successors for template in successor]
        self.slots = np.array([*slots, 0], dtype=np.int32)
        self.draws = np.array([*(production.successor_draws for production in self.productions), 0], dtype=np.int64)
        # by kind, the random numbers that it takes to choose among its productions
        self.decisions = np.zeros(len(self.table.kinds), dtype=np.int64)
        for kind, numbers in self.of_kind.items():
            among = [self.productions[number] for number in numbers]
            self.decisions[kind] = sum(p.condition_draws for p in among) + any(p.weight is not None for p in among)

    def axiom(self) -> ModuleString:
        """The string that the axiom of the grammar stands for."""
        axiom = self.grammar.axiom
        draws = self.generator.random(axiom.successor_draws).reshape(1, -1)
        with np.errstate(all="ignore"):
            values = [p(Rows(1, draws=draws, surface=self.surface)) for t in axiom.successor for p in t.parameters]
        flat = np.array([float(np.ravel(value)[0]) for value in values], dtype=np.float64)
        slots = np.array([template.slot for template in axiom.successor], dtype=np.int32)
        return ModuleString(self.table, slots, in_single(flat) if self.single else flat, np.zeros_like(slots))

    def replace(
        self, string: ModuleString, time: float, limits: Limits, where: str, inherits: bool = False
    ) -> Replaced | None:
        """The string after one replacement at a time; None if no production applies anywhere.

        New modules are born then, or, if they inherit, as old as those they replace.
        Raises `ExpressionError` if an expression fails, and `LSystemError` if the string would go beyond the limits.
        """
        rule = np.full(len(string), _NO_RULE, dtype=np.int64)
        with np.errstate(all="ignore"):
            matches = self.choose(string, rule, time)
            if not matches:
                return None
            return self.written(string, rule, matches, time, inherits, limits, where)

    def choose(self, string: ModuleString, rule: Integers, time: float) -> dict[int, _Match]:
        """Find the production of every module; writes their numbers into ``rule``."""
        draws = _RandomNumbers(self.generator, self.decisions[string.kinds])
        neighbours = None
        if self.has_context and len(string):
            self.effort.take(_NEIGHBOURS * len(string))
            neighbours = Neighbours(string, self.grammar.ignored, self.grammar.considered)
        matches: dict[int, _Match] = {}
        for kind, modules in self.groups(string):
            group = _Match(modules, list(string.columns(modules)))
            chooser = _Chooser(self, string, neighbours, time, group, draws.of(modules, int(self.decisions[kind])))
            for number, match in chooser.choose(self.of_kind[kind]).items():
                rule[match.modules] = number
                matches[number] = match
        return matches

    def tried(self, number: int, modules: int, string: ModuleString) -> None:
        """Count what it takes to try a production for so many modules. Raises `LSystemError` if it is too much."""
        production = self.productions[number]
        branches = sum(isinstance(part, tuple) for part in production.right)
        self.effort.tries -= 1
        cost = self.trying[number] * modules + branches * len(string)
        self.effort.spend(cost, production, self.table.source)

    def groups(self, string: ModuleString) -> list[tuple[int, Integers]]:
        """Kinds that have productions, with the modules of each in the order of the string."""
        kinds = string.kinds
        if len(self.of_kind) <= 8:
            found = [(kind, np.flatnonzero(kinds == kind)) for kind in self.of_kind]
        else:
            order = np.argsort(kinds.astype(np.uint16) if len(self.table.kinds) < 65536 else kinds, kind="stable")
            bounds = np.searchsorted(kinds[order], np.arange(len(self.table.kinds) + 1))
            found = [(kind, order[bounds[kind] : bounds[kind + 1]]) for kind in self.of_kind]
        return [(kind, modules) for kind, modules in found if len(modules)]

    def written(
        self, string: ModuleString, rule: Integers, matches: dict[int, _Match], time: float, inherits: bool,
        limits: Limits, where: str,
    ) -> Replaced:  # fmt: skip
        """The new string."""
        lengths = self.lengths[rule]
        stays = rule == _NO_RULE
        value_counts = np.where(stays, string.parameters, self.value_counts[rule])
        total, total_values = int(lengths.sum()), int(value_counts.sum())
        if total > limits.max_modules or total_values > limits.max_values:
            too_many = total > limits.max_modules
            what = f"{limits.max_modules} modules" if too_many else f"{limits.max_values} parameters"
            most = self.productions[int(np.argmax(np.bincount(rule[~stays], lengths[~stays])))]
            message = f"{where} gives more than {what}; most come from this production of {most.symbol}"
            raise LSystemError(message, most.line, most.column, self.table.source)
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
        draws = _RandomNumbers(self.generator, self.draws[rule])
        for number, match in matches.items():
            production = self.productions[number]
            self.effort.tries -= 1
            self.effort.spend(self.applying[number] * len(match.modules), production, self.table.source)
            rows = self.rows(string, match, draws.of(match.modules, production.successor_draws), time)
            for value in _values_of(production.after):
                rows = replace(rows, columns=(*rows.columns, _evaluated(value, rows, string, match.modules)))
            place = values_ahead[match.modules]
            parameters = [parameter for template in production.successor for parameter in template.parameters]
            for offset, parameter in enumerate(parameters):
                values[place + offset] = _evaluated(parameter, rows, string, match.modules)
        if self.single:
            values = in_single(values)
        return Replaced(ModuleString(self.table, slots, values, born, time), origin)

    def rows(self, string: ModuleString, match: _Match, draws: Floats | None, time: float) -> Rows:
        """What the expressions of a production are evaluated for."""
        age: Value = time - string.born[match.modules].astype(np.float64) if self.has_clock else 0.0
        return Rows(len(match.modules), tuple(match.columns), draws, age, float(time), None, self.surface)


def _size_of_conditions(production: Production) -> int:
    """How many nodes the condition, the values before it and the weight of a production have, and its contexts, as so
    many nodes."""
    nodes = [node for node in (production.condition, production.weight) if node is not None]
    contexts = _length(production.left) + _length(production.right)
    return sum(len(parts(node)) for node in nodes) + size_of(production.before) + _CONTEXT * contexts


def _values_of(block: Block) -> list[Node]:
    """What the names of a text's own values come to, in the order of their columns."""
    return [statement.value for statement in block if isinstance(statement, Assignment)]


def _length(context: Context) -> int:
    return sum(_length(part) if isinstance(part, tuple) else 1 for part in context)


def in_single(values: Floats) -> Floats:
    """Numbers as single precision keeps them."""
    with np.errstate(over="ignore"):
        return values.astype(np.float32).astype(np.float64)


def _evaluated(expression: Node, rows: Rows, string: ModuleString, modules: Integers) -> Value:
    """The values of an expression for some modules of a string; an error names the module that is to blame."""
    try:
        return expression(rows)
    except ExpressionError as error:
        module = string[int(modules[error.row])]
        raise error.during(f"for module {module}") from None


@dataclass
class _Chooser:
    """Chooses among the productions of a group of modules, those of one kind."""

    rewriter: Rewriter
    string: ModuleString
    neighbours: Neighbours | None
    time: float
    group: _Match
    draws: Floats | None
    first_site: int = 0

    def choose(self, numbers: list[int]) -> dict[int, _Match]:
        """Production -> its modules: the first that fits, or by weight if this one has a weight."""
        chosen: dict[int, _Match] = {}
        weighted: list[tuple[int, Integers, _Match, Floats]] = []
        free = np.ones(len(self.group.modules), dtype=np.bool_)
        waiting = np.zeros(len(self.group.modules), dtype=np.bool_)
        for number in numbers:
            production = self.rewriter.productions[number]
            among = np.flatnonzero(free if production.weight is None else free | waiting)
            if len(among):
                self.rewriter.tried(number, len(among), self.string)
            places, match = self.fitting(production, among)
            if len(places):
                free[places] = False
                if production.weight is None:
                    chosen[number] = match
                else:
                    waiting[places] = True
                    weighted.append((number, places, match, self.weights(production, places, match)))
            self.first_site += production.condition_draws
        if weighted:
            self.by_weight(weighted, chosen)
        return chosen

    def fitting(self, production: Production, among: Integers) -> tuple[Integers, _Match]:
        """Which of some places in the group a production fits, and their modules."""
        if not len(among):
            return among, self.group
        match = self.group if len(among) == len(self.group.modules) else self.group.part(among)
        if production.left or production.right:
            fits, match = self.in_context(production, match)
            among = among[fits]
        if production.before and len(among):
            match = _Match(match.modules, list(match.columns))
            for value in _values_of(production.before):
                match.columns.append(self.evaluated(value, production, among, match))
        if production.condition is None or not len(among):
            return among, match
        holds = np.not_equal(self.evaluated(production.condition, production, among, match), 0.0)
        return (among, match) if holds.all() else (among[holds], match.part(holds))

    def evaluated(self, expression: Node, production: Production, places: Integers, match: _Match) -> Floats:
        """A production's condition or weight, for all of some places."""
        draws = None
        if self.draws is not None and production.condition_draws:
            draws = self.draws[places, self.first_site : self.first_site + production.condition_draws]
        rows = self.rewriter.rows(self.string, match, draws, self.time)
        return np.broadcast_to(_evaluated(expression, rows, self.string, match.modules), len(places))

    def in_context(self, production: Production, match: _Match) -> tuple[Flags, _Match]:
        """Where the context fits, and the modules there, with the columns of its parameters."""
        assert self.neighbours is not None
        left_fits, left = self.neighbours.left(match.modules, production.left)
        right_fits, right = self.neighbours.right(match.modules, production.right)
        fits = left_fits & right_fits
        match = match.part(fits)
        for context in np.concatenate([left, right], axis=1)[fits].T:
            match.columns += self.string.columns(context)
        return fits, match

    def weights(self, production: Production, places: Integers, match: _Match) -> Floats:
        """The production's weight for each of its modules."""
        assert production.weight is not None
        weights = self.evaluated(production.weight, production, places, match)
        if (weights < 0.0).any():
            message = f"the weight of this production of {production.symbol} is negative"
            raise ExpressionError(message, production.line, production.column, self.rewriter.table.source)
        return weights

    def by_weight(self, weighted: list[tuple[int, Integers, _Match, Floats]], chosen: dict[int, _Match]) -> None:
        """Draw one production for each module; one whose weights are all 0 stays."""
        assert self.draws is not None
        sums = np.zeros((len(weighted) + 1, len(self.group.modules)))
        for row, (_, places, _, weights) in enumerate(weighted):
            sums[row + 1] = sums[row]
            sums[row + 1, places] += weights
        draw = self.draws[:, -1] * sums[-1]
        for row, (number, places, match, _) in enumerate(weighted):
            drawn = (sums[row, places] <= draw[places]) & (draw[places] < sums[row + 1, places])
            if drawn.any():
                chosen[number] = match.part(drawn)
