# SPDX-License-Identifier: GPL-3.0-or-later
"""Productions as functions of registers, tried in the order of the text."""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...base.module_string import SlotTable
from ...expressions.closures import Action, Compiler, Expression, Registers, Surroundings
from ...expressions.state import parts, size_of
from ...language.grammar import Production, Rules, Template
from ..limits import Effort
from .outer_string import OuterString

Piece = tuple[list[int], list[float]]
"""Slots of modules, and all their parameters in a row."""
_NODES = 24
"""Of expressions and statements that count for one module that is looked at over arrays."""
_FEW, _A_MODULE = 8, 2
"""Modules of contexts that are not counted, and what each of more of them counts for."""
_Result = TypeVar("_Result")


@dataclass(slots=True)
class Candidate:
    """A production that may replace a module."""

    production: Production
    kinds: list[int]
    """Of the modules that are replaced together."""
    count: int
    """How many these are."""
    base: int
    """Register of their first parameter."""
    width: int
    """How many parameters they have."""
    end: int
    """The register behind their last parameter."""
    left: list[int]
    right: list[int]
    is_simple: bool
    """One module without contexts is replaced."""
    reach: int
    """What it takes to look for its contexts and further modules where there are many of them, 0 otherwise."""
    holds: Expression | None
    """Runs the statements before the condition and tells whether this is true; None: there is nothing to ask."""
    after: Action | None
    weight: Expression | None
    slots: list[int]
    """Of the successor."""
    parameters: Callable[[Registers], array]
    """Those of the successor, in single precision."""


class CompiledRules:
    """Rules that are used together: by kind of the first module the candidates, in the order of the text."""

    def __init__(
        self, rules: Rules, table: SlotTable, surroundings: Surroundings, counts: list[int], effort: Effort
    ) -> None:
        self.depth = rules.depth
        self.effort = effort
        self.source = table.source
        self.counts = counts
        self.kind_of: list[int] = table.kind_of.tolist()
        self.by_kind: list[list[Candidate]] = [[] for _ in table.kinds]
        self.any = bool(rules.productions)
        for production in rules.productions:
            counted = _Counted(production, effort, table.source)
            self.by_kind[production.kind].append(_candidate(production, surroundings, counts, counted))

    def first(
        self, candidates: Sequence[Candidate], piece: Piece, place: int, value: int, registers: Registers,
        outer: OuterString, before: int, behind: int | None,
    ) -> Candidate | None:  # fmt: skip
        """The first of candidates for a module of a piece, whose parameters begin at ``value``, that fits.

        before, behind: the modules of the string where contexts begin; None is right behind those that are replaced.
        Its parameters are then in their registers.
        """
        slots, values = piece
        effort = self.effort
        for candidate in candidates:
            if candidate.is_simple or self.is_around(candidate, slots, place, registers, outer, before, behind):
                if candidate.width:
                    registers[candidate.base : candidate.end] = values[value : value + candidate.width]
                holds = candidate.holds
                if holds is None or holds(registers):
                    return candidate
            effort.left -= 1
            if effort.left < 0:
                effort.spend(0, candidate.production, self.source)
        return None

    def find(
        self, piece: Piece, place: int, value: int, registers: Registers, outer: OuterString, before: int,
        behind: int | None,
    ) -> Candidate | None:  # fmt: skip
        """The first of all candidates that fits; see `first`."""
        candidates = self.by_kind[self.kind_of[piece[0][place]]]
        return self.first(candidates, piece, place, value, registers, outer, before, behind) if candidates else None

    def is_around(
        self, candidate: Candidate, slots: list[int], place: int, registers: Registers, outer: OuterString,
        before: int, behind: int | None,
    ) -> bool:  # fmt: skip
        """Whether a candidate's further modules and its contexts are there."""
        if candidate.reach:
            self.effort.spend(candidate.reach, candidate.production, self.source)
        if candidate.count > 1 and self.differs(candidate, slots, place):
            return False
        if not candidate.left and not candidate.right:
            return True
        behind = place + candidate.count if behind is None else behind
        return self.in_context(candidate, registers, outer, before, behind)

    def differs(self, candidate: Candidate, slots: list[int], place: int) -> bool:
        """Whether the modules from a place on are not those that a candidate replaces together."""
        following = slots[place : place + candidate.count]
        return [self.kind_of[slot] for slot in following] != candidate.kinds

    def in_context(
        self, candidate: Candidate, registers: Registers, outer: OuterString, before: int, behind: int
    ) -> bool:
        """Whether the contexts of a candidate are there; their parameters are then in their registers."""
        right = outer.right(candidate.right, behind) if candidate.right else []
        if right is None:
            return False
        left = outer.left(candidate.left, before) if candidate.left else []
        if left is None:
            return False
        register = candidate.end
        for place in (*left, *right):
            count = self.counts[outer.kinds[place]]
            if count:
                start = outer.first[place]
                registers[register : register + count] = outer.values[start : start + count]
                register += count
        return True


