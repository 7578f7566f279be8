# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells the files whose modules may be replaced all at once, over arrays: the outcome is the same, and far sooner.

Not so where anything depends on the order of the modules, or where cpfg matches otherwise than arrays do.
"""

from collections.abc import Iterable

from ...base.module_string import SlotTable
from ...expressions.nodes import Node
from ...expressions.state import Sequential, parts
from ..grammar import Production, Rules, Template

_TAKING = {"@": 2, "~": 1, "?": 1}
"""Symbols whose next modules the turtle reads together with them, and how many at most."""
_DEEPEST = 20
"""Interpretation rules that go deeper unfold little at a time, for which arrays are slow."""


def derives_over_arrays(axiom: Production, rules: Rules, decomposition: Rules, table: SlotTable) -> bool:
    """Whether the steps of a derivation may go over arrays; what stands around the steps is not looked at."""
    brackets = {table.kind("[", 0), table.kind("]", 0)}
    if any(production.left or production.right for production in rules.productions) and not (
        all(_is_balanced(production.successor) for production in [axiom, *rules.productions])
        and all(production.kind not in brackets for production in rules.productions)
    ):
        return False  # contexts over arrays know matched brackets only
    return (
        all(map(_is_alone, [axiom, *rules.productions]))
        and not any(brackets & {*production.left, *production.right} for production in rules.productions)
        and not decomposition.productions
        and not {symbol for symbol, _ in table.kinds} & {"%", "?"}
    )


def draws_over_arrays(interpretation: Rules, strings: list[list[str]]) -> bool:
    """Whether the interpretation rules may be applied over arrays; strings: the symbols of all that the text writes."""
    if interpretation.depth > _DEEPEST:
        return False
    rewritten = {production.symbol for production in interpretation.productions}
    return all(
        _is_alone(production) and not production.left and not production.right
        for production in interpretation.productions
    ) and not any(_takes_any(string, rewritten) for string in strings)


def _is_balanced(templates: Iterable[Template]) -> bool:
    """Whether each bracket of a string has its other one."""
    depth = 0
    for template in templates:
        depth += (template.symbol == "[") - (template.symbol == "]")
        if depth < 0:
            return False
    return not depth


def _takes_any(symbols: list[str], rewritten: set[str]) -> bool:
    """Whether the turtle might read a module, together with one before it, that would otherwise be rewritten."""
    return any(
        symbol in _TAKING
        and (
            place + 1 == len(symbols)
            or rewritten & set(symbols[place + 1 :][: _TAKING[symbol]])
            or (symbol, symbols[place + 1]) == ("@", "m")  # which may cut
        )
        for place, symbol in enumerate(symbols)
    ) or "%" in symbols


def _is_alone(production: Production) -> bool:
    """Whether a production looks at its own module and its neighbours only."""
    expressions: list[Node] = [parameter for template in production.successor for parameter in template.parameters]
    if production.condition is not None:
        expressions.append(production.condition)
    return (
        len(production.strict) <= 1
        and not production.before
        and not production.after
        and production.weight is None
        and all(isinstance(kind, int) and kind >= 0 for kind in production.right)
        and _are_pure(expressions)
    )


def _are_pure(expressions: Iterable[Node]) -> bool:
    return not any(isinstance(part, Sequential) for expression in expressions for part in parts(expression))