class _Counted:
    """Counts what a production's long statements and expressions take; short ones go without a detour."""

    def __init__(self, production: Production, effort: Effort, source: str) -> None:
        self.production = production
        self.effort = effort
        self.source = source

    def all(self, run: Callable[[Registers], _Result], size: int) -> Callable[[Registers], _Result]:
        """A function of so many nodes, counted each time."""
        cost = size // _NODES
        if not cost:
            return run
        spend, production, source = self.effort.spend, self.production, self.source

        def counted(registers: Registers) -> _Result:
            spend(cost, production, source)
            return run(registers)

        return counted


def _candidate(
    production: Production, surroundings: Surroundings, counts: list[int], counted: _Counted
) -> Candidate:
    compiler = Compiler(surroundings, production.base)
    strict = production.strict or (production.kind,)
    width = sum(counts[kind] for kind in strict)
    weight = production.weight
    contexts = production.left, production.right
    around = len(strict) + len(production.left) + len(production.right)
    after = compiler.block(production.after)
    size = len(production.successor) + sum(
        len(parts(parameter)) for template in production.successor for parameter in template.parameters
    )
    left, right = ([kind for kind in context if isinstance(kind, int)] for context in contexts)
    return Candidate(
        production=production,
        kinds=list(strict),
        count=len(strict),
        base=production.base,
        width=width,
        end=production.base + width,
        left=left,
        right=right,
        is_simple=len(strict) == 1 and not left and not right,
        reach=_A_MODULE * around if around > _FEW else 0,
        holds=_holds(production, compiler, counted),
        after=after and counted.all(after, size_of(production.after)),
        weight=None if weight is None else counted.all(compiler.expression(weight), len(parts(weight))),
        slots=[template.slot for template in production.successor],
        parameters=counted.all(parameters_of(production.successor, compiler), size),
    )


def _holds(production: Production, compiler: Compiler, counted: _Counted) -> Expression | None:
    before = compiler.block(production.before)
    condition = None if production.condition is None else compiler.expression(production.condition)
    size = size_of(production.before) + (0 if production.condition is None else len(parts(production.condition)))
    if before is None:
        return condition and counted.all(condition, size)
    run = before

    def holds(registers: Registers) -> float:
        run(registers)
        return 1.0 if condition is None else condition(registers)

    return counted.all(holds, size)


def parameters_of(templates: tuple[Template, ...], compiler: Compiler) -> Callable[[Registers], array]:
    """The function that evaluates the parameters of modules; an array of floats rounds them to single precision."""
    expressions = [compiler.expression(parameter) for template in templates for parameter in template.parameters]
    if len(expressions) == 1:
        only = expressions[0]
        return lambda registers: array("f", (only(registers),))
    if not expressions:
        none = array("f")
        return lambda registers: none
    return lambda registers: array("f", [expression(registers) for expression in expressions])
